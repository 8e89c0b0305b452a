"""What went wrong, as `application/problem+json` (RFC 9457). The only map from exceptions to answers."""

import logging
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django.conf import settings
from django.core.exceptions import BadRequest, PermissionDenied, RequestDataTooBig
from django.db import IntegrityError, InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import translation
from django.views import csrf, defaults
from psycopg.errors import ForeignKeyViolation
from rest_framework import exceptions as rest

from config.accounts import PREFIX
from config.problem_cures import CURES
from config.problem_texts import PROBLEMS, REFUSALS
from games import errors as games
from games.rulebook import LANGUAGES, RefusalText, rulebook
from games.streaming.valkey import ValkeyAway
from players import errors as players
from players.api import errors as requests
from players.api.answers import json_bytes
from players.api.authentication import CHALLENGE
from players.api.fields import field_error, flat_errors
from players.api.texts import FIELD_TEXTS
from players.models import Player
from tournaments import errors as tournaments
from tournaments.models import MOST_REASON
from tournaments.rules import Refusal
from tournaments.rules.terms import LEAST_SEATS, MOST_ENTRIES, MOST_SEATS, TermsFault
from tournaments.texts import REFUSAL_TEXTS

logger = logging.getLogger(__name__)
MEDIA_TYPE: Final = "application/problem+json"
RETRY_SECONDS: Final = 2
_API: Final = "/api/"
_RULE_ID: Final = re.compile(r"\b[A-Z][0-9]{1,2}\b(?![.=])")


@dataclass(frozen=True, slots=True)
class Found:
    """A problem's code with what this case adds: members of the body, values of its sentence, headers."""

    code: str
    members: Mapping[str, object] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    detail: str | None = None


_PLAIN: Final[Mapping[type[Exception], str]] = {
    games.GameNotFound: "not_found",
    games.NotSeated: "not_seated",
    games.NotHost: "not_host",
    games.NoHost: "no_host",
    games.Kicked: "kicked",
    games.InviteCodeWrong: "invite_code_wrong",
    games.CommandIdReused: "idempotency_key_reused",
    games.ChainBroken: "frozen",
    players.KeyReused: "idempotency_key_reused",
    players.PlayerNotFound: "not_found",
    players.TokenNotFound: "not_found",
    players.AlreadyAccount: "already_account",
    players.FreshProofNeeded: "fresh_proof_needed",
    players.PlayingNow: "playing_now",
    requests.CsrfFailed: "csrf_failed",
    requests.ScopeMissing: "scope_missing",
    tournaments.TournamentNotFound: "not_found",
    tournaments.EntryNotFound: "not_found",
    tournaments.NotOrganiser: "not_organiser",
    tournaments.NotEntered: "not_entered",
    tournaments.AccountNeeded: "account_needed",
    tournaments.InviteCodeWrong: "invite_code_wrong",
    tournaments.CommandIdReused: "idempotency_key_reused",
    rest.PermissionDenied: "forbidden",
    rest.NotFound: "not_found",
    rest.MethodNotAllowed: "method_not_allowed",
    rest.NotAcceptable: "not_acceptable",
    rest.UnsupportedMediaType: "unsupported_media_type",
    rest.ParseError: "unreadable",
    PermissionDenied: "forbidden",
    Http404: "not_found",
}
"""Those that say nothing but what they are."""


def problem_of(error: Exception) -> Found | None:
    """The problem that an exception is; None for one that nobody expected."""
    match error:
        case games.GameError():
            return _game_problem(error)
        case tournaments.TournamentError():
            return _tournament_problem(error)
        case requests.RequestError():
            return _request_problem(error)
        case rest.APIException():
            return _rest_problem(error)
        case players.PlayerError():
            return _player_problem(error)
        case players.NameTaken():
            return _invalid([_entry("name", "name_taken")])
        case players.BadName():
            return _invalid([_entry("name", "bad_name")])
        case OperationalError() | InterfaceError() | ValkeyAway():
            logger.warning("a server behind this one did not answer", exc_info=error)
            return Found("unavailable", headers={"Retry-After": str(RETRY_SECONDS)})
        case IntegrityError() if _player_gone(error):
            return Found("token_invalid", headers={"WWW-Authenticate": f'{CHALLENGE}, error="invalid_token"'})
        case _:
            return _plain(error)


def _player_problem(error: players.PlayerError) -> Found | None:
    match error:
        case players.FieldRefused():
            return _invalid([_entry(error.field, error.code, **error.values)])
        case players.TooManyTokens():
            return Found("too_many_tokens", {"limit": error.limit})
        case _:
            return _plain(error)


def _player_gone(error: IntegrityError) -> bool:
    """The caller was erased while its request was carried out."""
    cause = error.__cause__
    told = cause.diag.message_detail if isinstance(cause, ForeignKeyViolation) else None
    return f'"{Player._meta.db_table}"' in (told or "")


