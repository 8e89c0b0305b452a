"""The rules, for programs."""

from django.http import HttpResponse
from rest_framework.permissions import AllowAny
from rest_framework.request import Request

from games.rules.ruleset import house_rules_schema
from players.api.answers import answer, response
from players.api.door import Endpoint
from players.api.schema import reading

SCHEMA = "https://json-schema.org/draft/2020-12/schema"


class HouseRulesView(Endpoint):
    """The house rules that a table may choose."""

    authentication_classes = ()
    permission_classes = (AllowAny,)

    @reading("rules_house_rules", "House rules", {(200, "application/json"): dict}, without=(401, 403, 404))
    def get(self, _request: Request) -> HttpResponse:
        """The JSON Schema of `house_rules`: names, choices, bounds and defaults."""
        made = answer({"$schema": SCHEMA, "title": "TAKI house rules", **house_rules_schema()})
        return response(made, cache="public, max-age=300")
