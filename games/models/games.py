"""The tables: a game's summary, who sits where, the log that is only ever added to, and the secret apart.

Every unique key begins with the game's id, so that the tables can be partitioned by game.
"""

from typing import ClassVar, Final
from uuid import UUID

import pgtrigger
from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from uuid_utils.compat import uuid7

MOST_SEATS: Final = 10


def new_id() -> UUID:
    """A UUIDv7: new ids sort after old ones."""
    return uuid7()


class Phase(models.TextChoices):
    """Where a game is in its life."""

    LOBBY = "lobby", "lobby"
    PLAYING = "playing", "playing"
    FINISHED = "finished", "finished"
    ABORTED = "aborted", "aborted"


class Visibility(models.TextChoices):
    """Who may find and enter a table."""

    PUBLIC = "public", "public"
    PRIVATE = "private", "private"


class FirstPlayer(models.TextChoices):
    """Who begins (rule S4)."""

    YOUNGEST = "youngest", "youngest"
    RANDOM = "random", "random"
    HOST = "host", "host"


class WhenAway(models.TextChoices):
    """What becomes of a seat whose player is away."""

    BOT = "bot", "a bot plays it"
    FORFEIT = "forfeit", "it leaves the game"


class Game(models.Model):
    """A table and the summary of its game.

    The columns under "derived" repeat what the log says; only `projections` writes them, and `games_rebuild`
    can write them anew. Times are UTC; ``deadline`` is the seat's or the window's, ``stop_at`` the table's
    (``game_minutes``, or forgotten); from ``bot_due_at`` on a bot's move is awaited; time lost since ``clock_from``
    is still to be credited; ``banks`` has milliseconds, by seat (empty without a turn clock).
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    name = models.CharField(max_length=60, blank=True)
    visibility = models.CharField(max_length=8, choices=Visibility, default=Visibility.PUBLIC)
    invite_code = models.CharField(max_length=16, blank=True)
    house_rules = models.JSONField(default=dict)
    seats = models.PositiveSmallIntegerField(default=4)
    turn_seconds = models.PositiveIntegerField(null=True, default=60)
    bank_seconds = models.PositiveIntegerField(default=0)
    increment_seconds = models.PositiveIntegerField(default=0)
    reaction_seconds = models.PositiveIntegerField(default=8)
    game_minutes = models.PositiveIntegerField(null=True)
    when_away = models.CharField(max_length=8, choices=WhenAway, default=WhenAway.BOT)
    first_player = models.CharField(max_length=8, choices=FirstPlayer, default=FirstPlayer.YOUNGEST)
    commitment = models.CharField(max_length=64)
    created_at = models.DateTimeField(auto_now_add=True)

    # The lobby's, written by services under the game's lock.
    host_seat = models.PositiveSmallIntegerField(null=True)
    seats_free = models.PositiveSmallIntegerField(default=0)
    lobby_revision = models.PositiveIntegerField(default=0)
    seating_revision = models.PositiveIntegerField(default=0)  # also counts what others may not see
    abort_reason = models.CharField(max_length=200, blank=True)
    bot_sent_at = models.DateTimeField(null=True)  # when the sweep last woke a bot; of no meaning to the game
    rematch_of = models.ForeignKey("self", on_delete=models.PROTECT, null=True, related_name="rematches")

    # The audit's: a game whose log does not verify is frozen, and nothing is added to it.
    frozen_at = models.DateTimeField(null=True)
    frozen_reason = models.CharField(max_length=200, blank=True)

    # Derived.
    phase = models.CharField(max_length=8, choices=Phase, default=Phase.LOBBY)
    version = models.PositiveIntegerField(default=0)
    head_hash = models.BinaryField(max_length=32)
    first_seat = models.PositiveSmallIntegerField(null=True)
    turn = models.PositiveSmallIntegerField(null=True)
    direction = models.SmallIntegerField(null=True)
    cards = ArrayField(models.PositiveSmallIntegerField(), default=list)
    stages = ArrayField(models.PositiveSmallIntegerField(), default=list)
    left = ArrayField(models.PositiveSmallIntegerField(), default=list)
    away = ArrayField(models.PositiveSmallIntegerField(), default=list)
    banks = ArrayField(models.PositiveIntegerField(), default=list)
    deadline = models.DateTimeField(null=True)
    clock_from = models.DateTimeField(null=True)
    stop_at = models.DateTimeField(null=True)
    bot_due_at = models.DateTimeField(null=True)
    winner = models.PositiveSmallIntegerField(null=True)
    ranking = models.JSONField(null=True)
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["-id"]
        permissions = (
            ("look_at_hands", "May look at the hidden hands of a running game"),
            ("unfreeze_game", "May let a frozen game go on"),
        )
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["phase", "-id"], name="game_by_phase"),
            # The sweeps look through the running games; an index on a time would be rewritten with each move.
            models.Index(fields=["id"], name="game_playing", condition=Q(phase="playing")),
            models.Index(fields=["id"], name="game_frozen", condition=Q(frozen_at__isnull=False)),
        ]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=Q(seats__range=(2, MOST_SEATS)), name="game_seats"),
            models.CheckConstraint(condition=Q(seats_free__lte=F("seats")), name="game_seats_free"),
            models.CheckConstraint(
                condition=Q(visibility="public", invite_code="") | (Q(visibility="private") & ~Q(invite_code="")),
                name="game_invite_code",
            ),
        ]

    def __str__(self) -> str:
        return self.name or str(self.id)


class Watch(models.Model):
    """A spell in which somebody looked at the clocks without a pause; the last one lasts.

    Between two of them, from ``down_since`` to ``began_at``, the service was down. Times are the database's.
    """

    down_since = models.DateTimeField(null=True)  # the end of the spell before; None for the first
    began_at = models.DateTimeField()
    last_at = models.DateTimeField()

    class Meta:
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["began_at"], name="watch_began"),
            models.Index(fields=["last_at"], name="watch_last"),
        ]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            # Two sweeps at once that find the same pause record it once.
            models.UniqueConstraint(fields=["down_since"], name="watch_once_a_pause", nulls_distinct=False),
        ]

    def __str__(self) -> str:
        return f"watched from {self.began_at:%F %T} to {self.last_at:%F %T}"


class GameSecret(models.Model):
    """The server's seed, in a table of its own so that no reading of a game can carry it along."""

    game = models.OneToOneField(Game, on_delete=models.PROTECT, primary_key=True, related_name="+")
    server_seed = models.BinaryField(max_length=32)

    def __str__(self) -> str:
        return f"secret of {self.game_id}"