def _game_problem(error: games.GameError) -> Found | None:
    match error:
        case games.MoveRefused():
            return Found(
                "refused",
                {"refusal": error.refusal.value, "rule": error.rule, "version": error.version},
                detail=str(REFUSALS[error.refusal]),
            )
        case games.LogUnreadable():
            logger.error("the log of game %s cannot be read at version %s", error.game_id, error.version)
            return Found("unavailable", headers={"Retry-After": str(RETRY_SECONDS)})
        case games.StaleVersion():
            return Found("stale_version", {"version": error.version})
        case games.WrongPhase():
            return Found(error.code, {"phase": error.phase})
        case games.NoSuchSeat():
            return Found("no_such_seat", {"seats": error.seats})
        case games.NoSuchVersion():
            return Found("no_such_version", {"version": error.version})
        case games.NoSuchLevel():
            return _invalid([_entry("level", "not_a_choice", choices=", ".join(error.levels))])
        case games.ReasonMissing():
            return _invalid([_entry("reason", "required")])
        case games.TooManyOpenGames():
            return Found("too_many_open_games", {"limit": error.limit})
        case _:
            return _plain(error)


def _tournament_problem(error: tournaments.TournamentError) -> Found | None:
    match error:
        case tournaments.AlreadyEntered():
            return Found("already_entered", {"entry": error.entry})
        case tournaments.BadSettings():
            return _invalid([_entry(error.field, error.code, **_VALUES.get(error.code, {}))])
        case tournaments.ActRefused():
            return _act_refused(error)
        case _:
            return _plain(error)


def _act_refused(error: tournaments.ActRefused) -> Found:
    """What is wrong with the body is 422 at its field, what is not there 404, and the rest 409: it was too late."""
    match error.refusal:
        case Refusal.NO_SUCH_ENTRY | Refusal.NO_SUCH_TABLE | Refusal.NO_SUCH_ROUND:
            return Found("not_found", detail=str(REFUSAL_TEXTS[error.refusal]))
        case Refusal.NEEDS_REASON:
            return _invalid([_entry("reason", "required")])
        case Refusal.TIME_PAST:
            return _invalid([_entry(error.detail, "in_the_past")])
        case Refusal.BAD_TERMS:
            return _invalid([_TERMS_ENTRIES[TermsFault(error.detail)]()])
        case Refusal.BAD_SEEDING | Refusal.BAD_RESULT:
            field = "order" if error.refusal is Refusal.BAD_SEEDING else "result"
            told = str(REFUSAL_TEXTS[error.refusal])
            return _invalid([{"field": field, "code": error.refusal.value.lower(), "detail": told}])
        case refusal:
            members = {"refusal": refusal.value, "version": error.version}
            named = {"errors": [_entry(error.detail, "fixed")]} if refusal is Refusal.TERMS_FIXED else {}
            return Found("act_refused", {**members, **named}, detail=str(REFUSAL_TEXTS[refusal]))


def _request_problem(error: requests.RequestError) -> Found | None:
    match error:
        case requests.Unreadable():
            return Found(error.code)
        case requests.SessionInvalid():
            return Found("session_invalid", headers={"WWW-Authenticate": CHALLENGE})
        case requests.PreconditionFailed():
            return Found("precondition_failed", {"version": error.version})
        case requests.TooManyRequests():
            told = {"limit": error.limit, "seconds": error.seconds}
            sentence = str(PROBLEMS["too_many_requests"].detail) % told
            return Found("too_many_requests", told, {"Retry-After": str(error.seconds)}, sentence)
        case _:
            return _plain(error)


def _rest_problem(error: rest.APIException) -> Found | None:
    match error:
        case rest.NotAuthenticated() | rest.AuthenticationFailed():
            return _unauthenticated(error)
        case rest.ValidationError():
            entries = [
                {"field": path, "code": wrong.code, "detail": str(wrong)} for path, wrong in flat_errors(error.detail)
            ]
            return _invalid(entries)
        case _:
            return _plain(error)


def _plain(error: Exception) -> Found | None:
    code = _PLAIN.get(type(error))
    return Found(code) if code else None


def _unauthenticated(error: rest.NotAuthenticated | rest.AuthenticationFailed) -> Found:
    challenge = str(getattr(error, "auth_header", "Bearer"))
    if isinstance(error, rest.NotAuthenticated):
        return Found("not_authenticated", headers={"WWW-Authenticate": challenge})
    return Found("token_invalid", headers={"WWW-Authenticate": f'{challenge}, error="invalid_token"'})


def _invalid(entries: Sequence[Mapping[str, object]]) -> Found:
    return Found("invalid", {"errors": entries})


def _entry(path: str, code: str, **values: object) -> dict[str, object]:
    (wrong,) = (found for _, found in flat_errors(field_error(code, **values).detail))
    return {"field": path, "code": code, "detail": str(wrong)}


