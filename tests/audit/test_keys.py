"""Signatures that need nothing of this server but its published keys, and keys that are replaced."""

import hashlib
import json
import threading
from typing import Any
from uuid import uuid4

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from django.conf import LazySettings
from django.db import connection
from django.test import Client

from games.audit.keys import present_signer
from games.models import AuditEntry, AuditKind, GameSignature, Phase, SigningKey
from games.services import game_abort, keys
from games.services.keys import key_register
from players.models import Player
from tests.api.http import Caller
from tests.builders import QUICK, given_bots, given_game, given_lobby
from tests.celery.conftest import ROOT

pytestmark = pytest.mark.django_db(transaction=True)
OTHER = bytes(range(32))


@pytest.fixture(autouse=True)
def no_limits(settings: LazySettings) -> None:
    """Only tests of the limits themselves meet them."""
    settings.TAKI_THROTTLE_FACTOR = 1_000_000


def published() -> dict[str, Any]:
    """What anybody is told of the keys, by id."""
    answer = Client().get("/api/v1/keys/")
    assert answer.status_code == 200
    return {entry["key"]: entry for entry in answer.json()["keys"]}


def holds(public_key: str, signature: str, *parts: object) -> bool:
    """The signature is the key's over these parts, by another library's word alone."""
    message = "\n".join(map(str, parts)).encode("ascii")
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public_key)).verify(bytes.fromhex(signature), message)
    except InvalidSignature:
        return False
    return True


def table_over_http() -> tuple[str, list[Caller]]:
    """A running game of two, with its callers."""
    made = [Caller().post("players/guest/", {}).json() for _ in range(2)]
    host, other = (Caller(token=each["token"], player=each["player"]) for each in made)
    game = host.post("games/", {"seats": 2, "turn_seconds": None, "first_player": "host"}).json()
    assert other.post(f"games/{game['id']}/join/", {}).status_code == 200
    assert host.post(f"games/{game['id']}/start/").status_code == 200
    return game["id"], [host, other]


def move(game: str, caller: Caller, key: str) -> dict[str, Any]:
    command = next(each["command"] for each in caller.get(f"games/{game}/legal/").json()["commands"])
    answer = caller.post(f"games/{game}/commands/", {"command": command}, idempotency_key=key)
    assert answer.status_code == 201, answer.content
    body: dict[str, Any] = answer.json() | {"asked": command}
    return body


def test_a_receipt_is_checked_with_the_published_key_alone() -> None:
    """Its parts are those that are documented; each of them is covered."""
    game, (host, _) = table_over_http()
    key = str(uuid4())
    moved = move(game, host, key)
    receipt = moved["receipt"]
    assert (receipt["game"], receipt["command_id"]) == (game, key)
    assert receipt["version"] == moved["version"] == moved["events"][-1]["version"]
    public = published()[receipt["key"]]["public_key"]
    assert receipt["key"] == hashlib.sha256(bytes.fromhex(public)).hexdigest()[:16]
    parts = ["taki/1/receipt", game, receipt["version"], receipt["hash"], key, receipt["key"]]
    assert holds(public, receipt["signature"], *parts)
    for place in range(len(parts)):
        other = [*parts[:place], f"{parts[place]}0", *parts[place + 1 :]]
        assert not holds(public, receipt["signature"], *other)


def test_the_program_in_the_documentation_checks_a_receipt() -> None:
    """As it stands in docs/signatures.md; it refuses a receipt of which a word was changed."""
    text = (ROOT / "docs" / "signatures.md").read_text()
    program: dict[str, Any] = {}
    exec(text.split("```python\n")[1].split("```")[0], program)  # noqa: S102  # our own page
    game, (host, _) = table_over_http()
    receipt = move(game, host, str(uuid4()))["receipt"]
    keys = [*published().values()]
    program["check_receipt"](receipt, keys)
    for name, other in (("version", receipt["version"] + 1), ("hash", "0" * 64), ("command_id", str(uuid4()))):
        with pytest.raises(InvalidSignature):
            program["check_receipt"]({**receipt, name: other}, keys)


def test_a_receipts_hash_is_the_one_that_the_export_shows_later() -> None:
    """So a player who kept it can show that the log was changed."""
    game, callers = table_over_http()
    receipt = move(game, callers[0], str(uuid4()))["receipt"]
    turn = callers[0].get(f"games/{game}/view/").json()["turn"]
    assert callers[turn].post(f"games/{game}/commands/", {"command": "leave"}).status_code == 201
    lines = b"".join(callers[0].get(f"games/{game}/export/").streaming_content).splitlines()
    assert json.loads(lines[receipt["version"] - 1])["hash"] == receipt["hash"]


def test_a_repeated_command_has_the_same_receipt_and_another_key_signs_it_anew(settings: LazySettings) -> None:
    """The same bytes while the key is the same; afterwards the same words under the present key."""
    game, (host, _) = table_over_http()
    key = str(uuid4())
    first = move(game, host, key)
    body = {"command": first["asked"]}
    again = host.post(f"games/{game}/commands/", body, idempotency_key=key).json()
    assert again["receipt"] == first["receipt"]
    settings.TAKI_SIGNING_KEY = OTHER
    later = host.post(f"games/{game}/commands/", body, idempotency_key=key).json()["receipt"]
    assert later["key"] != first["receipt"]["key"]
    same = ("game", "version", "hash", "command_id")
    assert [later[name] for name in same] == [first["receipt"][name] for name in same]
    known = published()
    parts = ("taki/1/receipt", game, later["version"], later["hash"], key)
    assert holds(known[later["key"]]["public_key"], later["signature"], *parts, later["key"])
    old = first["receipt"]
    assert holds(known[old["key"]]["public_key"], old["signature"], *parts, old["key"])


