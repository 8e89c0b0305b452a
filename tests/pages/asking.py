"""Asking for the pages of a replay, as a browser does."""

from __future__ import annotations

from typing import Any, Final

from django.test import Client
from django.urls import reverse

from players.models import Player
from tests.builders import Table

PARTS: Final = (
    "replay-page",
    "replay-film",
    "replay-moves",
    "replay-log",
    "replay-record",
    "replay-audit",
)


def client_of(player: Player | None) -> Client:
    """A browser, logged in unless it is nobody's."""
    client = Client()
    if player is not None:
        client.force_login(player)
    return client


def opened(table: Table, part: str = "replay-page", player: Player | None = None, **query: Any) -> Any:
    """What one of the pages of the table's game answers."""
    return client_of(player).get(reverse(part, args=[table.game_id]), query_params=query)


def text(answer: Any) -> str:
    """The answer's body."""
    return str(answer.content.decode())
