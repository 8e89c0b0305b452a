"""The bot that plays anything legal."""

from games.bots.policy import pick, serious
from games.rules.commands import Command
from games.rules.views import View


def choose(view: View, legal: tuple[Command, ...], seed: bytes) -> Command:
    """Any legal command but leaving, each as likely as the other; it never forgets its last card."""
    return pick(serious(legal), seed)
