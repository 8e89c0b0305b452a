"""Any version of a game, as a seat saw it then."""

import random
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games import history, selectors, services
from games.api.answers import Json, state_json, view_json
from games.errors import NoSuchVersion, WrongPhase
from games.models import FirstPlayer, GameEvent, Phase, WhenAway
from games.rules.cards import Card, Seat
from games.rules.commands import LEAVE, Command, Play
from games.rules.legal import legal_commands
from games.rules.ruleset import Mode
from games.selectors import Looking
from games.services import GameSettings
from tests.builders import QUICK, Table, given_bots, given_game
from tests.db.later import later

pytestmark = pytest.mark.django_db
SMALL = replace(QUICK, hand_size=3)
CLOCKED = GameSettings(
    seats=4, house_rules=SMALL, first_player=FirstPlayer.HOST, turn_seconds=30, bank_seconds=20, increment_seconds=3
)
LADDER = replace(CLOCKED, house_rules=replace(SMALL, mode=Mode.LADDER), when_away=WhenAway.FORFEIT, bank_seconds=0)
UNTIMED = replace(CLOCKED, house_rules=replace(SMALL, mode=Mode.LADDER), turn_seconds=None)
PLUS_THREE = Play(Card.parse("+3"))
Seen = dict[int, dict[Looking, Json]]


def eyes(table: Table) -> list[Looking]:
    """Everybody who may look: each seat, and a spectator."""
    return [*(Seat(seat) for seat in range(table.game.seats)), "spectator"]


def view_now(table: Table, looking: Looking) -> Json:
    """What `view/` tells this viewer now."""
    seen = selectors.view_load(game_id=table.game_id, seat=None if isinstance(looking, str) else looking)
    return {**view_json(seen.view, seen.game), "now": None}


def view_then(table: Table, version: int, looking: Looking) -> Json:
    """What `states/` tells the same viewer of an earlier version."""
    own = None if isinstance(looking, str) else looking
    past = selectors.state_load(game=table.game, version=version, looking=looking, own=own)
    return {**state_json(past), "now": None}


def lived(table: Table, chance: random.Random, most: int) -> Iterator[None]:
    """Time passes, bots and players move, one leaves: a step at a time, until the game is over."""
    seconds = 0
    with ExitStack() as time:
        for step in range(most):
            if table.game.phase != Phase.PLAYING:
                return
            if not chance.randrange(4):
                seconds += chance.choice((2, 35, 70))
                time.pop_all().close()
                time.enter_context(later(seconds))
            services.clock_sweep()
            table.bot_moves(1)
            _player_moves(table, chance, leaver=2 if step == 12 else None)
            yield


def _player_moves(table: Table, chance: random.Random, leaver: int | None) -> None:
    state = table.state
    if leaver is not None and leaver not in state.left and not state.over:
        _submit(table, leaver, LEAVE)
        return
    able = [seat for seat in (state.answer or (state.turn,)) if seat < len(table.players)]
    if able and not state.over and chance.randrange(4):
        legal = [command for command in legal_commands(state, able[0]) if command != LEAVE]
        _submit(table, able[0], PLUS_THREE if PLUS_THREE in legal else chance.choice(legal))


def _submit(table: Table, seat: int, command: Command) -> None:
    services.game_submit(
        game_id=table.game_id, actor=table.actor(seat), commands=(command,), command_id=uuid4(), digest=b""
    )


def compared(settings: GameSettings, *, seed: int, most: int = 90) -> Seen:
    """What everybody saw at each version of a lively game, which is what they see of it later on."""
    chance = random.Random(seed)
    table = given_game(players=3, bots=("random",), settings=settings)
    seen: Seen = {}
    for _ in lived(table, chance, most):
        seen[table.game.version] = {looking: view_now(table, looking) for looking in eyes(table)}
        past = chance.choice([*seen])
        assert {looking: view_then(table, past, looking) for looking in eyes(table)} == seen[past]
    for version in chance.sample([*seen], 12):
        assert {looking: view_then(table, version, looking) for looking in eyes(table)} == seen[version]
    return seen


