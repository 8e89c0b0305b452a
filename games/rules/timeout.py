"""What the system does when a seat's time is up (Z5)."""

from __future__ import annotations

from games.rules.draft import Draft
from games.rules.draw import draw
from games.rules.events import WindowOutcome
from games.rules.state import Again
from games.rules.taki_run import end
from games.rules.window import settle


def time_out(draft: Draft) -> None:
    """The least act for the seat on turn, or for all who have not answered a window; no legality is asked."""
    state = draft.state
    if state.plus3 is not None:
        settle(draft, WindowOutcome.TIMEOUT)
    elif state.run is not None or state.again is Again.KING:
        end(draft)
    else:
        draw(draft, state.turn)
