"""What a notice can be about, and its words. Kinds are stored; they do not change."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

TURN: Final = "turn"
WINDOW: Final = "window"
TABLE: Final = "table"
ADVANCED: Final = "advanced"
OUT: Final = "out"
WON: Final = "won"
AWAITED: Final = frozenset({TURN, WINDOW})
"""Those that hold only as long as the game waits for the player."""


class Words(NamedTuple):
    """Subject and first sentence; ``%(game)s`` is the table's name."""

    subject: str | Promise
    sentence: str | Promise


WORDS: Final[Mapping[str, Words]] = {
    TURN: Words(_("Your turn: %(game)s"), _("It is your turn in “%(game)s”.")),
    WINDOW: Words(_("A +3 awaits your answer: %(game)s"), _("A +3 awaits your answer in “%(game)s”.")),
    TABLE: Words(_("Your table is ready: %(game)s"), _("Your table “%(game)s” is ready, and its game has begun.")),
    ADVANCED: Words(_("You go on: %(game)s"), _("“%(game)s” is decided, and you go on to the next round.")),
    OUT: Words(_("It is decided: %(game)s"), _("“%(game)s” is decided, and you are out. Thank you for playing.")),
    WON: Words(_("You have won: %(game)s"), _("“%(game)s” is decided, and you have won the tournament.")),
}
UNTIL: Final = _("The game waits for you until %(deadline)s.")
STOP: Final = _("You asked for mails about your games. This stops them: %(address)s")
NAMELESS: Final = _("a game of TAKI")
