"""A random life of a tournament on the real services: acts of everybody, games, time, and kills at any statement."""

import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any
from unittest.mock import patch
from uuid import UUID, uuid4

from django.db import connection

from games import services as games
from games import store as game_store
from games.models import Game
from games.models import Phase as GamePhase
from games.rules.cards import Seat
from games.rules.commands import LAST, LEAVE
from games.rules.legal import legal_commands
from players.models import Player
from tests.tournaments.given import SHORT, TABLES, Given, given_account
from tournaments import selectors, services, store
from tournaments.errors import ActRefused, TournamentError
from tournaments.models import Entry, TournamentEvent, TournamentTable
from tournaments.results import result_of
from tournaments.rules import (
    ACTS,
    Act,
    CorrectResult,
    Format,
    NoShows,
    Phase,
    Place,
    State,
    TableKind,
    TableStatus,
    Terms,
    discrepancies,
    legal_targets,
    replay,
)
from tournaments.rules import acts as a

STEPS = 45
RARE: dict[type[Act], float] = {a.Cancel: 0.02, a.Withdraw: 0.2, a.Disqualify: 0.2, a.ReopenRound: 0.5}
MINUTES_11 = 11 * 60 * 1_000_000_000


class Killed(BaseException):
    """The process ends here. No service may catch it."""


@contextmanager
def killed_at(statement: int) -> Iterator[None]:
    """The process dies before this statement (from 1), if it comes to it; a dead one says nothing more."""
    left = [statement]

    def count(execute: Any, sql: Any, params: Any, many: Any, context: Any) -> Any:
        left[0] -= 1
        if left[0] == 0:
            raise Killed
        return execute(sql, params, many, context)

    try:
        with connection.execute_wrapper(count):
            yield
    except Killed:
        pass


