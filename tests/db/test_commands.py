"""A command is written whole or not at all, once however often it is sent, and only by whom it belongs to."""

from uuid import UUID, uuid4

import pytest

from games import services
from games.errors import (
    CommandIdReused,
    GameNotFound,
    MoveRefused,
    NotSeated,
    StaleVersion,
    WrongPhase,
)
from games.hooks import Appended
from games.models import GameEvent, Phase, Visibility
from games.rules.cards import BREAKER, KING, PLUS_THREE, Seat
from games.rules.commands import DRAW
from games.rules.events import WindowAccepted
from games.rules.refusals import Refusal
from games.rules.state import State
from games.services import BotActor, GameSettings, PlayerActor
from games.table import forget_all
from players.services import player_create_guest
from tests.builders import Table, given_game, given_lobby, legal_texts, seed_where

pytestmark = pytest.mark.django_db(transaction=True)


def written(table: Table) -> tuple[object, ...]:
    """Everything that a refused command must leave as it was."""
    game = table.game
    row = {name: value for name, value in vars(game).items() if not name.startswith("_")}
    return GameEvent.objects.filter(game_id=table.game_id).count(), row, table.state


def versions(appended: Appended) -> list[int]:
    return [stored.version for stored in appended.events]


def test_the_same_command_again_gives_the_same_events_and_version() -> None:
    """Also after others have moved since; the position in the answer is today's."""
    table, command_id = given_game(), uuid4()
    text = legal_texts(table)[0]
    first = table.submit(0, text, command_id=command_id, expected_version=table.game.version)
    for _ in range(2):
        table.submit(table.state.turn, legal_texts(table)[0])
    before = written(table)
    again = table.submit(0, text, command_id=command_id, expected_version=4)
    assert (again.version, again.events) == (first.version, first.events)
    assert (first.repeated, again.repeated) == (False, True)
    assert again.state == table.state != first.state
    assert written(table) == before


def test_a_command_is_known_again_by_a_process_that_never_saw_it() -> None:
    """The log tells it, not the cache."""
    table, command_id = given_game(), uuid4()
    text = legal_texts(table)[0]
    first = table.submit(0, text, command_id=command_id)
    forget_all()
    assert table.submit(0, text, command_id=command_id).events == first.events


def test_a_command_is_known_again_after_the_end_of_the_game() -> None:
    """It is looked up before the phase is judged."""
    table, command_id = given_game(), uuid4()
    first = table.submit(0, "leave", command_id=command_id)
    assert table.game.phase == Phase.FINISHED
    assert table.submit(0, "leave", command_id=command_id).events == first.events
    with pytest.raises(WrongPhase) as refused:
        table.submit(1, "draw")
    assert refused.value.code == "finished"


@pytest.mark.parametrize(("seat", "digest"), [(0, b"another body"), (1, None)])
def test_a_used_command_id_with_another_body_or_actor_is_refused(seat: int, digest: bytes | None) -> None:
    """Before anything else is judged; nothing is written."""
    table, command_id = given_game(), uuid4()
    text = legal_texts(table)[0]
    table.submit(0, text, command_id=command_id)
    before = written(table)
    with pytest.raises(CommandIdReused):
        table.submit(seat, text, command_id=command_id, digest=digest, expected_version=1)
    assert written(table) == before


def test_a_refused_command_is_not_remembered() -> None:
    """Its id may be used again, once the rules allow the command."""
    table, command_id = given_game(), uuid4()
    with pytest.raises(MoveRefused):
        table.submit(1, "draw", command_id=command_id)
    table.submit(0, legal_texts(table)[0])
    text = legal_texts(table)[0]
    assert table.submit(table.state.turn, text, command_id=command_id).repeated is False


