"""Players and their tokens. Names are personal data: they live here and never in a game's events."""

from datetime import UTC, date, datetime
from typing import Any, ClassVar, Final
from uuid import UUID

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.contrib.postgres.fields import ArrayField
from django.contrib.sessions.base_session import AbstractBaseSession
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from uuid_utils.compat import uuid7

from players.names import MOST, BadName, is_reserved, name_key, name_normal


def new_id() -> UUID:
    """A UUIDv7: new ids sort after old ones."""
    return uuid7()


def today() -> date:
    """The day in UTC."""
    return datetime.now(UTC).date()


class Scope(models.TextChoices):
    """What a token may be used for."""

    READ = "read", "look at what the player may see"
    PLAY = "play", "sit down, move, leave"
    BOT = "bot", "play as a program"
    ORGANISE = "organise", "run tournaments"


def player_scopes() -> list[str]:
    """The scopes of a token that a player is given on coming in."""
    return [Scope.READ.value, Scope.PLAY.value]


class PlayerManager(BaseUserManager["Player"]):
    """Makes players; finds them by name without regard to case."""

    def create_user(self, name: str, password: str | None = None, **fields: Any) -> "Player":
        """A player with an account. BadName, or IntegrityError when the name is taken."""
        player = self.model(name=name_normal(name), **fields)
        player.set_password(password)
        player.save(using=self._db)
        return player

    def create_superuser(self, name: str, password: str | None = None, **fields: Any) -> "Player":
        """A player who may see and do everything in the admin."""
        return self.create_user(name, password, **{"is_staff": True, "is_superuser": True, **fields})

    def get_by_natural_key(self, username: str | None) -> "Player":
        """The player of this name, for logging in. DoesNotExist when there is none."""
        return self.get(key=name_key(username or ""))


class Player(AbstractBaseUser, PermissionsMixin):
    """Somebody who can sit at a table: a person with or without an account (guest), or a program (bot).

    The server's own bots are not players: their seats name a level instead.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    name = models.CharField(max_length=MOST, unique=True)
    # Case folding can lengthen a text, threefold at most; PostgreSQL's lower() would depend on its locale.
    key = models.CharField(max_length=3 * MOST, unique=True, editable=False)
    email = models.EmailField(null=True, blank=True, db_index=True)
    guest = models.BooleanField(default=False)
    bot = models.BooleanField(default=False)
    language = models.CharField(max_length=8, blank=True)  # of mails; empty: whatever the request prefers
    notify_by_email = models.BooleanField(default=False)
    birth_year = models.PositiveSmallIntegerField(null=True, blank=True)
    is_active = models.BooleanField(default=True)
    is_staff = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    USERNAME_FIELD = "name"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []
    objects = PlayerManager()

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=Q(birth_year__isnull=True) | Q(birth_year__range=(1900, 2200)),
                name="player_birth_year_plausible",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Save; the key follows the name."""
        self.key = name_key(self.name)
        if (changed := kwargs.get("update_fields")) is not None and "name" in changed:
            kwargs["update_fields"] = {*changed, "key"}
        super().save(*args, **kwargs)

    def clean(self) -> None:
        """Bring the name into its normal form. ValidationError when it is none, or taken in whatever case."""
        try:
            self.name = name_normal(self.name)
        except BadName as bad:
            raise ValidationError({"name": str(bad.__doc__)}) from bad
        if is_reserved(self.name) or Player.objects.exclude(pk=self.pk).filter(key=name_key(self.name)).exists():
            raise ValidationError({"name": "This name is taken."})


TOKEN_DIGEST_BYTES: Final = 32


class Token(models.Model):
    """A bearer token. Only its SHA-256 is kept, so a stolen table opens no door."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="tokens")
    digest = models.BinaryField(max_length=TOKEN_DIGEST_BYTES, unique=True, editable=False)
    name = models.CharField(max_length=60, blank=True)
    scopes = ArrayField(models.CharField(max_length=16, choices=Scope.choices), default=player_scopes)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    last_used_on = models.DateField(default=today)

    class Meta:
        ordering: ClassVar[list[str]] = ["-id"]

    def __str__(self) -> str:
        return self.name or str(self.id)


class Session(AbstractBaseSession):
    """A log-in that lasts. It knows its player, so that all of them can be ended, and go with the player."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, null=True, related_name="sessions")

    @classmethod
    def get_session_store_class(cls) -> type[Any]:
        """Where sessions are read and written."""
        from players.sessions import SessionStore  # noqa: PLC0415  (it knows this model)

        return SessionStore


class KeptAnswer(models.Model):
    """What a creating request was answered, for a day: the same `Idempotency-Key` gets the same answer again.

    ``caller`` is a player's id or a keyed hash of an address. No secret is kept in ``body``.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    caller = models.CharField(max_length=64)
    route = models.CharField(max_length=200)
    key = models.UUIDField()
    digest = models.BinaryField(max_length=32)
    status = models.PositiveSmallIntegerField(default=0)
    headers = models.JSONField(default=dict)
    body = models.BinaryField(default=bytes)
    created_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["caller", "route", "key"], name="kept_answer_once"),
        ]

    def __str__(self) -> str:
        return f"{self.route} {self.key}"


class Mail(models.Model):
    """A mail that is still to be sent: written with what it tells of, sent by a task, gone once it left.

    ``next_at`` is when the next try is due, after ``tries`` that failed.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    to = models.EmailField()
    subject = models.CharField(max_length=200)
    body = models.TextField()
    headers = models.JSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True)
    tries = models.PositiveSmallIntegerField(default=0)
    next_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"mail {self.id}"
