"""The shapes of answers about games, for the OpenAPI page; answers themselves are plain dicts (`answers`)."""

from typing import Any

from rest_framework import serializers

from games.api.commands import TYPES
from games.audit.signing import ALGORITHM
from games.models import FirstPlayer, Phase, Visibility, WhenAway
from games.rules.cards import Color
from games.rules.codec import EVENT_TYPES
from games.rules.commands import COMMAND_ID
from games.rules.refusals import Refusal
from games.rules.ruleset import house_rules_schema
from games.rules.state import Again
from players.api.shapes import Shape, choice


def _rule_field(rule: dict[str, Any]) -> serializers.Field[Any, Any, Any, Any]:
    default = rule["default"]
    if rule["type"] == "boolean":
        return serializers.BooleanField(default=default)
    if rule["type"] == "integer":
        return serializers.IntegerField(min_value=rule["minimum"], max_value=rule["maximum"], default=default)
    return choice(rule["enum"], default=default)


_RULES: Any = house_rules_schema()["properties"]
HouseRulesShape = type(
    "HouseRulesShape",
    (Shape,),
    {
        "__doc__": "House rules by name (section 13 of the rules); in a request, those not named have their defaults.",
        **{name: _rule_field(rule) for name, rule in _RULES.items()},
    },
)
COLORS = [color.value for color in Color]
AGAIN = [again.value for again in Again]
REFUSALS = [refusal.value for refusal in Refusal]
EVENT_NAMES = list(EVENT_TYPES)
ALGORITHMS = [ALGORITHM]


class SeatPlayerShape(Shape):
    """Who sits there; without an id whoever sat there was erased."""

    id = serializers.UUIDField(allow_null=True)
    name = serializers.CharField()


class SeatShape(Shape):
    """One seat: a player, a built-in bot of a level, or free (both null)."""

    seat = serializers.IntegerField()
    player = SeatPlayerShape(allow_null=True)
    bot = serializers.CharField(allow_null=True)
    cards = serializers.IntegerField(allow_null=True)
    stage = serializers.IntegerField(allow_null=True)
    bank = serializers.IntegerField(allow_null=True)
    away = serializers.BooleanField()
    connected = serializers.BooleanField()


class PlacingShape(Shape):
    """A seat in the final ranking."""

    rank = serializers.IntegerField()
    seat = serializers.IntegerField()
    cards = serializers.IntegerField()
    stage = serializers.IntegerField(allow_null=True)


class LinksShape(Shape):
    """Where the rest is."""

    self = serializers.URLField()
    view = serializers.URLField()
    legal = serializers.URLField()
    commands = serializers.URLField()
    events = serializers.URLField()
    poll = serializers.URLField()
    stream = serializers.URLField()
    states = serializers.CharField(help_text="A template (RFC 6570) of the position at a version.")
    audit = serializers.URLField()
    export = serializers.URLField()
    record = serializers.URLField()
    replay = serializers.URLField(allow_null=True, help_text="The page that replays it, once it is over.")


class FrozenShape(Shape):
    """A game whose log does not verify: since when, and why."""

    at = serializers.DateTimeField()
    reason = serializers.CharField()


class GameShape(Shape):
    """A table and its game."""

    id = serializers.UUIDField()
    name = serializers.CharField(allow_null=True)
    phase = choice(Phase.values)
    version = serializers.IntegerField()
    house_rules = HouseRulesShape()
    visibility = choice(Visibility.values)
    invite_code = serializers.CharField(allow_null=True)
    commitment = serializers.CharField()
    rematch_of = serializers.UUIDField(allow_null=True)
    turn_seconds = serializers.IntegerField(allow_null=True)
    bank_seconds = serializers.IntegerField()
    increment_seconds = serializers.IntegerField()
    reaction_seconds = serializers.IntegerField()
    game_minutes = serializers.IntegerField(allow_null=True)
    when_away = choice(WhenAway.values)
    first_player = choice(FirstPlayer.values)
    seats_free = serializers.IntegerField()
    seats = SeatShape(many=True)
    spectators = serializers.IntegerField(help_text="How many follow it on a stream without a seat.")
    host = serializers.IntegerField(allow_null=True)
    turn = serializers.IntegerField(allow_null=True)
    winner = serializers.IntegerField(allow_null=True)
    ranking = PlacingShape(many=True, allow_null=True)
    abort_reason = serializers.CharField(allow_null=True, help_text="For those who sit there, and staff.")
    deadline = serializers.DateTimeField(allow_null=True)
    frozen = FrozenShape(allow_null=True)
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)
    now = serializers.DateTimeField()
    links = LinksShape()


class GameListShape(Shape):
    """One page of tables, the newest first."""

    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = GameShape(many=True)


class WindowShape(Shape):
    """A +3 that awaits answers."""

    seat = serializers.IntegerField()
    answered = serializers.BooleanField()
    deadline = serializers.DateTimeField(allow_null=True)


class ViewShape(Shape):
    """The position as the caller sees it; a spectator's `seat` and `hand` are null."""

    version = serializers.IntegerField()
    phase = choice(Phase.values)
    seat = serializers.IntegerField(allow_null=True)
    hand = serializers.ListField(child=serializers.CharField(), allow_null=True)
    cards = serializers.ListField(child=serializers.IntegerField())
    draw_pile = serializers.IntegerField()
    top = serializers.CharField()
    lead = serializers.CharField()
    turn = serializers.IntegerField()
    direction = serializers.IntegerField()
    owe = serializers.IntegerField()
    taki = choice(COLORS, allow_null=True)
    run = choice(COLORS, allow_null=True)
    again = choice(AGAIN, allow_null=True)
    window = WindowShape(allow_null=True)
    last = serializers.ListField(child=serializers.IntegerField())
    left = serializers.ListField(child=serializers.IntegerField())
    stages = serializers.ListField(child=serializers.IntegerField(), allow_null=True)
    bank = serializers.ListField(child=serializers.IntegerField(), allow_null=True)
    away = serializers.ListField(child=serializers.IntegerField())
    may_act = serializers.BooleanField()
    winner = serializers.IntegerField(allow_null=True)
    ranking = PlacingShape(many=True, allow_null=True)
    deadline = serializers.DateTimeField(allow_null=True)
    now = serializers.DateTimeField()


