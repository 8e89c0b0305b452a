"""Callers of the API with tokens of their players."""

import json
from typing import Any

from players.models import Player
from players.services import token_create
from tests.api.http import Caller


def caller_for(player: Player) -> Caller:
    """A caller with a token of this player."""
    return Caller(token=token_create(player=player), player={"id": str(player.pk), "name": player.name})


def send(caller: Caller, method: str, path: str, body: Any = None, **headers: str) -> Any:
    """A request of a method that `Caller` has no word for."""
    raw = b"" if body is None else json.dumps(body).encode()
    return caller.send(method, path, raw, "application/json", headers)
