"""Record the golden games anew: ``python -m tests.rules.golden.record``. The difference is a change of the rules.

Twenty tables over all seat counts and both modes; every house rule is used at a value that is not its default.
"""

from __future__ import annotations

import random
from itertools import count
from pathlib import Path
from typing import Final

from games.rules.cards import Seat
from games.rules.commands import LEAVE, STOP, TIMEOUT, Command, Draw, Play
from games.rules.decide import advance
from games.rules.evolve import replay
from games.rules.legal import legal_commands, may_act
from games.rules.ruleset import Ruleset
from games.rules.state import State
from tests.rules.golden.transcript import Act, transcript
from tests.rules.laws.random_games import Table

LIVELY: Final = range(40, 120)
FOLDER: Final = Path(__file__).parent / "games"

TABLES: Final[tuple[tuple[str, int, dict[str, object]], ...]] = (
    ("the box", 2, {}),
    ("the box", 4, {}),
    ("the box", 10, {}),
    ("the tournament", 2, {"mode": "ladder", "max_turns": 60}),
    ("the tournament", 5, {"mode": "ladder", "max_turns": 45}),
    ("a short ladder to its end", 3, {"mode": "ladder", "hand_size": 3}),
    ("without +3 and Breaker", 3, {"deck": "king_112"}),
    ("without King and Super TAKI too", 6, {"deck": "classic_108", "opening_card": "number"}),
    ("small hands, no last card", 4, {"hand_size": 5, "last_card": "off"}),
    ("a dear last card", 2, {"hand_size": 4, "last_card_penalty": 7, "last_card_grace_seconds": 0}),
    ("no open TAKI", 3, {"open_taki": False}),
    ("all of a run", 4, {"taki_all": True}),
    ("strict runs, no King on a +3", 5, {"change_color_in_run": False, "king_on_plus_three": False}),
    ("+3 on a stack", 7, {"plus_three_on_stack": True}),
    ("a Breaker stops the win", 3, {"breaker_stops_win": True, "hand_size": 3}),
    ("the King leaves the lead", 4, {"king_lead": "under", "super_taki_color": "choose"}),
    ("two who skip", 2, {"two_player_direction": "skip", "voluntary_draw": True}),
    ("Plus may win, and may draw", 3, {"plus_finishes": True, "plus_may_draw": True, "hand_size": 5}),
    ("a big ladder", 8, {"mode": "ladder", "hand_size": 10, "max_turns": 30}),
    ("nine at the table", 9, {"mode": "ladder", "plus_three_on_stack": True, "max_turns": 35}),
)


def record() -> None:
    """Write every game to its file."""
    FOLDER.mkdir(exist_ok=True)
    for number, (title, seats, rules) in enumerate(TABLES, start=1):
        table, acts = _lively_game(number, seats, Ruleset.from_mapping(rules))
        lines = [f"# {title}: {seats} seats", *transcript(table, acts)]
        (FOLDER / f"{number:02}.txt").write_text("\n".join(lines) + "\n", encoding="ascii")


def _lively_game(number: int, seats: int, rules: Ruleset) -> tuple[Table, list[Act]]:
    """The first game that is neither over at once nor too long to read."""
    for trial in count():
        chance = random.Random(100 * number + trial)
        table = Table(rules, seats, Seat(number % seats), chance.randbytes(32))
        acts = _acts(table, chance)
        if len(acts) in LIVELY:
            return table, acts
    raise AssertionError("count() never ends")


def _acts(table: Table, chance: random.Random) -> list[Act]:
    state = replay(table.opening(), seed=table.seed)
    acts: list[Act] = []
    while not state.over:
        seat, command = _choose(state, chance)
        acts.append((seat, (command,)))
        state = advance(state, seat, (command,)).state
    return acts


def _choose(state: State, chance: random.Random) -> tuple[Seat | None, Command]:
    """Mostly plays, so that the games are lively; a few timeouts, and now and then somebody leaves."""
    luck = chance.random()
    if luck < 0.02:
        return None, TIMEOUT
    if luck < 0.021:
        return None, STOP
    staying = [Seat(seat) for seat in range(state.seats) if seat not in state.left]
    if luck < 0.025 and len(staying) > 2:
        return chance.choice(staying), LEAVE
    due = [seat for seat in state.last if chance.random() < 0.7]
    seat = due[0] if due else chance.choice([seat for seat in staying if may_act(state, seat)])
    legal = [command for command in legal_commands(state, seat) if command is not LEAVE]
    lively = [command for command in legal if isinstance(command, Play)] or legal
    return seat, chance.choice(legal if due or isinstance(lively[0], Draw) or chance.random() < 0.3 else lively)


if __name__ == "__main__":
    record()
