"""The server's own check: what was altered is named, and the game frozen; what is well stays as it is."""

import threading
from collections.abc import Callable

import pytest
from django.db import connection

from games.audit import check
from games.audit.check import Checked, game_check
from games.models import AuditEntry, AuditKind, Game, GameCheck, GameEvent, GameSignature, Phase, SigningKey
from tests.audit.tampering import alter_event, altered_event, tamper
from tests.builders import QUICK, Table, given_bots, given_game, given_lobby, legal_texts

pytestmark = pytest.mark.django_db(transaction=True)


def finished() -> Table:
    """A short game of bots, played to its end."""
    table = given_bots(("greedy", "random"), rules=QUICK)
    table.bot_moves()
    assert table.game.phase == Phase.FINISHED
    return table


def running() -> Table:
    """A game of two players with a few moves made."""
    table = given_game()
    for _ in range(6):
        table.submit(table.state.turn, next(text for text in legal_texts(table) if text != "leave"))
    return table


def checked(table: Table) -> Checked:
    return game_check(game_id=table.game_id)


@pytest.mark.parametrize("given", [finished, running, given_lobby])
def test_a_game_that_nobody_touched_verifies(given: Callable[[], Table]) -> None:
    """In the lobby, running and over; the outcome is remembered and nothing is frozen."""
    table = given()
    found = checked(table)
    assert (found.ok, found.problem, found.version, found.differing) == (True, None, table.game.version, ())
    stored = GameCheck.objects.get(game_id=table.game_id)
    assert (stored.ok, stored.version, stored.checked_at) == (True, table.game.version, found.checked_at)
    assert table.game.frozen_at is None


ALTERED = [
    ("a card", "data = data || '{\"first\": 7}'", 1),
    ("the actor", "actor = 'nobody'", 5),
    ("the time", "recorded_at = recorded_at + interval '1 second'", 4),
    ("the type", "type = 'NoSuchEvent'", 4),
    ("the schema", "schema = 9", 4),
    ("data of another shape", "data = '[1.5, null]'", 4),
    ("the hash", "hash = sha256(hash)", 5),
    ("no hash", "hash = ''", 5),
]


@pytest.mark.parametrize("given", [finished, running])
def test_an_altered_event_is_named(given: Callable[[], Table]) -> None:
    """Whatever of it was changed; and when it is as it was, the log verifies again."""
    table = given()
    for what, change, version in ALTERED:
        with altered_event(table.game_id, version, change):
            found = game_check(game_id=table.game_id, freeze=False)
        assert not found.ok, what
        assert (found.problem or "").startswith(f"version {version}: "), (what, found.problem)
        assert not found.unjudged, what
    assert checked(table).ok
    assert table.game.frozen_at is None


@pytest.mark.parametrize("given", [finished, running])
def test_a_game_that_does_not_verify_is_frozen_once_and_the_audit_log_says_why(given: Callable[[], Table]) -> None:
    """A second check finds it frozen and says no more of it."""
    table = given()
    alter_event(table.game_id, 4, "actor = 'nobody'")
    found, again = checked(table), checked(table)
    game = table.game
    assert game.frozen_at is not None
    assert (found.problem or "")[:200] == (again.problem or "")[:200] == game.frozen_reason
    entry = AuditEntry.objects.get(game_id=table.game_id, kind=AuditKind.FROZEN)
    assert (entry.reason, entry.version, entry.player_id) == (game.frozen_reason, game.version, None)


@pytest.mark.parametrize("given", [finished, running])
def test_a_missing_event_is_named(given: Callable[[], Table]) -> None:
    """From the middle, and from the end of the log."""
    table = given()
    tamper("DELETE FROM games_gameevent WHERE game_id = %s AND version = 5", table.game_id)
    assert (checked(table).problem or "").startswith("version 5: ")
    other = given()
    last = other.game.version
    tamper("DELETE FROM games_gameevent WHERE game_id = %s AND version = %s", other.game_id, last)
    problem = checked(other).problem or ""
    assert problem.startswith((f"version {last}: ", f"version {last - 1}: ")), problem


def test_a_log_that_is_gone_is_noticed() -> None:
    """All events of a game, and the seed that was kept for it."""
    table, other = running(), running()
    tamper("DELETE FROM games_gameevent WHERE game_id = %s", table.game_id)
    tamper("DELETE FROM games_gamesecret WHERE game_id = %s", other.game_id)
    assert checked(table).problem == "the log is gone"
    assert checked(other).problem == "the seed kept for it is gone"