_VALUES: Final[Mapping[str, Mapping[str, object]]] = {
    "bad_text": {"most": MOST_REASON},
    "not_a_choice": {"choices": "…"},
}
_TERMS_ENTRIES: Final[Mapping[TermsFault, Callable[[], dict[str, object]]]] = {
    TermsFault.TABLE_SIZE: lambda: _entry("table_size", "out_of_range", least=LEAST_SEATS, most=MOST_SEATS),
    TermsFault.GO_ON: lambda: _entry("go_on", "too_many_go_on"),
    TermsFault.CAPACITY: lambda: _entry("capacity", "out_of_range", least=LEAST_SEATS, most=MOST_ENTRIES),
    TermsFault.LADDER_IS_ONE_TABLE: lambda: _entry("format", "ladder_is_one_table"),
    TermsFault.TIMES_IN_ORDER: lambda: _entry("starts_at", "times_not_in_order"),
    TermsFault.START_TIME_MISSING: lambda: _entry("starts_at", "required"),
}


def problem_response(found: Found) -> HttpResponse:
    """The answer, in the language that is active."""
    problem = PROBLEMS[found.code]
    spoken = spoken_language()
    body = {
        "type": type_of(found.code),
        "title": str(problem.title),
        "status": problem.status,
        "detail": found.detail or str(problem.detail),
        "code": found.code,
        **spoken,
        **found.members,
    }
    # Said here, since what is refused on the way in never meets LocaleMiddleware.
    headers = {"Cache-Control": "no-store", "Content-Language": spoken["language"], **found.headers}
    return HttpResponse(json_bytes(body), status=problem.status, content_type=MEDIA_TYPE, headers=headers)


def type_of(code: str) -> str:
    """The problem's URI, which says more about it."""
    return f"{settings.TAKI_PUBLIC_URL}{_API}v1/problems/{code}/"


def spoken_language() -> dict[str, str]:
    """The language in which texts are told now, and which way it is written."""
    language = translation.get_language() or settings.LANGUAGE_CODE
    return {"language": language, "direction": "rtl" if translation.get_language_bidi() else "ltr"}


def problem_kind(code: str) -> dict[str, object]:
    """All that is to be said of a problem code. KeyError for one that is none."""
    problem, cure = PROBLEMS[code], CURES[code]
    return {
        "code": code,
        "type": type_of(code),
        "status": problem.status,
        "title": str(problem.title),
        "detail": str(problem.detail),
        "cause": str(cure.cause),
        "cure": str(cure.cure),
    }


def problem_list() -> dict[str, object]:
    """Every code that an answer may have: of problems, of fields in `errors`, of refusals."""
    return {
        **spoken_language(),
        "problems": [problem_kind(code) for code in PROBLEMS],
        "fields": [{"code": code, "detail": str(words)} for code, words in FIELD_TEXTS.items()],
        "refusals": [
            {
                "refusal": text.refusal.value,
                "detail": str(REFUSALS[text.refusal]),
                "cause": text.cause,
                "cure": text.cure,
                "rules": _rules_in(text),
            }
            for text in rulebook(_book_language()).refusals
        ],
        "tournament_refusals": [
            {"refusal": refusal.value, "detail": str(words)} for refusal, words in REFUSAL_TEXTS.items()
        ],
    }


def _book_language() -> str:
    language = (translation.get_language() or "").partition("-")[0]
    return language if language in LANGUAGES else settings.LANGUAGE_CODE


def _rules_in(text: RefusalText) -> list[str]:
    """The rules that the explanation names."""
    return sorted({*_RULE_ID.findall(f"{text.cause} {text.cure}")})


def exception_handler(error: Exception, _context: Mapping[str, Any]) -> HttpResponse | None:
    """For DRF. None lets Django log the error and ask `server_error` for the answer."""
    found = problem_of(error)
    return problem_response(found) if found else None


# ---- for Django: what goes wrong outside of an endpoint


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400; 413 when the body is over the limit."""
    if not _is_api(request):
        return defaults.bad_request(request, exception)
    codes = {RequestDataTooBig: "body_too_large", BadRequest: "unreadable"}
    return _answer(request, codes.get(type(exception), "bad_request"))


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    """403."""
    return _answer(request, "forbidden") if _is_api(request) else defaults.permission_denied(request, exception)


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404."""
    return _answer(request, "not_found") if _is_api(request) else defaults.page_not_found(request, exception)


def server_error(request: HttpRequest) -> HttpResponse:
    """500, without a word about what it was: that is in the log."""
    return _answer(request, "server_error") if _is_api(request) else defaults.server_error(request)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403: a request by cookie that does not prove that it comes from a page of ours."""
    return _answer(request, "csrf_failed") if _is_api(request) else csrf.csrf_failure(request, reason)


def problem_for(request: HttpRequest, error: Exception) -> HttpResponse | None:
    """The answer for an exception that is a problem, wherever it was raised; None for any other."""
    # It may be too early for LocaleMiddleware to have chosen the language.
    with translation.override(translation.get_language_from_request(request)):
        found = problem_of(error)
        return problem_response(found) if found else None


def _is_api(request: HttpRequest) -> bool:
    return request.path.startswith((_API, PREFIX))


def _answer(request: HttpRequest, code: str) -> HttpResponse:
    # It may be too early for LocaleMiddleware to have chosen the language.
    with translation.override(translation.get_language_from_request(request)):
        return problem_response(Found(code))