@dataclass
class Walk:
    """One life. ``ahead``: by how many nanoseconds the clock has been put forward."""

    chance: random.Random
    ahead: int = 0
    players: list[Player] = field(default_factory=list)
    staff: Player = field(default_factory=lambda: given_account(is_staff=True, is_superuser=True))

    def run(self) -> Given:
        """From the draft to the end, the laws checked after every step."""
        real, draw = time.time_ns, self.chance.randbytes
        with (
            patch("tournaments.store.time.time_ns", lambda: real() + self.ahead),
            patch("tournaments.services.creating.secrets.token_bytes", draw),  # the module's, so the games', too
        ):
            self.begin()
            for _ in range(STEPS):
                self.step()
                self.check()
            self.finish()
        return self.given

    # ---- steps

    def begin(self) -> None:
        """A tournament of random terms, registration open."""
        size = self.chance.randint(2, 4)
        terms = Terms(
            format=Format.KNOCKOUT,
            table_kind=self.chance.choice(list(TableKind)),
            table_size=size,
            go_on=self.chance.randint(1, size - 1),
            capacity=self.chance.randint(5, 9),
            check_in=self.chance.random() < 0.5,
            no_shows=self.chance.choice(list(NoShows)),
        )
        if self.chance.random() < 0.2:
            terms = replace(terms, format=Format.LADDER, table_kind=TableKind.LADDER, go_on=1, capacity=size)
        organiser = given_account()
        tables = replace(TABLES, house_rules=replace(SHORT, max_turns=30))
        made = services.tournament_create(owner=organiser, name="A life", terms=terms, tables=tables)
        self.given = Given(made.pk, organiser)
        self.given.act(services.registration_open)
        for _ in range(self.chance.randint(5, 10)):
            self.register()
        if self.chance.random() < 0.8:
            self.start()

    def start(self) -> None:
        """Most of them check in, and it begins, if enough are there."""
        self.given.act(services.registration_close)
        for entry in self.given.state.entries:
            if self.chance.random() < 0.8:
                self.attempted(partial(self.given.act, services.entry_check_in, entry=entry.number))
        self.attempted(lambda: self.given.act(services.tournament_start))

    def step(self) -> None:
        """One thing that happens."""
        kinds: list[tuple[int, Callable[[], None]]] = [
            (10, self.advance),
            (10, self.play_one),
            (4, self.play_a_little),
            (10, self.act),
            (2, self.register),
            (1, self.abort_a_game),
            (1, self.let_time_pass),
        ]
        (chosen,) = self.chance.choices([kind for _, kind in kinds], [weight for weight, _ in kinds])
        chosen()

    def advance(self) -> None:
        """What follows by itself; often the process dies in the middle."""
        if self.chance.random() < 0.5:
            with killed_at(self.chance.randint(1, 60)):
                services.tournament_advance(tournament_id=self.given.id)
            return
        self.given.advance()
        self.check_nothing_is_due()

    def register(self) -> None:
        """A player, a bot, or a player who is in already."""
        if self.chance.random() < 0.2:
            return self.carry_out(lambda key: self.given.register(None, command_id=key))
        known = self.players and self.chance.random() < 0.2
        player = self.chance.choice(self.players) if known else given_account()
        if not known:
            self.players.append(player)
        return self.carry_out(lambda key: self.given.register(player, command_id=key))

    def act(self) -> None:
        """An act of the organiser, mostly one that is allowed."""
        state = self.given.state
        kinds = [kind for kind in ACTS if kind in SERVICES]
        if self.chance.random() < 0.8:
            likely = [kind for kind in kinds if legal_targets(state, kind, self.now()) and self.wanted(kind)]
            kinds = likely or kinds
        kind = self.chance.choice(kinds)
        targets = sorted(legal_targets(state, kind, self.now()))
        target = self.chance.choice(targets) if targets and self.chance.random() < 0.8 else self.chance.randint(1, 9)
        self.carry_out(lambda key: SERVICES[kind](self, target, key))

    def wanted(self, kind: type[Act]) -> bool:
        """Whoever withdraws all and cancels has soon told their tale."""
        return self.chance.random() < RARE.get(kind, 1)

    def carry_out(self, act: Callable[[Any], object]) -> None:
        """The act, once, though its process may die and its command be given again; refused, it changes nothing."""
        key = UUID(int=self.chance.getrandbits(128), version=4)
        if self.chance.random() < 0.3:
            with killed_at(self.chance.randint(1, 15)):
                self.attempted(lambda: act(key))
        told = self.attempted(lambda: act(key))
        lines = TournamentEvent.objects.filter(command_id=key)
        before = lines.count()
        assert not isinstance(told, TournamentError) or not before
        self.attempted(lambda: act(key))
        assert lines.count() == before or not before

    def attempted(self, act: Callable[[], object]) -> object:
        """What the act gives, or its refusal; then nothing has changed."""
        before = self.given.row
        try:
            return act()
        except TournamentError as refused:
            after = self.given.row
            assert (after.version, after.revision) == (before.version, before.revision)
            return refused

    def play_one(self) -> None:
        """A game to its end."""
        if running := self.running():
            play(self.chance.choice(running).pk, self.chance)

    def play_a_little(self) -> None:
        """Some moves."""
        if running := self.running():
            play(self.chance.choice(running).pk, self.chance, most=5)

    def abort_a_game(self) -> None:
        """Staff aborts a game behind the tournament's back."""
        if running := self.running():
            games.game_abort(game_id=self.chance.choice(running).pk, actor=self.staff, reason="a fault")

    def let_time_pass(self) -> None:
        """Longer than an aborted table waits."""
        self.ahead += MINUTES_11

    def finish(self) -> None:
        """From wherever it is, and whoever is there, it ends."""
        given = self.given
        if given.state.phase is Phase.PAUSED:
            given.act(services.tournament_resume)
        if given.state.phase in (Phase.REGISTRATION, Phase.CHECK_IN):
            if given.state.phase is Phase.REGISTRATION:
                given.act(services.registration_close)
            try:
                given.act(services.tournament_start)
            except ActRefused:
                given.act(services.tournament_cancel)
        for _ in range(60):
            given.advance()
            for game in self.running():
                play(game.pk, self.chance)
            self.let_time_pass()
            if given.advance() == 0 and not self.running():
                break
        self.check()
        self.check_the_end()

    # ---- laws

    def check(self) -> None:
        """At any instant, whatever is still to be done."""
        tournament, state = store.load(tournament_id=self.given.id)
        lines = store.log(tournament_id=self.given.id)
        log = [line.logged for line in lines]
        assert [line.version for line in lines] == list(range(1, len(lines) + 1))
        assert replay(log) == state
        assert (tournament.phase, tournament.version, tournament.taken) == (state.phase.value, len(log), state.taken)
        assert discrepancies(log, store.seed_of(self.given.id)) == ()
        self.check_entries(state)
        self.check_tables(state)
        woken = tournament.wakes_at is not None and store.milliseconds(tournament.wakes_at) <= self.now()
        if not woken and self.given.id not in selectors.due_work():  # what no sweep would find has nothing that follows
            assert services.tournament_advance(tournament_id=self.given.id).steps == 0

    def check_entries(self, state: State) -> None:
        """Each entry has its row, which says what the log says; nobody has two that count."""
        rows = list(Entry.objects.filter(tournament_id=self.given.id).order_by("number"))
        told = [
            (entry.number, entry.status.value, entry.checked_in, entry.bot, entry.holder) for entry in state.entries
        ]
        assert [(row.number, row.status, row.checked_in, row.bot, row.holder) for row in rows] == told
        holders = [row.player_id for row in rows if row.counts and row.player_id]
        assert len(holders) == len(set(holders))
        for row in rows:
            assert [holder.holder for holder in row.holders.all()] == list(range(1, row.holder + 1))

    def check_tables(self, state: State) -> None:
        """No table is lost or doubled: each that was opened has one game for each attempt; no game is nobody's."""
        rows = list(TournamentTable.objects.filter(tournament_id=self.given.id).select_related("game"))
        keys = {(row.number, row.attempt): row for row in rows}
        opened = {
            (event.data["table"], event.data["attempt"])
            for event in TournamentEvent.objects.filter(tournament_id=self.given.id, type="TableOpened")
        }
        assert len(keys) == len(rows)
        assert set(keys) == opened
        assert Game.objects.count() == len(rows)
        for table in state.tables:
            row = keys.get((table.number, table.attempt))
            if table.status in (TableStatus.PLAYING, TableStatus.ENDING) and not state.over:
                assert row is not None
                assert not row.settled
            if table.status is TableStatus.FINISHED and table.ending.value == "played" and not table.corrections:
                assert row is not None
                assert sorted(result_of(row.game_id, row.game.version, table.seats), key=_order) == list(table.result)

    def check_nothing_is_due(self) -> None:
        """After all that follows has been done: games are as the tournament wants them, and no sweep finds anything."""
        state = self.given.state
        assert self.given.id not in selectors.due_work()
        for row in TournamentTable.objects.filter(tournament_id=self.given.id, settled=False).select_related("game"):
            table = state.table(row.number)  # type: ignore[arg-type]
            assert (table.status, table.attempt, row.game.phase) == (TableStatus.PLAYING, row.attempt, "playing")
            assert {seat for seat, entry in enumerate(table.seats) if table.has_left(entry)} <= set(row.game.left)
            self.check_seats(row, table.seats)

    def check_seats(self, row: TournamentTable, seats: tuple[int, ...]) -> None:
        """On each seat sits who holds the entry now, or a bot."""
        entries = {entry.number: entry for entry in Entry.objects.filter(tournament_id=self.given.id)}
        for sitting in row.game.seating.filter(until_version=None):
            entry = entries[seats[sitting.seat]]
            if sitting.seat not in row.game.left:
                assert (sitting.player_id, bool(sitting.bot)) == (
                    (None, True) if entry.bot else (entry.player_id, False)
                )

    def check_the_end(self) -> None:
        """It is over, with everybody ranked once; no game goes on; its seed is public, so that all can be checked."""
        state = self.given.state
        assert state.over
        assert state.revealed
        assert not self.running()
        assert selectors.due_work() == ()
        if state.phase is Phase.FINISHED:
            ranked = [place.entry for place in selectors.standings_of(tournament_id=self.given.id, state=state)]
            started = [e.number for e in state.entries if e.started or e.status.value == "absent"]
            assert sorted(ranked) == started

    # ---- what there is

    def running(self) -> list[Game]:
        """The games that are being played."""
        return list(Game.objects.filter(phase=GamePhase.PLAYING).order_by("id"))

    def now(self) -> int:
        """The time, in ms."""
        return time.time_ns() // 1_000_000