@pytest.mark.parametrize(
    ("seat", "text", "refusal"),
    [(1, "draw", "NOT_YOUR_TURN"), (0, "accept", "NO_WINDOW"), (0, "last", "NOT_LAST_CARD"), (0, "close", "NO_RUN")],
)
def test_a_refused_command_writes_nothing(seat: int, text: str, refusal: str) -> None:
    """The error names code, rule and version; row, log and position are as before."""
    table = given_game()
    before = written(table)
    with pytest.raises(MoveRefused) as refused:
        table.submit(seat, text)
    assert (refused.value.refusal, refused.value.version) == (Refusal(refusal), table.game.version)
    assert refused.value.rule
    assert written(table) == before


def test_a_command_of_which_a_later_part_is_refused_writes_nothing() -> None:
    """All or nothing: the first part was legal."""
    table = given_game()
    playable = next(text for text in legal_texts(table) if text.startswith("play") and "S" not in text)
    before = written(table)
    with pytest.raises(MoveRefused):
        table.submit(0, f"{playable} {playable.split()[1]} {playable.split()[1]} {playable.split()[1]}")
    assert written(table) == before


def test_a_stale_expected_version_is_refused_with_the_present_one() -> None:
    """Also one that has not been yet; without one the lock alone decides."""
    table = given_game()
    for wrong in (3, 5, 99):
        before = written(table)
        with pytest.raises(StaleVersion) as stale:
            table.submit(0, legal_texts(table)[0], expected_version=wrong)
        assert stale.value.version == 4
        assert written(table) == before
    assert table.submit(0, legal_texts(table)[0], expected_version=4).version > 4
    assert table.submit(table.state.turn, legal_texts(table)[0]).version > 5


# ---- reactions


def answerable(state: State) -> bool:
    """Seat 0 can open a window; seat 1 holds a King and seat 2 a Breaker."""
    return PLUS_THREE in state.hands[0] and KING in state.hands[1] and BREAKER in state.hands[2]


@pytest.fixture(scope="module")
def window_seed() -> bytes:
    return seed_where(answerable, seats=4)


@pytest.mark.parametrize(("seat", "text", "wins_turn"), [(3, "accept", None), (2, "play X3", 1), (1, "play K", 1)])
def test_an_answer_to_the_window_that_was_seen_is_never_stale(
    seat: int, text: str, wins_turn: int | None, window_seed: bytes
) -> None:
    """Accept, Breaker and the next seat's King: others answered since, but it is the same window."""
    table = given_game(players=4, server_seed=window_seed)
    seen = table.submit(0, "play +3").version
    table.submit(next(other for other in (1, 2, 3) if other != seat and (other, seat) != (1, 2)), "accept")
    answered = table.submit(seat, text, expected_version=seen)
    if wins_turn is not None:
        assert (answered.state.plus3, answered.state.turn) == (None, wins_turn)


def test_an_answer_to_a_window_that_has_closed_is_stale(window_seed: bytes) -> None:
    """A Breaker meant for the window does not become a play of one's own turn, which would cost three cards."""
    table = given_game(players=4, server_seed=window_seed)
    seen = table.submit(0, "play +3").version
    for seat in (1, 2, 3):
        table.submit(seat, "accept")
    while table.state.turn != 2:
        table.submit(table.state.turn, next(t for t in legal_texts(table) if t == "draw" or "+3" not in t))
        if table.state.run is not None or table.state.again is not None:
            table.submit(table.state.turn, "end" if table.state.run else legal_texts(table)[0])
    before = written(table)
    with pytest.raises(StaleVersion):
        table.submit(2, "play X3", expected_version=seen)
    with pytest.raises(StaleVersion):
        table.submit(3, "accept", expected_version=seen)
    assert written(table) == before


def test_an_answer_that_saw_no_window_is_stale(window_seed: bytes) -> None:
    """A King sent before the +3 was laid was meant as a play of one's own."""
    table = given_game(players=4, server_seed=window_seed)
    seen = table.game.version
    table.submit(0, "play +3")
    with pytest.raises(StaleVersion):
        table.submit(1, "play K", expected_version=seen)


def test_saying_last_card_is_never_stale() -> None:
    """It is judged by the rules alone, whatever has happened since."""
    table = given_game()
    with pytest.raises(MoveRefused) as refused:
        table.submit(1, "last", expected_version=1)
    assert refused.value.refusal is Refusal.NOT_LAST_CARD


