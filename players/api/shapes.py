"""Shapes of answers for the OpenAPI page. Nothing is rendered by them: answers are plain dicts."""

from collections.abc import Iterable
from typing import Any

from drf_spectacular.drainage import set_override
from rest_framework import serializers


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


class MeShape(PlayerShape):
    """The caller."""

    created_at = serializers.DateTimeField()


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
