"""What a superuser of the database can do to a game's rows, with the trigger off; the export then does not verify."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import pytest
from django.db import connection, transaction

from games import chain
from games.audit.export import export_lines
from games.audit.verify import Forged, Unreadable, verify_export
from games.clock import timestamp
from games.models import GameEvent
from tests.builders import QUICK, SEED, Table, given_game, legal_texts

pytestmark = pytest.mark.django_db


@pytest.fixture
def table() -> Iterator[Table]:
    """A short game that is over, and no trigger in the way of its rows."""
    table = given_game(players=2, bots=["greedy"], rules=QUICK, server_seed=SEED)
    for _ in range(4):
        seat = int(table.state.turn)
        table.submit(seat, legal_texts(table)[0])
    for seat in (0, 1):
        table.submit(seat, "leave")
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE games_gameevent DISABLE TRIGGER USER")
    yield table
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE games_gameevent ENABLE TRIGGER USER")


@contextmanager
def undone() -> Iterator[None]:
    """What is done within it to the database is undone."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def run(statement: str, *values: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


def said(table: Table) -> Forged:
    """What the verifier says of the game's export."""
    with pytest.raises(Forged) as told:
        verify_export(export_lines(game_id=table.game_id))
    return told.value


EVENT = "UPDATE games_gameevent SET {} WHERE game_id = %s AND version = %s"
SHIFT = "UPDATE games_gameevent SET version = version + %s WHERE game_id = %s AND version >= %s AND version < %s"


def shift(table: Table, by: int, first: int, end: int = 10_000) -> None:
    """Renumber the events from one version to another (exclusive), by way of numbers far away."""
    run(SHIFT, 100_000 + by, table.game_id, first, end)
    run(SHIFT, -100_000, table.game_id, 100_000, 200_000)


def test_a_changed_row_is_named_at_every_position(table: Table) -> None:
    """Its data, its author, its time, its hash: by version, with the hash that it should have."""
    assert verify_export(export_lines(game_id=table.game_id)).version == table.game.version
    changes = (
        """data = data || '{"seat": 9}'""",
        "actor = 'staff'",
        "recorded_at = recorded_at + interval '1 millisecond'",
        "hash = sha256(hash)",
    )
    for version in range(1, table.game.version + 1):
        for change in changes:
            with undone():
                run(EVENT.format(change), table.game_id, version)
                told = said(table)
                assert told.version == version, change
                assert told.expected


def test_a_dropped_row_is_named_at_every_position(table: Table) -> None:
    """As it is, and with the rest renumbered so that no gap shows."""
    last = table.game.version
    for version in range(1, last + 1):
        for renumbered in (False, True):
            with undone():
                run("DELETE FROM games_gameevent WHERE game_id = %s AND version = %s", table.game_id, version)
                if renumbered:
                    shift(table, -1, version + 1)
                assert said(table).version == (version if version < last else last - 1)


INSERT = """
    INSERT INTO games_gameevent
        (game_id, version, type, schema, data, command_id, ordinal, actor, recorded_at, hash)
    SELECT game_id, %s, 'GameAborted', 1, '{{}}', gen_random_uuid(), 0, actor, recorded_at, hash
    FROM games_gameevent WHERE game_id = %s AND version = %s
"""


def test_an_inserted_row_is_named_at_every_position(table: Table) -> None:
    """One that was not recorded, with the rest renumbered to make room for it."""
    for version in range(1, table.game.version + 1):
        with undone():
            shift(table, 1, version)
            run(INSERT.replace("{{}}", "{}"), version, table.game_id, version + 1)
            assert said(table).version == version


def test_two_swapped_rows_are_named_at_every_position(table: Table) -> None:
    """Each under the other's version."""
    last = table.game.version
    for version in range(1, last):
        with undone():
            shift(table, 100, version, version + 1)
            shift(table, -1, version + 1, version + 2)
            run(SHIFT, -99, table.game_id, version + 100, version + 101)
            assert said(table).version == (version if version + 1 < last else last)


# ---- with the seed, the chain can be made anew


def rechain(table: Table, alter: Callable[[int, dict[str, Any]], None], server_seed: bytes = SEED) -> None:
    """Change each event as asked and write the whole chain anew, as whoever has the server's seed can."""
    head = chain.genesis(table.game_id)
    for row in GameEvent.objects.filter(game_id=table.game_id).order_by("version"):
        told = {"type": row.type, "data": row.data, "actor": row.actor, "at": timestamp(row.recorded_at)}
        alter(row.version, told)
        canonical = chain.canonical_event(
            version=row.version,
            event_type=told["type"],
            schema=row.schema,
            data=told["data"],
            actor=told["actor"],
            at=told["at"],
        )
        head = chain.event_hash(head, chain.salt(server_seed, row.version), canonical)
        change = "type = %s, data = %s, actor = %s, recorded_at = %s, hash = %s"
        values = (told["type"], json.dumps(told["data"]), told["actor"], told["at"], head)
        run(EVENT.format(change), *values, table.game_id, row.version)


def at_version(version: int, change: Callable[[dict[str, Any]], None], at: int, told: dict[str, Any]) -> None:
    """The change, at one version only."""
    if at == version:
        change(told)


def test_a_chain_made_anew_around_a_changed_event_is_named_at_every_position(table: Table) -> None:
    """Another type, another author, another seat: the seed, the rules or the clock say what was expected."""

    def other_type(told: dict[str, Any]) -> None:
        told.update(type="GameAborted", data={})

    def other_actor(told: dict[str, Any]) -> None:
        told["actor"] = "bot:2" if told["actor"] != "bot:2" else "bot:1"

    for version in range(1, table.game.version + 1):
        for change in (other_type, other_actor):
            with undone():
                rechain(table, partial(at_version, version, change))
                told = said(table)
                assert told.version == version, (version, str(told))
                assert told.expected or told.found


def test_a_chain_made_anew_with_another_seed_is_named(table: Table) -> None:
    """Revealed at the end it is not the one committed to; with its own commitment it deals otherwise."""
    seed = b"another seed of thirty-two bytes"

    def reveal(version: int, told: dict[str, Any]) -> None:
        if told["type"] == "SeedRevealed":
            told["data"] = {"server_seed": seed.hex()}

    def commit(version: int, told: dict[str, Any]) -> None:
        reveal(version, told)
        if told["type"] == "SeedCommitted":
            told["data"] = {**told["data"], "commitment": chain.commitment(seed).hex()}

    with undone():
        rechain(table, reveal, seed)
        assert (said(table).version, said(table).what) == (2, "the seed is not the one committed to")
    with undone():
        rechain(table, commit, seed)
        assert (said(table).version, said(table).what) == (3, "the deal is not the seed's")


def test_the_rows_of_another_game_are_not_this_ones(table: Table) -> None:
    """Copied under this game's id, all of them."""
    other = given_game(players=2, rules=QUICK, server_seed=SEED)
    run("DELETE FROM games_gameevent WHERE game_id = %s", other.game_id)
    run("UPDATE games_gameevent SET game_id = %s WHERE game_id = %s", other.game_id, table.game_id)
    run("UPDATE games_game SET phase = 'finished' WHERE id = %s", other.game_id)
    told = said(other)
    assert told.version == 1
    assert not isinstance(told, Unreadable)
