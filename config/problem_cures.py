"""The cause and the cure of every problem code: what `/api/v1/problems/` and docs/api/errors.md say of each."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

Words = str | Promise


@dataclass(frozen=True, slots=True)
class Cure:
    """Why the problem arises, and what a client does about it."""

    cause: Words
    cure: Words


CURES: Final[Mapping[str, Cure]] = {
    "bad_request": Cure(
        _("The request line, a header or the path is no readable HTTP."),
        _("Use an HTTP library, and send headers as RFC 9110 writes them."),
    ),
    "unreadable": Cure(
        _("The body is not JSON in UTF-8, or it broke off."),
        _("Send one JSON object in UTF-8, without a byte order mark, NaN or comments."),
    ),
    "too_deep": Cure(
        _("Arrays and objects are nested more than 20 deep; no body here needs more than 4."),
        _("Send the fields that the endpoint documents, and nothing around them."),
    ),
    "duplicate_key": Cure(
        _("One object names the same key twice, and parsers disagree on which one counts."), _("Name each key once.")
    ),
    "lone_surrogate": Cure(
        _("A text was cut in the middle of a character, often of an emoji."),
        _("Cut texts between characters, not between UTF-16 units."),
    ),
    "not_authenticated": Cure(
        _("No token, ticket or cookie came with the request."),
        _("POST /api/v1/players/guest/ gives a token; send it as “Authorization: Bearer …”."),
    ),
    "token_invalid": Cure(
        _("The token is misspelt, expired or revoked, or its player is no longer active."),
        _("Log in again, or become a guest again; do not repeat the request with the same token."),
    ),
    "forbidden": Cure(
        _("The caller is known, but may not do this; at a tournament's tables, say, nobody joins or calls a rematch."),
        _("Ask somebody who may: the host, the organiser or staff."),
    ),
    "scope_missing": Cure(
        _("The token was made for less: reading needs “read”, moving “play” or “bot”, running tournaments “organise”."),
        _("Make a token with the scope at /api/v1/tokens/."),
    ),
    "not_host": Cure(
        _("In the lobby the table belongs to its host; “host” of the game names the seat."),
        _("Let the host do it, or wait until you are host: if the host leaves, the next player is."),
    ),
    "no_host": Cure(
        _("The table belongs to a tournament, which seats its players: nobody joins, leaves, kicks or plays it again."),
        _("Withdraw from the tournament or forfeit the table by its own acts; its organiser does the rest."),
    ),
    "kicked": Cure(
        _("The host took you off this table in its lobby, and that lasts."),
        _("Find another table, or make one."),
    ),
    "not_seated": Cure(
        _("Only those who sit at the table may do this; you watch it, or have left it."),
        _("Sit down by POST games/{id}/join/ while the game is in the lobby."),
    ),
    "invite_code_wrong": Cure(
        _("The table or tournament is private, and no code or a wrong one came with the request."),
        _("Ask somebody who sits there for “invite_code”, and send it in the body."),
    ),
    "not_found": Cure(
        _("The address is misspelt, the thing is gone, or it is private and not yours to know of."),
        _("Take addresses from “links” and from lists instead of building them."),
    ),
    "no_such_seat": Cure(
        _("Seats are numbered from 0; “seats” of the problem says how many the table has."),
        _("Name a seat below that number."),
    ),
    "method_not_allowed": Cure(
        _("The address exists, but not for this method."), _("Use one of the methods in the header “Allow”.")
    ),
    "not_acceptable": Cure(
        _("“Accept” leaves no format in which this address answers."),
        _("Accept application/json; logs also come as application/x-ndjson."),
    ),
    "stale_version": Cure(
        _("Somebody moved, or the clock ran out, after what you saw; “version” is the present one."),
        _("Read view/ again, and decide anew."),
    ),
    "not_started": Cure(
        _("The table is still in the lobby, or was aborted there: it has no position."),
        _("Wait for “phase” to become “playing”; the stream tells it at once."),
    ),
    "already_started": Cure(
        _("The cards are dealt; who sits where can no longer be changed by the lobby's acts."),
        _("Find another table: games/?phase=lobby&seats_free=1."),
    ),
    "frozen": Cure(
        _("The audit found that the log of this game does not verify; “frozen” of the game says how."),
        _("Nobody can move until staff has looked at it; clocks rest meanwhile, and get the time back."),
    ),
    "finished": Cure(
        _("The game has ended or was aborted; nobody moves any more."),
        _("Look at “ranking”, export/ or states/; for another game make a new table, or a rematch."),
    ),
    "not_finished": Cure(
        _("The log in full, or another's hand, would tell too much; and a rematch comes after the game."),
        _("Read events/, which tells what you may know, or come back when “phase” is “finished” or “aborted”."),
    ),
    "game_full": Cure(
        _("Every seat is taken, perhaps since you looked."), _("Find another table: games/?phase=lobby&seats_free=1.")
    ),
    "seat_taken": Cure(
        _("Somebody else, or a bot, sits on the seat that you named."),
        _("Name another seat, or none: then it is the first that is free."),
    ),
    "already_seated": Cure(
        _("You have a seat at this table, perhaps by an earlier request that was answered too late."),
        _("Go on with that seat: games/{id}/ says which it is."),
    ),
    "seats_empty": Cure(
        _("A game starts with every seat taken."), _("Wait for players, or fill seats by seats/{n}/bot/.")
    ),
    "seat_free": Cure(
        _("There is nobody to be taken off the seat, perhaps since you looked."),
        _("Look at “seats” again; “If-Match” makes sure that you act on what you saw."),
    ),
    "host_seat": Cure(_("The host's seat is your own."), _("Leave the table: then the next player is its host.")),
    "too_many_open_games": Cure(
        _("Guests sit at 3 tables that are not over, accounts at 20; “limit” is yours."),
        _("Finish or leave one of them; an account may sit at more."),
    ),
    "precondition_failed": Cure(
        _("“If-Match” names an ETag that no longer holds; “version” is the present one."),
        _("Read again, take the new ETag, and decide anew."),
    ),
    "body_too_large": Cure(
        _("The body is over 64 KiB."),
        _("Send only the documented fields; the largest body that means anything is far smaller."),
    ),
    "unsupported_media_type": Cure(
        _("“Content-Type” is missing or is not application/json."), _("Send “Content-Type: application/json”.")
    ),
    "invalid": Cure(
        _("Fields, query parameters or headers are unknown, missing or wrong; “errors” names each with a code."),
        _("Mend what “errors” names; the codes are listed under “fields”."),
    ),
    "refused": Cure(
        _("The rules forbid the command in this position; “refusal” says why and “rule” by which rule."),
        _("Choose from legal/; the refusals are listed below with cause and cure."),
    ),
    "not_organiser": Cure(
        _("Acts on a tournament are for who created it, and for staff with the right to run tournaments."),
        _("Let the organiser do it; “may_run” says whether you are."),
    ),
    "not_entered": Cure(
        _("You have no entry in this tournament, or this one is somebody else's."),
        _("Register by POST entries/, or use your own number: “entry” of the tournament."),
    ),
    "account_needed": Cure(
        _("Guests cannot be reached again, so they hold no tournaments."),
        _("POST players/me/upgrade/ makes the guest an account and keeps its games."),
    ),
    "already_entered": Cure(_("The player is registered; “entry” is the number."), _("Go on with that entry.")),
    "act_refused": Cure(
        _("The tournament, entry or table is not in the state that the act needs; “refusal” says which."),
        _("Read the tournament again; the refusals are listed under “tournament_refusals”."),
    ),
    "idempotency_key_reused": Cure(
        _("The same key came with another body, or from somebody else."),
        _("Draw a new UUID for each new request, and keep it for repeating that one only."),
    ),
    "too_many_requests": Cure(
        _("More requests came than the limit that “limit” names allows."),
        _("Wait “seconds” (also in “Retry-After”); follow games by a stream instead of asking again and again."),
    ),
    "server_error": Cure(
        _("A fault of the server; its log has it under the answer's X-Request-Id."),
        _("Send the same once more with the same Idempotency-Key; if it stays, report the X-Request-Id."),
    ),
    "unavailable": Cure(
        _("The database is away or overloaded, or the server is being restarted."),
        _("Send the same again after “Retry-After”, with the same Idempotency-Key."),
    ),
    "no_such_version": Cure(
        _("The game has fewer events than the version asked for; “version” is its last one."),
        _("Ask for a version from 1 to that one."),
    ),
    "session_invalid": Cure(
        _("The log-in ran out, was ended, or the password was changed or reset since."),
        _("Log in again at /_allauth/app/v1/auth/login, or use a token of your own."),
    ),
    "csrf_failed": Cure(
        _("The request came by the session's cookie, without the proof that it comes from a page of this site."),
        _("Send the value of the cookie csrftoken as X-CSRFToken, from a page of an origin that the server names."),
    ),
    "fresh_proof_needed": Cure(
        _("What cannot be undone is done for an account only by somebody who has just proved to be its owner."),
        _("Send the password in the body, or log in and ask again with that session."),
    ),
    "already_account": Cure(
        _("Only a guest can be made an account, and only once."),
        _("Change name, e-mail or password of the account instead."),
    ),
    "too_many_tokens": Cure(
        _("“limit” tokens of this player are in use; those that ran out do not count."),
        _("List the tokens, and revoke those that nothing uses any more."),
    ),
    "playing_now": Cure(
        _("The others at a running table have a right to know whether a program plays there."),
        _("Finish or leave the games that run, then ask again."),
    ),
}
"""One for every code of `PROBLEMS`; a test names those that lack it."""
