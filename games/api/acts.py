"""What all acts on a table have in common: carried out once, on the table as it was seen, answered with it."""

from collections.abc import Callable
from typing import ClassVar
from uuid import UUID

from django.http import HttpResponse
from rest_framework.request import Request

from games.api.answers import game_json, game_path, game_tag, with_seating
from games.models import Game
from games.selectors import game_get
from games.services.guarded import under_lock
from games.streaming.presence import NOBODY, presence_of
from players.api.answers import address, answer
from players.api.door import Endpoint, caller
from players.api.preconditions import if_match, require_match
from players.idempotency import Answer
from players.models import Player


def told(game: Game, viewer: Player, *, status: int = 200) -> Answer:
    """The table after an act of the viewer."""
    headers = {"ETag": f'"{game_tag(game)}"'}
    if status == 201:
        headers["Location"] = address(game_path(game.pk))
    told_game = game_json(with_seating(game), viewer, presence_of([game.pk]).get(game.pk, NOBODY))
    return answer(told_game, status=status, headers=headers)


class LobbyEndpoint(Endpoint):
    """An act on a table. ``strangers``: also for who may not know of a private one."""

    strangers: ClassVar[bool] = False

    def act(self, request: Request, game_id: UUID, act: Callable[[], Game]) -> HttpResponse:
        """Carry it out and answer with the table."""
        return self.answered(request, game_id, lambda: told(act(), caller(request)))

    def answered(self, request: Request, game_id: UUID, make: Callable[[], Answer]) -> HttpResponse:
        """The answer made, once for each `Idempotency-Key`, and only if the game is as `If-Match` says."""
        player = caller(request)
        wanted = if_match(request)
        if wanted is None:
            return self.once(request, make)

        def check(game: Game) -> None:
            require_match(wanted, game_tag(game), game.version)

        def guarded() -> Answer:
            if not self.strangers:
                game_get(game_id=game_id, viewer=player)
            return under_lock(game_id=game_id, player=player, check=check, act=make)

        return self.once(request, guarded)
