"""Who may listen to what: the table of rights of the stream process, sent to the running one."""

import json
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from tests.contract.fuzz_world import Person
from tests.e2e.system import System

ROLES = ("nobody", "guest", "seated", "host", "staff", "mover", "rubbish")
# `host` also organises the tournaments, in which `seated` has an entry. `mover`: the host, with the scope `play` alone.
TABLE = """
games/{lobby}/stream/             401 200 200 200 200 403 401
games/{private}/stream/           401 404 200 200 200 403 401
games/{private}/events/?wait=1    401 404 200 200 200 403 401
games/{lobby}/events/             401 200 200 200 200 403 401
games/{finished}/stream/          401 200 200 200 200 403 401
games/{finished}/stream/?after=9  401 422 422 422 422 403 401
games/{nothing}/stream/           401 404 404 404 404 403 401
players/me/stream/                401 200 200 200 200 403 401
tournaments/{open}/stream/        401 200 200 200 200 403 401
tournaments/{secret}/stream/      401 404 200 200 404 403 401
"""
ROWS = [line.split() for line in TABLE.strip().splitlines()]
STAFF = """
from players.models import Player
from players.services import token_create
print("token", token_create(player=Player.objects.create_user("Staff of streams", is_staff=True)))
"""


@dataclass
class Hall:
    """Games and tournaments by name, and each role's token."""

    streams: str
    ids: dict[str, str]
    tokens: dict[str, str]
    people: dict[str, Person]


@pytest.fixture(scope="module")
def hall(system: System) -> Hall:
    """Two tables in the lobby, one that is over before its first event is ten, two tournaments."""
    host, seated, guest = (Person(system.url) for _ in range(3))
    host.make_account()
    mover = host.post("tokens/", {"name": "moves only", "scopes": ["play"]})["token"]
    staff = next(line.split()[1] for line in system.manage("shell", "-c", STAFF).splitlines() if "token taki_" in line)
    tokens = {"nobody": "", "guest": guest.token, "seated": seated.token, "host": host.token, "staff": staff}
    ids = {name: _game(host, seated, name) for name in ("lobby", "private", "finished")}
    ids |= {name: _tournament(host, seated, private=name == "secret") for name in ("open", "secret")}
    ids["nothing"] = "0192f6a0-5b1e-7c3d-8e4f-1a2b3c4d5e6f"
    people = {"host": host, "seated": seated, "guest": guest}
    return Hall(system.stream_url, ids, {**tokens, "mover": mover, "rubbish": "taki_" + "x" * 43}, people)


def _game(host: Person, seated: Person, name: str) -> str:
    settings = {"seats": 2, "visibility": "private" if name == "private" else "public", "turn_seconds": None}
    made = host.post("games/", settings)
    seated.post(f"games/{made['id']}/join/", {"invite_code": made["invite_code"]})
    if name == "finished":
        host.post(f"games/{made['id']}/start/")
        seated.post(f"games/{made['id']}/leave/")
    return str(made["id"])


def _tournament(host: Person, seated: Person, *, private: bool) -> str:
    visibility = "private" if private else "public"
    made = host.post("tournaments/", {"name": "Streaming cup", "visibility": visibility, "check_in": False})
    host.post(f"tournaments/{made['id']}/open/")
    seated.post(f"tournaments/{made['id']}/entries/", {"invite_code": made["invite_code"]})
    return str(made["id"])


def status(hall: Hall, path: str, role: str) -> int:
    """What the stream process answers; a stream is left as soon as it has begun."""
    headers = {"Authorization": f"Bearer {hall.tokens[role]}"} if hall.tokens[role] else {}
    with httpx.stream("GET", f"{hall.streams}/api/v1/{path}", headers=headers, timeout=20) as answer:
        if answer.status_code >= 400:
            _is_a_problem(answer)
        return answer.status_code


def _is_a_problem(answer: httpx.Response) -> None:
    told: dict[str, Any] = json.loads(answer.read())
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert told["status"] == answer.status_code
    assert told["type"].endswith(f"/problems/{told['code']}/")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_a_role_may_listen_to_this_and_no_more(hall: Hall, row: list[str]) -> None:
    """What the table says."""
    path = row[0].format(**hall.ids)
    assert [status(hall, path, role) for role in ROLES] == [int(expected) for expected in row[1:]]


@pytest.fixture
def tickets(hall: Hall) -> dict[str, str]:
    """Tickets of the host: for a game, and for its own stream."""
    host = hall.people["host"]
    return {
        "game": host.post(f"games/{hall.ids['private']}/stream-ticket/")["ticket"],
        "me": host.post("players/me/stream-ticket/")["ticket"],
    }


def test_a_ticket_opens_one_stream_once(hall: Hall, tickets: dict[str, str]) -> None:
    """Not another's, not a second time; and what it opens is what its player may see."""
    game, other = hall.ids["private"], hall.ids["lobby"]
    assert status(hall, f"games/{other}/stream/?ticket={tickets['game']}", "nobody") == 401
    fresh = hall.people["host"].post(f"games/{game}/stream-ticket/")["ticket"]
    asked = [status(hall, f"games/{game}/stream/?ticket={fresh}", "nobody") for _ in range(2)]
    assert asked == [200, 401]
    assert status(hall, f"games/{game}/stream/?ticket={tickets['me']}", "nobody") == 401
