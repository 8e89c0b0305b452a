"""Playing: what one sees, what one may do, and doing it."""

from typing import Final
from uuid import UUID

from django.http import HttpResponse
from rest_framework.request import Request
from uuid_utils.compat import uuid7

from games.api.answers import appended_json, legal_json, seat_at, view_json
from games.api.commands import Asked, read_command
from games.api.serializers import COMMAND_BODY
from games.api.shapes import LegalShape, MoveShape, ViewShape
from games.audit.receipts import receipt_for
from games.errors import ChainBroken, GameError, NotSeated, StaleVersion
from games.hooks import Appended
from games.rules.views import view_for
from games.selectors import game_get, legal_load, view_load
from games.services import PlayerActor, game_submit
from games.services.audit_log import refusal_record
from games.services.freezing import game_freeze_broken
from players.api.answers import answer, response, tagged
from players.api.door import Endpoint, caller, idempotency_key, request_digest
from players.api.errors import PreconditionFailed
from players.api.fields import invalid
from players.api.preconditions import tags_wanted
from players.api.schema import IF_MATCH, IF_NONE_MATCH, reading, writing

NO_VERSION: Final = -1
"""No game has it: as the expected version it is always stale."""


class ViewView(Endpoint):
    """The position."""

    @reading("games_view", "What the caller sees", ViewShape, IF_NONE_MATCH, more=(409,))
    def get(self, request: Request, game_id: UUID) -> HttpResponse:
        """The position as the caller's seat sees it, or as a spectator does."""
        viewer = caller(request)
        seat = seat_at(game_get(game_id=game_id, viewer=viewer), viewer)
        seen = view_load(game_id=game_id, seat=seat)
        made = answer(view_json(seen.view, seen.game))
        if_none_match = request.META.get("HTTP_IF_NONE_MATCH", "")
        return tagged(made, tag=str(seen.game.version), if_none_match=if_none_match)


class LegalView(Endpoint):
    """The possibilities."""

    @reading("games_legal", "What the caller may do", LegalShape, more=(403, 409))
    def get(self, request: Request, game_id: UUID) -> HttpResponse:
        """Every legal atomic command of the caller's seat, and why the rest of its hand cannot be laid."""
        viewer = caller(request)
        seat = seat_at(game_get(game_id=game_id, viewer=viewer), viewer)
        if seat is None:
            raise NotSeated
        return response(answer(legal_json(legal_load(game_id=game_id, seat=seat))))


class CommandsView(Endpoint):
    """Moves."""

    @writing("games_command", "Move", COMMAND_BODY, 201, MoveShape, IF_MATCH, more=(412,))
    def post(self, request: Request, game_id: UUID) -> HttpResponse:
        """Carry out a command, all or nothing, for the caller's own seat.

        The `Idempotency-Key` is kept with the events for ever: the same command under the same key is carried
        out once, and gets the same events again (the view is today's). Without one, the server draws it.
        """
        key = idempotency_key(request) or uuid7()
        asked = read_command(request.data)
        wanted = if_match(request)
        player_id = caller(request).pk
        try:
            appended = game_submit(
                game_id=game_id,
                actor=PlayerActor(player_id),
                commands=asked.commands,
                command_id=key,
                digest=request_digest(request),
                expected_version=_expected(asked, wanted),
            )
        except GameError as error:
            refusal_record(game_id=game_id, player_id=player_id, commands=asked.commands, error=error)
            if isinstance(error, ChainBroken):
                game_freeze_broken(broken=error)
            if isinstance(error, StaleVersion) and wanted is not None and wanted != error.version:
                raise PreconditionFailed(error.version) from error
            raise
        return response(answer(move_json(appended), status=201))


def move_json(appended: Appended) -> dict[str, object]:
    """A move's answer: its events and the position after it, as the caller's seat may know them."""
    seat, last = appended.seat, appended.events[-1]
    return {
        "version": appended.version,
        "events": [appended_json(stored, seat) for stored in appended.events],
        "view": view_json(view_for(appended.state, seat), appended.game),
        "receipt": receipt_for(
            game_id=appended.game.pk, version=last.version, event_hash=last.hash, command_id=last.command_id
        ),
    }


def if_match(request: Request) -> int | None:
    """The version that `If-Match` names, of a view's tag or a game's; None without one, or for `*`.

    A tag that no game can have counts as stale. ValidationError when the header is no list of tags.
    """
    named = tags_wanted(request)
    if named is None:
        return None
    if len(named) > 1:
        raise invalid("If-Match", "repeated")
    ((weak, tag),) = named
    version = tag.partition("-")[0]
    strong = not weak and version.isascii() and version.isdigit() and len(version) <= 9
    return int(version) if strong else NO_VERSION


def _expected(asked: Asked, wanted: int | None) -> int | None:
    """One version for both ways of naming it; two that differ cannot both hold."""
    if wanted is None:
        return asked.expected_version
    return wanted if asked.expected_version in (None, wanted) else NO_VERSION


__all__ = ["CommandsView", "LegalView", "ViewView", "move_json"]