def _order(place: Place) -> tuple[int, int]:
    return place.rank, place.entry


def play(game_id: Any, chance: random.Random, most: int = 10_000) -> None:
    """Moves of whoever is to move, player or bot, until the game is over or so many were made."""
    for _ in range(most):
        game, table = game_store.load(game_id=game_id)
        if game.phase != GamePhase.PLAYING:
            return
        state = table.folded.state
        for seat in sorted(state.answer) or [state.turn]:
            commands = [c for c in legal_commands(state, Seat(seat)) if c not in (LEAVE, LAST)]
            player_id = next(seated.player_id for seated in table.seating if seated.seat == seat)
            actor = games.BotActor(Seat(seat)) if player_id is None else games.PlayerActor(player_id)
            games.game_submit(
                game_id=game_id, actor=actor, commands=(chance.choice(commands),), command_id=uuid4(), digest=b""
            )
            break


def _on_entry(service: Callable[..., services.Acted], **more: Any) -> Callable[[Walk, int, Any], object]:
    return lambda walk, entry, key: walk.given.act(service, entry=entry, command_id=key, **more)


def _whole(service: Callable[..., services.Acted]) -> Callable[[Walk, int, Any], object]:
    return lambda walk, _target, key: walk.given.act(service, command_id=key)


def _replace(walk: Walk, entry: int, key: Any) -> object:
    player = random.Random(key.int).choice(walk.players or [walk.staff])
    return walk.given.act(services.entry_replace, entry=entry, player=player, command_id=key)


