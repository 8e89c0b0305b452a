"""Lines of the log: one JSON object each, and a fault of ours is told from a client's."""

import json
import logging
import sys

from django.core.exceptions import RequestDataTooBig

from config.logs import JsonFormatter


def line(logger: str, error: Exception, message: str = "") -> dict[str, str]:
    """What is logged of an error by this logger."""
    try:
        raise error
    except type(error):
        record = logging.LogRecord(logger, logging.ERROR, __file__, 1, message, None, sys.exc_info())
    written: dict[str, str] = json.loads(JsonFormatter().format(record))
    return written


def test_an_error_of_ours_has_its_traceback() -> None:
    """It is an error, with whatever led to it."""
    told = line("django.request", ValueError("x"), "Internal Server Error: /")
    assert (told["level"], told["message"]) == ("ERROR", "Internal Server Error: /")
    assert told["traceback"].rstrip().endswith("ValueError: x")


def test_what_a_client_did_wrong_is_a_warning_without_a_traceback() -> None:
    """Or whoever sends bodies that are too long would fill the log, and wake somebody up."""
    told = line("django.security.RequestDataTooBig", RequestDataTooBig())
    assert (told["level"], told["message"]) == ("WARNING", "RequestDataTooBig")
    assert "traceback" not in told
