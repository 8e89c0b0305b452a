"""Nothing public lets anybody guess a hidden card or the seed; everything can be checked after the end."""

import hashlib
import json
from collections.abc import Iterator

import pytest

from games import chain, selectors, store
from games.audit.export import export_lines
from games.audit.verify import Forged, verify_export
from games.clock import timestamp
from games.errors import WrongPhase
from games.fold import StoredEvent
from games.models import Game
from games.rules.cards import CARDS, HIDDEN
from games.rules.codec import encode
from games.rules.events import CardsDrawn, SeedCommitted, SeedRevealed
from games.rules.views import redact
from tests.builders import SEED, Table, given_bots, given_game, legal_texts

pytestmark = pytest.mark.django_db(transaction=True)


def one_card_draws(table: Table) -> list[tuple[bytes, StoredEvent]]:
    """Each event by which one hidden card was drawn, with the hash before it."""
    log = store.log(game_id=table.game_id)
    before = [chain.genesis(table.game_id), *(stored.hash for stored in log)]
    return [
        (before[stored.version - 1], stored)
        for stored in log
        if isinstance(stored.event, CardsDrawn) and len(stored.event.cards) == 1
    ]


def guesses(stored: StoredEvent) -> Iterator[tuple[str, bytes]]:
    """The event's canonical JSON, rightly made from public facts, with each of the 57 cards in turn."""
    public = encode(redact(stored.event, None)).data
    for card in CARDS:
        yield (
            card.code,
            chain.canonical_event(
                version=stored.version,
                event_type=stored.type,
                schema=stored.schema,
                data={**public, "cards": [card.code], **({"locked": 1} if "locked" in stored.data else {})},
                actor=stored.actor,
                at=timestamp(stored.recorded_at),
            ),
        )


def test_no_public_hash_betrays_a_hidden_card_but_the_revealed_salt_does() -> None:
    """All 57 codes tried against each hash, in every unsalted way, find none; with the salt exactly the card."""
    table = given_bots(("random",) * 3, server_seed=SEED)
    table.bot_moves()
    draws = one_card_draws(table)
    assert len(draws) >= 5
    assert all(encode(redact(stored.event, None)).data["cards"] == [HIDDEN.code] for _, stored in draws)
    public_hashes = {stored.hash for stored in store.log(game_id=table.game_id)}
    server_seed = table.server_seed
    for before, stored in draws:
        found_salted = []
        for code, canonical in guesses(stored):
            inner = hashlib.sha256(canonical).digest()
            unsalted = {
                inner,
                hashlib.sha256(before + inner).digest(),
                hashlib.sha256(before + canonical).digest(),
                chain.event_hash(before, b"", canonical),
                chain.event_hash(before, bytes(32), canonical),
                chain.event_hash(before, chain.commitment(server_seed), canonical),
            }
            assert not unsalted & public_hashes
            if chain.event_hash(before, chain.salt(server_seed, stored.version), canonical) == stored.hash:
                found_salted.append(code)
        assert found_salted == stored.data["cards"]


def test_the_commitment_and_the_entropy_are_in_the_log_before_the_deal_and_the_seed_is_its_end() -> None:
    """What was published at creation is what is revealed."""
    table = given_game(players=2, bots=("greedy",))
    published = table.game.commitment
    table.submit(0, "leave")
    table.submit(1, "leave")
    log = store.log(game_id=table.game_id)
    committed, revealed = log[1].event, log[-1].event
    assert isinstance(committed, SeedCommitted)
    assert log[2].type == "CardsDealt"
    assert isinstance(revealed, SeedRevealed)
    assert committed.commitment == published == chain.commitment(bytes.fromhex(revealed.server_seed)).hex()
    digests = [hashlib.sha256(entropy).hexdigest() for entropy in (b"entropy 0", b"entropy 1", b"")]
    assert list(committed.entropy) == digests


def test_the_seed_is_nowhere_in_a_running_games_row_or_log() -> None:
    """Neither the row, nor any event, nor what the selectors give of a running game holds it."""
    table = given_game()
    table.submit(0, legal_texts(table)[0])
    secret = table.server_seed
    row = repr(Game.objects.filter(pk=table.game_id).values().get())
    log = repr([event.data for event in table.events()])
    audit = selectors.audit_load(game_id=table.game_id)
    seen = repr(selectors.view_load(game_id=table.game_id, seat=None).view) + repr(
        selectors.events_load(game_id=table.game_id, seat=None)
    )
    for told in (row, log, seen, repr(audit)):
        assert secret.hex() not in told
        assert repr(secret)[2:-1] not in told
    assert audit.server_seed is None


def test_a_finished_game_is_verified_from_its_export_alone() -> None:
    """The export leads to the head hash and the final position that the server has."""
    table = given_bots(("greedy", "random", "greedy"))
    table.bot_moves()
    verified = verify_export(export_lines(game_id=table.game_id))
    assert (verified.version, verified.head_hash) == (table.game.version, bytes(table.game.head_hash))
    assert verified.state == table.state


def test_a_game_that_is_not_over_is_not_exported() -> None:
    """The full log would show every hand."""
    table = given_game()
    with pytest.raises(WrongPhase) as refused:
        list(export_lines(game_id=table.game_id))
    assert refused.value.code == "not_finished"


@pytest.mark.parametrize("number", range(1, 9))
def test_an_altered_export_is_found_out(number: int) -> None:
    """A changed card, time, actor, hash, order, length, seed or entropy is said, with its version."""
    table = given_bots(("random", "greedy", "random"), server_seed=SEED)
    table.bot_moves()
    lines = [json.loads(line) for line in export_lines(game_id=table.game_id)]
    drawn = next(place for place, line in enumerate(lines) if line.get("type") == "CardsDrawn")
    match number:
        case 1:
            lines[drawn]["data"]["cards"][0] = "K" if lines[drawn]["data"]["cards"][0] != "K" else "C"
        case 2:
            lines[drawn]["at"] = lines[drawn]["at"].replace("Z", "+00:00")
        case 3:
            lines[drawn]["actor"] = "seat:0"
        case 4:
            lines[drawn]["hash"] = lines[1]["data"]["commitment"]
        case 5:
            lines[drawn], lines[drawn + 1] = lines[drawn + 1], lines[drawn]
        case 6:
            lines.pop()
        case 7:
            lines[-1]["data"]["server_seed"] = "00" * 32
        case 8:
            lines[1]["data"]["entropy"][0] = "00" * 32
    with pytest.raises(Forged, match="version"):
        verify_export(json.dumps(line) for line in lines)


def test_a_deal_that_is_not_the_seeds_is_found_out_even_with_a_chain_that_holds() -> None:
    """A server that hashes its own forgery still cannot have shuffled otherwise."""
    table = given_bots(("random", "greedy", "random"), server_seed=SEED)
    table.bot_moves()
    lines = [json.loads(line) for line in export_lines(game_id=table.game_id)]
    deal = next(line for line in lines if line["type"] == "CardsDealt")
    deal["data"]["hands"].reverse()
    head = chain.genesis(table.game_id)
    for line in lines:
        fields = {
            "event_type": line["type"],
            **{key: line[key] for key in ("version", "schema", "data", "actor", "at")},
        }
        head = chain.event_hash(head, chain.salt(table.server_seed, line["version"]), chain.canonical_event(**fields))
        line["hash"] = head.hex()
    with pytest.raises(Forged, match="the deal is not the seed's"):
        verify_export(json.dumps(line) for line in lines)
