"""The stages as a picture: a staircase, and who stands on which step. Sizes only; the template draws it as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

WIDTH: Final = 360  # as wide as a small phone shows without shrinking
_LABEL: Final = 78
_RISE: Final = 26  # a line of climbers
_PAD: Final = 6
_GAP: Final = 6
_MOST_INDENT: Final = 64
_CHARACTER: Final = 6.6  # an average letter at the size of a climber's name
MOST_SHOWN: Final = 12  # on one step; the others are counted


class Tone(Enum):
    """How a climber is coloured: still playing, out, or the winner."""

    HERE = "here"
    OUT = "out"
    WINNER = "winner"
    MORE = "more"  # no climber: how many more there are


@dataclass(frozen=True, slots=True)
class Climber:
    """Somebody on a step; ``note`` is a few characters (cards left, say)."""

    name: str
    tone: Tone
    note: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """One step; ``climbers`` are those who stand on it, ``running`` whether play goes on there."""

    label: str
    climbers: tuple[Climber, ...]
    running: bool = False


@dataclass(frozen=True, slots=True)
class Chip:
    """A climber's place in the picture."""

    x: float
    y: float
    width: float
    middle: float
    baseline: float
    text: str
    title: str
    tone: str


@dataclass(frozen=True, slots=True)
class Tread:
    """A step's place in the picture. ``anchor`` is where its label begins, in the direction of reading."""

    x: float
    y: float
    width: float
    height: float
    label: str
    anchor: float
    baseline: float
    running: bool
    chips: tuple[Chip, ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """The whole picture, the highest step first."""

    width: int
    height: float
    treads: tuple[Tread, ...]


def staircase(steps: Sequence[Step], *, right_to_left: bool = False) -> Picture:
    """The picture of these steps, the lowest first. In a language read from the right it rises to the left."""
    slope = min(_MOST_INDENT / max(1, len(steps) - 1), 12)
    treads: list[Tread] = []
    top = 0.0
    for index in range(len(steps) - 1, -1, -1):
        tread = _tread(steps[index], indent=index * slope, top=top, mirrored=right_to_left)
        treads.append(tread)
        top += tread.height + 2
    return Picture(WIDTH, top, tuple(treads))


def _tread(step: Step, *, indent: float, top: float, mirrored: bool) -> Tread:
    shown = list(step.climbers[:MOST_SHOWN])
    hidden = len(step.climbers) - len(shown)
    if hidden:
        shown.append(Climber(f"+{hidden}", Tone.MORE))
    left = indent + _LABEL
    columns = 1 if len(shown) == 1 else 2
    width = (WIDTH - left - _PAD - _GAP * (columns - 1)) / columns
    lines = max(1, -(-len(shown) // columns))
    chips = tuple(
        _chip(
            one, left + (place % columns) * (width + _GAP), top + _PAD / 2 + place // columns * _RISE, width, mirrored
        )
        for place, one in enumerate(shown)
    )
    anchor = WIDTH - indent - _PAD if mirrored else indent + _PAD
    return Tread(
        x=0 if mirrored else indent,
        y=top,
        width=WIDTH - indent,
        height=lines * _RISE + _PAD,
        label=step.label,
        anchor=anchor,
        baseline=top + _PAD / 2 + 17,
        running=step.running,
        chips=chips,
    )


def _chip(climber: Climber, x: float, y: float, width: float, mirrored: bool) -> Chip:
    place = WIDTH - x - width if mirrored else x
    note = f" · {climber.note}" if climber.note else ""
    room = int(width / _CHARACTER) - len(note) - 1
    name = climber.name if len(climber.name) <= room else climber.name[: room - 1] + "…"
    return Chip(
        x=round(place, 1),
        y=y + 2,
        width=round(width, 1),
        middle=round(place + width / 2, 1),
        baseline=y + 17,
        text=name + note,
        title=climber.name + note,
        tone=climber.tone.value,
    )
