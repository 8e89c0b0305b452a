"""What happened, in the reader's language: one sentence for each event, with cards as small marks.

A sentence is HTML: whatever comes from people is escaped here and nowhere trusted. Hebrew verbs would ask whether a
player is a man or a woman; its sentences name the act instead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as later
from django.utils.translation import ngettext

from games.pages.marks import color_mark, mark, marks
from games.rules import events as e
from games.rules.cards import HIDDEN, Seat
from games.rules.state import Again

Names = Sequence[str]
"""What each seat is called; who sits there may have changed, the seat has not."""

QUIET: Final = (e.SeedCommitted, e.DeadlineSet, e.BankChanged, e.ClockCredited, e.SeedRevealed)
"""Events about the clock and the proof; a reader who follows the cards may leave them out."""

REASONS: Final[Mapping[e.DrawReason, str | Promise]] = {
    e.DrawReason.TURN: "",
    e.DrawReason.STACK: later("the +2 stack"),
    e.DrawReason.PLUS: later("after a Plus"),
    e.DrawReason.PLUS_THREE: later("for the +3"),
    e.DrawReason.BREAKER: later("for the +3 Breaker"),
    e.DrawReason.LAST_CARD: later("last card not declared"),
    e.DrawReason.STAGE: later("for the next stage"),
}
OUTCOMES: Final[Mapping[e.WindowOutcome, str | Promise]] = {
    e.WindowOutcome.ACCEPTED: later("everybody accepted the +3"),
    e.WindowOutcome.TIMEOUT: later("the time to answer the +3 is up"),
    e.WindowOutcome.BREAKER: later("the +3 is broken"),
    e.WindowOutcome.KING: later("a King answers the +3"),
    e.WindowOutcome.CANCELLED: later("the +3 is cancelled"),
}
ENDS: Final[Mapping[e.EndReason, str | Promise]] = {
    e.EndReason.WON: later("the last card is laid"),
    e.EndReason.LAST_SEAT: later("nobody else is left"),
    e.EndReason.STALLED: later("nobody can move any more"),
    e.EndReason.MAX_TURNS: later("the most turns were reached"),
    e.EndReason.STOPPED: later("the table was stopped"),
}


def sentence(event: e.Event, names: Names) -> SafeString:
    """What the event says, as its viewer may know it: redact it first."""
    return _SENTENCES[type(event)](event, lambda seat: _who(seat, names))


Who = Callable[[int | None], SafeString]
_STOP: Final = mark_safe(".")


def _who(seat: int | None, names: Names) -> SafeString:
    name = _("somebody") if seat is None or not 0 <= seat < len(names) else names[seat]
    return format_html("<bdi>{}</bdi>", name)


def _said(text: str, **parts: object) -> SafeString:
    """The text with its %(parts)s put in; what is not safe yet is escaped."""
    escaped = {key: _escaped(part) for key, part in parts.items()}
    return mark_safe(conditional_escape(text) % escaped)  # noqa: S308  # every part is escaped


def _escaped(part: object) -> SafeString:
    return part if isinstance(part, SafeString) else conditional_escape(str(part))


def _game_started(event: e.GameStarted, who: Who) -> SafeString:
    text = _("A game for %(seats)s begins; %(who)s comes first.")
    return _said(text, seats=event.seats, who=who(event.first))


def _dealt(event: e.CardsDealt, who: Who) -> SafeString:
    cards = max((len(hand) for hand in event.hands), default=0)
    text = ngettext(
        "%(cards)s card to everybody; %(opening)s is turned up.",
        "%(cards)s cards to everybody; %(opening)s is turned up.",
        cards,
    )
    told = _said(text, cards=cards, opening=mark(event.opening))
    return told + _said(" " + _("Before it came %(turned)s."), turned=marks(event.turned)) if event.turned else told


def _played(event: e.CardPlayed, who: Who) -> SafeString:
    if event.color is not None:
        text = _("%(who)s lays %(card)s and names %(color)s.")
        return _said(text, who=who(event.seat), card=mark(event.card), color=color_mark(event.color))
    return _said(_("%(who)s lays %(card)s."), who=who(event.seat), card=mark(event.card))


def _drawn(event: e.CardsDrawn, who: Who) -> SafeString:
    if not event.cards:
        return _said(_("%(who)s finds nothing to draw."), who=who(event.seat))
    hidden = all(card is HIDDEN for card in event.cards)
    count = len(event.cards)
    if hidden:
        told = _said(
            ngettext("%(who)s draws %(count)s card", "%(who)s draws %(count)s cards", count),
            who=who(event.seat),
            count=count,
        )
    else:
        told = _said(_("%(who)s draws %(cards)s"), who=who(event.seat), cards=marks(event.cards))
    why = str(REASONS[event.reason])
    if why:
        told += _said(" (%(why)s)", why=why)
    if event.locked:
        told += _said(" " + _("(locked until the next turn)"))
    return told + _STOP


def _reshuffled(event: e.PileReshuffled, who: Who) -> SafeString:
    text = ngettext(
        "%(cards)s discard is shuffled into a new draw pile.",
        "%(cards)s discards are shuffled into a new draw pile.",
        len(event.order),
    )
    return _said(text, cards=len(event.order))


def _passed(event: e.TurnPassed, who: Who) -> SafeString:
    told = _said(_("%(who)s is on turn"), who=who(event.to))
    if event.owe:
        text = ngettext("facing a stack of %(owe)s card", "facing a stack of %(owe)s cards", event.owe)
        told += _said(", " + text, owe=event.owe)
    return told + _STOP


def _further(event: e.FurtherCard, who: Who) -> SafeString:
    if event.again is Again.PLUS:
        return _said(_("%(who)s owes a further card (Plus)."), who=who(event.seat))
    return _said(_("%(who)s may lay any further card (King)."), who=who(event.seat))


def _left(event: e.SeatLeft, who: Who) -> SafeString:
    text = ngettext(
        "%(who)s leaves the game; %(cards)s card goes under the draw pile.",
        "%(who)s leaves the game; %(cards)s cards go under the draw pile.",
        len(event.cards),
    )
    return _said(text, who=who(event.seat), cards=len(event.cards))


def _ended(event: e.GameEnded, who: Who) -> SafeString:
    if event.winner is None:
        return _said(_("The game is over without a winner: %(why)s."), why=str(ENDS[event.reason]))
    return _said(_("%(who)s wins: %(why)s."), who=who(event.winner), why=str(ENDS[event.reason]))


def _idled(event: e.TurnIdled, who: Who) -> SafeString:
    text = ngettext(
        "The turn goes by without a card moved (%(count)s in a row).",
        "The turn goes by without a card moved (%(count)s in a row).",
        event.idle,
    )
    return _said(text, count=event.idle)


def _deadline(event: e.DeadlineSet, who: Who) -> SafeString:
    if event.at is None:
        return _said(_("No clock runs."))
    return _said(_("The clock is set."))


def _bank(event: e.BankChanged, who: Who) -> SafeString:
    return _said(_("%(who)s has %(seconds)s s in the bank."), who=who(event.seat), seconds=_seconds(event.left))


def _about_seat(text: str) -> Callable[[Any, Who], SafeString]:
    """A sentence that names the event's seat and nothing else."""
    return lambda event, who: _said(_(text), who=who(event.seat))


