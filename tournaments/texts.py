"""The sentence of each refusal of the rules of tournaments (English here, others by gettext)."""

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.rules import Refusal

REFUSAL_TEXTS: Final[Mapping[Refusal, str | Promise]] = {
    Refusal.TOURNAMENT_OVER: _("The tournament is over."),
    Refusal.NOT_OPEN_YET: _("Registration is not open yet."),
    Refusal.REGISTRATION_CLOSED: _("Registration is closed."),
    Refusal.WRONG_PHASE: _("This cannot be done in the phase that the tournament is in."),
    Refusal.NEEDS_REASON: _("This needs a reason."),
    Refusal.NO_SUCH_ENTRY: _("The tournament has no entry of this number."),
    Refusal.NO_SUCH_TABLE: _("The tournament has no such table, or its round was undone."),
    Refusal.NO_SUCH_ROUND: _("No such round has been seated, or none after it."),
    Refusal.STALE_ATTEMPT: _("The table has been set up anew since; look at it again."),
    Refusal.BAD_TERMS: _("These terms contradict each other."),
    Refusal.TERMS_FIXED: _("Players rely on this since registration opened; it can no longer be changed."),
    Refusal.TIME_PAST: _("This time lies in the past."),
    Refusal.BAD_SEEDING: _("The list of seeds names an entry twice, or one that is out."),
    Refusal.SEEDING_IS_DRAWN: _("The seeds of this tournament are drawn; it takes no list."),
    Refusal.FULL: _("The tournament is full, and takes no more names for its waiting list."),
    Refusal.TOO_FEW: _("At least two must be there."),
    Refusal.ENTRY_OUT: _("This entry is out already."),
    Refusal.ENTRY_IN: _("There is nothing to take back: this entry is in, or never started."),
    Refusal.NOT_WAITING: _("This entry is not on the waiting list."),
    Refusal.NO_FREE_PLACE: _("No place is free."),
    Refusal.NO_CHECK_IN: _("This tournament has no check-in."),
    Refusal.ALREADY_CHECKED_IN: _("This entry has checked in already."),
    Refusal.NOT_AT_TABLE: _("This entry sits at no table that is still to be settled."),
    Refusal.ALREADY_BOT: _("A bot plays for this entry already."),
    Refusal.TABLE_OPEN: _("The table's game has begun already."),
    Refusal.TABLE_ENDING: _("The table's game has been told to stop already."),
    Refusal.TABLE_NOT_BEGUN: _("The table's game has not begun yet."),
    Refusal.TABLE_OVER: _("The table is over."),
    Refusal.TABLE_NOT_OVER: _("The table has no result yet."),
    Refusal.ROUND_OVER: _("A later round has been seated; reopen this table's round first."),
    Refusal.BAD_RESULT: _("This is no result of that table: each entry once, with ranks such as 1, 2, 2, 4."),
    Refusal.NOTHING_CHANGES: _("It is so already."),
    Refusal.CHANGES_WHO_GOES_ON: _("Later rounds were built on who went on; reopen the round first."),
}
