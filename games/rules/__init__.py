"""The rules of TAKI as a pure library: command → events → state. It needs the standard library alone.

>>> from games.rules import State, Seat, decide, parse_command
>>> state = State.parse("hands=R1,R3,R4/G1,G3 pile=R9")
>>> [type(event).__name__ for event in decide(state, Seat(0), parse_command("play R1")[0])]
['CardPlayed', 'TurnPassed']
"""

from games.rules.cards import CARDS, HIDDEN, Card, Color, Face, Lead, Seat
from games.rules.commands import ALL_COMMANDS, COMMAND_ID, Command
from games.rules.decide import Advance, advance, decide
from games.rules.events import Event
from games.rules.evolve import evolve, replay
from games.rules.legal import grey_cards, legal_commands, legal_mask, may_act, refusal
from games.rules.notation import format_command, parse_command
from games.rules.ranking import ranking
from games.rules.refusals import Refusal, Refused
from games.rules.ruleset import DEFAULT_RULES, RULES_VERSION, Ruleset
from games.rules.setup import start
from games.rules.state import State
from games.rules.views import View, evolve_view, redact, view_for

__all__ = [
    "ALL_COMMANDS",
    "CARDS",
    "COMMAND_ID",
    "DEFAULT_RULES",
    "HIDDEN",
    "RULES_VERSION",
    "Advance",
    "Card",
    "Color",
    "Command",
    "Event",
    "Face",
    "Lead",
    "Refusal",
    "Refused",
    "Ruleset",
    "Seat",
    "State",
    "View",
    "advance",
    "decide",
    "evolve",
    "evolve_view",
    "format_command",
    "grey_cards",
    "legal_commands",
    "legal_mask",
    "may_act",
    "parse_command",
    "ranking",
    "redact",
    "refusal",
    "replay",
    "start",
    "view_for",
]