# ---- who may


def test_a_stranger_has_no_seat() -> None:
    """Of a public game he is told so; of a private one he is told nothing."""
    stranger, _ = player_create_guest()
    public = given_game()
    private = given_game(settings=GameSettings(seats=2, visibility=Visibility.PRIVATE))
    for table, error in ((public, NotSeated), (private, GameNotFound)):
        before = written(table)
        with pytest.raises(error):
            services.game_submit(
                game_id=table.game_id,
                actor=PlayerActor(stranger.id),
                commands=(DRAW,),
                command_id=uuid4(),
                digest=b"",
            )
        assert written(table) == before


def test_a_bot_acts_for_a_bots_seat_only() -> None:
    """A player's seat cannot be moved by claiming to be the server's bot."""
    table = given_game(bots=("greedy",), players=1)
    with pytest.raises(NotSeated):
        services.game_submit(
            game_id=table.game_id, actor=BotActor(Seat(0)), commands=(DRAW,), command_id=uuid4(), digest=b""
        )


def test_a_game_that_has_not_begun_takes_no_command() -> None:
    """Nor does one that does not exist."""
    table = given_lobby()
    with pytest.raises(WrongPhase) as refused:
        table.submit(0, "draw")
    assert refused.value.code == "not_started"
    with pytest.raises(GameNotFound):
        Table(UUID(int=7), table.players).submit(0, "draw")


def test_the_log_names_seats_bots_and_the_server() -> None:
    """Whose act an event was, without any personal data."""
    table = given_game(bots=("greedy",), players=1)
    table.submit(0, legal_texts(table)[-2] if "draw" in legal_texts(table) else legal_texts(table)[0])
    table.bot_moves()
    assert {event.actor for event in table.events()} <= {"host", "server", "seat:0", "bot:1"}
    assert table.events()[0].actor == "host"


# ---- accepting beforehand


def test_a_seat_that_accepts_every_window_is_not_waited_for(window_seed: bytes) -> None:
    """It accepts as the window opens, in the same command, though it holds a Breaker."""
    table = given_game(players=4, server_seed=window_seed)
    services.seat_auto_accept(game_id=table.game_id, player=table.players[2], auto_accept=True)
    opened = table.submit(0, "play +3")
    assert opened.state.answer == (1, 3)
    accepted = [(stored.actor, stored.event) for stored in opened.events if stored.type == "WindowAccepted"]
    assert accepted == [("seat:2", WindowAccepted(Seat(2)))]
    table.submit(1, "accept")
    assert table.submit(3, "accept").state.plus3 is None


def test_when_all_accept_beforehand_the_window_is_settled_at_once(window_seed: bytes) -> None:
    """The turn then has a whole turn's time."""
    table = given_game(players=4, server_seed=window_seed)
    for player in table.players[1:]:
        services.seat_auto_accept(game_id=table.game_id, player=player, auto_accept=True)
    opened = table.submit(0, "play +3")
    assert (opened.state.plus3, opened.state.turn) == (None, 1)
    assert len(opened.state.hands[3]) == 11
    deadlines = [stored for stored in opened.events if stored.type == "DeadlineSet"]
    assert len(deadlines) == 1
    assert opened.game.deadline is not None
    assert (opened.game.deadline - opened.events[-1].recorded_at).total_seconds() == opened.game.turn_seconds


def test_accepting_beforehand_is_remembered_with_the_command(window_seed: bytes) -> None:
    """A repeated command tells the accepts again."""
    table = given_game(players=4, server_seed=window_seed)
    services.seat_auto_accept(game_id=table.game_id, player=table.players[2], auto_accept=True)
    command_id = uuid4()
    first = table.submit(0, "play +3", command_id=command_id)
    assert table.submit(0, "play +3", command_id=command_id).events == first.events
    assert "WindowAccepted" in {stored.type for stored in first.events}
