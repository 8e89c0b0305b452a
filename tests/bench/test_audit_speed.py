"""The nightly audit over many games, beside plain reading of the rows that it reads."""

import json
import os
import random
import resource
import time
from collections.abc import Iterator
from uuid import UUID

import pytest
from django.db import connection
from uuid_utils.compat import uuid7

from games import chain
from games.audit import check
from games.audit.keys import present_signer
from games.audit.runs import run_begin, run_go_on
from games.audit.scope import Scope
from games.audit.signing import head_bytes
from games.clock import moment
from games.fold import Folded
from games.models import Game, GameSecret, GameSignature
from games.models import Seat as SeatRow
from games.projections import summary
from games.rules.events import GameEnded
from games.rules.ruleset import DEFAULT_RULES
from games.services.keys import key_register
from games.table import Table
from tests.audit.games import Written, chained, random_game
from tests.bench.measure import report

pytestmark = [pytest.mark.bench, pytest.mark.django_db(transaction=True)]
GAMES = int(os.environ.get("AUDITED_GAMES", "10000"))
PLAYED = 100
"""So many games are played; the others are the same play under other ids, and so with other hashes throughout."""
LENGTHS = range(150, 251)
BATCH = 500
COLUMNS = "game_id, version, type, schema, data, command_id, ordinal, actor, recorded_at, hash"


def played() -> list[Written]:
    """Games of about 200 events."""
    chance = random.Random(7)
    found: list[Written] = []
    while len(found) < PLAYED:
        written = random_game(chance, rules=DEFAULT_RULES)
        if len(written.told) in LENGTHS:
            found.append(written)
    return found


def store(batch: list[tuple[UUID, Written]]) -> int:
    """Write these games as the server would have; how many events."""
    logs = {game_id: chained(game_id, written.server_seed, written.told) for game_id, written in batch}
    heads = {game_id: bytes.fromhex(lines[-1].hash) for game_id, lines in logs.items()}
    Game.objects.bulk_create([_row(game_id, written, heads[game_id]) for game_id, written in batch])
    GameSecret.objects.bulk_create(
        [GameSecret(game_id=game_id, server_seed=written.server_seed) for game_id, written in batch]
    )
    SeatRow.objects.bulk_create(
        [
            SeatRow(game_id=game_id, seat=seat, bot="random", entropy=given)
            for game_id, written in batch
            for seat, given in enumerate(written.entropy)
        ]
    )
    GameSignature.objects.bulk_create([_seal(game_id, len(logs[game_id]), head) for game_id, head in heads.items()])
    with connection.cursor() as cursor, cursor.copy(f"COPY games_gameevent ({COLUMNS}) FROM STDIN") as copy:
        for game_id, written in batch:
            for line, (_, _, at) in zip(logs[game_id], written.told, strict=True):
                what = (game_id, line.version, line.type, line.schema, json.dumps(line.data))
                copy.write_row((*what, uuid7(), 0, line.actor, moment(at), bytes.fromhex(line.hash)))
    return sum(map(len, logs.values()))


def _seal(game_id: UUID, version: int, head: bytes) -> GameSignature:
    signer = present_signer()
    signature = signer.sign(head_bytes(game_id=game_id, version=version, head=head))
    return GameSignature(
        game_id=game_id, version=version, hash=head, key=signer.key, signature=signature, signed_at=moment(0)
    )


def _row(game_id: UUID, written: Written, head: bytes) -> Game:
    limits, ended = written.limits, next(event for event, _, _ in written.told if isinstance(event, GameEnded))
    aborted = any(type(event).__name__ == "GameAborted" for event, _, _ in written.told)
    first = written.told[0][0].first  # type: ignore[union-attr]
    folded = Folded(len(written.told), head, written.state, written.clock, first, ended.ranking, aborted)
    game = Game(
        id=game_id,
        house_rules=written.state.rules.chosen(),
        seats=written.state.seats,
        turn_seconds=limits.turn_seconds,
        bank_seconds=limits.bank_seconds,
        increment_seconds=limits.increment_seconds,
        reaction_seconds=limits.reaction_seconds,
        game_minutes=limits.game_minutes,
        commitment=chain.commitment(written.server_seed).hex(),
    )
    for name, value in summary(Table(folded, (), 0, written.server_seed), limits)._asdict().items():
        setattr(game, name, value)
    return game


def batches(games: list[Written]) -> Iterator[list[tuple[UUID, Written]]]:
    for begin in range(0, GAMES, BATCH):
        yield [(uuid7(), games[number % PLAYED]) for number in range(begin, min(begin + BATCH, GAMES))]


def test_an_audit_of_ten_thousand_games() -> None:
    """One process, from the first game to the last; then the rows alone."""
    key_register(signer=present_signer())
    games = played()
    events = sum(store(batch) for batch in batches(games))
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began, worked = time.perf_counter(), time.process_time()
    run = run_go_on(run_id=run_begin(scope=Scope()).pk)
    spent, worked = time.perf_counter() - began, time.process_time() - worked
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert (run.checked, run.failed, run.differing) == (GAMES, 0, 0)
    began = time.perf_counter()
    read = sum(len(check._rows(game_id, 0)) for game_id in Game.objects.values_list("pk", flat=True).iterator())
    reading = time.perf_counter() - began
    assert read == events
    report(
        f"audit of {GAMES} games, {events} events",
        {
            "s": spent,
            "processor s": worked,
            "games/s": GAMES / spent,
            "events/s": events / spent,
            "MiB grown": grown / 1024,
            "plain reading s": reading,
            "ratio": spent / reading,
        },
    )
