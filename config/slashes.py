"""A forgotten slash at the end of an address."""

from django.http import HttpResponsePermanentRedirect
from django.middleware.common import CommonMiddleware


class MethodKeepingRedirect(HttpResponsePermanentRedirect):
    """308: unlike 301 it lets no client turn a POST into a GET."""

    status_code = 308


class SlashMiddleware(CommonMiddleware):
    """Django's, but its redirect keeps method and body."""

    response_redirect_class = MethodKeepingRedirect
