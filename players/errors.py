"""What can be wrong with a request about players: plain exceptions that know no HTTP."""

from players.names import BadName


class NameTaken(Exception):
    """Another player has this name, perhaps in other case."""


class KeyReused(Exception):
    """The idempotency key was used for another request."""


__all__ = ["BadName", "KeyReused", "NameTaken"]
