"""A record made of a log."""

from collections.abc import Iterator
from dataclasses import replace

from games.audit.record.game import Group, Part, Record, Sitting, Tags, Told
from games.audit.record.replaying import lines_of, ranking_of, result_of
from games.audit.verify.checking import Verified, verify_lines
from games.audit.verify.errors import Forged
from games.audit.verify.lines import Line, read_hash
from games.audit.verify.scanning import Lines
from games.audit.verify.steps import Step
from games.clock import Limits
from games.rules.commands import CloseTaki, Command, DeclareLastCard, EndTurn, Play

USUAL_WINDOW_SECONDS = 8
"""Written for a table at which no window ever ran."""


def record_of(
    lines: Lines, *, limits: Limits | None = None, name: str = "", sittings: tuple[Sitting, ...] = ()
) -> Record:
    """The record of a log that is over. Forged if it is not whole: a record tells lawful games only.

    ``limits``: the table's clock; without it, as it is learnt from the log. ValueError where that does not tell it.
    """
    scribe = _Scribe()
    verified = verify_lines(lines, limits=limits, scribe=scribe)
    first = next(iter(lines()))
    tags = _tags(verified, first, limits or _learnt(verified), lines)
    record = Record(replace(tags, name=name, sittings=sittings), tuple(scribe.groups(verified.started_at)))
    _require_same(record, lines)
    return record


def _require_same(record: Record, lines: Lines) -> None:
    """The record leads back to the very log that it was made of."""
    for made, line in zip(lines_of(record), lines(), strict=True):
        if made.hash != line.hash:
            raise Forged("no record leads to this event", version=line.version)


class _Scribe:
    """Gathers the steps of a log into what was done at once."""

    def __init__(self) -> None:
        self._groups: list[tuple[int, int, list[Part]]] = []

    def __call__(self, step: Step) -> None:
        """One more step."""
        groups = self._groups
        at_once = bool(groups) and groups[-1][0] == step.at and not step.apart
        if at_once and _joins(groups[-1][2][-1], step):
            parts = groups[-1][2]
            parts[-1] = parts[-1]._replace(what=(*_commands(parts[-1]), *_commands(_part(step))))
        elif at_once and step.apart is False:
            groups[-1][2].append(_part(step))
        else:
            groups.append((step.at, step.turn, [_part(step)]))

    def groups(self, began: int) -> Iterator[Group]:
        """All of them; each turn's number stands at the first thing told of it."""
        told = -1
        for at, turn, parts in self._groups:
            yield Group(at - began, turn + 1 if turn != told else None, tuple(parts))
            told = turn


def _part(step: Step) -> Part:
    if isinstance(step.what, Command):
        return Part(step.actor, step.seat, (step.what,))
    if isinstance(step.what, Told):
        return Part(step.actor, step.seat, step.what)
    raise TypeError(step.what)


def _commands(part: Part) -> tuple[Command, ...]:
    return part.what if isinstance(part.what, tuple) else ()


def _joins(part: Part, step: Step) -> bool:
    """The step may be a further word of the command (section 15: cards, then last, then close or end)."""
    before = _commands(part)
    if part.actor != step.actor or not before or not isinstance(before[0], Play):
        return False
    if isinstance(before[-1], Play):
        return isinstance(step.what, Play | DeclareLastCard | CloseTaki | EndTurn)
    return isinstance(before[-1], DeclareLastCard) and isinstance(step.what, CloseTaki | EndTurn)


# ---- the tags


def _tags(verified: Verified, first: Line, limits: Limits, lines: Lines) -> Tags:
    last = first
    for line in lines():
        last = line
    return Tags(
        game=verified.game_id,
        rules_version=verified.state.rules_version,
        rules=verified.rules,
        seats=verified.state.seats,
        clock=replace(limits, game_minutes=None, bot_pause_percent=100),
        began=verified.started_at,
        starter=first.actor,
        first=verified.first,
        commitment=bytes.fromhex(verified.commitment),
        entropy=tuple(bytes.fromhex(digest) for digest in verified.entropy),
        seed=read_hash(last.data["server_seed"]) or b"",
        result=result_of(verified),
        ranking=ranking_of(verified.ranking),
        events=verified.version,
        head=verified.head_hash,
        seal=verified.seal,
    )


def _learnt(verified: Verified) -> Limits:
    clock = verified.clock
    if clock.turn is not None and clock.bank is None:
        raise ValueError("the log alone does not tell how long a turn is, and what a bank holds")
    window = USUAL_WINDOW_SECONDS if clock.window is None else clock.window // 1_000
    turn = None if clock.turn is None else clock.turn // 1_000
    return Limits(turn, window, None, (clock.bank or 0) // 1_000, clock.increments[0])
