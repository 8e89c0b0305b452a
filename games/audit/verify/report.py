"""What came of a check, for people and for programs."""

from dataclasses import dataclass
from typing import Any, Final

from games.audit.verify.checking import Verified
from games.audit.verify.errors import Forged, Unreadable
from games.audit.verify.pins import Pins, Signed
from games.clock import moment, timestamp
from games.rules.notation import format_position

CHECKS: Final = (
    "every hash of the chain, from the game's id to the head",
    "the seed against its commitment, and with it every salt, the deal, each shuffle and each card drawn",
    "every act: that it was its seat's, and allowed by the rules; and that they make exactly these events of it",
    "deadlines, banks, missed turns and absences, by the log's own times",
    "the final ranking",
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """One game's check: ``verified`` when it is whole, else ``problem``; ``pins`` are what it was held against."""

    name: str
    pins: Pins
    verified: Verified | None = None
    signed: Signed | None = None
    problem: Forged | None = None

    @property
    def word(self) -> str:
        """`whole`, `forged` or `unreadable`."""
        if self.problem is None:
            return "whole"
        return "unreadable" if isinstance(self.problem, Unreadable) else "forged"


def as_text(outcome: Outcome) -> str:
    """Some lines for people."""
    problem, verified = outcome.problem, outcome.verified
    if problem is not None:
        return "\n".join(_problem_lines(outcome, problem))
    return "\n".join(_whole_lines(outcome, verified)) if verified is not None else ""


def _problem_lines(outcome: Outcome, problem: Forged) -> list[str]:
    lines = [f"{outcome.name}: {outcome.word.upper()}"]
    lines.append(f"  version {problem.version}: {problem.what}" if problem.version else f"  {problem.what}")
    if problem.found:
        lines.append(f"    found     {problem.found}")
    if problem.expected:
        lines.append(f"    expected  {problem.expected}")
    return lines


def _whole_lines(outcome: Outcome, verified: Verified) -> list[str]:
    rules = " ".join(f"{name}={str(value).lower()}" for name, value in verified.rules.chosen().items()) or "the box's"
    played = f"{timestamp(moment(verified.started_at))} to {timestamp(moment(verified.ended_at))}"
    return [
        f"{outcome.name}: WHOLE",
        f"  events      {verified.version:,}; {verified.commands:,} acts decided again",
        f"  played      {played}, {verified.state.seats} seats, rules version {verified.state.rules_version}",
        f"  house rules {rules}",
        f"  ended       {_end(verified)}",
        f"  ranking     {_ranking(verified)}",
        f"  began       seat {verified.first}, {_first(outcome, verified)}",
        f"  clock       {_clock(outcome, verified)}",
        *(f"  outside     {what}" for what in verified.outside),
        f"  commitment  {verified.commitment}, {_pinned(outcome.pins.commitment or outcome.pins.published)}",
        f"  head        {verified.head_hash.hex()}, {_pinned(outcome.pins.head)}",
        f"  signature   {_signature(outcome.signed)}",
        *([f"  receipts    {len(outcome.pins.receipts)} match"] if outcome.pins.receipts else []),
    ]


def _end(verified: Verified) -> str:
    reason = verified.reason.value if verified.reason else ""
    winner = "" if verified.state.winner is None else f" by seat {verified.state.winner}"
    return f"{reason}{winner}{', and does not count (aborted)' if verified.aborted else ''}"


def _ranking(verified: Verified) -> str:
    ladder = verified.rules.ladder
    return ", ".join(
        f"{placing.rank}. seat {placing.seat} ({placing.cards} cards{f', stage {placing.stage}' if ladder else ''})"
        for placing in verified.ranking
    )


def _first(outcome: Outcome, verified: Verified) -> str:
    if verified.first_drawn:
        return "whom the seed draws among all seats"
    setting = outcome.pins.published.get("first_player", "which the log does not hold")
    return f"not whom the seed draws among all seats, but by the table's setting ({setting})"


def _clock(outcome: Outcome, verified: Verified) -> str:
    clock, source = verified.clock, "as published" if outcome.pins.published else "as learnt from the log"
    parts = [
        f"turn {_seconds(clock.turn)}" if clock.turn is not None else "no turn clock",
        f"bank {_seconds(clock.bank)}" if clock.bank is not None else "banks not told",
        f"window {_seconds(clock.window)}" if clock.window is not None else "no window",
    ]
    return f"{', '.join(parts)}, {source}"


def _seconds(milliseconds: int) -> str:
    return f"{milliseconds / 1_000:g} s"


def _pinned(held_against: object) -> str:
    return "as held against" if held_against else "compared with nothing"


def _signature(signed: Signed | None) -> str:
    if signed is None:
        return "none"
    source = "a published key" if signed.pinned else "a key that came with the file: compare it with GET /api/v1/keys/"
    return f"by key {signed.key}, {source}"


def as_json(outcome: Outcome) -> dict[str, Any]:
    """An object for programs."""
    problem, verified = outcome.problem, outcome.verified
    told: dict[str, Any] = {"file": outcome.name, "result": outcome.word}
    if problem is not None:
        told |= {"version": problem.version, "what": problem.what, "found": problem.found, "expected": problem.expected}
    if verified is not None:
        told |= _facts(verified)
        signed = outcome.signed
        told["signature"] = None if signed is None else {"key": signed.key, "pinned": signed.pinned}
        told["receipts"] = len(outcome.pins.receipts)
    return told


def _facts(verified: Verified) -> dict[str, Any]:
    return {
        "game": str(verified.game_id),
        "events": verified.version,
        "commands": verified.commands,
        "head": verified.head_hash.hex(),
        "commitment": verified.commitment,
        "rules_version": verified.state.rules_version,
        "house_rules": verified.rules.as_mapping(),
        "first": verified.first,
        "first_drawn": verified.first_drawn,
        "outside": list(verified.outside),
        "ended": verified.reason.value if verified.reason else None,
        "aborted": verified.aborted,
        "ranking": [
            {"rank": it.rank, "seat": it.seat, "cards": it.cards, "stage": it.stage} for it in verified.ranking
        ],
        "position": format_position(verified.state),
    }
