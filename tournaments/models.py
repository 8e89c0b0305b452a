"""The tables: a tournament's summary, who holds its entries, its log that is only ever added to, and the secret apart.

Every unique key begins with the tournament's id, so that the tables can be partitioned by tournament.
"""

from typing import ClassVar, Final
from uuid import UUID

import pgtrigger
from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from uuid_utils.compat import uuid7

MOST_NAME: Final = 60
MOST_REASON: Final = 500


def new_id() -> UUID:
    """A UUIDv7: new ids sort after old ones."""
    return uuid7()


class Phase(models.TextChoices):
    """Where a tournament is in its life, as the rules have it."""

    DRAFT = "draft", "draft"
    REGISTRATION = "registration", "registration"
    CHECK_IN = "check_in", "check-in"
    RUNNING = "running", "running"
    PAUSED = "paused", "paused"
    FINISHED = "finished", "finished"
    CANCELLED = "cancelled", "cancelled"


class Format(models.TextChoices):
    """One table with one long game, or tables of which the best go on."""

    LADDER = "ladder", "ladder"
    KNOCKOUT = "knockout", "knockout"


class Visibility(models.TextChoices):
    """Who may find and enter a tournament."""

    PUBLIC = "public", "public"
    PRIVATE = "private", "private"


class EntryStatus(models.TextChoices):
    """What an entry is, as the rules have it."""

    WAITING = "waiting", "on the waiting list"
    ENTERED = "entered", "entered"
    PLAYING = "playing", "playing"
    ABSENT = "absent", "did not come"
    WITHDRAWN = "withdrawn", "withdrawn"
    DISQUALIFIED = "disqualified", "disqualified"


class Tournament(models.Model):
    """A tournament and the summary of its log.

    ``owner`` is its organiser; None once erased. ``invite_code`` is empty for a public one. ``tables`` holds what
    every game of it is created with (`tournaments.settings`). The columns under "derived" repeat what the log says;
    only `store` writes them. Times are UTC. At ``wakes_at`` something may follow by the clock alone; up to version
    ``advanced_to`` everything that follows by itself has been done.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    name = models.CharField(max_length=MOST_NAME)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    visibility = models.CharField(max_length=8, choices=Visibility, default=Visibility.PUBLIC)
    invite_code = models.CharField(max_length=16, blank=True)
    tables = models.JSONField(default=dict)
    bot_level = models.CharField(max_length=20, default="greedy")
    commitment = models.CharField(max_length=64)
    created_at = models.DateTimeField(auto_now_add=True)
    revision = models.PositiveIntegerField(default=0)  # counts changes of the columns above

    # Derived.
    phase = models.CharField(max_length=12, choices=Phase, default=Phase.DRAFT)
    version = models.PositiveIntegerField(default=0)
    terms = models.JSONField(default=dict)
    format = models.CharField(max_length=8, choices=Format)
    capacity = models.PositiveIntegerField()
    taken = models.PositiveIntegerField(default=0)
    waiting = models.PositiveIntegerField(default=0)
    rounds = models.PositiveIntegerField(default=0)
    champion = models.PositiveIntegerField(null=True)  # an entry's number
    opens_at = models.DateTimeField(null=True)
    closes_at = models.DateTimeField(null=True)
    starts_at = models.DateTimeField(null=True)
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    wakes_at = models.DateTimeField(null=True)
    advanced_to = models.PositiveIntegerField(default=0)
    last_command = models.UUIDField(null=True)  # of the last event, by which it is known again
    last_ordinal = models.PositiveIntegerField(default=0)

    class Meta:
        ordering: ClassVar[list[str]] = ["-id"]
        permissions = (("run_tournament", "Can run any tournament as its organiser"),)
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["phase", "-id"], name="tournament_by_phase"),
            models.Index(fields=["wakes_at"], name="tournament_wakes", condition=Q(wakes_at__isnull=False)),
            models.Index(fields=["id"], name="tournament_undone", condition=Q(version__gt=F("advanced_to"))),
        ]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=Q(visibility="public", invite_code="") | (Q(visibility="private") & ~Q(invite_code="")),
                name="tournament_invite_code",
            ),
            models.CheckConstraint(condition=Q(advanced_to__lte=F("version")), name="tournament_advanced_to"),
        ]

    def __str__(self) -> str:
        return self.name


class TournamentSecret(models.Model):
    """The seed, in a table of its own so that no reading of a tournament can carry it along."""

    tournament = models.OneToOneField(Tournament, on_delete=models.PROTECT, primary_key=True, related_name="+")
    seed = models.BinaryField(max_length=32)

    def __str__(self) -> str:
        return f"secret of {self.tournament_id}"


class Entry(models.Model):
    """Entry ``number`` and who holds it now; ``player`` is None for a bot's own entry, or once erased.

    Derived from the log: ``status``, ``checked_in``, ``bot`` (a bot plays for it), ``holder`` (which holder it is,
    from 1) and ``counts``: its player may have no other entry in this tournament.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="entries", db_index=False)
    number = models.PositiveIntegerField()
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="tournament_entries"
    )
    registered_at = models.DateTimeField(auto_now_add=True)
    status = models.CharField(max_length=12, choices=EntryStatus)
    checked_in = models.BooleanField(default=False)
    bot = models.BooleanField(default=False)
    holder = models.PositiveIntegerField(default=1)
    counts = models.BooleanField(default=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["tournament_id", "number"]
        verbose_name_plural = "entries"
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["tournament", "number"], name="entry_number"),
            models.UniqueConstraint(
                fields=["tournament", "player"], condition=Q(counts=True), name="entry_one_a_player"
            ),
            models.CheckConstraint(condition=Q(number__gte=1), name="entry_from_1"),
        ]

    def __str__(self) -> str:
        return f"entry {self.number}"


