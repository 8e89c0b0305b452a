"""A button of the desk was pressed: the service that it stands for, called once however often it was pressed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final
from uuid import UUID

from players.models import Player
from players.names import name_key
from tournaments import services, store
from tournaments.admin.reading import Form, Unreadable, number, numbers, press_of, result_of, table_of
from tournaments.errors import (
    AccountNeeded,
    ActRefused,
    AlreadyEntered,
    BadSettings,
    CommandIdReused,
    EntryNotFound,
    NotOrganiser,
    TournamentError,
    TournamentNotFound,
)
from tournaments.pages import words
from tournaments.services import Acted

WHOLE: Final[Mapping[str, Callable[..., Acted]]] = {
    "OpenRegistration": services.registration_open,
    "CloseRegistration": services.registration_close,
    "Start": services.tournament_start,
    "Pause": services.tournament_pause,
    "Resume": services.tournament_resume,
    "Cancel": services.tournament_cancel,
}
ENTRY: Final[Mapping[str, Callable[..., Acted]]] = {
    "CheckIn": services.entry_check_in,
    "Promote": services.entry_promote,
    "Withdraw": services.entry_withdraw,
    "Disqualify": services.entry_disqualify,
    "Reinstate": services.entry_reinstate,
    "Forfeit": services.entry_forfeit,
}
TABLE: Final[Mapping[str, Callable[..., Acted]]] = {
    "EndTable": services.table_end,
    "ReplayTable": services.table_replay,
    "AbortTable": services.table_abort,
}


def press_whole(*, name: str, tournament_id: UUID, actor: Player, form: Form) -> Acted:
    """A button about the tournament, its seeding or a round. TournamentError, Unreadable."""
    said: dict[str, Any] = {
        "tournament_id": tournament_id,
        "actor": actor,
        "reason": _reason(form),
        "command_id": press_of(form, name),
    }
    if name == "ListSeeding":
        return services.seeding_list(**said, order=numbers(form.get("order", "")))
    if name == "ReopenRound":
        return services.round_reopen(**said, number=number(form.get("round")))
    if name not in WHOLE:
        raise Unreadable("There is no such button.")
    return WHOLE[name](**said)


def press_entry(*, name: str, tournament_id: UUID, actor: Player, entry: int, form: Form) -> Acted:
    """A button about one entry. TournamentError, Unreadable."""
    said: dict[str, Any] = {
        "tournament_id": tournament_id,
        "actor": actor,
        "entry": entry,
        "reason": _reason(form),
        "command_id": press_of(form, f"{name}/{entry}"),
    }
    if name in ("NoShowBot", "NoShowForfeit"):
        return services.entry_no_show(**said, bot=name == "NoShowBot")
    if name == "Replace":
        return services.entry_replace(**said, player=player_named(form.get("player", "")))
    if name not in ENTRY:
        raise Unreadable("There is no such button.")
    return ENTRY[name](**said)


def press_table(*, name: str, tournament_id: UUID, actor: Player, form: Form) -> Acted:
    """A button about one table, as it was seen: `attempt`. TournamentError, Unreadable."""
    table, attempt = number(form.get("table")), number(form.get("attempt"))
    said: dict[str, Any] = {
        "tournament_id": tournament_id,
        "actor": actor,
        "table": table,
        "attempt": attempt,
        "reason": _reason(form),
        "command_id": press_of(form, f"{name}/{table}"),
    }
    if name == "CorrectResult":
        _, state = store.load(tournament_id=tournament_id)
        return services.result_correct(**said, result=result_of(table_of(state, table), form))
    if name not in TABLE:
        raise Unreadable("There is no such button.")
    return TABLE[name](**said)


def player_named(name: str) -> Player:
    """The player of this name, without regard to case. Unreadable."""
    found = Player.objects.filter(key=name_key(name.strip()), is_active=True).first() if name.strip() else None
    if found is None:
        raise Unreadable(f"There is no player called “{name.strip()[:60]}”.")
    return found


def sentence(error: TournamentError | Unreadable) -> str:
    """What went wrong, in one sentence. Nothing was changed."""
    match error:
        case ActRefused():
            return words.refused(error.refusal, error.detail)
        case AlreadyEntered():
            return f"This player is in the tournament already, as entry {error.entry}."
        case BadSettings(field="reason"):
            return "The reason is too long, or has characters that cannot be printed."
        case BadSettings():
            return f"{error.field.replace('_', ' ').capitalize()}: this is not possible."
        case CommandIdReused():
            return "This form was sent before with other words: load the page again."
        case NotOrganiser():
            return "You do not run this tournament."
        case AccountNeeded():
            return "Guests hold no tournaments: this needs an account."
        case EntryNotFound() | TournamentNotFound():
            return "There is no such entry or tournament."
        case Unreadable():
            return str(error)
        case _:
            return "This is not possible."


def _reason(form: Form) -> str:
    return form.get("reason", "").strip()
