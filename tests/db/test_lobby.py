"""The table before the game: who may sit, who may start, and what is settled by the start."""

from dataclasses import replace
from uuid import UUID

import pytest

from games import chain, services, store
from games.errors import (
    GameNotFound,
    InviteCodeWrong,
    NoSuchLevel,
    NoSuchSeat,
    NotHost,
    TooManyOpenGames,
    WrongPhase,
)
from games.models import FirstPlayer, Game, Phase, Visibility
from games.models import Seat as SeatRow
from games.rules.cards import Seat
from games.rules.events import GameStarted
from games.services import GameSettings
from players.models import Player
from players.services import player_create_guest
from tests.builders import QUICK, SERVER, Table, given_bots, given_game, given_lobby

pytestmark = pytest.mark.django_db(transaction=True)


def seated(game: Game) -> list[tuple[int, object]]:
    rows = SeatRow.objects.filter(game=game, until_version=None).order_by("seat")
    return [(row.seat, row.player_id or row.bot) for row in rows]


def guest() -> Player:
    return player_create_guest()[0]


def test_a_new_table_has_its_host_on_seat_0_and_its_commitment_published() -> None:
    """The seed that it commits to lies apart from the game."""
    table = given_lobby(players=1, settings=GameSettings(seats=3, name="Friday"))
    game = table.game
    assert (game.phase, game.version, game.host_seat, game.seats_free) == (Phase.LOBBY, 0, 0, 2)
    assert seated(game) == [(0, table.players[0].id)]
    assert game.commitment == chain.commitment(table.server_seed).hex()
    assert bytes(game.head_hash) == chain.genesis(game.id)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("seats", 1),
        ("seats", 11),
        ("turn_seconds", 4),
        ("reaction_seconds", 2),
        ("game_minutes", 4),
        ("name", "x" * 61),
    ],
)
def test_settings_out_of_bounds_are_refused_with_the_fields_name(field: str, value: object) -> None:
    """Also when nobody checked them before."""
    with pytest.raises(ValueError, match=field):
        replace(GameSettings(), **{field: value})  # type: ignore[arg-type]  # wrong on purpose


def test_a_player_sits_on_the_first_free_seat_or_the_one_it_names() -> None:
    """Each change counts a revision, so that what depends on the seating is known to be old."""
    table = given_lobby(players=1, settings=GameSettings(seats=4))
    first, named = guest(), guest()
    services.game_join(game_id=table.game_id, player=named, seat=Seat(3))
    revision = table.game.lobby_revision
    services.game_join(game_id=table.game_id, player=first)
    assert seated(table.game) == [(0, table.players[0].id), (1, first.id), (3, named.id)]
    assert (table.game.seats_free, table.game.lobby_revision) == (1, revision + 1)


@pytest.mark.parametrize(
    ("seat", "error", "code"),
    [(0, WrongPhase, "seat_taken"), (4, NoSuchSeat, None), (-1, NoSuchSeat, None)],
)
def test_a_seat_that_is_taken_or_not_there_is_refused(seat: int, error: type[Exception], code: str | None) -> None:
    """Nobody has sat down."""
    table = given_lobby(players=1, settings=GameSettings(seats=4))
    with pytest.raises(error) as refused:
        services.game_join(game_id=table.game_id, player=guest(), seat=Seat(seat))
    assert getattr(refused.value, "code", None) == code
    assert len(seated(table.game)) == 1


def test_nobody_sits_twice_at_one_table_nor_at_a_full_or_running_one() -> None:
    """Each refusal has its code."""
    table = given_lobby(players=2)
    for player, code in ((table.players[1], "already_seated"), (guest(), "game_full")):
        with pytest.raises(WrongPhase) as refused:
            services.game_join(game_id=table.game_id, player=player)
        assert refused.value.code == code
    services.game_start(game_id=table.game_id, actor=table.players[0])
    for act in (services.game_join, services.game_leave):
        with pytest.raises(WrongPhase) as refused:
            act(game_id=table.game_id, player=guest())
        assert refused.value.code == "already_started"


