"""What proves a game, and what is worth knowing although it is no event of one.

The application's database role may add rows to these tables and not change them, but for what each docstring says
(`database_grants`); triggers refuse the rest to everybody.
"""

from typing import ClassVar, Final

import pgtrigger
from django.conf import settings
from django.db import models
from django.db.models import Q

PERSONS: Final = ("player_id", "subject_id")
"""The columns of an entry that name a person; only these may be emptied later."""


class SigningKey(models.Model):
    """From ``since`` on the server signs with this key, until the next row's ``since``.

    A key that is put back has a second row. ``key`` is the first 16 hexadecimal digits of SHA-256 of the 32 bytes
    of ``public_key``. The private key is never in the database.
    """

    key = models.CharField(max_length=16)
    public_key = models.BinaryField(max_length=32)
    since = models.DateTimeField()

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]
        triggers: ClassVar[list[pgtrigger.Trigger]] = [
            pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return self.key


class GameSignature(models.Model):
    """The server's Ed25519 signature over the last version and hash of a game that is over."""

    game = models.OneToOneField("games.Game", on_delete=models.PROTECT, primary_key=True, related_name="head_signature")
    version = models.PositiveIntegerField()
    hash = models.BinaryField(max_length=32)
    key = models.CharField(max_length=16)
    signature = models.BinaryField(max_length=64)
    signed_at = models.DateTimeField()

    class Meta:
        triggers: ClassVar[list[pgtrigger.Trigger]] = [
            pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return f"signature of {self.game_id}"


class GameCheck(models.Model):
    """The last check of a game: whether its log verified, up to which version, and the first thing that did not fit."""

    game = models.OneToOneField("games.Game", on_delete=models.PROTECT, primary_key=True, related_name="last_check")
    ok = models.BooleanField()
    problem = models.CharField(max_length=300, blank=True)
    version = models.PositiveIntegerField()
    differing = models.CharField(max_length=300, blank=True)  # columns of the summary that the log contradicts
    checked_at = models.DateTimeField()

    class Meta:
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["checked_at"], name="check_by_time"),
            models.Index(fields=["game"], name="check_failed", condition=Q(ok=False)),
        ]

    def __str__(self) -> str:
        return f"check of {self.game_id}: {self.problem or 'it verifies'}"


class AuditRun(models.Model):
    """One run through the games, or through some of them: what is to be checked, and how far it has come.

    ``scope`` says which games, as numbers and texts that mean the same whenever it is read; ``last`` is the newest
    game of the beginning, ``cursor`` the last one that was checked. A night has one run.
    """

    night = models.DateField(null=True, unique=True)
    scope = models.JSONField(default=dict)
    started_at = models.DateTimeField()
    seen_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)
    last = models.UUIDField(null=True)
    cursor = models.UUIDField(null=True)
    games = models.PositiveIntegerField(default=0)
    checked = models.PositiveIntegerField(default=0)
    failed = models.PositiveIntegerField(default=0)
    differing = models.PositiveIntegerField(default=0)

    class Meta:
        ordering: ClassVar[list[str]] = ["-id"]

    def __str__(self) -> str:
        return f"audit of {self.started_at:%F %T}: {self.checked} of {self.games}, {self.failed} failed"


class AuditKind(models.TextChoices):
    """What an entry of the audit log tells of."""

    REFUSED = "refused", "refused command"
    DESK = "desk", "act in the admin"
    LOOKED = "looked", "look at hidden hands"
    ROLE = "role", "change of roles"
    KEY = "key", "change of the signing key"
    FROZEN = "frozen", "game frozen"
    UNFROZEN = "unfrozen", "game unfrozen"


class AuditEntry(models.Model):
    """Something that happened and is no event of a game. Added only; an entry that has expired may be removed.

    ``player`` did it (None: the server, or a player since erased), ``subject`` is the player that it concerns.
    ``code`` says more exactly what, ``data`` the rest, by names that each kind has. Persons stand in these two columns
    alone, so that an erasure empties them.
    """

    # No constraint: the check of it would wait for the lock of a game that is being moved in.
    game = models.ForeignKey(
        "games.Game",
        on_delete=models.DO_NOTHING,
        null=True,
        related_name="audit_entries",
        db_constraint=False,
        db_index=False,
    )
    at = models.DateTimeField()
    kind = models.CharField(max_length=10, choices=AuditKind)
    code = models.CharField(max_length=60, blank=True)
    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    subject = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    seat = models.PositiveSmallIntegerField(null=True)
    version = models.PositiveIntegerField(null=True)
    reason = models.CharField(max_length=500, blank=True)
    data = models.JSONField(default=dict)
    expires_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["-id"]
        verbose_name = "audit log entry"
        verbose_name_plural = "audit log"
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["game", "id"], name="entry_by_game", condition=Q(game__isnull=False)),
            models.Index(fields=["kind", "id"], name="entry_by_kind"),
            models.Index(fields=["game", "player", "at"], name="entry_refused", condition=Q(kind="refused")),
            models.Index(fields=["expires_at"], name="entry_expiring", condition=Q(expires_at__isnull=False)),
        ]
        triggers: ClassVar[list[pgtrigger.Trigger]] = [
            pgtrigger.Trigger(
                name="persons_only",
                when=pgtrigger.Before,
                operation=pgtrigger.Update,
                func="""
                    IF to_jsonb(NEW) - 'player_id' - 'subject_id' = to_jsonb(OLD) - 'player_id' - 'subject_id'
                        AND (NEW.player_id IS NULL OR NEW.player_id = OLD.player_id)
                        AND (NEW.subject_id IS NULL OR NEW.subject_id = OLD.subject_id)
                    THEN RETURN NEW;
                    END IF;
                    RAISE EXCEPTION 'an entry of the audit log is not changed, only emptied of a person';
                """,
            ),
            pgtrigger.Trigger(
                name="expired_only",
                when=pgtrigger.Before,
                operation=pgtrigger.Delete,
                func="""
                    IF OLD.expires_at < now() THEN RETURN OLD;
                    END IF;
                    RAISE EXCEPTION 'an entry of the audit log is not removed before it expires';
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.at:%F %T} {self.kind} {self.code}".rstrip()
