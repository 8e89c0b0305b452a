"""Shapes of answers for the OpenAPI page. Nothing is rendered by them: answers are plain dicts."""

from collections.abc import Iterable
from typing import Any

from django.conf import settings
from drf_spectacular.drainage import set_override
from rest_framework import serializers

from players.models import Scope


class Shape(serializers.Serializer[None]):
    """An object; the class `GameShape` is the component `Game`."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        set_override(cls, "component_name", cls.__name__.removesuffix("Shape"))


def choice(values: Iterable[str], **kwargs: Any) -> serializers.ChoiceField:
    """One of these texts."""
    return serializers.ChoiceField(choices=list(values), **kwargs)


class PlayerShape(Shape):
    """A player as everybody may see it."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    guest = serializers.BooleanField()
    bot = serializers.BooleanField()


class ProfileShape(PlayerShape):
    """A player, and since when."""

    created_at = serializers.DateTimeField()


class MeLinksShape(Shape):
    """Where the rest is."""

    self = serializers.URLField()
    export = serializers.URLField()
    stream = serializers.URLField(help_text="Everything that concerns the caller, live, on the stream process.")


class MeShape(ProfileShape):
    """The caller; the rest is private."""

    email = serializers.EmailField(allow_null=True, help_text="null: a guest.")
    email_verified = serializers.BooleanField(help_text="Mails are sent to a verified address only.")
    birth_year = serializers.IntegerField(allow_null=True, help_text="Finds the youngest, who begins (rule S4).")
    language = choice([code for code, _ in settings.LANGUAGES], allow_null=True, help_text="Of mails.")
    notify_by_email = serializers.BooleanField()
    links = MeLinksShape()


class TokenShape(Shape):
    """A token, without its text."""

    id = serializers.UUIDField()
    name = serializers.CharField(allow_null=True)
    scopes = serializers.ListField(child=choice(Scope.values))
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField(allow_null=True, help_text="null: it does not run out.")
    last_used_on = serializers.DateField(help_text="The day, in UTC.")
    current = serializers.BooleanField(help_text="This request came with it.")


class NewTokenShape(TokenShape):
    """A new token. The text is told this once."""

    token = serializers.CharField()


class TokenListShape(Shape):
    """All tokens of a player: there are few enough for one page."""

    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = TokenShape(many=True)


class ExportShape(Shape):
    """Everything that is known of a player, by part; those with many entries are streamed."""

    exported_at = serializers.DateTimeField()
    player = MeShape()
    emails = serializers.ListField(child=serializers.JSONField())
    tokens = TokenShape(many=True)
    sessions = serializers.ListField(child=serializers.JSONField())
    games = serializers.ListField(child=serializers.JSONField())
    notices = serializers.ListField(child=serializers.JSONField())
    tournaments = serializers.ListField(child=serializers.JSONField())
    audit_log = serializers.ListField(child=serializers.JSONField())


class GuestShape(Shape):
    """A new guest. The token is told this once."""

    player = PlayerShape()
    token = serializers.CharField()


class FieldErrorShape(Shape):
    """One wrong field, query parameter or header."""

    field = serializers.CharField(help_text="Dotted path; empty for the body as a whole.")
    code = serializers.CharField()
    detail = serializers.CharField()


class ProblemShape(Shape):
    """RFC 9457, with a stable `code` (listed at `/api/v1/problems/`); further members by code."""

    type = serializers.URLField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    code = serializers.CharField()
    language = serializers.CharField(help_text="Of title and detail.")
    direction = choice(("ltr", "rtl"), help_text="Which way that language is written.")
    # A shape is never validated.
    errors = FieldErrorShape(many=True, required=False)  # type: ignore[assignment]
    refusal = serializers.CharField(required=False)
    rule = serializers.CharField(required=False)
    version = serializers.IntegerField(required=False)
    phase = serializers.CharField(required=False)
    entry = serializers.IntegerField(required=False)
    seats = serializers.IntegerField(required=False)
    limit = serializers.JSONField(required=False, help_text="The name of a rate limit, or a number of games.")
    seconds = serializers.IntegerField(required=False)
