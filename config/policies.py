"""Which of a browser's powers our answers may use: headers on every answer that has none of its own."""

from collections.abc import Callable
from typing import Final

from django.http import HttpRequest, HttpResponse

# What is data is not a page: nothing in it runs, and nobody frames it.
DATA_POLICY: Final = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
# The pages of the API: scripts and styles from here alone; Swagger sets styles and shows pictures of its own.
DOCS_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)
DOCS: Final = "/api/docs/"
# The powers that browsers ask about; a game of cards needs none of them.
PERMISSIONS: Final = "camera=(), microphone=(), geolocation=(), payment=(), usb=(), display-capture=()"


class PolicyMiddleware:
    """Adds `Content-Security-Policy` and `Permissions-Policy` where an answer has none of its own.

    The others (HSTS, nosniff, referrer, opener) are Django's `SecurityMiddleware`'s.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, with the headers."""
        answer = self.get_response(request)
        policy = DOCS_POLICY if request.path_info.startswith(DOCS) else DATA_POLICY
        answer.headers.setdefault("Content-Security-Policy", policy)
        answer.headers.setdefault("Permissions-Policy", PERMISSIONS)
        return answer