def test_a_private_table_needs_its_code() -> None:
    """It is not found by strangers, and its code is 8 letters and digits."""
    host = guest()
    game = services.game_create(host=host, settings=GameSettings(seats=3, visibility=Visibility.PRIVATE))
    assert len(game.invite_code) == 8
    for code in (None, "", "WRONG", game.invite_code.lower() + "x"):
        with pytest.raises(InviteCodeWrong):
            services.game_join(game_id=game.id, player=guest(), invite_code=code)
    services.game_join(game_id=game.id, player=guest(), invite_code=game.invite_code)
    with pytest.raises(GameNotFound):
        services.game_leave(game_id=game.id, player=guest())
    with pytest.raises(GameNotFound):
        services.game_start(game_id=game.id, actor=guest())
    services.game_abort(game_id=game.id, actor=host)
    with pytest.raises(InviteCodeWrong):  # not "finished": that would tell of the table
        services.game_join(game_id=game.id, player=guest())


def test_when_the_host_leaves_the_next_player_is_host_and_after_the_last_the_table_is_aborted() -> None:
    """Bots cannot be host."""
    table = given_lobby(players=3, settings=GameSettings(seats=4))
    services.game_seat_bot(game_id=table.game_id, actor=table.players[0], seat=Seat(3), level="greedy")
    services.game_leave(game_id=table.game_id, player=table.players[1])
    assert services.game_leave(game_id=table.game_id, player=table.players[0]).host_seat == 2
    last = services.game_leave(game_id=table.game_id, player=table.players[2])
    assert (last.phase, last.host_seat) == (Phase.ABORTED, None)
    with pytest.raises(WrongPhase) as refused:
        services.game_join(game_id=table.game_id, player=guest())
    assert refused.value.code == "finished"


def test_the_host_seats_and_replaces_bots_but_puts_none_on_a_player() -> None:
    """Only levels that there are."""
    table = given_lobby(players=2, settings=GameSettings(seats=3))
    host = table.players[0]
    services.game_seat_bot(game_id=table.game_id, actor=host, seat=Seat(2), level="random")
    game = services.game_seat_bot(game_id=table.game_id, actor=host, seat=Seat(2), level="greedy")
    assert (seated(game)[2], game.seats_free) == ((2, "greedy"), 0)
    with pytest.raises(WrongPhase):
        services.game_seat_bot(game_id=table.game_id, actor=host, seat=Seat(1), level="greedy")
    with pytest.raises(NoSuchLevel) as refused:
        services.game_seat_bot(game_id=table.game_id, actor=host, seat=Seat(2), level="grandmaster")
    assert set(refused.value.levels) == {"random", "greedy", "expert"}
    with pytest.raises(NotHost):
        services.game_seat_bot(game_id=table.game_id, actor=table.players[1], seat=Seat(2), level="greedy")


def test_the_host_takes_bots_and_players_off_their_seats() -> None:
    """Not itself, and only in the lobby."""
    table = given_lobby(players=2, settings=GameSettings(seats=3))
    host = table.players[0]
    services.game_seat_bot(game_id=table.game_id, actor=host, seat=Seat(2), level="random")
    services.game_kick(game_id=table.game_id, actor=host, seat=Seat(2))
    game = services.game_kick(game_id=table.game_id, actor=host, seat=Seat(1))
    assert (seated(game), game.seats_free) == ([(0, host.id)], 2)
    for seat, code in ((1, "seat_free"), (0, "host_seat")):
        with pytest.raises(WrongPhase) as refused:
            services.game_kick(game_id=table.game_id, actor=host, seat=Seat(seat))
        assert refused.value.code == code


