"""A forgotten slash at the end of an address; and how long an answer is."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponsePermanentRedirect
from django.http.response import HttpResponseBase
from django.middleware.common import CommonMiddleware


class MethodKeepingRedirect(HttpResponsePermanentRedirect):
    """308: unlike 301 it lets no client turn a POST into a GET."""

    status_code = 308


class SlashMiddleware(CommonMiddleware):
    """Django's, but its redirect keeps method and body, and what has no body is given no length."""

    response_redirect_class = MethodKeepingRedirect

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """The response, with its length; a 304's would be that of the whole answer, not 0 (RFC 9110, 8.6)."""
        answer = super().process_response(request, response)
        if answer.status_code in (HTTPStatus.NOT_MODIFIED, HTTPStatus.NO_CONTENT):
            answer.headers.pop("Content-Length", None)
        return answer
