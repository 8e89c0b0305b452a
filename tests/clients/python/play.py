# mypy: ignore-errors
"""Two guests play a whole game through the generated client: `python play.py http://127.0.0.1:8000`."""

import hashlib
import json
import sys
import time
from http import HTTPStatus
from uuid import uuid4

from taki_client import AuthenticatedClient, Client
from taki_client.api.games import (
    games_audit,
    games_command,
    games_create,
    games_events,
    games_get,
    games_join,
    games_legal,
    games_start,
    games_view,
)
from taki_client.api.players import players_guest
from taki_client.models import (
    CardBody,
    CommandFields,
    CommandText,
    CommandType,
    Empty,
    FirstPlayer,
    GameBody,
    GuestBody,
    HouseRulesChoice,
    JoinBody,
    LegalCommand,
    Problem,
)

MOST_MOVES = 2000


def patiently(ask, *place, **arguments):
    """Ask, and when a limit is reached wait and ask again: the `Idempotency-Key` makes that safe."""
    while True:
        answer = ask(*place, **arguments)
        if not isinstance(answer, Problem) or answer.status != HTTPStatus.TOO_MANY_REQUESTS:
            return answer
        time.sleep(answer.seconds)


def told(ask, *place, **arguments):
    """The answer, unless it is a problem."""
    answer = patiently(ask, *place, **arguments)
    if answer is None or isinstance(answer, Problem):
        raise AssertionError(answer)
    return answer


def come_in(address):
    guest = told(players_guest.sync, client=Client(base_url=address), body=GuestBody())
    return AuthenticatedClient(base_url=address, token=guest.token)


def sit_down(host, other):
    rules = HouseRulesChoice.from_dict({"mode": "single", "hand_size": 3})
    body = GameBody(seats=2, first_player=FirstPlayer.HOST, turn_seconds=None, house_rules=rules, entropy="c0ffee")
    game = told(games_create.sync, client=host, body=body, idempotency_key=str(uuid4()))
    told(games_join.sync, game.id, client=other, body=JoinBody())
    told(games_start.sync, game.id, client=host, body=Empty())
    return game.id


def body_of(chosen: LegalCommand, version):
    """Cards in fields, everything else in words."""
    if chosen.type_ is not CommandType.PLAY:
        return CommandText(command=chosen.command, expected_version=version)
    card = CardBody(card=chosen.card, color=chosen.color)
    return CommandFields(type_=chosen.type_, cards=[card], expected_version=version)


def move(client, game_id, version):
    legal = told(games_legal.sync, game_id, client=client)
    able = [one for one in legal.commands if one.type_ not in (CommandType.LEAVE, CommandType.LAST)]
    chosen = next((one for one in able if one.type_ is CommandType.PLAY), able[0])
    return told(games_command.sync, game_id, client=client, body=body_of(chosen, version), idempotency_key=str(uuid4()))


def play_to_the_end(players, game_id):
    for moves in range(MOST_MOVES):
        for client in players:
            view = told(games_view.sync, game_id, client=client)
            if view.phase == "finished":
                return moves
            if view.may_act:
                move(client, game_id, view.version)
                break
        else:
            raise AssertionError("nobody may act")
    raise AssertionError("the game did not end")


def main(address):
    host, other = come_in(address), come_in(address)
    game_id = sit_down(host, other)
    moves = play_to_the_end([host, other], game_id)
    game = told(games_get.sync, game_id, client=other)
    audit = told(games_audit.sync, game_id, client=other)
    events = told(games_events.sync, game_id, client=host, limit=2)
    stranger = games_view.sync(uuid4(), client=host)
    committed = hashlib.sha256(b"taki/1/commit" + bytes.fromhex(audit.server_seed)).hexdigest() == audit.commitment
    summary = {
        "phase": game.phase.value,
        "winner": game.winner,
        "ranking": [placing.to_dict() for placing in game.ranking],
        "moves": moves,
        "first": events.results[0].type_.value,
        "nowhere": stranger.code,
        "committed": committed,
    }
    sys.stdout.write(json.dumps(summary))


if __name__ == "__main__":
    main(sys.argv[1])
