"""The door before django-allauth: limits, readable bodies, and one transaction a request."""

import re
from collections.abc import Callable
from hashlib import sha256
from http import HTTPStatus
from typing import Final

from django.conf import settings
from django.core.handlers.wsgi import WSGIRequest
from django.db import DatabaseError, transaction
from django.http import Http404, HttpResponse
from django.http.request import UnreadablePostError
from rest_framework.exceptions import MethodNotAllowed
from rest_framework.permissions import SAFE_METHODS

from config.accounts import PREFIX, SERVED
from config.problems import problem_for
from players.api.addresses import address_key
from players.api.bodies import read_json
from players.api.errors import RequestError, Unreadable
from players.api.throttles import ACCOUNTS, PASSWORDS, RESETS, SIGNUPS, Limit, limit_spend
from players.errors import FieldRefused, PlayerError

_ROUTE: Final = re.compile(rf"{PREFIX}(?:app|browser)/v1/(.+)")
_LIMITS: Final = {"auth/signup": SIGNUPS, "auth/password/request": RESETS, "account/password/change": PASSWORDS}
"""What has a limit of its own, by the end of its path. Log-ins are counted where passwords are looked at."""


class AccountDoorMiddleware:
    """What allauth leaves to others, for its addresses; its own answers pass as they are.

    An exception that is a problem of ours becomes one: a limit, an unreadable body, a database that is away.
    """

    def __init__(self, get_response: Callable[[WSGIRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: WSGIRequest) -> HttpResponse:
        """Answer the request."""
        if not request.path_info.startswith(PREFIX):
            return self.get_response(request)
        try:
            _admit(request)
            answer = self._carry_out(request)
        except (RequestError, PlayerError, Http404, DatabaseError) as refused:
            problem = problem_for(request, refused)
            if problem is None:
                raise
            return problem
        return _other_method(request, answer) if answer.status_code == HTTPStatus.METHOD_NOT_ALLOWED else answer

    def _carry_out(self, request: WSGIRequest) -> HttpResponse:
        """In one transaction, which an error of ours undoes."""
        with transaction.atomic():
            answer = self.get_response(request)
            if answer.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR:
                transaction.set_rollback(True)
        return answer

    def process_exception(self, request: WSGIRequest, exception: Exception) -> HttpResponse | None:
        """The answer to what a view raised; None for what nobody expected. Also for the admin's log-in."""
        foreign = request.path_info.startswith(PREFIX) or isinstance(exception, RequestError)
        return problem_for(request, exception) if foreign else None


def _admit(request: WSGIRequest) -> None:
    """TooManyRequests; Http404 for what is not served; Unreadable, and FieldRefused for a body that is no object."""
    limit_spend(ACCOUNTS, address_key(request))
    asked = _ROUTE.fullmatch(request.path_info)
    if asked is not None and asked[1] not in SERVED:
        raise Http404
    if request.method not in SAFE_METHODS:
        _count(request)
        if not isinstance(read_json(_body(request) or b"{}"), dict):
            raise FieldRefused("", "not_an_object")


def _body(request: WSGIRequest) -> bytes:
    try:
        return request.body
    except UnreadablePostError as cut_off:
        raise Unreadable from cut_off


def _other_method(request: WSGIRequest, answer: HttpResponse) -> HttpResponse:
    """allauth says 405 without a body."""
    problem = problem_for(request, MethodNotAllowed(request.method or "")) or answer
    problem.headers["Allow"] = answer.headers["Allow"]
    return problem


def _count(request: WSGIRequest) -> None:
    """Count what has a limit of its own, by session where there is one. TooManyRequests."""
    for end, limit in _LIMITS.items():
        if request.path_info.endswith(end):
            limit_spend(limit, _who(request, limit))


def _who(request: WSGIRequest, limit: Limit) -> str:
    session = request.headers.get("X-Session-Token") or request.COOKIES.get(settings.SESSION_COOKIE_NAME)
    if limit is PASSWORDS and session:
        return sha256(session.encode()).hexdigest()
    return address_key(request)
