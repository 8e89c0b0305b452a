"""The list of problem codes."""

from django.http import HttpResponse
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request

from config.problems import problem_list
from players.api.answers import answer, response
from players.api.door import Endpoint
from players.api.schema import reading
from players.api.shapes import Shape


class ProblemKindShape(Shape):
    """One code of a problem."""

    code = serializers.CharField()
    type = serializers.URLField()
    status = serializers.IntegerField()
    title = serializers.CharField()
    detail = serializers.CharField()


class FieldErrorKindShape(Shape):
    """One code of an entry in `errors`."""

    code = serializers.CharField()
    detail = serializers.CharField()


class RefusalKindShape(Shape):
    """One refusal of the rules."""

    refusal = serializers.CharField()
    detail = serializers.CharField()


class ProblemListShape(Shape):
    """Every code that an answer may have."""

    problems = ProblemKindShape(many=True)
    # A shape is never validated.
    fields = FieldErrorKindShape(many=True)  # type: ignore[assignment]
    refusals = RefusalKindShape(many=True)
    tournament_refusals = RefusalKindShape(many=True)


class ProblemsView(Endpoint):
    """Every code that an answer may have, with its sentence in the caller's language."""

    authentication_classes = ()
    permission_classes = (AllowAny,)

    @reading("problems_list", "Problem codes", ProblemListShape, without=(401, 403, 404))
    def get(self, _request: Request) -> HttpResponse:
        """The codes of problems, of wrong fields, and of refusals."""
        return response(answer(problem_list()), cache="public, max-age=300")
