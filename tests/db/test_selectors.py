"""What is read of games: each caller what it may know, and nothing more."""

from dataclasses import replace
from uuid import UUID

import pytest

from games import selectors, services
from games.errors import GameNotFound, WrongPhase
from games.models import Phase, Visibility
from games.rules.cards import HIDDEN, Seat
from games.rules.commands import LEAVE
from games.rules.ruleset import Mode
from games.rules.views import view_for
from games.services import GameSettings
from players.services import player_create_guest
from tests.builders import QUICK, Table, given_bots, given_game, given_lobby, legal_texts

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_view_is_the_seats_own_and_of_the_rows_version() -> None:
    """Others' cards are hidden, the seed is not there."""
    table = given_game(players=3)
    for seat in (Seat(1), None):
        view, game = selectors.view_load(game_id=table.game_id, seat=seat)
        assert view == view_for(table.state, seat)
        assert game.version == table.game.version
        for other, hand in enumerate(view.state.hands):
            assert (HIDDEN in hand) == (other != seat)
        assert view.state.seed == bytes(32)


def test_what_has_not_begun_has_no_view_and_what_is_not_there_is_not_found() -> None:
    """Nor legal commands."""
    table = given_lobby()
    with pytest.raises(WrongPhase) as refused:
        selectors.view_load(game_id=table.game_id, seat=Seat(0))
    assert refused.value.code == "not_started"
    with pytest.raises(GameNotFound):
        selectors.legal_load(game_id=UUID(int=1), seat=Seat(0))


def test_the_legal_commands_and_the_reasons_against_the_other_cards_make_up_the_hand() -> None:
    """Every kind in hand is either playable or refused."""
    table = given_game()
    game, commands, refused = selectors.legal_load(game_id=table.game_id, seat=Seat(0))
    playable = {command.card for command in commands if hasattr(command, "card")}
    assert playable | {card for card, _ in refused} == set(table.state.hands[0])
    assert not playable & {card for card, _ in refused}
    assert LEAVE in commands
    assert game.version == 4
    waiting = selectors.legal_load(game_id=table.game_id, seat=Seat(1))
    assert waiting.commands == (LEAVE,)


def test_the_log_is_redacted_paged_and_keeps_its_hashes() -> None:
    """``after`` is exclusive; a hidden card is "?" for all but the seat that drew it."""
    table = given_bots(("random",) * 3)
    table.bot_moves(40)
    pages: list[selectors.SeenEvent] = []
    after = 0
    while page := selectors.events_load(game_id=table.game_id, seat=Seat(1), after=after, limit=7):
        assert len(page) <= 7
        pages.extend(page)
        after = page[-1].version
    rows = table.events()
    assert [event.version for event in pages] == [row.version for row in rows]
    assert [event.hash for event in pages] == [bytes(row.hash) for row in rows]
    drawn = [(seen, row) for seen, row in zip(pages, rows, strict=True) if row.type == "CardsDrawn"]
    assert {row.data["seat"] for _, row in drawn} == {0, 1, 2}
    for seen, row in drawn:
        hidden = ["?"] * len(row.data["cards"])
        assert seen.data["cards"] == (row.data["cards"] if row.data["seat"] == 1 else hidden)
    assert selectors.events_load(game_id=table.game_id, seat=None, after=10_000) == ()
    assert selectors.events_load(game_id=table.game_id, seat=None, limit=-3) == ()


def test_private_games_are_known_to_those_who_sit_there_and_to_staff() -> None:
    """In the list as by their id."""
    table = given_lobby(settings=GameSettings(seats=2, visibility=Visibility.PRIVATE))
    stranger, staff = player_create_guest()[0], player_create_guest()[0]
    staff.is_staff = True
    for viewer in (stranger, None):
        with pytest.raises(GameNotFound):
            selectors.game_get(game_id=table.game_id, viewer=viewer)
        assert list(selectors.game_list(viewer=viewer)) == []
    for viewer in (table.players[1], staff):
        assert selectors.game_get(game_id=table.game_id, viewer=viewer).pk == table.game_id
        assert [game.pk for game in selectors.game_list(viewer=viewer)] == [table.game_id]


def test_the_list_is_filtered_by_phase_mode_free_seats_and_player() -> None:
    """Newest first; each filter leaves out what does not fit."""
    running = given_game()
    ladder = given_lobby(players=1, settings=GameSettings(seats=4, house_rules=replace(QUICK, mode=Mode.LADDER)))
    single = given_lobby(players=1, settings=GameSettings(seats=2))

    def listed(**filters: object) -> list[Table]:
        found = {game.pk for game in selectors.game_list(**filters)}  # type: ignore[arg-type]  # by name
        return [table for table in (running, ladder, single) if table.game_id in found]

    assert listed() == [running, ladder, single]
    assert [game.pk for game in selectors.game_list()] == [single.game_id, ladder.game_id, running.game_id]
    assert listed(phase=Phase.PLAYING) == [running]
    assert listed(mode="ladder") == [ladder]
    assert listed(mode="single") == [running, single]
    assert listed(seats_free=1) == [ladder, single]
    assert listed(seats_free=3) == [ladder]
    assert listed(player=running.players[1].name.upper()) == [running]
    assert listed(player="nobody at all") == []


def test_a_list_of_games_reads_their_seats_and_players_along(
    django_assert_num_queries: object,
) -> None:
    """Two statements, however many games."""
    for _ in range(3):
        given_lobby(players=2)
    with django_assert_num_queries(2):  # type: ignore[operator]  # pytest-django's fixture
        for game in selectors.game_list():
            assert all(row.player is not None and row.player.name for row in game.seating.all())


def test_the_seat_is_the_players_own() -> None:
    """None for strangers, for nobody, and in the lobby after leaving it."""
    table = given_lobby(players=3)
    assert [selectors.seat_of(game_id=table.game_id, player=player) for player in table.players] == [0, 1, 2]
    assert selectors.seat_of(game_id=table.game_id, player=None) is None
    assert selectors.seat_of(game_id=table.game_id, player=player_create_guest()[0]) is None
    services.game_leave(game_id=table.game_id, player=table.players[1])
    assert selectors.seat_of(game_id=table.game_id, player=table.players[1]) is None


def test_the_audit_tells_the_seed_only_when_the_game_is_over() -> None:
    """Head and commitment always."""
    table = given_game()
    running = selectors.audit_load(game_id=table.game_id)
    assert (running.version, running.server_seed) == (4, None)
    assert running.head_hash == bytes(table.game.head_hash)
    assert running.entropy == (b"entropy 0", b"entropy 1")
    table.submit(0, legal_texts(table)[-1])
    over = selectors.audit_load(game_id=table.game_id)
    assert over.server_seed == table.server_seed
    with pytest.raises(GameNotFound):
        selectors.audit_load(game_id=UUID(int=1))
