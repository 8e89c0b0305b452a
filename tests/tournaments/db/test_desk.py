"""The organiser's acts and what they do to the games: seats change hands, leave, games stop or are given up."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from unittest.mock import patch

import pytest
from django.db import DatabaseError, transaction

from games import services as games
from games.errors import WrongPhase
from games.models import Game, Phase
from games.models import Seat as SeatRow
from games.rules.cards import Seat
from players.models import Player
from tests.tournaments.given import KNOCKOUT, LADDER, TABLES, Given, given_account, given_tournament
from tournaments import selectors, services, store
from tournaments.errors import (
    ActRefused,
    AlreadyEntered,
    BadSettings,
    NotEntered,
    NotOrganiser,
    TournamentNotFound,
)
from tournaments.models import Entry, EntryHolder, TournamentEvent, TournamentReason, TournamentTable
from tournaments.rules import Place, Refusal, TableStatus

pytestmark = pytest.mark.django_db


def the_game(given: Given) -> Game:
    """The game of the only running table."""
    (game,) = given.games()
    return game


def sitting(game: Game, entry_at: int) -> SeatRow:
    """Who sits on the seat now."""
    return SeatRow.objects.get(game=game, seat=entry_at, until_version=None)


def seat_of(given: Given, entry: int) -> int:
    """The seat of an entry at table 1."""
    return given.state.tables[0].seats.index(entry)


def test_a_late_replacement_takes_over_seat_and_cards_from_a_version_on() -> None:
    """The old player may no longer move, the new one may; the log of the game stays as it is."""
    given = given_tournament(KNOCKOUT, players=3)
    game, seat, new = the_game(given), seat_of(given, 2), given_account()
    old = given.players[1]
    events = game.version
    given.act(services.entry_replace, entry=2, player=new)
    given.advance()
    rows = SeatRow.objects.filter(game=game, seat=seat).order_by("from_version")
    assert [(row.player_id, row.from_version, row.until_version) for row in rows] == [
        (old.pk, 0, events),
        (new.pk, events, None),
    ]
    assert Game.objects.get(pk=game.pk).version == events
    holders = EntryHolder.objects.filter(entry__number=2, entry__tournament_id=given.id)
    assert [(h.player_id, h.until_version is None) for h in holders] == [(old.pk, False), (new.pk, True)]
    with pytest.raises(AlreadyEntered):
        given.act(services.entry_replace, entry=2, player=given.players[0])


def test_a_no_show_is_played_by_a_bot_and_can_come_back() -> None:
    """The bot's move is awaited at once; later the player takes the seat again."""
    given = given_tournament(KNOCKOUT, players=2)
    game = the_game(given)
    turn = game.turn or 0
    entry = given.state.tables[0].seats[turn]
    given.act(services.entry_no_show, entry=entry, bot=True)
    given.advance()
    game.refresh_from_db()
    assert sitting(game, turn).bot == "greedy"
    assert game.bot_due_at is not None
    player = given.players[entry - 1]
    given.act(services.entry_replace, entry=entry, player=player)
    given.advance()
    game.refresh_from_db()
    assert sitting(game, turn).player_id == player.pk
    assert game.bot_due_at is None


@pytest.mark.parametrize("service", [services.entry_disqualify, services.entry_withdraw, services.entry_forfeit])
def test_who_is_out_leaves_the_running_game(service: object) -> None:
    """By the server's word, at once; the others play on."""
    given = given_tournament(KNOCKOUT, bots=4)
    game, seat = the_game(given), seat_of(given, 3)
    given.act(service, entry=3)  # type: ignore[arg-type]
    given.advance()
    game.refresh_from_db()
    assert (game.left, game.phase) == ([seat], Phase.PLAYING)
    given.play_to_the_end()
    assert given.state.ranking[-1] == 3


def test_two_who_are_left_and_one_who_goes_end_the_table() -> None:
    """The game ends by itself; the other is the champion."""
    given = given_tournament(KNOCKOUT, bots=2)
    given.act(services.entry_disqualify, entry=1)
    given.advance()
    assert given.row.phase == "finished"
    assert given.row.champion == 2


def test_a_table_ended_early_is_ranked_as_it_stands() -> None:
    """The game is stopped (Z7), not aborted, and its ranking counts."""
    given = given_tournament(KNOCKOUT, bots=3)
    game = the_game(given)
    given.act(services.table_end, table=1, attempt=1)
    given.advance()
    game.refresh_from_db()
    assert game.phase == Phase.FINISHED
    assert [place.rank for place in given.state.tables[0].result] == [row["rank"] for row in game.ranking or []]


