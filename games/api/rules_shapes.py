"""The shapes of the rulebook and the cards, for the OpenAPI page."""

from rest_framework import serializers

from games.api.shapes import COLORS, REFUSALS, HouseRulesShape
from games.rules.cards import Face
from games.rules.ruleset import Deck
from players.api.shapes import Shape, choice

DIRECTIONS = ["ltr", "rtl"]
FACES = [face.value for face in Face]


class SectionShape(Shape):
    """A chapter."""

    name = serializers.CharField()
    title = serializers.CharField()


class ExampleShape(Shape):
    """One command at one position. `expect`: words of a position after it, or `refused` and a code."""

    house_rules = HouseRulesShape(help_text="Those that differ from their defaults.")
    position = serializers.CharField(help_text="One line of `key=value` words, as `notation` says.")
    seat = serializers.IntegerField(allow_null=True, help_text="Null for a command of the server.")
    command = serializers.CharField()
    expect = serializers.CharField()
    text = serializers.CharField()


class RuleShape(Shape):
    """One rule. `choice`: the reason, where the printed rules left a choice. `house_rules`: what changes it."""

    id = serializers.CharField()
    section = serializers.CharField()
    title = serializers.CharField()
    text = serializers.CharField()
    choice = serializers.CharField(allow_null=True)
    house_rules = serializers.ListField(child=serializers.CharField())
    example = ExampleShape()


class HouseRuleValueShape(Shape):
    """One choice, and what it means."""

    value = serializers.JSONField(help_text="A text, or true or false.")
    text = serializers.CharField()


class HouseRuleTextShape(Shape):
    """One house rule: its choices, the default first, or the bounds of its number."""

    name = serializers.CharField()
    title = serializers.CharField()
    text = serializers.CharField()
    default = serializers.JSONField(help_text="A text, a number, or true or false.")
    values = HouseRuleValueShape(many=True)
    least = serializers.IntegerField(allow_null=True)
    most = serializers.IntegerField(allow_null=True)


class RefusalTextShape(Shape):
    """Why a move is refused, and what to do then."""

    refusal = choice(REFUSALS)
    cause = serializers.CharField()
    cure = serializers.CharField()


class RulebookShape(Shape):
    """The rulebook in one language."""

    version = serializers.CharField()
    language = serializers.CharField()
    direction = choice(DIRECTIONS)
    title = serializers.CharField()
    introduction = serializers.CharField()
    notation = serializers.CharField()
    words = serializers.ListField(child=serializers.CharField())
    sections = SectionShape(many=True)
    rules = RuleShape(many=True)
    house_rules = HouseRuleTextShape(many=True)
    refusals = RefusalTextShape(many=True)


class CardKindShape(Shape):
    """A kind of card, and how often the deck holds it."""

    code = serializers.CharField()
    color = choice(COLORS, allow_null=True)
    face = choice(FACES)
    count = serializers.IntegerField()
    name = serializers.CharField()


class DeckShape(Shape):
    """One deck; `cards` is how many it has."""

    deck = choice([deck.value for deck in Deck])
    cards = serializers.IntegerField()
    kinds = CardKindShape(many=True)


class DeckPageShape(Shape):
    """The decks with the names of their cards in one language."""

    version = serializers.CharField()
    language = serializers.CharField()
    direction = choice(DIRECTIONS)
    decks = DeckShape(many=True)
