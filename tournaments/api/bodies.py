"""The bodies and queries of requests about tournaments."""

from datetime import UTC, datetime
from typing import Any, Final

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from games.api.paging import MOST_IN_PAGE, PAGE
from games.api.serializers import HouseRules
from games.services.settings import BOUNDS
from players.api.fields import (
    Cursor,
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
from tournaments.models import MOST_NAME, MOST_REASON, EntryStatus, Format, Phase, Visibility
from tournaments.rules import NoShows, Seeding, TableKind
from tournaments.rules.terms import LEAST_SEATS, MOST_ENTRIES, MOST_SEATS
from tournaments.selectors import MOST_LINES
from tournaments.settings import BOT_LEVELS

MOST_VERSION: Final = 2**31 - 1
MOST_CARDS: Final = 1_000
PHASES: Final = list(Phase.values)
FORMATS: Final = list(Format.values)
ENTRY_STATUSES: Final = list(EntryStatus.values)
TABLE_KINDS: Final = [kind.value for kind in TableKind]
SEEDINGS: Final = [seeding.value for seeding in Seeding]
NO_SHOWS: Final = [rule.value for rule in NoShows]
FIRST_PLAYERS: Final = ["youngest", "random"]
WHEN_AWAY: Final = ["bot", "forfeit"]
_EARLIEST: Final = datetime(1970, 1, 1, tzinfo=UTC)


@extend_schema_field(OpenApiTypes.DATETIME)
class Instant(StrictField):
    """An RFC 3339 instant with its offset from UTC, as milliseconds since 1970 UTC."""

    def to_internal_value(self, data: Any) -> int:
        """The milliseconds; what is finer is cut off."""
        if not isinstance(data, str):
            raise field_error("not_a_string")
        try:
            instant = datetime.fromisoformat(data)
        except ValueError:
            raise field_error("not_an_instant") from None
        if instant.tzinfo is None or "T" not in data.upper():
            raise field_error("not_an_instant")
        try:
            since = instant.astimezone(UTC) - _EARLIEST
        except OverflowError:
            raise field_error("not_an_instant") from None
        return (since.days * 86_400 + since.seconds) * 1_000 + since.microseconds // 1_000


def _number(name: str, *, null: bool = False) -> WholeNumber:
    least, most = BOUNDS[name]
    return WholeNumber(least=least, most=most, required=False, allow_null=null)


class TournamentFields(StrictSerializer):
    """What a tournament is held on. Instants of null: by hand; `null` elsewhere only where it says so."""

    name = Text(most=MOST_NAME, required=False)
    visibility = OneOf(choices=Visibility.values, required=False)
    table_kind = OneOf(choices=TABLE_KINDS, required=False, help_text="What is played at each table.")
    table_size = WholeNumber(least=LEAST_SEATS, most=MOST_SEATS, required=False, help_text="N: seats at a table.")
    go_on = WholeNumber(least=1, most=MOST_SEATS - 1, required=False, help_text="K: how many go on from a table.")
    capacity = WholeNumber(least=LEAST_SEATS, most=MOST_ENTRIES, required=False)
    seeding = OneOf(choices=SEEDINGS, required=False)
    check_in = TrueFalse(required=False)
    no_shows = OneOf(choices=NO_SHOWS, required=False, help_text="Who has not checked in at the start.")
    waiting_list = TrueFalse(required=False)
    opens_at = Instant(required=False, allow_null=True)
    closes_at = Instant(required=False, allow_null=True)
    starts_at = Instant(required=False, allow_null=True)
    start_by_clock = TrueFalse(required=False)
    house_rules = HouseRules(required=False, help_text="Without `mode`: `table_kind` says it.")
    turn_seconds = _number("turn_seconds", null=True)
    bank_seconds = _number("bank_seconds")
    increment_seconds = _number("increment_seconds")
    reaction_seconds = _number("reaction_seconds")
    game_minutes = _number("game_minutes", null=True)
    when_away = OneOf(choices=WHEN_AWAY, required=False)
    first_player = OneOf(choices=FIRST_PLAYERS, required=False)
    bot_level = OneOf(choices=BOT_LEVELS, required=False)


class TournamentBody(TournamentFields):
    """A new tournament: its name; the rest has defaults, by its format."""

    name = Text(most=MOST_NAME)
    format = OneOf(choices=FORMATS, default=Format.LADDER.value)


class TournamentChange(TournamentFields):
    """What is to be changed; what is not named stays."""

    format = OneOf(choices=FORMATS, required=False)
    reason = Text(most=MOST_REASON, required=False, allow_null=True)


class ReasonBody(StrictSerializer):
    """Why; interventions need it."""

    reason = Text(most=MOST_REASON, required=False, allow_null=True)


class EntryBody(ReasonBody):
    """Who enters: the caller; or, by the organiser, a player by name or a built-in bot."""

    invite_code = Text(most=64, required=False, allow_null=True)
    player = Name(required=False, allow_null=True, help_text="The organiser's: this player's entry.")
    bot = TrueFalse(default=False, help_text="The organiser's: an entry that a built-in bot plays.")


class PlayerBody(ReasonBody):
    """Who takes the entry's place."""

    player = Name()


class NoShowBody(ReasonBody):
    """What becomes of the seat."""

    bot = TrueFalse(help_text="true: a bot plays it; false: it forfeits the table.")


class AttemptBody(ReasonBody):
    """Which game of the table is meant, so that a late press hits no other."""

    attempt = WholeNumber(least=1, most=MOST_VERSION)


class PlaceBody(StrictSerializer):
    """One entry's place at a table; equals share a rank, and the next counts them all (1, 2, 2, 4)."""

    rank = WholeNumber(least=1, most=MOST_SEATS)
    entry = WholeNumber(least=1, most=MOST_ENTRIES * 2)
    stage = WholeNumber(least=0, most=MOST_SEATS, required=False, allow_null=True)
    cards = WholeNumber(least=0, most=MOST_CARDS, required=False, allow_null=True)


class ResultBody(AttemptBody):
    """The result that holds from now on."""

    result = serializers.ListField(child=PlaceBody(), min_length=LEAST_SEATS, max_length=MOST_SEATS)


class SeedingBody(ReasonBody):
    """Entries by number, best first."""

    order = serializers.ListField(child=WholeNumber(least=1, most=MOST_ENTRIES * 2), max_length=MOST_ENTRIES)


class TournamentQuery(StrictSerializer):
    """Filters of the list of tournaments."""

    phase = OneOf(choices=PHASES, required=False)
    format = OneOf(choices=FORMATS, required=False)
    player = Text(most=24, required=False, help_text="The name of a player with an entry.")
    cursor = Cursor(required=False)
    limit = QueryNumber(least=1, most=MOST_IN_PAGE, default=PAGE)


class LogQuery(StrictSerializer):
    """Which part of the log."""

    after = QueryNumber(least=0, most=MOST_VERSION, default=0, help_text="Exclusive; 0 from the beginning.")
    limit = QueryNumber(least=1, most=MOST_LINES, default=100)