def test_a_table_that_is_replayed_gives_up_its_game_and_has_another() -> None:
    """The old one is aborted and keeps its row; a result of it would be refused."""
    given = given_tournament(KNOCKOUT, bots=3)
    old = the_game(given)
    given.act(services.table_replay, table=1, attempt=1)
    given.advance()
    old.refresh_from_db()
    assert old.phase == Phase.ABORTED
    (view,) = selectors.tables_of(tournament_id=given.id, state=given.state)
    assert view.games[0] == old.pk
    assert view.game_id == the_game(given).pk != old.pk


def test_a_table_whose_game_is_frozen_is_replayed() -> None:
    """The log that does not verify stays as it is; the tournament does not hang on it."""
    given = given_tournament(KNOCKOUT, bots=3)
    old = the_game(given)
    games.game_freeze(game_id=old.pk, reason="version 5: it was altered")
    given.act(services.table_replay, table=1, attempt=1)
    given.advance()
    old.refresh_from_db()
    assert (old.phase, old.frozen_at is not None) == (Phase.PLAYING, True)
    (view,) = selectors.tables_of(tournament_id=given.id, state=given.state)
    assert view.game_id is not None
    assert view.game_id != old.pk
    given.advance()
    assert Game.objects.get(pk=view.game_id).phase == Phase.PLAYING


def test_a_game_that_staff_aborts_is_played_again_after_ten_minutes() -> None:
    """Nobody takes care of it, and yet the round ends."""
    given = given_tournament(KNOCKOUT, bots=3)
    staff = given_account(is_staff=True, is_superuser=True)
    games.game_abort(game_id=the_game(given).pk, actor=staff, reason="a fault")
    given.advance()
    assert given.state.tables[0].status is TableStatus.ABORTED
    assert given.row.wakes_at is not None
    later = store.milliseconds(given.row.wakes_at)
    with patch("tournaments.store.time.time_ns", lambda: later * 1_000_000):
        given.advance()
    assert (given.state.tables[0].status, given.state.tables[0].attempt) == (TableStatus.PLAYING, 2)


def test_a_cancelled_tournament_gives_up_its_games_and_shows_its_seed() -> None:
    """Nobody has to play on for nothing."""
    given = given_tournament(KNOCKOUT, bots=8)
    playing = [game.pk for game in given.games()]
    given.act(services.tournament_cancel)
    given.advance()
    assert {Game.objects.get(pk=pk).phase for pk in playing} == {Phase.ABORTED}
    assert given.state.revealed
    assert selectors.due_work() == ()


def test_a_paused_tournament_begins_no_game_until_it_is_resumed() -> None:
    """Games under way end, and nothing follows."""
    given = given_tournament(KNOCKOUT, bots=8)
    given.act(services.tournament_pause)
    given.play()
    given.advance()
    assert given.games() == []
    assert [of.number for of in given.state.rounds] == [1]
    assert selectors.due_work() == ()
    given.act(services.tournament_resume)
    given.advance()
    assert [of.number for of in given.state.rounds] == [1, 2]
    assert len(given.games()) == 1


def test_a_corrected_result_decides_anew_and_the_old_one_stays_in_the_log() -> None:
    """After the final, the champion is another."""
    given = given_tournament(KNOCKOUT, bots=3)
    given.play_to_the_end()
    state = given.state
    old = state.tables[0].result
    wanted = old[-1].entry
    result = (Place(1, wanted), *(Place(2, place.entry) for place in old[:-1]))
    given.act(services.result_correct, table=1, attempt=1, result=result)
    given.advance()
    assert given.row.champion == wanted
    log = [line.logged.event for line in store.log(tournament_id=given.id)]
    assert [event.result for event in log if type(event).__name__ == "TableFinished"] == [old]  # type: ignore[union-attr]


def test_a_reopened_round_voids_the_next_and_its_games() -> None:
    """They are seated anew, at new tables."""
    given = given_tournament(KNOCKOUT, bots=8)
    given.play()
    given.advance()
    old = the_game(given)
    given.act(services.round_reopen, number=1)
    given.advance()
    old.refresh_from_db()
    assert old.phase == Phase.ABORTED
    assert given.state.tables[2].status is TableStatus.VOID
    assert the_game(given).pk != old.pk
    given.play_to_the_end()
    assert given.row.phase == "finished"


