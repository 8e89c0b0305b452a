"""Games that were never played by the server, in its database all the same."""

import json

from django.db import connection

from games.clock import moment
from games.models import Game, Phase
from tests.audit.games import Written


def stored(written: Written) -> Game:
    """The game in the database, as far as its export reads it; it is over."""
    lines = written.lines()
    ended = moment(written.told[-1][2])
    game = Game.objects.create(pk=written.game_id, phase=Phase.FINISHED, version=len(lines), ended_at=ended)
    with connection.cursor() as cursor, cursor.copy(COPY) as copy:
        for line in lines:
            data, event_hash = json.dumps(line.data), bytes.fromhex(line.hash)
            row = (game.pk, line.version, line.type, line.schema, data, game.pk, line.version, line.actor, line.at)
            copy.write_row((*row, event_hash))
    return game


COPY = """
    COPY games_gameevent (game_id, version, type, schema, data, command_id, ordinal, actor, recorded_at, hash)
    FROM STDIN
"""
