"""The shapes of answers about tournaments, for the OpenAPI page; answers themselves are plain dicts (`answers`)."""

from rest_framework import serializers

from games.api.shapes import HouseRulesShape
from players.api.shapes import Shape, choice
from tournaments.api.bodies import (
    ENTRY_STATUSES,
    FIRST_PLAYERS,
    FORMATS,
    NO_SHOWS,
    PHASES,
    SEEDINGS,
    TABLE_KINDS,
    WHEN_AWAY,
)
from tournaments.models import Visibility
from tournaments.rules import TableStatus
from tournaments.rules.codec import EVENT_TYPES
from tournaments.rules.stages import StageKind, StageStatus
from tournaments.rules.standings import Group
from tournaments.rules.state import Ending
from tournaments.settings import BOT_LEVELS

EVENT_NAMES = list(EVENT_TYPES)
TABLE_STATUSES = [status.value for status in TableStatus]
STAGE_KINDS = [kind.value for kind in StageKind]
STAGE_STATUSES = [status.value for status in StageStatus]
GROUPS = [group.value for group in Group]
ENDINGS = [ending.value for ending in Ending]


class PersonShape(Shape):
    """A player by id and name; without an id it was erased."""

    id = serializers.UUIDField(allow_null=True)
    name = serializers.CharField()


class EntryShape(Shape):
    """One entry; `bot`: the level of the bot that plays for it, if one does. `player` null: a bot's own entry."""

    number = serializers.IntegerField()
    player = PersonShape(allow_null=True)
    bot = serializers.CharField(allow_null=True)
    status = choice(ENTRY_STATUSES)
    checked_in = serializers.BooleanField()
    waiting_place = serializers.IntegerField(allow_null=True, help_text="On the waiting list, from 1.")
    seed = serializers.IntegerField(allow_null=True, help_text="Its place in the seeding order, from 1.")


class EntriesShape(Shape):
    """All entries, by number."""

    version = serializers.IntegerField()
    entries = EntryShape(many=True)


class TournamentLinksShape(Shape):
    """Where the rest is."""

    self = serializers.URLField()
    entries = serializers.URLField()
    stages = serializers.URLField()
    standings = serializers.URLField()
    tables = serializers.URLField()
    log = serializers.URLField()
    stream = serializers.URLField(help_text="Live, on the stream process.")


class TournamentShape(Shape):
    """A tournament: what it is held on, and where it is in its life."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    phase = choice(PHASES)
    version = serializers.IntegerField()
    organiser = PersonShape(allow_null=True)
    visibility = choice(Visibility.values)
    invite_code = serializers.CharField(allow_null=True, help_text="For whoever runs it, or has an entry.")
    format = choice(FORMATS)
    table_kind = choice(TABLE_KINDS)
    table_size = serializers.IntegerField()
    go_on = serializers.IntegerField()
    capacity = serializers.IntegerField()
    seeding = choice(SEEDINGS)
    check_in = serializers.BooleanField()
    no_shows = choice(NO_SHOWS)
    waiting_list = serializers.BooleanField()
    opens_at = serializers.DateTimeField(allow_null=True)
    closes_at = serializers.DateTimeField(allow_null=True)
    starts_at = serializers.DateTimeField(allow_null=True)
    start_by_clock = serializers.BooleanField()
    house_rules = HouseRulesShape()
    turn_seconds = serializers.IntegerField(allow_null=True)
    bank_seconds = serializers.IntegerField()
    increment_seconds = serializers.IntegerField()
    reaction_seconds = serializers.IntegerField()
    game_minutes = serializers.IntegerField(allow_null=True)
    when_away = choice(WHEN_AWAY)
    first_player = choice(FIRST_PLAYERS)
    bot_level = choice(BOT_LEVELS)
    taken = serializers.IntegerField(help_text="Places taken.")
    waiting = serializers.IntegerField(help_text="Entries on the waiting list.")
    rounds = serializers.IntegerField(help_text="Rounds seated so far.")
    champion = EntryShape(allow_null=True)
    entry = EntryShape(allow_null=True, help_text="The caller's own.")
    may_run = serializers.BooleanField(help_text="The caller may act as its organiser.")
    commitment = serializers.CharField(help_text="To the seed of every draw.")
    seed = serializers.CharField(allow_null=True, help_text="Once it is over.")
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)
    now = serializers.DateTimeField()
    links = TournamentLinksShape()


class TournamentListedShape(Shape):
    """A tournament in a list."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    phase = choice(PHASES)
    version = serializers.IntegerField()
    organiser = PersonShape(allow_null=True)
    visibility = choice(Visibility.values)
    format = choice(FORMATS)
    capacity = serializers.IntegerField()
    taken = serializers.IntegerField()
    waiting = serializers.IntegerField()
    opens_at = serializers.DateTimeField(allow_null=True)
    closes_at = serializers.DateTimeField(allow_null=True)
    starts_at = serializers.DateTimeField(allow_null=True)
    started_at = serializers.DateTimeField(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)
    links = TournamentLinksShape()


