"""Coming in as a guest, and who one is."""

import json
from uuid import UUID

from django.http import HttpResponse
from rest_framework.permissions import AllowAny
from rest_framework.request import Request

from players.api.answers import answer, instant, json_bytes, response
from players.api.door import Endpoint, caller, idempotency_key
from players.api.schema import reading, writing
from players.api.serializers import GuestBody
from players.api.shapes import GuestShape, MeShape
from players.api.throttles import GUESTS
from players.idempotency import Answer
from players.models import Player
from players.services import player_create_guest, token_text


def player_json(player: Player) -> dict[str, object]:
    """A player as everybody may see it."""
    return {"id": str(player.pk), "name": player.name, "guest": player.guest, "bot": player.bot}


class GuestView(Endpoint):
    """Come in without any form."""

    authentication_classes = ()
    permission_classes = (AllowAny,)
    limit = GUESTS

    @writing("players_guest", "Become a guest", GuestBody, 201, GuestShape, without=(401, 403, 404, 409))
    def post(self, request: Request) -> HttpResponse:
        """A guest player and its token, which is told this once.

        With an `Idempotency-Key` the same request from the same address gets the same guest and token again.
        """
        name = self.body(request, GuestBody).get("name")
        key = idempotency_key(request)
        if key is None:
            player, token = player_create_guest(name=name)
            return response(answer({"player": player_json(player), "token": token}, status=201))

        def make() -> Answer:
            player, _ = player_create_guest(name=name, key=key)
            return answer({"player": player_json(player)}, status=201)

        kept = json.loads(self.once(request, make).content)
        # The token is not kept with the answer but follows from the key, so that no table holds it.
        token = token_text(player_id=UUID(kept["player"]["id"]), key=key)
        return response(Answer(201, json_bytes({**kept, "token": token})))


class MeView(Endpoint):
    """The caller."""

    @reading("players_me", "The caller", MeShape, without=(404,))
    def get(self, request: Request) -> HttpResponse:
        """Who the token's player is."""
        player = caller(request)
        return response(answer({**player_json(player), "created_at": instant(player.created_at)}))


__all__ = ["GuestView", "MeView", "player_json"]