class StateShape(ViewShape):
    """The position at an earlier version, as it was seen then; `now` is now. `hands`: with `as=all` only, by seat."""

    hands = serializers.ListField(
        child=serializers.ListField(child=serializers.CharField()),
        required=False,
    )


class TicketShape(Shape):
    """What opens one stream, once, without a header."""

    ticket = serializers.CharField()
    expires_at = serializers.DateTimeField()
    url = serializers.URLField(help_text="The stream's address, the ticket in it.")


class OwnSeatShape(Shape):
    """The caller's own seat, told to nobody else."""

    seat = serializers.IntegerField()
    auto_accept = serializers.BooleanField()
    entropy = serializers.CharField(allow_null=True)


class LegalCommandShape(Shape):
    """An atomic command; its id never changes its meaning."""

    id = serializers.IntegerField(min_value=0, max_value=len(COMMAND_ID) - 1)
    command = serializers.CharField()
    type = choice(TYPES)
    card = serializers.CharField(allow_null=True)
    color = choice(COLORS, allow_null=True)


class GreyCardShape(Shape):
    """A card in hand that cannot be laid now, and why."""

    card = serializers.CharField()
    refusal = choice(REFUSALS)
    rule = serializers.CharField()


class LegalShape(Shape):
    """What the caller's seat may do now."""

    version = serializers.IntegerField()
    commands = LegalCommandShape(many=True)
    refused = GreyCardShape(many=True)


class EventShape(Shape):
    """One event; a card that the caller may not know is "?"."""

    version = serializers.IntegerField()
    type = choice(EVENT_NAMES)
    # A shape is never validated.
    data = serializers.DictField()  # type: ignore[assignment]
    at = serializers.DateTimeField()


class EventListShape(Shape):
    """Events in ascending order; `next` is null at the head of the log."""

    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = EventShape(many=True)


class ReceiptShape(Shape):
    """The server's signature that it has accepted the command; `GET /api/v1/keys/` says what is signed."""

    game = serializers.UUIDField()
    version = serializers.IntegerField()
    hash = serializers.CharField()
    command_id = serializers.UUIDField()
    key = serializers.CharField()
    signature = serializers.CharField()


class MoveShape(Shape):
    """A command that was carried out."""

    version = serializers.IntegerField()
    events = EventShape(many=True)
    view = ViewShape()
    receipt = ReceiptShape()


class FullEventShape(Shape):
    """One event of a game that is over, as its hash covers it; the last one also carries the end's signature."""

    game = serializers.UUIDField()
    version = serializers.IntegerField()
    type = choice(EVENT_NAMES)
    schema = serializers.IntegerField()
    # A shape is never validated.
    data = serializers.DictField()  # type: ignore[assignment]
    actor = serializers.CharField()
    at = serializers.DateTimeField()
    hash = serializers.CharField()
    signature = serializers.CharField(required=False)
    key = serializers.CharField(required=False)
    public_key = serializers.CharField(required=False)


class SignatureShape(Shape):
    """The server's signature of the last version and hash; hexadecimal."""

    version = serializers.IntegerField()
    hash = serializers.CharField()
    algorithm = choice(ALGORITHMS)
    key = serializers.CharField()
    public_key = serializers.CharField(allow_null=True)
    signature = serializers.CharField()
    signed_at = serializers.DateTimeField()


class VerificationShape(Shape):
    """The server's own last check; `problem` is the first thing that did not fit, at the `version` of then."""

    ok = serializers.BooleanField()
    problem = serializers.CharField(allow_null=True)
    version = serializers.IntegerField()
    checked_at = serializers.DateTimeField()


class AuditShape(Shape):
    """What the server is bound to; hexadecimal. `server_seed` and `looks` are null until the game is over."""

    version = serializers.IntegerField()
    phase = choice(Phase.values)
    hash = serializers.CharField()
    commitment = serializers.CharField()
    entropy = serializers.ListField(child=serializers.CharField())
    server_seed = serializers.CharField(allow_null=True)
    signature = SignatureShape(allow_null=True)
    verification = VerificationShape(allow_null=True)
    frozen = FrozenShape(allow_null=True)
    looks = serializers.ListField(child=serializers.DateTimeField(), allow_null=True)
    keys = serializers.URLField()


class KeyShape(Shape):
    """A public key, hexadecimal. `until` is null for the present one."""

    key = serializers.CharField(help_text="The first 16 hexadecimal digits of SHA-256 of the public key.")
    algorithm = choice(ALGORITHMS)
    public_key = serializers.CharField()
    until = serializers.DateTimeField(allow_null=True)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """With `from`, which is no name in Python."""
        return {**super().get_fields(), "from": serializers.DateTimeField()}


class SignedBytesShape(Shape):
    """The parts of what is signed; a line feed stands between two of them. All is ASCII."""

    head = serializers.ListField(child=serializers.CharField())
    receipt = serializers.ListField(child=serializers.CharField())


class KeyListShape(Shape):
    """Every key, oldest first."""

    keys = KeyShape(many=True)
    bytes = SignedBytesShape()
