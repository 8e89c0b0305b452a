"""A log is only ever added to: by a trigger for everybody, by its rights for the application's role."""

from uuid import uuid4

import psycopg
import pytest
from django.db import IntegrityError, ProgrammingError, connection, transaction

from games.models import Game, GameEvent, GameSecret, Seat
from players.models import Player
from tests.builders import Table, given_bots, given_game, legal_texts

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE games_gameevent SET actor = 'seat:1' WHERE version = 1",
        "UPDATE games_gameevent SET hash = ''",
        "DELETE FROM games_gameevent WHERE version = 3",
    ],
)
def test_even_the_tables_owner_is_refused_to_change_or_delete_an_event(statement: str) -> None:
    """The trigger answers UPDATE and DELETE with an error, and the log is as before."""
    table = given_game()
    before = [(event.version, event.actor, bytes(event.hash)) for event in table.events()]
    with pytest.raises(ProgrammingError, match="Cannot update or delete"), connection.cursor() as cursor:
        cursor.execute(statement)
    assert [(event.version, event.actor, bytes(event.hash)) for event in table.events()] == before


def test_the_models_own_methods_are_refused_too() -> None:
    """Saving or deleting an event object meets the same trigger."""
    table = given_game()
    event = table.events()[-1]
    event.actor = "staff"
    with pytest.raises(ProgrammingError), transaction.atomic():
        event.save()
    with pytest.raises(ProgrammingError), transaction.atomic():
        GameEvent.objects.filter(game_id=table.game_id).delete()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE games_gameevent SET actor = 'seat:1'",
        "DELETE FROM games_gameevent",
        "TRUNCATE games_gameevent",
        "TRUNCATE games_game CASCADE",
        "ALTER TABLE games_gameevent DISABLE TRIGGER ALL",
        "DROP TABLE games_gameevent",
        "UPDATE games_gamesecret SET server_seed = ''",
        "DELETE FROM games_gamesecret",
        "UPDATE games_gamesignature SET key = 'another'",
        "DELETE FROM games_gamesignature",
        "UPDATE games_signingkey SET since = now()",
        "DELETE FROM games_signingkey",
        "UPDATE games_auditentry SET reason = 'another'",
        "UPDATE games_auditentry SET expires_at = now()",
        "TRUNCATE games_auditentry",
    ],
)
def test_the_applications_role_lacks_the_rights(statement: str, application_connection: psycopg.Connection) -> None:
    """What the service's own database role may not do is not a matter of triggers."""
    given_game()
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        application_connection.execute(statement)


def test_the_applications_role_may_read_and_add_events(application_connection: psycopg.Connection) -> None:
    """So that the refusals above are not for want of any right at all."""
    table = given_game()
    count = "SELECT count(*) FROM games_gameevent WHERE game_id = %s"
    before = application_connection.execute(count, (table.game_id,)).fetchone()
    application_connection.execute(
        "INSERT INTO games_gameevent SELECT game_id, version + 1000, type, schema, data, gen_random_uuid(), 0, digest,"
        " actor, recorded_at, hash FROM games_gameevent WHERE game_id = %s AND version = 1",
        (table.game_id,),
    )
    after = application_connection.execute(count, (table.game_id,)).fetchone()
    assert before is not None
    assert after == (before[0] + 1,)


def test_two_events_of_one_version_cannot_both_be_written() -> None:
    """The primary key is the last line of defence against two writers."""
    table = given_game()
    last = table.events()[-1]
    copy = GameEvent(game_id=last.game_id, version=last.version, type=last.type, schema=1, data={}, command_id=uuid4())
    copy.ordinal, copy.actor, copy.recorded_at, copy.hash = 0, "server", last.recorded_at, b""
    with pytest.raises(IntegrityError), transaction.atomic():
        copy.save(force_insert=True)


def test_every_unique_key_begins_with_the_game() -> None:
    """So the tables can be partitioned by game: seats, secrets and events (a game's own key is its id)."""
    for model in (GameEvent, Seat, GameSecret):
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT indexrelid::regclass::text, (SELECT attname FROM pg_attribute"
                " WHERE attrelid = indrelid AND attnum = indkey[0])"
                " FROM pg_index WHERE indrelid = %s::regclass AND indisunique",
                (model._meta.db_table,),
            )
            keys = cursor.fetchall()
        assert keys
        assert {first for _, first in keys} == {"game_id"}


def test_no_personal_data_is_in_a_log() -> None:
    """Events name seats; erasing a player leaves log and hashes as they are, and the game goes on."""
    table = given_game(players=2)
    player = table.players[1]
    table.submit(0, legal_texts(table)[0])
    text = repr([(event.data, event.actor) for event in table.events()])
    assert player.name not in text
    assert str(player.id) not in text
    head = bytes(table.game.head_hash)
    Player.objects.get(pk=player.pk).delete()
    row = Seat.objects.get(game_id=table.game_id, seat=1)
    assert (row.player_id, bytes(row.entropy), bytes(table.game.head_hash)) == (None, b"entropy 1", head)
    assert Table(table.game_id, table.players[:1]).submit(0, "leave").state.over


def test_times_have_whole_milliseconds_and_never_go_back() -> None:
    """So the canonical JSON can say them exactly."""
    table = given_bots(("greedy", "random"))
    table.bot_moves(20)
    times = [event.recorded_at for event in table.events()]
    assert all(time.microsecond % 1000 == 0 for time in times)
    assert times == sorted(times)


def test_game_ids_are_of_version_7() -> None:
    """New games sort after old ones."""
    first, second = given_game().game_id, given_game().game_id
    assert (first.version, second.version) == (7, 7)
    assert first < second
    assert Game.objects.values_list("pk", flat=True).first() == second