def test_the_end_of_every_game_is_signed_in_the_ending_transaction() -> None:
    """Played out, stopped by staff; not one that never began, and not one that goes on."""
    played = given_bots(("random", "random"), rules=QUICK)
    played.bot_moves()
    aborted, running, never = given_game(), given_game(), given_lobby()
    staff = Player.objects.create_user("Staff", is_staff=True)
    for table in (aborted, never):
        game_abort(game_id=table.game_id, actor=staff, reason="a test")
    assert {*GameSignature.objects.values_list("game_id", flat=True)} == {played.game_id, aborted.game_id}
    assert running.game.phase == Phase.PLAYING
    for table in (played, aborted):
        signed, game = GameSignature.objects.get(game_id=table.game_id), table.game
        public = published()[signed.key]["public_key"]
        parts = ("taki/1/head", game.id, game.version, bytes(game.head_hash).hex())
        assert holds(public, bytes(signed.signature).hex(), *parts)
        assert table.events()[-1].type == "SeedRevealed"


def test_the_audit_of_a_game_tells_its_signature_where_the_keys_are_and_the_last_check() -> None:
    """Nothing of it before the end but the head, the commitment and the check."""
    game, callers = table_over_http()
    before = callers[0].get(f"games/{game}/audit/").json()
    assert (before["signature"], before["verification"], before["frozen"], before["looks"]) == (None,) * 4
    callers[0].post(f"games/{game}/commands/", {"command": "leave"})
    audit = callers[1].get(f"games/{game}/audit/").json()
    signature = audit["signature"]
    assert (signature["version"], signature["hash"]) == (audit["version"], audit["hash"])
    parts = ("taki/1/head", game, audit["version"], audit["hash"])
    assert holds(signature["public_key"], signature["signature"], *parts)
    assert signature["public_key"] == published()[signature["key"]]["public_key"]
    assert audit["keys"].endswith("/api/v1/keys/")
    assert audit["looks"] == []


def test_a_replaced_key_stays_published_and_its_signatures_hold(settings: LazySettings) -> None:
    """The old one until now, the new one from now on; the audit log tells of it, and never of a private key."""
    old = present_signer()
    before = given_bots(("random", "random"), rules=QUICK)
    before.bot_moves()
    settings.TAKI_SIGNING_KEY = OTHER
    after = given_bots(("random", "random"), rules=QUICK)
    after.bot_moves()
    known = published()
    new = present_signer()
    assert [*known] == [old.key, new.key]
    assert known[old.key]["until"] == known[new.key]["from"]
    assert known[new.key]["until"] is None
    for table, key in ((before, old.key), (after, new.key)):
        signed, game = GameSignature.objects.get(game_id=table.game_id), table.game
        assert signed.key == key
        parts = ("taki/1/head", game.id, game.version, bytes(game.head_hash).hex())
        assert holds(known[key]["public_key"], bytes(signed.signature).hex(), *parts)
    entry = AuditEntry.objects.get(kind=AuditKind.KEY)
    assert entry.data == {"before": old.key, "after": new.key}
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_jsonb(kept)::text FROM games_signingkey kept")
        rows = cursor.fetchall()
    assert len(rows) == 2
    assert new.public_key.hex() in str(rows)
    assert OTHER.hex() not in str(rows)


def test_a_key_that_is_put_back_is_the_present_one_again(settings: LazySettings) -> None:
    """It is published once, from its first use on."""
    first = present_signer()
    key_register(signer=first)
    kept = settings.TAKI_SIGNING_KEY
    settings.TAKI_SIGNING_KEY = OTHER
    assert key_register(signer=present_signer())
    settings.TAKI_SIGNING_KEY = kept
    keys.registered.clear()
    assert key_register(signer=present_signer())
    assert not key_register(signer=present_signer())
    known = published()
    assert [*known] == [first.key, next(key for key in known if key != first.key)]
    assert [entry["until"] is None for entry in known.values()] == [True, False]


def test_processes_that_start_at_once_register_a_key_once() -> None:
    """Eight connections at the same moment, one row."""
    gate, signer = threading.Barrier(8), present_signer()
    entered: list[bool] = []

    def start() -> None:
        try:
            gate.wait(10)
            entered.append(key_register(signer=signer))
        finally:
            connection.close()

    threads = [threading.Thread(target=start) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert sorted(entered) == [False] * 7 + [True]
    assert SigningKey.objects.count() == 1


def test_the_keys_may_be_kept_by_anybody_and_ask_for_no_token() -> None:
    """They are the same for everybody; a client that has them is told so in a line."""
    key_register(signer=present_signer())
    answer = Client().get("/api/v1/keys/")
    assert answer.headers["Cache-Control"] == "public, max-age=300"
    again = Client().get("/api/v1/keys/", headers={"if-none-match": answer.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert answer.json()["bytes"]["head"] == ["taki/1/head", "<game>", "<version>", "<hash>"]


def test_the_private_key_is_shown_nowhere() -> None:
    """Not by the signer's own text, nor by the environment's."""
    from config.env import read

    signer, private = present_signer(), OTHER.hex()
    assert "private" not in repr(signer).lower()
    assert private not in repr(read({"TAKI_SIGNING_KEY": private}))
    assert str(OTHER) not in repr(read({"TAKI_SIGNING_KEY": private}))
