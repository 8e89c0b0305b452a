"""What forgers try beside altering events: made-up receipts, two logs of one game, free time, bots, empty options."""

import random
from pathlib import Path

import pytest

from games.audit import signing
from games.audit.verify import Forged, verify_lines, verify_log
from games.audit.verify.program import FORGED, UNREADABLE, WHOLE
from games.clock import Limits
from games.rules.events import CardPlayed, ClockCredited, DeadlineSet, SeatAway, TurnMissed
from tests.audit.games import Fate, Written, begun, chained
from tests.audit.test_program import KEY, PRIVATE, PUBLIC, Desk, another_game, published, receipt, signed
from tests.audit.test_verify import QUICK_RULES, short_game


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def keys(desk: Desk) -> str:
    return desk.file({"keys": [{"key": KEY, "public_key": PUBLIC.hex()}]}, "keys.json")


# ---- receipts


@pytest.mark.parametrize("change", [{"hash": "00" * 32}, {"version": 4_000}, {"signature": "00" * 64}])
def test_a_receipt_that_the_server_never_signed_accuses_nobody(desk: Desk, change: dict[str, object]) -> None:
    """It is the receipt that is called forged; a log is held against the server's own words only."""
    mine = desk.file({**receipt(short_game(), 9), **change}, "mine.json")
    status, said = desk.said(signed(short_game()), "--keys", keys(desk), "--receipt", mine)
    assert status == FORGED
    assert "the receipt, not the log" in said
    assert "the server signed" not in said


def test_a_true_receipt_for_another_event_convicts_the_server(desk: Desk) -> None:
    """It signed one event, and shows another."""
    game = short_game().game_id
    message = signing.receipt_bytes(game_id=game, version=9, event_hash=bytes(32), command_id=game, key=KEY)
    shown = {"hash": "00" * 32, "signature": PRIVATE.sign(message).hex()}
    mine = desk.file({**receipt(short_game(), 9), **shown}, "mine.json")
    status, said = desk.said(signed(short_game()), "--keys", keys(desk), "--receipt", mine)
    assert status == FORGED
    assert "the server signed a receipt for another event here" in said


# ---- two logs of one game


def played(number: int) -> Written:
    """One of the games that may follow from the same start."""
    written = begun(server_seed=bytes(32), rules=QUICK_RULES)
    fate = Fate(written, random.Random(number))
    fate.bots, fate.accepting = set(), set()
    while not written.state.over:
        fate.at += 1_500
        fate.act()
    return written


def test_a_game_has_one_log_whatever_is_signed(desk: Desk) -> None:
    """Whoever tells two players two stories, each whole and signed, is found out when they compare."""
    one, other = played(1), played(2)
    assert one.game_id == other.game_id
    first, second = desk.file(signed(one), "one.ndjson"), desk.file(signed(other), "other.ndjson")
    assert desk.run(first)[0] == desk.run(second)[0] == WHOLE
    status, said = desk.run(first, second)
    assert status == FORGED
    assert "there is another whole log of this game" in said
    assert desk.run(first, first)[0] == WHOLE


def test_an_answer_of_many_games_tells_how_many_there_were(desk: Desk) -> None:
    """A game that was taken out of it is missed, though all that is left is whole."""
    one, other, trailer = short_game().texts(), another_game().texts(), '{"games": 2, "next": null}'
    assert desk.said([*one, *other, trailer, *one, *other, trailer])[0] == WHOLE
    for lines in ([*one, trailer], [*one, *other, trailer, *one, trailer], [trailer]):
        status, said = desk.said(lines)
        assert status == UNREADABLE
        assert "the answer held 2 games" in said


# ---- what is held against nothing


@pytest.mark.parametrize("option", ["--commitment", "--head", "--keys", "--game", "--receipt", "--entropy"])
def test_an_empty_option_is_not_taken_for_none(desk: Desk, option: str) -> None:
    """A variable that was not set must not make a check pass that was never made."""
    assert desk.said(signed(short_game()), option, "")[0] == UNREADABLE


def test_the_description_of_another_game_is_not_passed_over(desk: Desk) -> None:
    """Whoever gives it wanted to see it compared."""
    other = desk.file(published(another_game()), "game.json")
    status, said = desk.said(short_game().texts(), "--game", other)
    assert status == UNREADABLE
    assert "its description is given, and no log" in said


# ---- the server's favours


def test_time_is_not_credited_over_and_over() -> None:
    """Each credit may be some seconds more than had passed, for two machines' clocks; a hundred of them may not."""
    written = begun(server_seed=bytes(32), rules=QUICK_RULES, limits=Limits(60, 8))
    start, deadline = written.told[-1][2], written.clock.deadline or 0
    for _ in range(100):
        deadline += 6_000
        written.told += [(ClockCredited(6), "clock", start), (DeadlineSet(deadline), "server", start)]
    lines = chained(written.game_id, written.server_seed, written.told)
    with pytest.raises(Forged, match="more has been credited in all than the game has lasted"):
        verify_log(lines, game_id=written.game_id, server_seed=written.server_seed, limits=written.limits)


def test_a_bot_that_plays_for_somebody_present_is_told_of() -> None:
    """The log may hold it, as who sits where is not in it; a player who never left learns of it."""
    written = short_game()
    moves = [at for at, (event, actor, _) in enumerate(written.told) if actor == "seat:1"]
    last = max(at for at in moves if isinstance(written.told[at][0], CardPlayed))
    when = written.told[last][2]
    told = [(event, "bot:1" if (actor, at) == ("seat:1", when) else actor, at) for event, actor, at in written.told]
    lines = chained(written.game_id, written.server_seed, told)
    verified = verify_lines(lambda: lines)
    assert any("seat 1 is played by a bot from here on, and is not away" in what for what in verified.outside)
    assert not any("by a bot" in what for what in verify_lines(written.lines).outside)


def test_a_missed_turn_that_is_not_counted_is_told_of() -> None:
    """A bot misses none, and who sits where is not in the log; but that seat had moved by itself."""
    written = begun(server_seed=bytes(32), rules=QUICK_RULES, limits=Limits(10, 5))
    fate = Fate(written, random.Random(1))
    fate.bots, fate.accepting, fate.forfeit = set(), set(), False
    for _ in range(3):
        fate.at += 1_000
        fate.act()
    while not written.state.over:
        fate.at = max(fate.at, written.clock.deadline or 0)
        fate.time_out()
    assert not any("not counted" in what for what in verify_lines(written.lines).outside)
    kept = [one for one in written.told if not isinstance(one[0], TurnMissed | SeatAway)]
    lines = chained(written.game_id, written.server_seed, kept)
    assert any("it is not counted as missed" in what for what in verify_lines(lambda: lines).outside)
