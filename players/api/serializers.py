"""The bodies of requests about players, and the shapes of their answers for the OpenAPI page."""

from rest_framework import serializers

from players.api.fields import Name, StrictSerializer


class GuestBody(StrictSerializer):
    """Who wants to come in; without a name the server finds one."""

    name = Name(required=False, allow_null=True)


class PlayerShape(serializers.Serializer[None]):
    """A player as everybody may see it."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    guest = serializers.BooleanField()
    bot = serializers.BooleanField()


class MeShape(PlayerShape):
    """The caller."""

    created_at = serializers.DateTimeField()


class GuestShape(serializers.Serializer[None]):
    """A new guest. The token is told this once."""

    player = PlayerShape()
    token = serializers.CharField()


class FieldErrorShape(serializers.Serializer[None]):
    """One wrong field, query parameter or header."""

    field = serializers.CharField(help_text="Dotted path; empty for the body as a whole.")
    code = serializers.CharField()
    detail = serializers.CharField()


class ProblemShape(serializers.Serializer[None]):
    """RFC 9457, with a stable `code`; further members by code."""

    type = serializers.URLField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    code = serializers.CharField()
    errors = FieldErrorShape(many=True, required=False)  # type: ignore[assignment]  # a shape is never validated
    refusal = serializers.CharField(required=False)
    rule = serializers.CharField(required=False)
    version = serializers.IntegerField(required=False)
    phase = serializers.CharField(required=False)
    seats = serializers.IntegerField(required=False)
    limit = serializers.JSONField(required=False)
    seconds = serializers.IntegerField(required=False)