class TournamentListShape(Shape):
    """One page of tournaments."""

    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = TournamentListedShape(many=True)


class StageEntryShape(Shape):
    """Somebody in a stage; `left` is null while it stands there, `table` and `place` are a knockout's."""

    entry = serializers.IntegerField()
    player = PersonShape(allow_null=True)
    bot = serializers.CharField(allow_null=True)
    seat = serializers.IntegerField(allow_null=True)
    entered = serializers.DateTimeField()
    left = serializers.DateTimeField(allow_null=True)
    cards = serializers.IntegerField(allow_null=True)
    table = serializers.IntegerField(allow_null=True)
    place = serializers.IntegerField(allow_null=True)
    goes_on = serializers.BooleanField(allow_null=True)


class StageShape(Shape):
    """A stage of a ladder (`hand`, from 8 down to 1) or a round of a knockout (`round`, from 1)."""

    number = serializers.IntegerField()
    kind = choice(STAGE_KINDS)
    status = choice(STAGE_STATUSES)
    entries = StageEntryShape(many=True)


class StagesShape(Shape):
    """All stages, the first first; empty before there is anything to show."""

    version = serializers.IntegerField()
    stages = StageShape(many=True)


class StandingShape(Shape):
    """One line of the standings; equals share a rank until a draw parts them at the end (`drawn`)."""

    rank = serializers.IntegerField()
    entry = serializers.IntegerField()
    player = PersonShape(allow_null=True)
    bot = serializers.CharField(allow_null=True)
    group = choice(GROUPS)
    round = serializers.IntegerField(help_text="The last it was in; 0: none.")
    place = serializers.IntegerField(allow_null=True, help_text="At its table there.")
    stage = serializers.IntegerField(allow_null=True)
    cards = serializers.IntegerField(allow_null=True)
    still_in = serializers.BooleanField()
    champion = serializers.BooleanField()
    drawn = serializers.BooleanField()


class StandingsShape(Shape):
    """Everyone who is ranked, best first; empty before the start."""

    version = serializers.IntegerField()
    standings = StandingShape(many=True)


class TableSeatShape(Shape):
    """A seat of a table; `out`: the entry has left the table."""

    seat = serializers.IntegerField()
    entry = serializers.IntegerField()
    player = PersonShape(allow_null=True)
    bot = serializers.CharField(allow_null=True)
    out = serializers.BooleanField()


class PlaceShape(Shape):
    """One entry in a table's result."""

    rank = serializers.IntegerField()
    entry = serializers.IntegerField()
    stage = serializers.IntegerField(allow_null=True)
    cards = serializers.IntegerField(allow_null=True)


class TournamentTableShape(Shape):
    """A table; `game`: of the present attempt, once it has begun; `games`: of all attempts."""

    number = serializers.IntegerField()
    round = serializers.IntegerField()
    attempt = serializers.IntegerField()
    status = choice(TABLE_STATUSES)
    since = serializers.DateTimeField()
    seats = TableSeatShape(many=True)
    game = serializers.UUIDField(allow_null=True)
    games = serializers.ListField(child=serializers.UUIDField())
    result = PlaceShape(many=True, allow_null=True)
    ending = choice(ENDINGS, allow_null=True)


class TournamentTablesShape(Shape):
    """All tables, by number."""

    version = serializers.IntegerField()
    tables = TournamentTableShape(many=True)


class TournamentEventShape(Shape):
    """A line of the log. `reason` is for whoever runs the tournament, and staff; null if there is none or it is not."""

    version = serializers.IntegerField()
    type = choice(EVENT_NAMES)
    # A shape is never validated.
    data = serializers.DictField()  # type: ignore[assignment]
    at = serializers.DateTimeField()
    by = PersonShape(allow_null=True, help_text="null: the clock, or an erased player.")
    reason = serializers.CharField(allow_null=True)


class TournamentLogShape(Shape):
    """Some of the log, in order."""

    version = serializers.IntegerField(help_text="Of the tournament; the log goes on up to it.")
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    events = TournamentEventShape(many=True)
