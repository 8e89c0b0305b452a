"""The bodies of requests about games."""

from dataclasses import fields
from typing import Any, Final

from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from games.api.commands import MOST_CARDS, MOST_TEXT, MOST_VERSION, THEN, TYPES
from games.api.paging import MOST_IN_PAGE, PAGE
from games.api.shapes import COLORS, HouseRulesShape
from games.models import MOST_SEATS, FirstPlayer, Phase, Visibility, WhenAway
from games.rules.ruleset import Mode, Ruleset, house_rules_schema
from games.selectors import LEVEL_NAMES, MOST_EVENTS
from games.services.settings import BOUNDS, GameSettings
from games.services.starting import MOST_REASON
from players.api.fields import (
    Cursor,
    Hex,
    Name,
    OneOf,
    QueryNumber,
    StrictField,
    StrictSerializer,
    Text,
    TrueFalse,
    WholeNumber,
    field_error,
)

ENTROPY_BYTES: Final = 64
THEN_WORDS: Final = list(THEN)
LOOKING: Final = [*(str(seat) for seat in range(MOST_SEATS)), "spectator", "all"]
_DEFAULT: Final[dict[str, Any]] = {field.name: field.default for field in fields(GameSettings)}
_HOUSE_RULES: Final = house_rules_schema()


@extend_schema_field(HouseRulesShape)
class HouseRules(StrictField):
    """House rules by name (section 13 of the rules); those not named have their defaults."""

    def to_internal_value(self, data: Any) -> Ruleset:
        """The ruleset. ValidationError names every house rule that is wrong."""
        if not isinstance(data, dict):
            raise field_error("not_an_object")
        errors = {name[:64]: wrong.detail for name, value in data.items() if (wrong := _rule_error(name, value))}
        if errors:
            raise ValidationError(errors)
        return Ruleset.from_mapping(data)


def _rule_error(name: str, value: object) -> ValidationError | None:
    try:
        Ruleset.from_mapping({name: value})
    except ValueError:
        return _named_error(name, value)
    return None


def _named_error(name: str, value: object) -> ValidationError:
    known: Any = _HOUSE_RULES["properties"]
    if name not in known:
        return field_error("unknown")
    rule = known[name]
    if rule["type"] == "boolean":
        return field_error("not_a_boolean")
    if rule["type"] == "integer":
        if type(value) is not int:
            return field_error("not_an_integer")
        return field_error("out_of_range", least=rule["minimum"], most=rule["maximum"])
    if not isinstance(value, str):
        return field_error("not_a_string")
    return field_error("not_a_choice", choices=", ".join(rule["enum"]))


def _number(name: str, *, null: bool = False) -> WholeNumber:
    least, most = BOUNDS[name]
    return WholeNumber(least=least, most=most, default=_DEFAULT[name], allow_null=null)


class GameBody(StrictSerializer):
    """A new table; everything has a default."""

    name = Name(required=False, allow_null=True)
    seats = _number("seats")
    house_rules = HouseRules(required=False)
    visibility = OneOf(choices=Visibility.choices, default=_DEFAULT["visibility"])
    turn_seconds = _number("turn_seconds", null=True)
    bank_seconds = _number("bank_seconds")
    increment_seconds = _number("increment_seconds")
    reaction_seconds = _number("reaction_seconds")
    game_minutes = _number("game_minutes", null=True)
    when_away = OneOf(choices=WhenAway.values, default=_DEFAULT["when_away"])
    first_player = OneOf(choices=FirstPlayer.choices, default=_DEFAULT["first_player"])
    entropy = Hex(bytes_most=ENTROPY_BYTES, required=False, allow_null=True)


class JoinBody(StrictSerializer):
    """Where to sit, and what lets one in."""

    invite_code = Text(most=64, required=False, allow_null=True)
    seat = WholeNumber(least=0, most=MOST_SEATS - 1, required=False, allow_null=True)
    entropy = Hex(bytes_most=ENTROPY_BYTES, required=False, allow_null=True)


class EntropyBody(StrictSerializer):
    """What one adds to the shuffle."""

    entropy = Hex(bytes_most=ENTROPY_BYTES, required=False, allow_null=True)


class AbortBody(StrictSerializer):
    """Why the game shall not count; staff must say so."""

    reason = Text(most=MOST_REASON, required=False, allow_null=True)


class BotBody(StrictSerializer):
    """Which built-in bot."""

    level = OneOf(choices=LEVEL_NAMES)


class OwnSeatBody(StrictSerializer):
    """The caller's own seat; what is named changes. `seat` and `entropy` in the lobby only."""

    auto_accept = TrueFalse(required=False, help_text="Accept every +3 from the next one on, whatever the hand.")
    seat = WholeNumber(least=0, most=MOST_SEATS - 1, required=False, help_text="Move to this free seat.")
    entropy = Hex(bytes_most=ENTROPY_BYTES, required=False, help_text="Instead of what was given before; public.")


class PageQuery(StrictSerializer):
    """Which page of a list."""

    cursor = Cursor(required=False)
    limit = QueryNumber(least=1, most=MOST_IN_PAGE, default=PAGE)


class PlayerGamesQuery(PageQuery):
    """Filters of one player's games."""

    phase = OneOf(choices=Phase.values, required=False)
    mode = OneOf(choices=[mode.value for mode in Mode], required=False)


class GameQuery(PageQuery):
    """Filters of the list of games."""

    phase = OneOf(choices=Phase.values, required=False)
    mode = OneOf(choices=[mode.value for mode in Mode], required=False)
    seats_free = QueryNumber(least=1, most=MOST_SEATS, required=False, help_text="At least so many.")
    player = Text(most=24, required=False, help_text="The name of a player who sits there.")


class EventQuery(StrictSerializer):
    """Which part of a log."""

    after = QueryNumber(least=0, most=MOST_VERSION, default=0, help_text="Exclusive; 0 from the beginning.")
    limit = QueryNumber(least=1, most=MOST_EVENTS, required=False, help_text="100 by default.")


StateQuery = type(
    "StateQuery",
    (StrictSerializer,),
    {
        "__doc__": "Through whose eyes: a seat's, a spectator's, or with every hand open.",
        # A keyword of Python, so that the class cannot be written out.
        "as": OneOf(
            choices=LOOKING,
            required=False,
            help_text="One's own seat by default, or a spectator's eyes. Another seat, and all: when the game is over.",
        ),
    },
)


# ---- commands are read by `games.api.commands`; these describe them (a test compares the two)


class CardBody(StrictSerializer):
    """A card to lay, and the colour that it names, if it names one."""

    card = Text(most=3)
    color = OneOf(choices=COLORS, required=False, allow_null=True)


class CommandFields(StrictSerializer):
    """A command in fields; `cards`, `last_card` and `then` go with `play` only."""

    type = OneOf(choices=TYPES)
    cards = serializers.ListField(child=CardBody(), min_length=1, max_length=MOST_CARDS, required=False)
    # No default is told: a generated client would send it with `draw`.
    last_card = TrueFalse(required=False)
    then = OneOf(choices=THEN_WORDS, required=False, allow_null=True)
    expected_version = WholeNumber(least=0, most=MOST_VERSION, required=False, allow_null=True)


class CommandText(StrictSerializer):
    """A command in the short form: `play RT R3 R+2 close`."""

    command = Text(most=MOST_TEXT)
    expected_version = WholeNumber(least=0, most=MOST_VERSION, required=False, allow_null=True)


COMMAND_BODY: Final = PolymorphicProxySerializer(
    component_name="Command", serializers=[CommandFields, CommandText], resource_type_field_name=None
)
