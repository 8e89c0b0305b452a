"""The list of problem codes."""

from django.http import Http404, HttpResponse
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request

from config.problem_texts import PROBLEMS
from config.problems import problem_kind, problem_list, spoken_language
from games.api.rules_shapes import DIRECTIONS
from players.api.answers import answer, response
from players.api.door import Endpoint
from players.api.schema import reading
from players.api.shapes import Shape, choice


class ProblemKindShape(Shape):
    """One code of a problem."""

    code = serializers.CharField()
    type = serializers.URLField()
    status = serializers.IntegerField()
    title = serializers.CharField()
    detail = serializers.CharField()
    cause = serializers.CharField(help_text="Why it arises.")
    cure = serializers.CharField(help_text="What a client does about it.")


class ProblemPageShape(ProblemKindShape):
    """One code of a problem, in one language."""

    language = serializers.CharField()
    direction = choice(DIRECTIONS)


class FieldErrorKindShape(Shape):
    """One code of an entry in `errors`."""

    code = serializers.CharField()
    detail = serializers.CharField()


class RefusalKindShape(Shape):
    """One refusal of the rules; `rules`: the ids of the rules that its explanation names."""

    refusal = serializers.CharField()
    detail = serializers.CharField()
    cause = serializers.CharField()
    cure = serializers.CharField()
    rules = serializers.ListField(child=serializers.CharField())


class TournamentRefusalKindShape(Shape):
    """One refusal of the rules of tournaments."""

    refusal = serializers.CharField()
    detail = serializers.CharField()


class ProblemListShape(Shape):
    """Every code that an answer may have, in one language."""

    language = serializers.CharField()
    direction = choice(DIRECTIONS)
    problems = ProblemKindShape(many=True)
    # A shape is never validated.
    fields = FieldErrorKindShape(many=True)  # type: ignore[assignment]
    refusals = RefusalKindShape(many=True)
    tournament_refusals = TournamentRefusalKindShape(many=True)


class ProblemsView(Endpoint):
    """Every code that an answer may have, with its sentences in the caller's language."""

    authentication_classes = ()
    permission_classes = (AllowAny,)

    @reading("problems_list", "Problem codes", ProblemListShape, without=(401, 403, 404))
    def get(self, _request: Request) -> HttpResponse:
        """The codes of problems with cause and cure, of wrong fields, and of refusals."""
        return _page(problem_list())


class ProblemView(Endpoint):
    """One code: what the `type` of a problem leads to."""

    authentication_classes = ()
    permission_classes = (AllowAny,)

    @reading("problems_get", "A problem code", ProblemPageShape, without=(401, 403))
    def get(self, _request: Request, code: str) -> HttpResponse:
        """What the problem means, why it arises, and what to do about it."""
        if code not in PROBLEMS:
            raise Http404
        return _page({**problem_kind(code), **spoken_language()})


def _page(told: dict[str, object]) -> HttpResponse:
    headers = {"Content-Language": spoken_language()["language"]}
    return response(answer(told, headers=headers), cache="public, max-age=300")