@pytest.mark.parametrize("settings", [CLOCKED, LADDER, UNTIMED])
def test_a_state_is_what_its_viewer_was_sent_at_that_version(settings: GameSettings) -> None:
    """In every field but `now`: clocks, banks, absences, windows, ranking; while the game runs and afterwards."""
    told = [views["spectator"] for views in compared(settings, seed=settings.turn_seconds or 0).values()]
    assert [view for view in told if view["window"]]
    assert [view for view in told if view["left"]]
    if settings is CLOCKED:
        assert [view for view in told if view["away"] and view["bank"] != [20] * 4]


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(2, 14))
def test_many_games_looked_back_at(seed: int) -> None:
    """The same of a dozen games, longer and of other hands."""
    settings = (CLOCKED, LADDER, UNTIMED)[seed % 3]
    compared(replace(settings, house_rules=replace(settings.house_rules, hand_size=3 + seed % 6)), seed=seed, most=150)


def test_every_version_from_the_deal_on_can_be_looked_at_forwards_and_backwards() -> None:
    """Also between the events of one command; whoever lost the marks sees the same."""
    table = given_bots(("random", "greedy", "random"), rules=SMALL)
    table.bot_moves()
    last = table.game.version
    versions = list(range(3, last + 1))
    forwards = [view_then(table, version, "spectator") for version in versions]
    assert [told["version"] for told in forwards] == versions
    assert [view_then(table, version, "spectator") for version in reversed(versions)] == forwards[::-1]
    history.forget_all()
    assert view_then(table, last // 2, "spectator") == forwards[last // 2 - 3]
    assert forwards[-1]["phase"] == "finished"


def test_there_is_nothing_to_see_before_the_deal_and_after_the_last_version() -> None:
    """`not_started` until cards are dealt; a version that is not there is named with the last one."""
    table = given_game()
    for version in (1, 2):
        with pytest.raises(WrongPhase) as early:
            view_then(table, version, "spectator")
        assert early.value.code == "not_started"
    for version in (0, 5, 10**8):
        with pytest.raises(NoSuchVersion) as none:
            view_then(table, version, "spectator")
        assert none.value.version == 4


def test_another_seat_and_all_hands_are_shown_when_the_game_is_over() -> None:
    """Until then one's own and a spectator's eyes are all there is; no hand but one's own is in the answer."""
    table = given_game()
    others: tuple[Looking, ...] = (Seat(1), "all")
    for looking in others:
        with pytest.raises(WrongPhase) as early:
            selectors.state_load(game=table.game, version=4, looking=looking, own=Seat(0))
        assert early.value.code == "not_finished"
    with pytest.raises(WrongPhase):
        selectors.state_load(game=table.game, version=4, looking=Seat(0), own=None)
    hands = table.state.hands
    table.submit(0, "leave")
    told = state_json(selectors.state_load(game=table.game, version=4, looking="all", own=Seat(0)))
    assert told["hands"] == [[card.code for card in hand] for hand in hands]
    assert (told["seat"], told["hand"], told["draw_pile"]) == (None, None, 99)
    assert view_then(table, 4, Seat(1))["hand"] == [card.code for card in hands[1]]
    assert "hands" not in view_then(table, 4, Seat(1))


def test_a_step_further_reads_that_step_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long the game: the last position is known, and checked against the log."""
    monkeypatch.setattr(history, "EVERY", 20)
    table = given_bots(("random", "random"), rules=SMALL)
    table.bot_moves()
    game = table.game
    assert game.version > 2 * history.EVERY
    history.forget_all()
    view_then(table, game.version - 2, "spectator")
    with CaptureQueriesContext(
        connection,
    ) as read:
        history.folded_at(game=game, version=game.version - 1)
    assert len(read) == 2
    with CaptureQueriesContext(connection) as back:
        history.folded_at(game=game, version=game.version - 1 - history.EVERY)
    assert len(back) == 2  # from the mark before


def test_a_mark_that_the_log_does_not_bear_out_is_not_used() -> None:
    """What is kept costs time when it is wrong, never truth."""
    table = given_bots(("random", "random"), rules=SMALL)
    table.bot_moves()
    right = view_then(table, 50, "spectator")
    folded = history.folded_at(game=table.game, version=50)
    history.keep(table.game_id, {50: folded._replace(hash=b"\0" * 32, state=folded.state._replace(owe=40))}, 50)
    assert view_then(table, 50, "spectator") == right
    assert GameEvent.objects.filter(game_id=table.game_id, version=50).exists()