class Seat(models.Model):
    """Who sat on a seat from one version of the game to another: a player, or a built-in bot of a level.

    ``until_version`` is None while it lasts. A player that was erased leaves the row with neither.
    """

    pk = models.CompositePrimaryKey("game_id", "seat", "from_version")
    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="seating", db_index=False)
    seat = models.PositiveSmallIntegerField()
    from_version = models.PositiveIntegerField(default=0)
    until_version = models.PositiveIntegerField(null=True)
    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="seats")
    bot = models.CharField(max_length=20, blank=True)
    entropy = models.BinaryField(max_length=64, default=bytes)
    auto_accept = models.BooleanField(default=False)

    class Meta:
        ordering: ClassVar[list[str]] = ["game_id", "seat", "from_version"]
        indexes: ClassVar[list[models.Index]] = [
            # The sweep looks for seats whose player was erased.
            models.Index(
                fields=["game"],
                name="seat_empty",
                condition=Q(until_version=None, player=None, bot=""),
            ),
        ]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["game", "seat"], condition=Q(until_version__isnull=True), name="seat_one_at_a_time"
            ),
            models.UniqueConstraint(
                fields=["game", "player"], condition=Q(until_version__isnull=True), name="seat_one_a_player"
            ),
            models.CheckConstraint(condition=Q(player__isnull=True) | Q(bot=""), name="seat_player_or_bot"),
        ]

    def __str__(self) -> str:
        return f"seat {self.seat} of {self.game_id}"


class GameEvent(models.Model):
    """One event of a game's log. A trigger and the application's database role refuse to change or delete it.

    ``ordinal`` is the event's place among those of its command; the first one carries ``digest``, by which a
    repeated command is told from another that took the same id. ``recorded_at`` has whole milliseconds.
    """

    pk = models.CompositePrimaryKey("game_id", "version")
    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="events", db_index=False)
    version = models.PositiveIntegerField()
    type = models.CharField(max_length=40)
    schema = models.PositiveSmallIntegerField()
    data = models.JSONField()
    command_id = models.UUIDField()
    ordinal = models.PositiveSmallIntegerField()
    digest = models.BinaryField(max_length=32, null=True)
    actor = models.CharField(max_length=20)
    recorded_at = models.DateTimeField()
    hash = models.BinaryField(max_length=32)

    class Meta:
        ordering: ClassVar[list[str]] = ["game_id", "version"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["game", "command_id", "ordinal"], name="event_once_a_command"),
            models.CheckConstraint(condition=Q(version__gte=1), name="event_version"),
        ]
        triggers: ClassVar[list[pgtrigger.Trigger]] = [
            pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return f"{self.version} {self.type}"
