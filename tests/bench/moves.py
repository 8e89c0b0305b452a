"""Games whose moves are all known beforehand, so that a client costs next to nothing while it measures."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from http.client import HTTPConnection
from time import perf_counter

import psycopg

from games import chain
from games.rules.cards import Seat
from games.rules.commands import DRAW, LEAVE
from games.rules.decide import advance
from games.rules.evolve import replay
from games.rules.legal import legal_commands
from games.rules.notation import format_command
from games.rules.ruleset import Ruleset
from games.rules.setup import start
from games.rules.state import State

RULES = {"mode": "ladder", "last_card": "off"}
"""A long game, and one in which no rule hangs on the time between two moves."""


SMALL_HAND = 6


@dataclass(frozen=True)
class Move:
    """One request: whose token, and the body."""

    token: str
    body: bytes


class Client:
    """One connection to the server, kept open."""

    def __init__(self, port: int) -> None:
        self.http = HTTPConnection("127.0.0.1", port)

    def post(self, path: str, token: str, body: bytes) -> tuple[int, bytes]:
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        self.http.request("POST", path, body, headers)
        answer = self.http.getresponse()
        return answer.status, answer.read()

    def timed_post(self, path: str, token: str, body: bytes) -> tuple[float, bytes]:
        """Seconds from request to answer; AssertionError unless it was accepted."""
        began = perf_counter()
        status, answer = self.post(path, token, body)
        seconds = perf_counter() - began
        assert status in (200, 201), answer
        return seconds, answer

    def made(self, path: str, token: str, **body: object) -> dict[str, object]:
        """The JSON of an answer that must be a success."""
        _, answer = self.timed_post(path, token, json.dumps(body).encode())
        made: dict[str, object] = json.loads(answer)
        return made


def guest(client: Client) -> str:
    """The token of a new guest."""
    status, answer = client.post("/api/v1/players/guest/", "", b"{}")
    if status == 401:  # an empty token is no token
        client.http.request("POST", "/api/v1/players/guest/", b"{}", {"Content-Type": "application/json"})
        answer = client.http.getresponse().read()
    token: str = json.loads(answer)["token"]
    return token


def started_game(client: Client, owner_url: str, *, least_moves: int = 0) -> tuple[str, list[Move]]:
    """A started game of two guests, and all its moves of random play to the end.

    With ``least_moves`` the two draw whenever their hands are small, and so play on until there are that many.
    """
    rules = {**RULES, "voluntary_draw": bool(least_moves)}
    tokens = [guest(client), guest(client)]
    game = str(client.made("/api/v1/games/", tokens[0], seats=2, house_rules=rules, turn_seconds=None)["id"])
    client.made(f"/api/v1/games/{game}/join/", tokens[1])
    first = client.made(f"/api/v1/games/{game}/start/", tokens[0])["turn"]
    assert isinstance(first, int)
    with psycopg.connect(owner_url) as database:
        row = database.execute("SELECT server_seed FROM games_gamesecret WHERE game_id = %s", (game,)).fetchone()
    assert row is not None
    seed = chain.game_seed(bytes(row[0]), [chain.entropy_digest(b"")] * 2)
    opening = start(rules=Ruleset.from_mapping(rules), seats=2, first=Seat(first), seed=seed)
    return game, [Move(tokens[seat], body) for seat, body in _moves(replay(opening, seed=seed), least_moves)]


def _moves(state: State, least_moves: int) -> list[tuple[Seat, bytes]]:
    chance = random.Random(state.seed)
    moves: list[tuple[Seat, bytes]] = []
    while not state.over and (not least_moves or len(moves) < least_moves):
        seat = state.turn if state.plus3 is None else state.answer[0]
        legal = [command for command in legal_commands(state, seat) if command is not LEAVE]
        saving = least_moves and DRAW in legal and len(state.hands[seat]) <= SMALL_HAND
        command = DRAW if saving else chance.choice(legal)
        moves.append((seat, json.dumps({"command": format_command((command,))}).encode()))
        state = advance(state, seat, (command,)).state
    return moves
