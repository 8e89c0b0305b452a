"""A player's own tokens: made, listed, revoked."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from rest_framework.request import Request

from players.api.answers import address, answer, json_bytes, response
from players.api.door import OwnEndpoint, caller, idempotency_key
from players.api.fields import invalid, read_uuid
from players.api.people import token_json
from players.api.schema import reading, writing
from players.api.serializers import TokenBody
from players.api.shapes import NewTokenShape, TokenListShape, TokenShape
from players.errors import TokenNotFound
from players.idempotency import Answer
from players.models import Token
from players.selectors import token_get, tokens_of
from players.services import token_issue, token_revoke, token_text

CURRENT = "current"


class TokensView(OwnEndpoint):
    """The caller's tokens."""

    @reading("tokens_list", "One's tokens", TokenListShape, without=(404,))
    def get(self, request: Request) -> HttpResponse:
        """All of them, newest first; their texts are kept nowhere."""
        tokens = [token_json(token, current=request.auth) for token in tokens_of(caller(request))]
        return response(answer({"next": None, "previous": None, "results": tokens}))

    @writing("tokens_create", "Make a token", TokenBody, 201, NewTokenShape)
    def post(self, request: Request) -> HttpResponse:
        """A token, its text told this once. It may do no more, and lasts no longer, than the one that asks for it.

        With an `Idempotency-Key` the same request gets the same text again.
        """
        body, key = self.body(request, TokenBody), idempotency_key(request)
        asking = request.auth if isinstance(request.auth, Token) else None
        texts: dict[str, str] = {}

        def make() -> Answer:
            token, text = token_issue(
                player=caller(request),
                by=asking,
                name=body.get("name") or "",
                scopes=body.get("scopes"),
                expires_at=_end(body),
                key=key,
            )
            texts[str(token.pk)] = text
            headers = {"Location": address(f"{request.path}{token.pk}/")}
            return answer(token_json(token, current=request.auth), status=201, headers=headers)

        made = self.once(request, make)
        told = json.loads(made.content)
        # The text is not kept with the answer but follows from the key, so that no table holds it.
        text = texts.get(told["id"]) or token_text(owner_id=UUID(told["id"]), key=key or UUID(int=0))
        made.content = json_bytes({**told, "token": text})
        return made


class TokenView(OwnEndpoint):
    """One of the caller's tokens; `current` is the one that the request comes with."""

    def allows(self, token: Token, method: str) -> bool:
        """Any token may end itself, whatever else it may do."""
        itself = self.kwargs["token"] in (CURRENT, str(token.pk))
        return super().allows(token, method) or (method == "DELETE" and itself)

    @reading("tokens_get", "One token", TokenShape)
    def get(self, request: Request, token: str) -> HttpResponse:
        """What it may be used for, and when it was."""
        found = token_get(player=caller(request), token_id=_token_id(request, token))
        return response(answer(token_json(found, current=request.auth)))

    @writing("tokens_revoke", "Revoke a token", None, 204, None, without=(409,), keyed=False)
    def delete(self, request: Request, token: str) -> HttpResponse:
        """From now on it opens nothing. `current`: log out."""
        self.body(request)
        token_revoke(player_id=caller(request).pk, token_id=_token_id(request, token))
        return HttpResponse(status=204)


def _token_id(request: Request, text: str) -> UUID:
    if text == CURRENT and isinstance(request.auth, Token):
        return request.auth.pk
    found = read_uuid(text)
    if found is None:
        raise TokenNotFound(text)
    return found


def _end(body: Mapping[str, Any]) -> datetime | None:
    """When the token is to run out. ValidationError."""
    time, seconds, now = body.get("expires_at"), body.get("expires_in_seconds"), datetime.now(UTC)
    if time is not None and seconds is not None:
        raise invalid("expires_at", "not_together", other="expires_in_seconds")
    if seconds is not None:
        return now + timedelta(seconds=seconds)
    if time is None:
        return None
    if time <= now:
        raise invalid("expires_at", "in_the_past")
    found: datetime = time
    return found