def test_a_start_needs_the_host_and_every_seat() -> None:
    """Nothing is dealt otherwise."""
    table = given_lobby(players=2, settings=GameSettings(seats=3))
    with pytest.raises(WrongPhase) as refused:
        services.game_start(game_id=table.game_id, actor=table.players[0])
    assert refused.value.code == "seats_empty"
    services.game_join(game_id=table.game_id, player=guest())
    with pytest.raises(NotHost):
        services.game_start(game_id=table.game_id, actor=table.players[1])
    assert table.events() == []
    with pytest.raises(GameNotFound):
        services.game_start(game_id=UUID(int=1), actor=table.players[0])


def test_starting_again_gives_the_first_events_again_even_after_moves() -> None:
    """One deal only."""
    table = given_game()
    table.submit(0, "leave")
    again = services.game_start(game_id=table.game_id, actor=table.players[0])
    assert again.repeated
    assert [stored.version for stored in again.events] == [1, 2, 3, 4]
    assert sum(event.type == "CardsDealt" for event in table.events()) == 1


def test_each_seats_entropy_changes_the_deal() -> None:
    """The same server seed, other entropy of the second player: other cards."""
    seed = bytes(range(32))
    deals = []
    for entropy in (b"one", b"two", b"one"):
        table = given_lobby(players=1, settings=GameSettings(seats=2, house_rules=QUICK), server_seed=seed)
        services.game_join(game_id=table.game_id, player=guest(), entropy=entropy)
        services.game_start(game_id=table.game_id, actor=table.players[0])
        deals.append(store.log(game_id=table.game_id)[2].event)
    assert deals[0] == deals[2] != deals[1]
    with pytest.raises(ValueError, match="entropy"):
        services.game_join(game_id=table.game_id, player=guest(), entropy=bytes(65))


# ---- who begins (S4)


def first_of(table: Table) -> int:
    started = store.log(game_id=table.game_id)[0].event
    assert isinstance(started, GameStarted)
    return started.first


def given_ages(years: list[int | None], first_player: FirstPlayer, seed: bytes) -> Table:
    settings = GameSettings(seats=len(years), first_player=first_player)
    table = given_lobby(players=len(years), settings=settings, server_seed=seed)
    for player, year in zip(table.players, years, strict=True):
        Player.objects.filter(pk=player.pk).update(birth_year=year)
    services.game_start(game_id=table.game_id, actor=table.players[0])
    return table


SEEDS = [bytes([number]) * 32 for number in range(6)]


def test_the_youngest_begins_when_every_age_is_known() -> None:
    """Whatever the seed."""
    assert {first_of(given_ages([1990, 2001, 1975], FirstPlayer.YOUNGEST, seed)) for seed in SEEDS} == {1}


def test_among_equally_young_the_seed_draws() -> None:
    """Never an elder."""
    firsts = [first_of(given_ages([2001, 1990, 2001], FirstPlayer.YOUNGEST, seed)) for seed in SEEDS]
    drawn = [chain.first_seat(_seed(seed, 3), (Seat(0), Seat(2))) for seed in SEEDS]
    assert firsts == drawn
    assert set(firsts) == {0, 2}


@pytest.mark.parametrize("years", [[1990, 2001, None], [None, None, None]])
def test_if_any_age_is_unknown_or_random_was_chosen_all_are_drawn_among(years: list[int | None]) -> None:
    """A bot's age is unknown, too."""
    everybody = (Seat(0), Seat(1), Seat(2))
    drawn = [chain.first_seat(_seed(seed, 3), everybody) for seed in SEEDS]
    assert [first_of(given_ages(years, FirstPlayer.YOUNGEST, seed)) for seed in SEEDS] == drawn
    assert [first_of(given_ages([1990, 2001, 1975], FirstPlayer.RANDOM, seed)) for seed in SEEDS] == drawn
    assert len(set(drawn)) > 1


def test_the_host_begins_if_that_was_chosen() -> None:
    """Whoever is youngest."""
    assert {first_of(given_ages([1990, 2001], FirstPlayer.HOST, seed)) for seed in SEEDS} == {0}


