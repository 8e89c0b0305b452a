"""The list of problem codes."""

from django.http import HttpResponse
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request

from config.problems import problem_list
from players.api.answers import answer, response
from players.api.door import Endpoint
from players.api.schema import reading


class ProblemKind(serializers.Serializer[None]):
    """One code of a problem."""

    code = serializers.CharField()
    type = serializers.URLField()
    status = serializers.IntegerField()
    title = serializers.CharField()
    detail = serializers.CharField()


class FieldErrorKind(serializers.Serializer[None]):
    """One code of an entry in `errors`."""

    code = serializers.CharField()
    detail = serializers.CharField()


class RefusalKind(serializers.Serializer[None]):
    """One refusal of the rules."""

    refusal = serializers.CharField()
    detail = serializers.CharField()


class ProblemList(serializers.Serializer[None]):
    """Every code that an answer may have."""

    problems = ProblemKind(many=True)
    # A shape is never validated.
    fields = FieldErrorKind(many=True)  # type: ignore[assignment]
    refusals = RefusalKind(many=True)


class ProblemsView(Endpoint):
    """Every code that an answer may have, with its sentence in the caller's language."""

    authentication_classes = ()
    permission_classes = (AllowAny,)

    @reading("Problem codes", ProblemList, without=(401, 404))
    def get(self, _request: Request) -> HttpResponse:
        """The codes of problems, of wrong fields, and of refusals."""
        return response(answer(problem_list()), cache="public, max-age=300")
