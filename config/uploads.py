"""The door for files: the one body that may be larger than all others."""

import re
from collections.abc import Callable
from typing import Final

from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpResponse, HttpResponseRedirect

from players.api.bodies import LIMIT, drain, length_of

UPLOADS: Final = re.compile(r"/admin/tournaments/tournament/[0-9a-f-]{36}/import/")
UPLOAD_BYTES: Final = 1024 * 1024 + 16 * 1024  # the largest file, and the form around it
DRAINED_BYTES: Final = 256 * 1024 * 1024


class UploadMiddleware:
    """Lets a file of entries be larger than other bodies. One that is too large is not read; its form says so.

    It must stand before `BodyLimitMiddleware`.
    """

    def __init__(self, get_response: Callable[[WSGIRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: WSGIRequest) -> HttpResponse:
        """Answer; BadRequest when the body breaks off."""
        if UPLOADS.fullmatch(request.path):
            length = length_of(request)
            if length > UPLOAD_BYTES:
                drain(request.environ["wsgi.input"], length, DRAINED_BYTES)
                return HttpResponseRedirect(f"{request.path}?too_large=1")
            request.environ[LIMIT] = UPLOAD_BYTES
        return self.get_response(request)
