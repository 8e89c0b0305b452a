"""Coming in as a guest, who one is, and what others may know of one."""

import json
from uuid import UUID

from django.http import HttpResponse
from rest_framework.permissions import AllowAny
from rest_framework.request import Request

from players.api.answers import answer, json_bytes, response
from players.api.door import Endpoint, OwnEndpoint, caller, idempotency_key
from players.api.people import me_json, player_json, profile_json
from players.api.proof import require_proof
from players.api.schema import reading, writing
from players.api.serializers import EraseBody, GuestBody, MeBody, UpgradeBody
from players.api.shapes import GuestShape, MeShape, ProfileShape
from players.api.throttles import GUESTS
from players.idempotency import Answer
from players.selectors import player_named
from players.services import player_change, player_create_guest, player_erase, player_upgrade, token_text


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
        body = self.body(request, GuestBody)
        name, bot = body.get("name"), body.get("bot", False)
        key = idempotency_key(request)
        if key is None:
            player, token = player_create_guest(name=name, bot=bot)
            return response(answer({"player": player_json(player), "token": token}, status=201))

        def make() -> Answer:
            player, _ = player_create_guest(name=name, key=key, bot=bot)
            return answer({"player": player_json(player)}, status=201)

        kept = json.loads(self.once(request, make).content)
        # The token is not kept with the answer but follows from the key, so that no table holds it.
        token = token_text(owner_id=UUID(kept["player"]["id"]), key=key)
        return response(Answer(201, json_bytes({**kept, "token": token})))


class MeView(OwnEndpoint):
    """The caller."""

    @reading("players_me", "The caller", MeShape, without=(404,))
    def get(self, request: Request) -> HttpResponse:
        """Who the caller is, with what is private."""
        return response(answer(me_json(caller(request))))

    @writing("players_me_change", "Change oneself", MeBody, 200, MeShape, keyed=False)
    def patch(self, request: Request) -> HttpResponse:
        """What is named changes. A bot stays one, and nobody becomes one at a running table (`playing_now`)."""
        changes = self.body(request, MeBody)
        return response(answer(me_json(player_change(player_id=caller(request).pk, changes=changes))))

    @writing("players_me_erase", "Erase oneself", EraseBody, 204, None, without=(409,), keyed=False)
    def delete(self, request: Request) -> HttpResponse:
        """Everything personal goes, at once and for good; games stay, with “deleted player” at their seats.

        An account proves itself by `{"password": …}` in the body, or by a session that began in the last five minutes.
        """
        require_proof(request, self.body(request, EraseBody).get("password"))
        player_erase(player_id=caller(request).pk)
        return HttpResponse(status=204)


class UpgradeView(OwnEndpoint):
    """From guest to account."""

    @writing("players_me_upgrade", "Make the guest an account", UpgradeBody, 200, MeShape)
    def post(self, request: Request) -> HttpResponse:
        """The player keeps its id, games and tokens, and can log in. A mail asks to confirm the address."""
        body = self.body(request, UpgradeBody)

        def upgrade() -> Answer:
            player = player_upgrade(player_id=caller(request).pk, **body)
            return answer(me_json(player))

        return self.once(request, upgrade)


class ProfileView(Endpoint):
    """A player as everybody may see it."""

    permission_classes = (AllowAny,)

    @reading("players_get", "A player", ProfileShape)
    def get(self, _request: Request, name: str) -> HttpResponse:
        """The player of this name, in any case. Whoever was erased is nobody any more."""
        return response(answer(profile_json(player_named(name))))


__all__ = ["GuestView", "MeView", "ProfileView", "UpgradeView", "player_json"]