def _plain(text: str) -> Callable[[Any, Who], SafeString]:
    return lambda event, who: _said(_(text))


def _seconds(milliseconds: int) -> str:
    return f"{milliseconds / 1_000:.1f}"


def N_(text: str) -> str:  # noqa: N802  # gettext's usual name for a text that is translated later
    """The text itself, marked for translation."""
    return text


_SENTENCES: Final[Mapping[type, Callable[[Any, Who], SafeString]]] = {
    e.GameStarted: _game_started,
    e.SeedCommitted: _plain(N_("The server is bound to its seed, and the players' entropy is taken in.")),
    e.CardsDealt: _dealt,
    e.CardPlayed: _played,
    e.CardsDrawn: _drawn,
    e.PileReshuffled: _reshuffled,
    e.StageCleared: lambda event, who: _said(
        _("%(who)s has laid every card and goes on to stage %(stage)s."), who=who(event.seat), stage=event.stage
    ),
    e.RunStarted: lambda event, who: _said(
        _("%(who)s is running a TAKI of %(color)s."), who=who(event.seat), color=color_mark(event.color)
    ),
    e.TakiLeftOpen: lambda event, who: _said(_("The TAKI of %(color)s is left open."), color=color_mark(event.color)),
    e.TakiClosed: _plain(N_("The TAKI is closed.")),
    e.StackCancelled: lambda event, who: _said(
        ngettext("The stack of %(owe)s card is cancelled.", "The stack of %(owe)s cards is cancelled.", event.owe),
        owe=event.owe,
    ),
    e.FurtherCard: _further,
    e.TurnIdled: _idled,
    e.TurnPassed: _passed,
    e.WindowOpened: _about_seat(N_("Everybody may answer the +3 of %(who)s.")),
    e.WindowAccepted: _about_seat(N_("%(who)s accepts the +3.")),
    e.WindowClosed: lambda event, who: _said(
        _("The window is closed: %(outcome)s."), outcome=str(OUTCOMES[event.outcome])
    ),
    e.LastCardDue: _about_seat(N_("%(who)s is down to one card and has yet to say “last card”.")),
    e.LastCardDeclared: _about_seat(N_("%(who)s says “last card”.")),
    e.LastCardMissed: _about_seat(N_("%(who)s did not say “last card” in time.")),
    e.SeatLeft: _left,
    e.GameEnded: _ended,
    e.DeadlineSet: _deadline,
    e.BankChanged: _bank,
    e.ClockCredited: lambda event, who: _said(
        ngettext(
            "%(seconds)s second in which nobody watched the clocks is given back.",
            "%(seconds)s seconds in which nobody watched the clocks are given back.",
            event.seconds,
        ),
        seconds=event.seconds,
    ),
    e.TurnMissed: lambda event, who: _said(
        ngettext(
            "%(who)s let the time of the turn pass (%(count)s in a row).",
            "%(who)s let the time of the turn pass (%(count)s in a row).",
            event.in_a_row,
        ),
        who=who(event.seat),
        count=event.in_a_row,
    ),
    e.SeatAway: _about_seat(N_("%(who)s is away.")),
    e.SeatReturned: _about_seat(N_("%(who)s is back.")),
    e.GameAborted: _plain(N_("The game was ended by the staff and does not count.")),
    e.SeedRevealed: _plain(N_("The server reveals its seed: everything can be checked now.")),
}


def seat_name(seat: Seat) -> str:
    """A seat without a name: erased, or never taken."""
    return _("Seat %(number)s") % {"number": seat}
