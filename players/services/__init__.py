"""Writing players, accounts and tokens."""

from players.services.accounts import lock_player, player_change, player_upgrade
from players.services.erasure import player_erase
from players.services.guests import player_create_guest
from players.services.leftovers import leftovers_forget
from players.services.tokens import (
    MOST_TOKENS,
    token_create,
    token_issue,
    token_revoke,
    token_text,
    token_touch,
    tokens_revoke,
)

__all__ = [
    "MOST_TOKENS",
    "leftovers_forget",
    "lock_player",
    "player_change",
    "player_create_guest",
    "player_erase",
    "player_upgrade",
    "token_create",
    "token_issue",
    "token_revoke",
    "token_text",
    "token_touch",
    "tokens_revoke",
]
