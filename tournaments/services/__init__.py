"""Acts on a tournament: each owns its transaction and takes keyword arguments only. Errors: `tournaments.errors`."""

from tournaments.services.acting import Acted
from tournaments.services.advancing import Advanced, tournament_advance
from tournaments.services.creating import tournament_create, tournament_edit
from tournaments.services.entries import (
    entry_check_in,
    entry_disqualify,
    entry_forfeit,
    entry_no_show,
    entry_promote,
    entry_register,
    entry_reinstate,
    entry_replace,
    entry_withdraw,
)
from tournaments.services.phases import (
    registration_close,
    registration_open,
    round_reopen,
    seeding_list,
    tournament_cancel,
    tournament_pause,
    tournament_resume,
    tournament_start,
)
from tournaments.services.tables import result_correct, table_abort, table_end, table_replay

__all__ = [
    "Acted",
    "Advanced",
    "entry_check_in",
    "entry_disqualify",
    "entry_forfeit",
    "entry_no_show",
    "entry_promote",
    "entry_register",
    "entry_reinstate",
    "entry_replace",
    "entry_withdraw",
    "registration_close",
    "registration_open",
    "result_correct",
    "round_reopen",
    "seeding_list",
    "table_abort",
    "table_end",
    "table_replay",
    "tournament_advance",
    "tournament_cancel",
    "tournament_create",
    "tournament_edit",
    "tournament_pause",
    "tournament_resume",
    "tournament_start",
]
