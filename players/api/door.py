"""What every endpoint does before its own work: who asks, may they, how often, and is the request well formed."""

import json
from collections.abc import Callable, Mapping
from hashlib import sha256
from http import HTTPStatus
from typing import Any, ClassVar, cast
from uuid import UUID

from django.http import HttpResponse
from django.utils.cache import patch_vary_headers
from django.utils.crypto import salted_hmac
from rest_framework.exceptions import MethodNotAllowed
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.views import APIView

from players.api.addresses import address_key
from players.api.answers import response
from players.api.errors import ScopeMissing
from players.api.fields import StrictSerializer, invalid, read_uuid
from players.api.throttles import COMMANDS, READS, Limit, limit_spend
from players.idempotency import Answer, Asked, answer_once
from players.models import Player, Scope, Token


class Empty(StrictSerializer):
    """A body without any field."""


class Endpoint(APIView):
    """An endpoint: authenticated, limited, and strict about bodies and query parameters.

    ``query`` describes the parameters it knows; ``asked`` are their checked values. ``limit``: reading and
    writing have their own by default.
    """

    http_method_names = ["get", "head", "post", "patch", "delete"]  # noqa: RUF012  (Django's own type)
    query: ClassVar[type[StrictSerializer]] = Empty  # of GET; a POST takes none
    asked: Mapping[str, Any]
    limit: ClassVar[Limit | None] = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Everything that can be judged before the endpoint's own work."""
        super().initial(request, *args, **kwargs)
        if request.method not in self.allowed_methods:
            raise MethodNotAllowed(str(request.method))  # whatever else is wrong with it
        self.asked = read_query(request, self.query if request.method in SAFE_METHODS else Empty)

    def check_permissions(self, request: Request) -> None:
        """The permission classes; then the token's scope, if there is a token."""
        super().check_permissions(request)
        if isinstance(request.auth, Token) and not self.allows(request.auth, request.method or ""):
            raise ScopeMissing

    def allows(self, token: Token, method: str) -> bool:
        """Whether the token may be used for this method."""
        return may(token, method)

    def check_throttles(self, request: Request) -> None:
        """Count the request, per player, or per address when nobody is logged in."""
        limit = self.limit or (READS if request.method in SAFE_METHODS else COMMANDS)
        limit_spend(limit, who_asks(request))

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """The response as it is: answers here are finished bytes."""
        if isinstance(response, HttpResponse):
            response.headers.setdefault("Cache-Control", "no-store")
            if response.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
                response.headers["Allow"] = ", ".join(self.allowed_methods)
            if len(self.renderer_classes) > 1:
                patch_vary_headers(response, ["Accept"])
            return response
        return super().finalize_response(request, response, *args, **kwargs)

    def body(self, request: Request, serializer: type[StrictSerializer] = Empty) -> dict[str, Any]:
        """The checked body. ValidationError names every wrong field."""
        read = serializer(data=request.data)
        read.is_valid(raise_exception=True)
        return cast("dict[str, Any]", read.validated_data)

    def once(self, request: Request, make: Callable[[], Answer]) -> HttpResponse:
        """Answer with `make`, or as before when the `Idempotency-Key` is known."""
        key = idempotency_key(request)
        if key is None:
            return response(make())
        # Keyed, unlike a command's: a body may hold a password, which no table may help to guess.
        digest = salted_hmac("players.api.once", request_digest(request), algorithm="sha256").digest()
        asked = Asked(who_asks(request), request.path, key, digest)
        return response(answer_once(asked, make))


class OwnEndpoint(Endpoint):
    """An endpoint about the player itself: a token that only plays as a program changes nothing here.

    Whoever was given such a token could otherwise make a guest an account of its own.
    """

    def allows(self, token: Token, method: str) -> bool:
        """Whether the token may be used for this method."""
        return (Scope.READ if method in SAFE_METHODS else Scope.PLAY) in token.scopes


def caller(request: Request) -> Player:
    """Whose request it is. Only where authentication is demanded."""
    return cast("Player", request.user)


def may(token: Token, method: str) -> bool:
    """The token's scopes allow this method."""
    if method in SAFE_METHODS:
        return Scope.READ in token.scopes
    return Scope.PLAY in token.scopes or Scope.BOT in token.scopes


def who_asks(request: Request) -> str:
    """The player's id, or a keyed hash of the address: an address is personal data."""
    if isinstance(request.user, Player):
        return str(request.user.pk)
    return address_key(request)


def read_query(request: Request, serializer: type[StrictSerializer]) -> Mapping[str, Any]:
    """The checked query parameters. ValidationError names each that is unknown, wrong or given twice."""
    given = request.query_params
    repeated = [name for name in given if len(given.getlist(name)) > 1]
    if repeated:
        raise invalid(repeated[0][:64], "repeated")
    read = serializer(data=dict(given.items()))
    read.is_valid(raise_exception=True)
    return cast("Mapping[str, Any]", read.validated_data)


def idempotency_key(request: Request) -> UUID | None:
    """The `Idempotency-Key`, None without one. ValidationError when it is no UUID."""
    text = request.META.get("HTTP_IDEMPOTENCY_KEY")
    if text is None:
        return None
    key = read_uuid(text.strip())
    if key is None:
        raise invalid("Idempotency-Key", "not_a_uuid")
    return key


def request_digest(request: Request) -> bytes:
    """What tells one body from another; how it is spaced, and the order of its keys, do not matter."""
    return sha256(json.dumps(request.data, sort_keys=True).encode()).digest()
