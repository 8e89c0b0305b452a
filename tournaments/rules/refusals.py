"""Why an act is refused."""

from __future__ import annotations

from enum import Enum


class Refusal(Enum):
    """The codes, in the order in which they are judged: if several fit, the first is given. Names never change."""

    TOURNAMENT_OVER = "TOURNAMENT_OVER"  # finished or cancelled, and this act would need it to go on
    NOT_OPEN_YET = "NOT_OPEN_YET"  # registration has not begun
    REGISTRATION_CLOSED = "REGISTRATION_CLOSED"  # too late to register, by the phase or by the clock
    WRONG_PHASE = "WRONG_PHASE"  # the act belongs to another phase
    NEEDS_REASON = "NEEDS_REASON"  # an organiser's intervention must say why
    NO_SUCH_ENTRY = "NO_SUCH_ENTRY"
    NO_SUCH_TABLE = "NO_SUCH_TABLE"  # never seated, or void since its round was seated anew
    NO_SUCH_ROUND = "NO_SUCH_ROUND"  # never seated, or there is no later one
    STALE_ATTEMPT = "STALE_ATTEMPT"  # the table has been set up anew since
    BAD_TERMS = "BAD_TERMS"  # the detail is a TermsFault
    TERMS_FIXED = "TERMS_FIXED"  # may no longer be changed; the detail names the field
    TIME_PAST = "TIME_PAST"  # an instant that lies behind; the detail names the field
    BAD_SEEDING = "BAD_SEEDING"  # the seeding list names an entry twice, or one that is not in
    SEEDING_IS_DRAWN = "SEEDING_IS_DRAWN"  # a list was given, but the terms say that seeds are drawn
    FULL = "FULL"  # no place, and none on the waiting list
    TOO_FEW = "TOO_FEW"  # fewer than two would sit down
    ENTRY_OUT = "ENTRY_OUT"  # withdrawn, disqualified, absent or eliminated
    ENTRY_IN = "ENTRY_IN"  # nothing to take back: it was neither disqualified nor withdrawn after the start
    NOT_WAITING = "NOT_WAITING"  # not on the waiting list
    NO_FREE_PLACE = "NO_FREE_PLACE"
    NO_CHECK_IN = "NO_CHECK_IN"  # this tournament has no check-in
    ALREADY_CHECKED_IN = "ALREADY_CHECKED_IN"
    NOT_AT_TABLE = "NOT_AT_TABLE"  # not at a table that is still to be settled
    ALREADY_BOT = "ALREADY_BOT"  # a bot plays for this entry
    TABLE_OPEN = "TABLE_OPEN"  # its game has begun already
    TABLE_ENDING = "TABLE_ENDING"  # its game has been told to stop already
    TABLE_NOT_BEGUN = "TABLE_NOT_BEGUN"
    TABLE_OVER = "TABLE_OVER"  # it has its result, or was aborted
    TABLE_NOT_OVER = "TABLE_NOT_OVER"  # there is no result to correct
    ROUND_OVER = "ROUND_OVER"  # a later round has been seated
    BAD_RESULT = "BAD_RESULT"  # the detail is a ResultFault
    NOTHING_CHANGES = "NOTHING_CHANGES"  # it is so already
    CHANGES_WHO_GOES_ON = "CHANGES_WHO_GOES_ON"  # later rounds were built on it: reopen the round first


class Refused(Exception):
    """The act is not allowed; nothing has changed. ``detail`` is a code or a field's name, or empty."""

    def __init__(self, refusal: Refusal, detail: str = "") -> None:
        super().__init__(refusal, detail)
        self.refusal = refusal
        self.detail = detail

    def __str__(self) -> str:
        return f"{self.refusal.value} ({self.detail})" if self.detail else self.refusal.value