def _seed(server_seed: bytes, seats: int) -> bytes:
    return chain.game_seed(server_seed, [chain.entropy_digest(b"entropy %d" % seat) for seat in range(seats)])


# ---- ending it from outside


def test_the_host_aborts_the_lobby_and_staff_a_running_game() -> None:
    """An aborted game has no winner, and reveals its seed; aborting twice aborts once."""
    lobby = given_lobby(players=1, settings=GameSettings(seats=2))
    aborted = services.game_abort(game_id=lobby.game_id, actor=lobby.players[0], reason="nobody came")
    assert (aborted.phase, aborted.abort_reason, lobby.events()) == (Phase.ABORTED, "nobody came", [])
    table, staff = given_game(), guest()
    with pytest.raises(WrongPhase):
        services.game_abort(game_id=table.game_id, actor=table.players[0])
    with pytest.raises(NotHost):
        services.game_abort(game_id=table.game_id, actor=staff)
    staff.is_staff = True
    for _ in range(2):
        services.game_abort(game_id=table.game_id, actor=staff, reason="a test")
    assert [event.type for event in table.events()[4:]] == ["GameEnded", "GameAborted", "SeedRevealed"]
    game = table.game
    assert (game.phase, game.winner, game.deadline, game.bot_due_at) == (Phase.ABORTED, None, None, None)
    assert game.ended_at is not None
    with pytest.raises(WrongPhase) as refused:
        table.submit(0, "draw")
    assert refused.value.code == "finished"


# ---- how many


def test_a_guest_sits_at_three_open_games_an_account_at_twenty() -> None:
    """Games that are over, and running ones that it has left, do not count."""
    player = guest()
    games = [services.game_create(host=player, settings=GameSettings(seats=3)) for _ in range(3)]
    with pytest.raises(TooManyOpenGames) as refused:
        services.game_create(host=player, settings=GameSettings())
    assert refused.value.limit == 3
    with pytest.raises(TooManyOpenGames):
        services.game_join(game_id=given_lobby(players=1, settings=GameSettings(seats=2)).game_id, player=player)
    services.game_leave(game_id=games[0].id, player=player)
    services.game_create(host=player, settings=GameSettings())
    for seat in (1, 2):
        services.game_seat_bot(game_id=games[1].id, actor=player, seat=Seat(seat), level="greedy")
    services.game_start(game_id=games[1].id, actor=player)
    with pytest.raises(TooManyOpenGames):
        services.game_create(host=player, settings=GameSettings())
    Table(games[1].id, (player,)).submit(0, "leave")
    services.game_create(host=player, settings=GameSettings())


def test_a_table_without_a_host_is_started_by_the_server_alone() -> None:
    """Its first event says so."""
    table = given_bots(("greedy", "random"), start=False)
    with pytest.raises(NotHost):
        services.game_start(game_id=table.game_id, actor=guest())
    services.game_start(game_id=table.game_id, actor=SERVER)
    assert table.events()[0].actor == "server"
    with pytest.raises(ValueError, match="2 seats"):
        services.game_open(settings=GameSettings(seats=2), seating=("greedy",))
    with pytest.raises(NoSuchLevel):
        services.game_open(settings=GameSettings(seats=2), seating=("greedy", "none"))


def test_nobody_joins_or_leaves_a_table_without_a_host() -> None:
    """Who sits there is the server's business."""
    player = guest()
    game = services.game_open(settings=GameSettings(seats=2), seating=(player, "greedy"))
    assert (game.host_seat, game.seats_free) == (None, 0)
    with pytest.raises(NotHost):
        services.game_join(game_id=game.id, player=guest())
    with pytest.raises(NotHost):
        services.game_leave(game_id=game.id, player=player)
    with pytest.raises(NotHost):
        services.game_kick(game_id=game.id, actor=player, seat=Seat(1))
    assert seated(game) == [(0, player.id), (1, "greedy")]
