"""What the verifier finds in logs: nothing in honest ones, and the first wrong event in all others."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

import pytest

from games import chain
from games.audit.record import lines_of, record_of
from games.audit.verify import Forged, Line, Unreadable, verify_export, verify_lines, verify_log
from games.audit.verify.lines import text_of
from games.audit.verify.scanning import ends_of
from games.clock import Limits
from games.rules.cards import Seat
from games.rules.events import ClockCredited, TakiClosed, TurnPassed
from games.rules.ruleset import DEFAULT_RULES, LastCard
from tests.audit.games import Fate, Written, begun, random_game, rechained

QUICK_RULES = replace(DEFAULT_RULES, hand_size=3, max_turns=12)


@cache
def short_game() -> Written:
    """A game of about forty events between three seats, without anything odd."""
    written = begun(server_seed=bytes(range(32)), rules=QUICK_RULES, limits=Limits(60, 8))
    fate = Fate(written, random.Random(5))
    fate.bots, fate.accepting = set(), set()
    while not written.state.over:
        fate.at += 1_500
        fate.act()
    return written


def verify(lines: Sequence[Line]) -> None:
    verify_export([text_of(line) for line in lines])


def forged(lines: Sequence[Line]) -> Forged:
    """What the verifier says of these lines, which are not whole."""
    with pytest.raises(Forged) as told:
        verify(lines)
    return told.value


# ---- honest logs

SEEDS = range(24)


@pytest.mark.parametrize("number", SEEDS)
def test_a_game_of_any_kind_is_whole(number: int) -> None:
    """Every mode and house rule, 2 to 10 seats, any clock, silences, absences, returns, leavers, pauses, stops."""
    written = random_game(random.Random(number))
    verified = verify_export(written.texts())
    assert verified.state == written.state
    assert verified.version == len(written.told)
    assert verified.head_hash.hex() == written.lines()[-1].hash


@pytest.mark.deep
@pytest.mark.parametrize("hundred", range(10))
def test_a_thousand_games_are_whole(hundred: int) -> None:
    """The same, a thousand times."""
    for number in range(1_000 + 100 * hundred, 1_100 + 100 * hundred):
        written = random_game(random.Random(number))
        assert verify_export(written.texts()).state == written.state


@pytest.mark.parametrize("number", SEEDS[:10])
def test_what_is_learnt_of_the_clock_is_how_it_was_set(number: int) -> None:
    """The settings that a log tells are those of its table, and with them it is whole as well."""
    written = random_game(random.Random(number))
    verify_lines(written.lines, limits=written.limits)
    learnt, limits = verify_export(written.texts()).clock, written.limits
    if learnt.window is not None:
        assert learnt.window == 1_000 * limits.reaction_seconds
    if limits.turn_seconds is None:
        assert learnt.turn is None
    elif learnt.bank:
        assert (learnt.turn, learnt.bank) == (1_000 * limits.turn_seconds, 1_000 * limits.bank_seconds)
        assert limits.increment_seconds in learnt.increments


@pytest.mark.parametrize("number", SEEDS[:10])
def test_a_running_game_is_checked_by_whoever_has_its_seed(number: int) -> None:
    """After every command of the game, with the table's clock; its seed is nowhere in the log."""
    written = random_game(random.Random(number))
    lines, times = written.lines(), [at for _, _, at in written.told]
    ends = [place for place in range(4, len(lines)) if times[place] != times[place - 1]]
    for place in ends[:: max(1, len(ends) // 8)]:
        verified = verify_log(
            lines[:place], game_id=written.game_id, server_seed=written.server_seed, limits=written.limits
        )
        assert verified.version == place
        assert verified.reason is None


def test_a_taki_closed_after_a_plus_that_could_not_win_belongs_to_its_command() -> None:
    """U11: the turn has passed, and the same command still closes the TAKI; the record says it in one move."""
    chance = random.Random(3_732)
    rules = replace(DEFAULT_RULES, hand_size=3, max_turns=60, last_card=LastCard.OFF)
    written = begun(server_seed=chance.randbytes(32), rules=rules)
    fate = Fate(written, chance)
    fate.bots, fate.accepting = set(), set()
    while not written.state.over:
        fate.at += 1_500
        fate.act()
    types = [type(event) for event, _, _ in written.told]
    assert types[37:39] == [TurnPassed, TakiClosed]
    assert verify_export(written.texts()).state == written.state
    told = record_of(written.lines, limits=written.limits)
    assert [line.hash for line in lines_of(told)] == [line.hash for line in written.lines()]
    lines = [*written.lines()[:39], *rechained(written.lines(), bytes(32))[39:]]
    assert forged(lines).version == 40


def test_it_is_said_whether_the_seed_draws_who_began() -> None:
    """Among all seats, as it must be where the table says random."""
    for first in (Seat(0), Seat(1), Seat(2)):
        written = begun(server_seed=bytes(32), first=first, rules=QUICK_RULES)
        Fate(written, random.Random(1)).play()
        drawn = chain.first_seat(written.state.seed, [Seat(0), Seat(1), Seat(2)])
        assert verify_export(written.texts()).first_drawn == (drawn == first)


# ---- a chain that was left as it was


def changed(line: Line) -> list[Line]:
    """The line with each of its parts another."""
    later = line.at.replace("12:", "13:", 1)
    return [
        line._replace(type="TakiClosed" if line.type != "TakiClosed" else "GameAborted", data={}),
        line._replace(data={**line.data, "seat": 9}),
        line._replace(actor="staff"),
        line._replace(at=later),
        line._replace(hash=line.hash[::-1]),
    ]


EVERY = range(len(short_game().told))


@pytest.mark.parametrize("place", EVERY)
def test_a_changed_event_is_named(place: int) -> None:
    """At every position: its type, data, author, time or hash; by its version, and what its hash should be."""
    lines = short_game().lines()
    for other in changed(lines[place]):
        if place == len(lines) - 1 and other.type != "SeedRevealed":
            continue  # then the log does not end as one does: below
        told = forged([*lines[:place], other, *lines[place + 1 :]])
        assert told.version == place + 1
        assert told.expected


@pytest.mark.parametrize("place", EVERY)
def test_a_dropped_event_is_named(place: int) -> None:
    """At every position; the last one, when it is gone, is missed as the end."""
    lines = short_game().lines()
    told = forged([*lines[:place], *lines[place + 1 :]])
    last = place == len(lines) - 1
    assert told.version == (place if last else place + 1)
    assert told.expected == ("SeedRevealed" if last else f"version {place + 1}")


@pytest.mark.parametrize("place", EVERY)
def test_an_event_that_is_dropped_and_the_rest_renumbered_is_named(place: int) -> None:
    """At every position: the next one's hash is that of another version."""
    lines = short_game().lines()
    rest = [line._replace(version=line.version - 1) for line in lines[place + 1 :]]
    told = forged([*lines[:place], *rest])
    assert told.version == (place if not rest else place + 1)


@pytest.mark.parametrize("place", EVERY)
def test_an_inserted_event_is_named(place: int) -> None:
    """At every position: an event told twice, and one made up with the rest renumbered."""
    lines = short_game().lines()
    assert forged([*lines[: place + 1], *lines[place:]]).version == place + 2
    made_up = lines[place]._replace(type="TakiClosed", data={})
    rest = [line._replace(version=line.version + 1) for line in lines[place:]]
    assert forged([*lines[:place], made_up, *rest]).version == place + 1


@pytest.mark.parametrize("place", EVERY[:-1])
def test_two_swapped_events_are_named(place: int) -> None:
    """At every position, as they are and with their versions swapped back."""
    lines = short_game().lines()
    one, other = lines[place : place + 2]
    if place == len(lines) - 2:
        assert forged([*lines[:place], other, one]).version == one.version
        return
    assert forged([*lines[:place], other, one, *lines[place + 2 :]]).version == place + 1
    versions = (other._replace(version=one.version), one._replace(version=other.version))
    assert forged([*lines[:place], *versions, *lines[place + 2 :]]).version == place + 1


@pytest.mark.parametrize("length", EVERY)
def test_a_log_that_was_cut_off_is_named(length: int) -> None:
    """It does not end by revealing the seed."""
    lines = short_game().lines()[:length]
    told = forged(lines)
    assert told.version == length
    assert isinstance(told, Unreadable) == (length == 0)


def test_another_seed_at_the_end_is_named_there() -> None:
    """It is not the one committed to, and it is the seed that is wrong: the first hash was made with another."""
    lines = short_game().lines()
    told = forged([*lines[:-1], lines[-1]._replace(data={"server_seed": "00" * 32})])
    assert told.version == len(lines)
    assert chain.commitment(bytes(32)).hex() in told.found
    assert lines[1].data["commitment"] in told.expected


def test_another_commitment_is_named_where_it_stands() -> None:
    """The seed is the one that the hashes were made with, so it is the commitment that was changed."""
    lines = short_game().lines()
    other = lines[1]._replace(data={**lines[1].data, "commitment": "00" * 32})
    assert forged([lines[0], other, *lines[2:]]).version == 2


def test_the_log_of_another_game_is_not_this_ones() -> None:
    """Under another id its first hash is another; and an event of another game does not belong to it."""
    lines, other = short_game().lines(), "01890a5d-ac96-774b-bcce-b302099a8057"
    assert forged([line._replace(game=other) for line in lines]).version == 1
    assert forged([*lines[:9], lines[9]._replace(game=other), *lines[10:]]).version == 10


# ---- a chain made anew by somebody who knows the seed


def resigned(lines: Sequence[Line], seed: bytes | None = None) -> list[Line]:
    """The same events, chained as the server could have."""
    return rechained(lines, short_game().server_seed if seed is None else seed)


def at_type(kind: str) -> tuple[list[Line], int]:
    """The short game's lines, and the place of the first of this type."""
    lines = short_game().lines()
    return lines, next(place for place, line in enumerate(lines) if line.type == kind)


def test_a_seed_of_ones_own_does_not_match_what_was_committed_to() -> None:
    """The whole chain made anew with another seed: the published commitment is not its."""
    seed = b"a forged seed of thirty-two byte"
    lines = short_game().lines()
    end = lines[-1]._replace(data={"server_seed": seed.hex()})
    told = forged(resigned([*lines[:-1], end], seed))
    assert told.version == 2
    assert chain.commitment(seed).hex() in told.expected


def test_cards_shuffled_with_another_seed_are_named_with_the_true_deal() -> None:
    """A seed of one's own with its own commitment deals otherwise."""
    seed = b"a forged seed of thirty-two byte"
    lines = short_game().lines()
    committed = lines[1]._replace(data={**lines[1].data, "commitment": chain.commitment(seed).hex()})
    end = lines[-1]._replace(data={"server_seed": seed.hex()})
    told = forged(resigned([lines[0], committed, *lines[2:-1], end], seed))
    assert (told.version, told.what) == (3, "the deal is not the seed's")
    assert told.expected.startswith("CardsDealt")


def test_other_entropy_deals_otherwise() -> None:
    """What the seats gave cannot be exchanged afterwards."""
    lines = short_game().lines()
    digests = [chain.entropy_digest(b"mine").hex(), *lines[1].data["entropy"][1:]]
    other = lines[1]._replace(data={**lines[1].data, "entropy": digests})
    assert forged(resigned([lines[0], other, *lines[2:]])).version == 3


@pytest.mark.parametrize("digests", [[], ["00" * 32], ["00" * 31] * 3, ["0g" * 32] * 3, ["AA" * 32] * 3])
def test_entropy_of_another_form_is_named(digests: list[str]) -> None:
    """One SHA-256 digest for each seat."""
    lines = short_game().lines()
    other = lines[1]._replace(data={**lines[1].data, "entropy": digests})
    assert forged(resigned([lines[0], other, *lines[2:]])).version == 2


def test_another_card_drawn_is_named_with_the_one_that_lay_on_top() -> None:
    """A legal-looking draw that the seed did not put there."""
    lines, place = at_type("CardsDrawn")
    line = lines[place]
    other = line._replace(data={**line.data, "cards": ["K" if line.data["cards"] != ["K"] else "C"]})
    told = forged(resigned([*lines[:place], other, *lines[place + 1 :]]))
    assert told.version == place + 1
    assert line.data["cards"][0] in told.expected


def test_a_card_that_was_not_in_the_hand_is_refused() -> None:
    """The rules are asked again for each act; the refusal and its rule are said."""
    lines, place = at_type("CardPlayed")
    hand = lines[2].data["hands"][lines[place].data["seat"]]
    absent = next(card for card in ("K", "+3", "X3") if card not in hand)
    other = lines[place]._replace(data={**lines[place].data, "card": absent, "lead": "any"})
    told = forged(resigned([*lines[:place], other, *lines[place + 1 :]]))
    assert told.version == place + 1
    assert "NOT_IN_HAND (rule T1)" in told.what


def test_a_move_out_of_turn_is_refused() -> None:
    """An honest card of a seat that was not on turn."""
    lines, place = at_type("CardPlayed")
    seat = (lines[place].data["seat"] + 1) % 3
    other = lines[place]._replace(data={**lines[place].data, "seat": seat}, actor=f"seat:{seat}")
    told = forged(resigned([*lines[:place], other, *lines[place + 1 :]]))
    assert told.version == place + 1
    assert "NOT_YOUR_TURN" in told.what


@pytest.mark.parametrize(
    "actor", ["seat:9", "bot:9", "host", "staff", "clock", "server", "seat:x", "seat:10", "me", ""]
)
def test_a_move_by_another_actor_is_named(actor: str) -> None:
    """A seat's act is its own."""
    lines, place = at_type("CardPlayed")
    told = forged(resigned([*lines[:place], lines[place]._replace(actor=actor), *lines[place + 1 :]]))
    assert told.version == place + 1


def test_an_act_of_two_authors_is_named() -> None:
    """All events of a command are of whoever gave it."""
    lines, place = at_type("TurnPassed")
    other = lines[place]._replace(actor="bot:1" if lines[place].actor != "bot:1" else "bot:2")
    told = forged(resigned([*lines[:place], other, *lines[place + 1 :]]))
    assert (told.version, told.what) == (place + 1, "it is by another")


@pytest.mark.parametrize("milliseconds", [1, -1, 1_000])
def test_a_changed_deadline_is_named_with_the_one_that_follows(milliseconds: int) -> None:
    """From its own time, and how long the first turn was given."""
    lines, place = at_type("DeadlineSet")
    place = next(spot for spot in range(place + 1, len(lines)) if lines[spot].type == "DeadlineSet")
    at = lines[place].data["at"]
    other = lines[place]._replace(data={"at": at + milliseconds})
    told = forged(resigned([*lines[:place], other, *lines[place + 1 :]]))
    assert told.version == place + 1
    assert told.expected == f'DeadlineSet {{"at":{at}}}'


def test_a_time_that_goes_back_is_named() -> None:
    """No event is earlier than the one before."""
    lines, place = at_type("CardPlayed")
    told = forged(resigned([*lines[:place], lines[place]._replace(at="2026-04-30T00:00:00.000Z"), *lines[place + 1 :]]))
    assert (told.version, told.what) == (place + 1, "it is earlier than the event before")


def test_another_winner_is_named() -> None:
    """The ranking is what the rules make of the last position."""
    lines, place = at_type("GameEnded")
    ranking = [{**placing, "seat": (placing["seat"] + 1) % 3} for placing in lines[place].data["ranking"]]
    other = lines[place]._replace(data={**lines[place].data, "ranking": ranking})
    told = forged(resigned([*lines[:place], other, *lines[place + 1 :]]))
    assert (told.version, told.what) == (place + 1, "the game ends otherwise")


@pytest.mark.parametrize("place", EVERY)
def test_no_event_can_be_taken_out_or_put_in_unseen(place: int) -> None:
    """At every position with the chain made anew: the rules, the clock or the seed miss it, at it or after it."""
    lines = short_game().lines()
    without = resigned([*lines[:place], *lines[place + 1 :]]) if len(lines) > 1 else []
    twice = resigned([*lines[: place + 1], *lines[place:]])
    for log in (without, twice):
        told = forged(log)
        assert told.version >= min(place + 1, len(lines) - 1)


ODD: tuple[object, ...] = (
    0,
    -1,
    7,
    10**9,
    10**17,
    -(10**40),
    10**4000,
    "",
    "R5",
    "X3",
    "any",
    "none",
    [],
    {},
    [0],
    ["R5"],
    [["R5"]],
)


def spoilt(value: object, chance: random.Random) -> object:
    """The value with one leaf, list or object in it exchanged."""
    if isinstance(value, dict) and value and chance.random() < 0.9:
        key = chance.choice(sorted(value))
        return {**value, key: spoilt(value[key], chance)}
    if isinstance(value, list) and value and chance.random() < 0.9:
        place = chance.randrange(len(value))
        return [*value[:place], spoilt(value[place], chance), *value[place + 1 :]]
    return chance.choice(ODD)


def test_whatever_stands_in_a_chain_made_anew_is_judged() -> None:
    """Odd values anywhere in any event end in a finding, never in anything else."""
    chance = random.Random(17)
    written = silent_game()
    for lines, seed in ((short_game().lines(), short_game().server_seed), (written.lines(), written.server_seed)):
        for _ in range(250):
            place = chance.randrange(len(lines) - 1)
            data = spoilt(lines[place].data, chance)
            if not isinstance(data, dict) or data == lines[place].data:
                continue
            log = rechained([*lines[:place], lines[place]._replace(data=data), *lines[place + 1 :]], seed)
            with pytest.raises(Forged):
                verify_lines(lambda log=log: log)  # type: ignore[misc]


def test_the_end_of_the_calendar_is_no_traceback() -> None:
    """A game that lasts beyond the year 9999."""
    written = begun(server_seed=bytes(32), rules=QUICK_RULES, at=253_402_300_770_000)
    Fate(written, random.Random(1)).act()
    lines = [line._replace(actor="clock") if line.version > 4 else line for line in written.lines()]
    log = rechained(lines, written.server_seed)
    with pytest.raises(Forged, match="no calendar"):
        verify_log(log, game_id=written.game_id, server_seed=written.server_seed, limits=written.limits)


# ---- the clock and absence


def altered(written: Written, alter: Callable[[Line], Line | None]) -> list[Line]:
    """The log with every line as altered, or left out, and chained anew."""
    lines = [other for line in written.lines() if (other := alter(line)) is not None]
    return rechained(lines, written.server_seed)


def silent_game() -> Written:
    """Three seats of whom nobody acts, twice round the table, with a bank."""
    written = begun(server_seed=bytes(32), rules=QUICK_RULES, limits=Limits(10, 5, None, 20))
    fate = Fate(written, random.Random(1))
    fate.bots, fate.accepting, fate.forfeit = set(), set(), False
    while not written.state.over:
        fate.at = written.clock.deadline or fate.at
        fate.time_out()
    return written


def test_missed_turns_and_absences_are_whole_and_cannot_be_left_out() -> None:
    """Who lets two turns pass is away, whatever the server would like."""
    written = silent_game()
    verify(written.lines())
    told = forged(altered(written, lambda line: None if line.type == "SeatAway" else line))
    assert told.expected.startswith("SeatAway")


def test_the_clock_comes_no_sooner_than_the_deadline() -> None:
    """A millisecond before it, nothing has run out."""
    written = begun(server_seed=bytes(32), rules=QUICK_RULES, limits=Limits(10, 5))
    fate = Fate(written, random.Random(1))
    fate.at = (written.clock.deadline or 0) - 1
    fate.time_out()
    fate.play()
    assert "the deadline is" in forged(written.lines()).what


def test_a_bank_that_was_not_used_up_cannot_be_emptied() -> None:
    """Its seat had time left, by the log's own times."""
    written = silent_game()
    told = forged(
        altered(written, lambda line: line._replace(data={**line.data, "left": 5_000}) if "left" in line.data else line)
    )
    assert "BankChanged" in told.expected or "DeadlineSet" in told.expected


def test_more_time_than_has_passed_is_not_credited() -> None:
    """A server that was down for an hour within a minute."""
    written = begun(server_seed=bytes(32), rules=QUICK_RULES)
    fate = Fate(written, random.Random(1))
    fate.at += 60_000
    fate.tell([ClockCredited(3_600)], "clock")
    fate.play()
    assert "only 60000 ms have passed" in forged(written.lines()).what


def test_who_is_away_comes_back_before_it_acts() -> None:
    """Else a bot could have played in its name."""
    for number in range(200):
        written = random_game(random.Random(number))
        lines = written.lines()
        place = next((at for at, line in enumerate(lines) if line.type == "SeatReturned"), None)
        if place is not None and lines[place + 1].actor == lines[place].actor and lines[place + 1].type == "CardPlayed":
            told = forged(rechained([*lines[:place], *lines[place + 1 :]], written.server_seed))
            assert "is away and has not returned" in told.what
            return
    pytest.fail("no game in which somebody returns by a move")


# ---- what is no log, or one of later times


def test_a_later_version_of_the_rules_is_said() -> None:
    """It is no forgery; this verifier is too old for it."""
    lines = short_game().lines()
    first = lines[0]._replace(data={**lines[0].data, "rules_version": "2"})
    told = forged(resigned([first, *lines[1:]]))
    assert isinstance(told, Unreadable)
    assert "version 2 of the rules" in str(told)


@pytest.mark.parametrize("later", [{"schema": 2}, {"type": "CardBurnt"}])
def test_a_later_kind_of_event_is_said(later: dict[str, object]) -> None:
    """The same for its type or schema."""
    lines, place = at_type("CardPlayed")
    told = forged(resigned([*lines[:place], lines[place]._replace(**later), *lines[place + 1 :]]))  # type: ignore[arg-type]
    assert isinstance(told, Unreadable)
    assert "this verifier knows" in str(told)


@pytest.mark.parametrize("leaf", [None, True, False, 1.5, {"x": None}, [None], [[True]]])
def test_values_that_could_be_spelt_in_two_ways_are_no_events(leaf: object) -> None:
    """Also where a database would take them."""
    lines, place = at_type("CardPlayed")
    other = lines[place]._replace(data={**lines[place].data, "seat": leaf})
    with pytest.raises(Forged) as told:
        verify_lines(lambda: [*lines[:place], other, *lines[place + 1 :]])
    assert told.value.version == place + 1


def test_the_ends_of_a_log_are_found_in_one_look() -> None:
    """Its first two lines and its last."""
    lines = short_game().lines()
    assert ends_of(lines) == (lines[0], lines[1], lines[-1], False)
