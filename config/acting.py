"""Whose request is at work, for what is told of afterwards (the audit log)."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from games.audit.acting import acting


class ActingMiddleware:
    """Lets the audit log find the person behind a change; the session is read only if one is logged."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, with the person known for as long."""
        token = acting.set(lambda: request.user.pk if request.user.is_authenticated else None)
        try:
            return self.get_response(request)
        finally:
            acting.reset(token)