def test_a_ladder_shows_its_stages_and_how_it_stands() -> None:
    """Whoever reached the lowest stage leads; eight stages, the first held by all."""
    tables = replace(TABLES, house_rules=replace(TABLES.house_rules, hand_size=8, max_turns=200))
    given = given_tournament(LADDER, bots=4, tables=tables)
    stages = selectors.stages_of(tournament_id=given.id, state=given.state)
    assert [stage.number for stage in stages] == [8, 7, 6, 5, 4, 3, 2, 1]
    assert [len(stage.entries) for stage in stages] == [4, 0, 0, 0, 0, 0, 0, 0]
    given.play_to_the_end()
    state, game = given.state, TournamentTable.objects.get(tournament_id=given.id).game
    assert game.house_rules["mode"] == "ladder"
    stages = selectors.stages_of(tournament_id=given.id, state=state)
    assert {stage.status.value for stage in stages if stage.entries} == {"finished"}
    standings = selectors.standings_of(tournament_id=given.id, state=state)
    assert [place.stage for place in standings] == [row["stage"] for row in game.ranking or []]


def test_an_erased_player_leaves_the_log_and_the_tournament_goes_on() -> None:
    """The entry has no player any more; at its next table a bot sits."""
    given = given_tournament(KNOCKOUT, players=1, bots=4, start=False)
    player = given.players[0]
    name = player.name
    given.act(services.tournament_start)
    Player.objects.get(pk=player.pk).delete()
    given.advance()
    assert Entry.objects.get(tournament_id=given.id, number=1).player is None
    given.play_to_the_end()
    assert given.row.phase == "finished"
    assert name not in str(list(TournamentEvent.objects.values_list("data", "actor")))


def test_who_may_not_act_is_told_so_and_nothing_happens() -> None:
    """A stranger, a player for another's entry, anybody at a private one."""
    given = given_tournament(KNOCKOUT, players=2, start=False, visibility="private")
    stranger, player = given_account(), given.players[0]
    with pytest.raises(TournamentNotFound):
        services.tournament_start(tournament_id=given.id, actor=stranger)
    with pytest.raises(NotOrganiser):
        services.tournament_start(tournament_id=given.id, actor=player)
    with pytest.raises(NotEntered):
        services.entry_withdraw(tournament_id=given.id, actor=player, entry=2)
    with pytest.raises(NotOrganiser):
        services.entry_register(tournament_id=given.id, actor=player, player=stranger)
    assert given.row.version == len(store.log(tournament_id=given.id)) == 4


def test_a_reason_is_kept_apart_and_can_be_erased() -> None:
    """The log has a reference; without the words it still stands."""
    given = given_tournament(KNOCKOUT, bots=3)
    given.act(services.tournament_pause, reason="  Dana \n fell ill ")
    line = selectors.log_load(tournament_id=given.id, after=given.row.version - 1)[0]
    assert (line.reason, line.actor_name) == ("Dana fell ill", given.organiser.name)
    assert "Dana" not in str(line.data)
    TournamentReason.objects.filter(pk=line.logged.why).update(text="")
    assert selectors.log_load(tournament_id=given.id, after=given.row.version - 1)[0].reason == ""
    with pytest.raises(BadSettings):
        given.act(services.tournament_cancel, reason="x" * 501)
    with pytest.raises(ActRefused) as refused:
        given.act(services.tournament_cancel, reason=" ")
    assert refused.value.refusal is Refusal.NEEDS_REASON


@pytest.mark.parametrize(
    "change", ["UPDATE tournaments_tournamentevent SET actor = 'x'", "DELETE FROM tournaments_tournamentevent"]
)
def test_the_log_is_only_ever_added_to(change: str) -> None:
    """A trigger refuses anything else."""
    from django.db import connection

    given_tournament(KNOCKOUT, start=False)
    with pytest.raises(DatabaseError, match="tournamentevent"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(change)


def test_nobody_registers_after_the_closing_time_even_if_the_clock_is_late() -> None:
    """And the clock closes it once it comes, whenever that is."""
    closes = datetime.now(UTC) + timedelta(hours=1)
    at = store.milliseconds(closes)
    given = given_tournament(replace(KNOCKOUT, closes_at=at), bots=2, start=False)
    with patch("tournaments.store.time.time_ns", lambda: at * 1_000_000):
        with pytest.raises(ActRefused) as refused:
            given.register(given_account())
        assert refused.value.refusal is Refusal.REGISTRATION_CLOSED
        given.advance()
    assert given.row.phase == "check_in"


def test_a_seat_of_a_table_is_replaced_once() -> None:
    """Twice is once, and a player has one seat at a table."""
    given = given_tournament(KNOCKOUT, players=3)
    game, new = the_game(given), given_account()
    for _ in range(2):
        games.seat_replace(game_id=game.pk, seat=Seat(0), player=new)
    assert SeatRow.objects.filter(game=game, seat=0).count() == 2
    with pytest.raises(WrongPhase, match="already_seated"):
        games.seat_replace(game_id=game.pk, seat=Seat(1), player=new)
