"""The stream process: a bare ASGI application, because Django's own handler costs 42 KiB a stream."""

import logging
import os
from typing import Final

import django
from django.http import HttpResponse

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.production")
django.setup()

from config.problems import Found, problem_of, problem_response  # noqa: E402  # they need the settings
from games.streaming.application import GAME_ROUTES, Application  # noqa: E402
from tournaments.streaming.routes import TOURNAMENT_ROUTES, begin  # noqa: E402

logger = logging.getLogger(__name__)


def refusal(error: Exception) -> HttpResponse:
    """The answer to a request that cannot be served, in the language that is active."""
    found = problem_of(error)
    if found is None:
        logger.error("a stream could not be opened", exc_info=error)
    return problem_response(found or Found("server_error"))


routes: Final = (*GAME_ROUTES, *TOURNAMENT_ROUTES)
application = Application(routes, refusal, begin)
