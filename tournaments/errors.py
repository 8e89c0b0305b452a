"""What can be wrong with an act on a tournament: plain exceptions with data, which know no HTTP.

None of them has written anything. Every text a person reads is made from them at the edge.
"""

from uuid import UUID

from tournaments.rules import Refusal


class TournamentError(Exception):
    """Whatever the tournaments app refuses; only its subclasses are raised."""


class TournamentNotFound(TournamentError):
    """There is no such tournament, or the caller may not know of it."""

    def __init__(self, tournament_id: UUID) -> None:
        super().__init__(tournament_id)
        self.tournament_id = tournament_id


class EntryNotFound(TournamentError):
    """The tournament has no entry, or no stage, of this number."""


class NotOrganiser(TournamentError):
    """Only whoever runs the tournament may do this."""


class NotEntered(TournamentError):
    """The caller holds no such entry."""


class AccountNeeded(TournamentError):
    """Guests hold no tournaments: this needs an account."""


class InviteCodeWrong(TournamentError):
    """The tournament is private, and the code given is not its own."""


class AlreadyEntered(TournamentError):
    """The player has an entry in this tournament already; ``entry`` is its number."""

    def __init__(self, entry: int) -> None:
        super().__init__(entry)
        self.entry = entry


class CommandIdReused(TournamentError):
    """The command id belongs to another command, or to somebody else's."""


class BadSettings(TournamentError):
    """A setting that the rules of tournaments know nothing of is wrong: ``field`` and a code for it."""

    def __init__(self, field: str, code: str) -> None:
        super().__init__(field, code)
        self.field = field
        self.code = code


class ActRefused(TournamentError):
    """The rules of tournaments refuse the act; ``detail`` is a code or a field's name, or empty."""

    def __init__(self, refusal: Refusal, detail: str, version: int) -> None:
        super().__init__(refusal, detail, version)
        self.refusal = refusal
        self.detail = detail
        self.version = version
