"""Games as they were seen: any version, through the caller's own eyes, and afterwards through anybody's."""

from typing import Any, ClassVar, Final
from uuid import UUID

from django.http import HttpResponse
from django.utils.cache import patch_vary_headers
from rest_framework.request import Request

from games.api.answers import seat_at, state_json
from games.api.serializers import StateQuery
from games.api.shapes import StateShape
from games.models import Game, Phase, Visibility
from games.rules.cards import Seat
from games.selectors import Looking, game_get, state_load
from players.api.answers import PRIVATE, answer, tagged
from players.api.door import Endpoint, caller
from players.api.fields import invalid
from players.api.schema import IF_NONE_MATCH, reading

FOR_EVER: Final = "max-age=31536000, immutable"


class StateView(Endpoint):
    """The position as it was."""

    query: ClassVar[Any] = StateQuery

    @reading("games_state", "What was seen at a version", StateShape, StateQuery, IF_NONE_MATCH, more=(409,))
    def get(self, request: Request, game_id: UUID, version: int) -> HttpResponse:
        """The position at a version as a seat saw it: what `view/` was then, in every field but `now`.

        One's own seat and a spectator's eyes at any time; any seat, and `all` hands, once the game is over.
        """
        viewer, wanted = caller(request), self.asked.get("as")
        game = game_get(game_id=game_id, viewer=viewer)
        own = seat_at(game, viewer)
        looking = _looking(game, own, wanted)
        past = state_load(game=game, version=version, looking=looking, own=own)
        tag, header = f"{version}-{looking}", request.META.get("HTTP_IF_NONE_MATCH", "")
        shown = tagged(answer(state_json(past)), tag=tag, if_none_match=header)
        shown.headers["Cache-Control"] = _cache(game, everybody=wanted is not None)
        if not shown.headers["Cache-Control"].startswith("public"):  # one browser may have several accounts
            patch_vary_headers(shown, ("Authorization", "Cookie"))
        return shown


def _looking(game: Game, own: Seat | None, wanted: str | None) -> Looking:
    """Whose eyes are meant. ValidationError for a seat that the table does not have."""
    if wanted is None:
        return "spectator" if own is None else own
    match wanted:
        case "spectator" | "all" as everybody:
            return everybody
        case number if int(number) < game.seats:
            return Seat(int(number))
        case _:
            raise invalid("as", "out_of_range", least=0, most=game.seats - 1)


def _cache(game: Game, *, everybody: bool) -> str:
    """What is over never changes; by others it may be kept only if they might ask for the same and see the same."""
    if game.phase not in (Phase.FINISHED, Phase.ABORTED):
        return PRIVATE
    public = everybody and game.visibility == Visibility.PUBLIC
    return f"{'public' if public else 'private'}, {FOR_EVER}"
