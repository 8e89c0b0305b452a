"""Who acts, and which seat that is: found from the seating, never taken from a request."""

import hashlib
from dataclasses import dataclass
from typing import assert_never
from uuid import UUID

from games.errors import GameNotFound, NotSeated
from games.models import Game, Visibility
from games.rules.cards import Seat
from games.table import Table


@dataclass(frozen=True, slots=True)
class PlayerActor:
    """A player, by its id; it acts for the seat that it has."""

    player_id: UUID


@dataclass(frozen=True, slots=True)
class BotActor:
    """The bot that plays a seat: a built-in one, or the stand-in of a player who is away."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class SystemActor:
    """The server: `clock`, `host`, `staff` or `server`."""

    name: str


Actor = PlayerActor | BotActor | SystemActor


def seat_for(game: Game, table: Table, actor: Actor) -> Seat | None:
    """The seat that the actor acts for; None for the system.

    NotSeated; GameNotFound for a stranger to a private game.
    """
    match actor:
        case PlayerActor(player_id):
            seat = table.seat_of(player_id)
            if seat is None:
                raise GameNotFound(game.id) if game.visibility == Visibility.PRIVATE else NotSeated
            return seat
        case BotActor(seat):
            if seat not in table.bots:
                raise NotSeated
            return seat
        case SystemActor():
            return None
        case _:
            assert_never(actor)


def actor_text(actor: Actor, seat: Seat | None) -> str:
    """How the log names the actor: `seat:2`, `bot:2`, or the system's name. It holds no personal data."""
    match actor:
        case PlayerActor():
            return f"seat:{seat}"
        case BotActor():
            return f"bot:{seat}"
        case SystemActor(name):
            return name
        case _:
            assert_never(actor)


def request_digest(actor: Actor, body_digest: bytes) -> bytes:
    """32 bytes that tell a repeated request from another: of the actor and the digest of the request's body."""
    match actor:
        case PlayerActor(player_id):
            who = f"player/{player_id}"
        case BotActor(seat):
            who = f"bot/{seat}"
        case SystemActor(name):
            who = f"system/{name}"
        case _:
            assert_never(actor)
    return hashlib.sha256(who.encode("ascii") + b"\0" + body_digest).digest()