ROWS = [
    ("UPDATE games_game SET commitment = repeat('0', 64) WHERE id = %s", "the seed kept is not the one committed to"),
    ("UPDATE games_gamesecret SET server_seed = sha256('x') WHERE game_id = %s", "the seed kept is not the one"),
    ("UPDATE games_seat SET entropy = 'x' WHERE game_id = %s", "version 2: the entropy is not what the seats gave"),
    ('UPDATE games_game SET house_rules = \'{"mode": "ladder"}\' WHERE id = %s', "version 1: the table has other"),
    ("UPDATE games_game SET head_hash = sha256('x') WHERE id = %s", "version {}: the head is not the one"),
    ("UPDATE games_game SET version = version + 1 WHERE id = %s", "version {}: the log is shorter or longer"),
]


@pytest.mark.parametrize(("statement", "problem"), ROWS)
def test_what_the_tables_say_beside_the_log_must_agree_with_it(statement: str, problem: str) -> None:
    """The commitment, the seed, the entropies, the house rules and the head."""
    table = running()
    last = table.game.version
    tamper(statement, table.game_id)
    assert (checked(table).problem or "").startswith(problem.format(last))


SEALS = [
    (
        "UPDATE games_gamesignature SET signature = set_byte(signature, 0, 255 - get_byte(signature, 0))",
        "does not hold",
    ),
    ("UPDATE games_gamesignature SET key = 'ffffffffffffffff'", "by a key that was never published"),
    ("UPDATE games_gamesignature SET version = version - 1", "another end was signed"),
    ("DELETE FROM games_gamesignature", "the end is not signed"),
]


@pytest.mark.parametrize(("statement", "problem"), SEALS)
def test_the_signature_of_the_end_must_hold(statement: str, problem: str) -> None:
    """Altered, by an unknown key, over another end, or taken away."""
    SigningKey.objects.create(key="0" * 16, public_key=bytes(32), since="2020-01-01T00:00Z")
    table = finished()
    tamper(f"{statement} WHERE game_id = %s", table.game_id)
    assert problem in (checked(table).problem or "")


def test_a_game_older_than_the_first_key_needs_no_signature() -> None:
    """It ended before anything was signed."""
    table = finished()
    tamper("DELETE FROM games_gamesignature WHERE game_id = %s", table.game_id)
    tamper("UPDATE games_signingkey SET since = now() + interval '1 day'")
    assert checked(table).ok


def test_the_end_that_was_signed_cannot_be_replaced_by_another() -> None:
    """A log rewritten as a whole, its chain and seed in order, meets the signature."""
    table, other = finished(), finished()
    signed = GameSignature.objects.get(game_id=other.game_id)
    tamper(
        "UPDATE games_gamesignature SET version = %s, hash = %s, signature = %s WHERE game_id = %s",
        table.game.version,
        bytes(table.game.head_hash),
        bytes(signed.signature),
        table.game_id,
    )
    assert checked(table).problem == "the signature of the end does not hold"


def test_a_summary_that_the_log_contradicts_is_told_and_freezes_nothing() -> None:
    """It is derived: `games_rebuild` writes it anew."""
    table = finished()
    Game.objects.filter(pk=table.game_id).update(winner=1 - (table.game.winner or 0), cards=[9, 9])
    found = checked(table)
    assert (found.ok, set(found.differing)) == (True, {"winner", "cards"})
    assert GameCheck.objects.get(game_id=table.game_id).differing.split() == list(found.differing)
    assert table.game.frozen_at is None


def test_the_problem_of_a_running_game_shows_no_card() -> None:
    """What was found and what was expected is told only when the game is over."""
    table = running()
    alter_event(table.game_id, 3, "data = jsonb_set(data, '{hands,0,0}', '\"R1\"')")
    problem = checked(table).problem or ""
    assert problem.startswith("version 3: ")
    assert "found" not in problem
    assert "expected" not in problem


def test_a_game_that_moves_during_its_check_is_no_false_alarm(monkeypatch: pytest.MonkeyPatch) -> None:
    """The check reads one snapshot, and the mover does not wait for it."""
    table = running()
    before, rows = table.game.version, check._rows
    moved: list[int] = []

    def move() -> None:
        try:
            text = next(text for text in legal_texts(table) if text != "leave")
            moved.append(table.submit(table.state.turn, text).version)
        finally:
            connection.close()

    def reading(game_id: object, after: int) -> object:
        if after and not moved:
            mover = threading.Thread(target=move)
            mover.start()
            mover.join(10)
        return rows(table.game_id, after)

    monkeypatch.setattr(check, "PORTION", 3)
    monkeypatch.setattr(check, "_rows", reading)
    found = checked(table)
    assert moved
    assert moved[0] > before
    assert (found.ok, found.version) == (True, before)
    assert GameEvent.objects.filter(game_id=table.game_id).count() == moved[0]
    assert game_check(game_id=table.game_id).version == moved[0]
