"""What can be wrong with a request about players: plain exceptions that know no HTTP."""

from players.names import BadName


class PlayerError(Exception):
    """A request about a player, an account or a token cannot be carried out."""


class NameTaken(Exception):
    """Another player has this name, perhaps in other case, or nobody may have it."""


class KeyReused(Exception):
    """The idempotency key was used for another request."""


class FieldRefused(PlayerError):
    """A field says what cannot be: which, and the code of why, as in `FIELD_TEXTS`, with that text's values."""

    def __init__(self, field: str, code: str, **values: object) -> None:
        super().__init__(field, code)
        self.field, self.code, self.values = field, code, values


class PlayerNotFound(PlayerError):
    """There is no such player, or no longer."""


class TokenNotFound(PlayerError):
    """The player has no such token."""


class AlreadyAccount(PlayerError):
    """The player is no guest."""


class TooManyTokens(PlayerError):
    """The player has as many tokens as it may have: ``limit``."""

    def __init__(self, limit: int) -> None:
        super().__init__(limit)
        self.limit = limit


class FreshProofNeeded(PlayerError):
    """This needs the password, or a log-in of the last minutes."""


class PlayingNow(PlayerError):
    """The player sits at a running table, whose others know it as what it is now."""


__all__ = [
    "AlreadyAccount",
    "BadName",
    "FieldRefused",
    "FreshProofNeeded",
    "KeyReused",
    "NameTaken",
    "PlayerError",
    "PlayerNotFound",
    "PlayingNow",
    "TokenNotFound",
    "TooManyTokens",
]
