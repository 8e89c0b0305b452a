"""The drill: players erased, the database dumped and put back elsewhere, keys replaced; every game still verifies."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from uuid import UUID, uuid4

import psycopg
import pytest
from django.conf import LazySettings
from django.core.management import CommandError, call_command
from django.db import connection

from games.audit.receipts import receipt_for
from games.models import AuditEntry, Game, GameSignature, Phase
from players.models import Player
from players.services import player_erase
from tests.audit.test_keys import holds, published
from tests.builders import QUICK, Table, given_bots, given_game, legal_texts
from tests.celery.conftest import ROOT, test_database

pytestmark = pytest.mark.django_db(transaction=True)
KEY = bytes(range(100, 132))


@pytest.fixture
def elsewhere() -> Iterator[dict[str, str]]:
    """An empty database of its own, as the environment of a process that works on it; dropped at the end."""
    name = f"restored_{uuid4().hex[:12]}"
    with psycopg.connect(os.environ["DATABASE_OWNER_URL"], autocommit=True) as owner:
        owner.execute(f"CREATE DATABASE {name}")  # type: ignore[call-overload, unused-ignore]
    urls = {
        variable: test_database(os.environ[variable]).replace(connection.settings_dict["NAME"], name)
        for variable in ("DATABASE_URL", "DATABASE_OWNER_URL")
    }
    yield {**os.environ, **urls, "DJANGO_SETTINGS_MODULE": "config.settings.production", "SECRET_KEY": "k" * 40}
    with psycopg.connect(os.environ["DATABASE_OWNER_URL"], autocommit=True) as owner:
        owner.execute(f"DROP DATABASE {name} WITH (FORCE)")  # type: ignore[call-overload, unused-ignore]


def manage(environment: dict[str, str], *arguments: str) -> tuple[int, str]:
    """What `manage.py` ends with and prints."""
    command = [sys.executable, "manage.py", *arguments]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def given_all_kinds(settings: LazySettings) -> dict[str, Table]:
    """A game signed with an old key, one with the present key, a running one, and one whose players are erased."""
    kept = settings.TAKI_SIGNING_KEY
    settings.TAKI_SIGNING_KEY = KEY
    old = given_bots(("greedy", "random"), rules=QUICK)
    old.bot_moves()
    settings.TAKI_SIGNING_KEY = kept
    new = given_bots(("greedy", "random"), rules=QUICK)
    new.bot_moves()
    erased, running = given_game(), given_game()
    for table in (erased, running):
        table.submit(0, next(text for text in legal_texts(table) if text != "leave"))
    erased.submit(1, "leave")
    for player in erased.players:
        assert player_erase(player_id=player.pk)
    assert player_erase(player_id=running.players[1].pk)
    return {"old": old, "new": new, "erased": erased, "running": running}


def test_after_erasure_dump_and_restore_every_game_verifies_and_goes_on(
    settings: LazySettings, elsewhere: dict[str, str], tmp_path: Path
) -> None:
    """As docs/operations.md has the steps: dump, restore into a new database, audit; then play on and audit again."""
    tables = given_all_kinds(settings)
    running = tables["running"].game
    event = tables["running"].events()[-1]
    receipt = receipt_for(
        game_id=running.pk, version=running.version, event_hash=bytes(event.hash), command_id=event.command_id
    )
    names = {player.name for table in tables.values() for player in table.players[1:]}
    keys = published()
    elsewhere["TAKI_SIGNING_KEY"] = settings.TAKI_SIGNING_KEY.hex()
    file = tmp_path / "taki.dump"
    call_command("database_dump", file, stdout=io.StringIO())
    assert file.stat().st_mode & 0o077 == 0
    code, said = manage(elsewhere, "database_restore", str(file))
    assert (code, said.splitlines()[0][:18]) == (0, "restored: 4 games."), said
    code, said = manage(elsewhere, "games_audit")
    assert (code, said.splitlines()[-1]) == (0, "4 games, 0 failed, 0 differ from their logs")

    with psycopg.connect(elsewhere["DATABASE_URL"], autocommit=True) as restored:
        heads: dict[UUID, bytes] = dict(restored.execute("SELECT id, head_hash FROM games_game").fetchall())
        assert heads == {game.pk: bytes(game.head_hash) for game in Game.objects.all()}
        assert restored.execute("SELECT count(*) FROM games_auditentry").fetchone() == (AuditEntry.objects.count(),)
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            restored.execute("DELETE FROM games_gameevent")
        stored = {key: public.hex() for key, public in restored.execute("SELECT key, public_key FROM games_signingkey")}
        assert stored == {key: entry["public_key"] for key, entry in keys.items()}
        parts = ("taki/1/receipt", receipt["game"], receipt["version"], receipt["hash"], receipt["command_id"])
        assert holds(stored[str(receipt["key"])], str(receipt["signature"]), *parts, receipt["key"])
        told = str(restored.execute("SELECT to_jsonb(player)::text FROM players_player player").fetchall())
    assert not [name for name in names if name in told]

    code, said = manage(elsewhere, "shell", "-c", PLAY_ON)
    assert (code, said.splitlines()[-1]) == (0, "4 games, 0 failed, 0 differ from their logs")
    with psycopg.connect(elsewhere["DATABASE_URL"]) as restored:
        found = restored.execute("SELECT phase FROM games_game WHERE id = %s", (running.pk,)).fetchone()
        assert found == (Phase.FINISHED,)
        signed = restored.execute("SELECT key FROM games_gamesignature WHERE game_id = %s", (running.pk,)).fetchone()
    assert signed == (next(key for key, entry in keys.items() if entry["until"] is None),)


PLAY_ON = """
from games import services
from games.models import Game
game = Game.objects.get(phase="playing")
services.seat_abandon(game_id=game.pk, seat=1)
services.game_stop(game_id=game.pk)
from django.core.management import call_command
call_command("games_audit")
"""


def test_a_restore_gives_up_nothing_unasked_and_is_whole_or_not_at_all(
    tmp_path: Path,
) -> None:
    """Where there are games it wants a word; what is no dump changes nothing; a dump is never written over."""
    table = given_game()
    file, broken = tmp_path / "taki.dump", tmp_path / "broken"
    call_command("database_dump", file, stdout=io.StringIO())
    with pytest.raises(CommandError, match="is there already"):
        call_command("database_dump", file)
    with pytest.raises(CommandError, match="There are 1 games in this database; --replace gives them up"):
        call_command("database_restore", file)
    broken.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    with pytest.raises(CommandError, match=r"is no dump|failed"):
        call_command("database_restore", broken, "--replace")
    assert table.game.phase == Phase.PLAYING


def test_an_erased_player_leaves_every_hash_and_signature_as_it_was(settings: LazySettings) -> None:
    """And no trace of its name or id in what proves the games."""
    tables = given_all_kinds(settings)
    game = tables["erased"].game
    signed = GameSignature.objects.get(game_id=game.pk)
    parts = ("taki/1/head", game.pk, game.version, bytes(game.head_hash).hex())
    assert holds(published()[signed.key]["public_key"], bytes(signed.signature).hex(), *parts)
    assert not Player.objects.filter(pk__in=[player.pk for player in tables["erased"].players]).exists()
    told = json.dumps([[event.data, event.actor] for event in tables["erased"].events()])
    for player in tables["erased"].players:
        assert player.name not in told
        assert str(player.pk) not in told