class EntryHolder(models.Model):
    """Who held an entry from one version of the tournament's log to another; ``until_version`` is None while it lasts.

    Without a player: a bot's own entry, or a player that was erased.
    """

    id = models.BigAutoField(primary_key=True)
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="holders", db_index=False)
    holder = models.PositiveIntegerField()
    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    from_version = models.PositiveIntegerField()
    until_version = models.PositiveIntegerField(null=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["entry_id", "holder"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["entry", "holder"], name="entry_holder_once"),
        ]

    def __str__(self) -> str:
        return f"holder {self.holder} of {self.entry_id}"


class TournamentReason(models.Model):
    """Why somebody did something, in their words. They may name people, so they are kept apart and can be erased."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="reasons")
    text = models.CharField(max_length=MOST_REASON, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.text


class TournamentEvent(models.Model):
    """One event of a tournament's log. A trigger and the application's database role refuse to change or delete it.

    ``actor`` is an opaque id (a player's) or `clock`; ``reason_id`` names a `TournamentReason`. ``ordinal`` is the
    event's place among those of its command; the first one carries ``digest``, by which a repeated command is told
    from another that took the same id. ``recorded_at`` has whole milliseconds.
    """

    pk = models.CompositePrimaryKey("tournament_id", "version")
    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="events", db_index=False)
    version = models.PositiveIntegerField()
    type = models.CharField(max_length=40)
    schema = models.PositiveSmallIntegerField()
    data = models.JSONField()
    command_id = models.UUIDField()
    ordinal = models.PositiveIntegerField()
    digest = models.BinaryField(max_length=32, null=True)
    actor = models.CharField(max_length=40)
    reason_id = models.UUIDField(null=True)
    recorded_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar[list[str]] = ["tournament_id", "version"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["tournament", "command_id", "ordinal"], name="tournament_event_once"),
            models.CheckConstraint(condition=Q(version__gte=1), name="tournament_event_version"),
        ]
        triggers: ClassVar[list[pgtrigger.Trigger]] = [
            pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return f"{self.version} {self.type}"


class TournamentTable(models.Model):
    """The game of one attempt at a table. Written with the game and the event that opens it, in one transaction.

    ``lineup`` says for each seat of the game who has been put there: ``2 · holder``, and one more if a bot plays.
    ``settled``: the game is over and the log has what became of it, or it was given up and aborted.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="games", db_index=False)
    number = models.PositiveIntegerField()
    attempt = models.PositiveIntegerField()
    game = models.OneToOneField("games.Game", on_delete=models.PROTECT, related_name="+")
    lineup = ArrayField(models.PositiveIntegerField())
    settled = models.BooleanField(default=False)

    class Meta:
        ordering: ClassVar[list[str]] = ["tournament_id", "number", "attempt"]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["tournament"], name="table_unsettled", condition=Q(settled=False)),
        ]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["tournament", "number", "attempt"], name="table_once_an_attempt"),
        ]

    def __str__(self) -> str:
        return f"table {self.number}, attempt {self.attempt}"