def _on_table(service: Callable[..., services.Acted]) -> Callable[[Walk, int, Any], object]:
    def act(walk: Walk, table: int, key: Any) -> object:
        tables = walk.given.state.tables
        attempt = tables[table - 1].attempt if table <= len(tables) else 1
        return walk.given.act(service, table=table, attempt=attempt, command_id=key)

    return act


def _correct(walk: Walk, number: int, key: Any) -> object:
    tables = walk.given.state.tables
    seats = list(tables[number - 1].seats) if number <= len(tables) else []
    random.Random(key.int).shuffle(seats)
    result = tuple(Place(rank, entry) for rank, entry in enumerate(seats, start=1))
    return walk.given.act(services.result_correct, table=number, result=result, command_id=key)


def _seeds(walk: Walk, _target: int, key: Any) -> object:
    return walk.given.act(services.seeding_list, order=[1, 2], command_id=key)


SERVICES: dict[type[Act], Callable[[Walk, int, Any], object]] = {
    a.OpenRegistration: _whole(services.registration_open),
    a.CloseRegistration: _whole(services.registration_close),
    a.ListSeeding: _seeds,
    a.Start: _whole(services.tournament_start),
    a.Pause: _whole(services.tournament_pause),
    a.Resume: _whole(services.tournament_resume),
    a.Cancel: _whole(services.tournament_cancel),
    a.Promote: _on_entry(services.entry_promote),
    a.CheckIn: _on_entry(services.entry_check_in),
    a.Withdraw: _on_entry(services.entry_withdraw),
    a.Replace: _replace,
    a.NoShow: _on_entry(services.entry_no_show, bot=True),
    a.Forfeit: _on_entry(services.entry_forfeit),
    a.Disqualify: _on_entry(services.entry_disqualify),
    a.Reinstate: _on_entry(services.entry_reinstate),
    a.EndTable: _on_table(services.table_end),
    a.ReplayTable: _on_table(services.table_replay),
    a.AbortTable: _on_table(services.table_abort),
    CorrectResult: _correct,
    a.ReopenRound: lambda walk, number, key: walk.given.act(services.round_reopen, number=number, command_id=key),
}
