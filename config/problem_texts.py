"""Every problem code and every refusal with its sentences, in one place (English here, others by gettext)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.rules.refusals import Refusal

Words = str | Promise


@dataclass(frozen=True, slots=True)
class Problem:
    """One way in which a request fails: HTTP status, title, and a sentence that says what to do."""

    status: int
    title: Words
    detail: Words


def _problem(status: int, title: Words, detail: Words) -> Problem:
    return Problem(status, title, detail)


PROBLEMS: Final[Mapping[str, Problem]] = {
    "bad_request": _problem(400, _("Bad request"), _("The request line or headers cannot be used.")),
    "unreadable": _problem(400, _("Unreadable body"), _("The body must be JSON in UTF-8.")),
    "too_deep": _problem(400, _("Body nested too deeply"), _("The body may not be nested more than 20 levels deep.")),
    "duplicate_key": _problem(400, _("Duplicate key"), _("An object in the body has the same key more than once.")),
    "lone_surrogate": _problem(
        400, _("Broken text"), _("A text in the body holds half of a surrogate pair, which is no character.")
    ),
    "not_authenticated": _problem(
        401, _("Not authenticated"), _("Send a token: “Authorization: Bearer …”; a guest gets one by one POST.")
    ),
    "token_invalid": _problem(401, _("Invalid token"), _("This token is unknown, expired or revoked; get a new one.")),
    "session_invalid": _problem(
        401, _("Log-in over"), _("This X-Session-Token names no log-in that still lasts; log in again.")
    ),
    "csrf_failed": _problem(
        403,
        _("CSRF check failed"),
        _("A request by cookie needs the header X-CSRFToken with the value of that cookie."),
    ),
    "fresh_proof_needed": _problem(
        403, _("Fresh proof needed"), _("Send your password, or log in again and ask within five minutes.")
    ),
    "forbidden": _problem(403, _("Forbidden"), _("You may not do this.")),
    "scope_missing": _problem(403, _("Token not for this"), _("This token lacks the scope that is needed here.")),
    "not_host": _problem(403, _("Not the host"), _("Only the host of the table may do this.")),
    "no_host": _problem(403, _("No host"), _("This table has no host: a tournament seats its players, and they stay.")),
    "kicked": _problem(403, _("Taken off the table"), _("The host has taken you off this table.")),
    "not_seated": _problem(403, _("Not seated"), _("You have no seat at this table.")),
    "invite_code_wrong": _problem(
        403, _("Wrong invite code"), _("This table is private; ask its host for the invite code.")
    ),
    "not_found": _problem(404, _("Not found"), _("There is nothing here, or nothing that you may know of.")),
    "no_such_seat": _problem(404, _("No such seat"), _("The table has no seat of this number.")),
    "no_such_version": _problem(
        404, _("No such version"), _("The game has no such version; “version” is its last one.")
    ),
    "method_not_allowed": _problem(
        405, _("Method not allowed"), _("This address does not take this method; see the Allow header.")
    ),
    "not_acceptable": _problem(406, _("Not acceptable"), _("The answer cannot be given in a format that you accept.")),
    "stale_version": _problem(
        409, _("Stale version"), _("The game has moved on since the version you expected; look again.")
    ),
    "not_started": _problem(409, _("Not started"), _("The game has not started.")),
    "already_started": _problem(409, _("Already started"), _("The game has started; its lobby is closed.")),
    "frozen": _problem(
        409, _("Frozen"), _("The log of this game does not verify, so nothing is added to it; staff will look at it.")
    ),
    "finished": _problem(409, _("Finished"), _("The game is over.")),
    "not_finished": _problem(409, _("Not finished"), _("This is possible only when the game is over.")),
    "game_full": _problem(409, _("Table full"), _("No seat at this table is free.")),
    "seat_taken": _problem(409, _("Seat taken"), _("Somebody sits on this seat.")),
    "already_seated": _problem(409, _("Already seated"), _("You sit at this table already.")),
    "seats_empty": _problem(409, _("Empty seats"), _("Every seat must be taken before the game can start.")),
    "seat_free": _problem(409, _("Seat free"), _("Nobody sits on this seat.")),
    "host_seat": _problem(409, _("The host's seat"), _("The host cannot be taken off the table.")),
    "too_many_open_games": _problem(
        409,
        _("Too many open games"),
        _("You sit at as many open tables as you may; finish or leave one first."),
    ),
    "precondition_failed": _problem(
        412, _("Precondition failed"), _("It is no longer as your If-Match header says; look again.")
    ),
    "already_account": _problem(409, _("Already an account"), _("You are no guest; your account is made already.")),
    "too_many_tokens": _problem(
        409, _("Too many tokens"), _("You have as many tokens as you may have; revoke one first.")
    ),
    "playing_now": _problem(
        409, _("Playing now"), _("You sit at a running table, where this cannot change; finish or leave it first.")
    ),
    "body_too_large": _problem(413, _("Body too large"), _("A body may have at most 64 KiB.")),
    "unsupported_media_type": _problem(415, _("Unsupported media type"), _("Send the body as application/json.")),
    "invalid": _problem(422, _("Invalid request"), _("Some fields are wrong; each is named in “errors”.")),
    "refused": _problem(422, _("Refused by the rules"), _("The rules do not allow this; nothing has changed.")),
    "not_organiser": _problem(403, _("Not the organiser"), _("Only whoever runs this tournament may do this.")),
    "not_entered": _problem(403, _("Not your entry"), _("You hold no such entry in this tournament.")),
    "account_needed": _problem(403, _("Account needed"), _("Guests hold no tournaments: make an account first.")),
    "already_entered": _problem(409, _("Already entered"), _("This player has an entry in this tournament already.")),
    "act_refused": _problem(
        409, _("Refused"), _("The tournament is not in the state that this needs; nothing has changed.")
    ),
    "idempotency_key_reused": _problem(
        422,
        _("Idempotency key used"),
        _("This Idempotency-Key belongs to another request; draw a new one."),
    ),
    "too_many_requests": _problem(
        429, _("Too many requests"), _("The limit “%(limit)s” is reached; try again in %(seconds)s s.")
    ),
    "server_error": _problem(
        500, _("Server error"), _("Something is wrong on our side. It is safe to try the same request again.")
    ),
    "unavailable": _problem(
        503, _("Unavailable"), _("The server cannot answer just now. It is safe to try the same request again.")
    ),
}
"""Codes never change their meaning; `/api/v1/problems/` lists them."""

REFUSALS: Final[Mapping[Refusal, Words]] = {
    Refusal.GAME_OVER: _("The game is over."),
    Refusal.SEAT_LEFT: _("You have left this game."),
    Refusal.WINDOW_OPEN: _("A +3 awaits its answers: accept it, or play a Breaker (the next seat also: a King)."),
    Refusal.NO_WINDOW: _("No +3 awaits an answer."),
    Refusal.NOT_ASKED: _("This +3 does not ask you, or you have answered it."),
    Refusal.NOT_YOUR_TURN: _("It is not your turn."),
    Refusal.NOT_IN_HAND: _("You do not hold this card."),
    Refusal.BREAKER_LOCKED: _("You have just drawn this card; it can be played from your next turn on."),
    Refusal.STACK_ACTIVE: _("A +2 stack faces you: play a +2 or a King, or draw it."),
    Refusal.NOT_IN_RUN: _("This card cannot be laid in this TAKI."),
    Refusal.DOES_NOT_MATCH: _("This card matches neither the colour nor the face of the lead."),
    Refusal.COLOR_REQUIRED: _("Name a colour with this card."),
    Refusal.COLOR_NOT_ALLOWED: _("No colour can be named with this card here."),
    Refusal.CANNOT_DRAW: _("You cannot draw now: in a TAKI close or end it; after a King play or end."),
    Refusal.MUST_PLAY: _("You can play a card, so you must."),
    Refusal.NO_RUN: _("There is nothing to close or end."),
    Refusal.TAKI_ON_TOP: _("A TAKI cannot be closed while it lies on top: lay a card on it, or end and leave it open."),
    Refusal.NOT_LAST_CARD: _("You have no unsaid last card."),
}
"""The sentence of each refusal of the rules."""
