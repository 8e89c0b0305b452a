"""What the OpenAPI document says beyond single endpoints: problems by reference, links, streams, examples."""

import json
from collections.abc import Iterator, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any, Final

from config.openapi_streams import stream_paths

Json = dict[str, Any]
PROBLEM: Final = "application/problem+json"
EXAMPLES: Final = Path(__file__).with_name("openapi_examples.json")
"""Component → an example of it, as a system really answered it (a test compares them with the schemas)."""

_RESPONSES: Final[Mapping[str, str]] = {
    "400": "Unreadable",
    "401": "NotAuthenticated",
    "403": "Forbidden",
    "404": "NotFound",
    "406": "NotAcceptable",
    "409": "Conflict",
    "412": "PreconditionFailed",
    "413": "BodyTooLarge",
    "414": "LineTooLong",
    "415": "UnsupportedMediaType",
    "422": "InvalidOrRefused",
    "429": "TooManyRequests",
    "431": "HeadersTooLarge",
    "503": "Unavailable",
}
_PROBLEM_CONTENT: Final = {PROBLEM: {"schema": {"$ref": "#/components/schemas/Problem"}}}
_NO_REQUEST: Final[Mapping[str, str]] = {
    "400": "the body, a header or the host cannot be read",
    "414": "the request line is over 4 KiB",
    "431": "the headers are too many or too long",
}
_TEXT: Final = {"schema": {"type": "string"}}
_LANGUAGE: Final = {"Content-Language": {"description": "Of the sentences.", **_TEXT}}
_RETRY: Final = {"Retry-After": {"description": "Whole seconds.", "schema": {"type": "integer"}}}
_HEADERS: Final[Mapping[str, Json]] = {
    "401": {"WWW-Authenticate": _TEXT},
    "429": _RETRY,
    "503": _RETRY,
}
_ETAG: Final = {"ETag": {"description": "By what a later change is known.", **_TEXT}}
_SCHEMES: Final[Mapping[str, Json]] = {
    "ticket": {
        "type": "apiKey",
        "in": "query",
        "name": "ticket",
        "description": "For streams, where no header can be sent: from `stream-ticket/`, good for 60 s and one use.",
    }
}


def complete(result: Json, **_: Any) -> Json:
    """The whole document. For drf-spectacular, after its enums have names."""
    result["paths"].update(stream_paths())
    result["components"].setdefault("securitySchemes", {}).update(_SCHEMES)
    scopes = result["components"]["schemas"]["TokenBody"]["properties"]["scopes"]
    scopes.update(minItems=1, uniqueItems=True)
    for step in (_house_rules_chosen, _problems_by_reference, _etags, _links, _examples):
        step(result)
    return result


def _operations(result: Json) -> Iterator[Json]:
    for path in result["paths"].values():
        yield from (operation for method, operation in path.items() if method in _METHODS)


_METHODS: Final = frozenset({"get", "post", "patch", "delete", "put"})


# ---- house rules: all of them in an answer, any of them in a request


def _house_rules_chosen(result: Json) -> None:
    """`HouseRules` in answers has every rule; `HouseRulesChoice` in requests and examples those that are named."""
    schemas = result["components"]["schemas"]
    told = deepcopy(schemas["HouseRules"])
    for rule in told["properties"].values():
        rule.pop("default", None)
    told["required"] = sorted(told["properties"])
    told["description"] = "Every house rule by name (section 13 of the rules)."
    schemas["HouseRulesChoice"] = {**schemas["HouseRules"], "additionalProperties": False}
    schemas["HouseRules"] = told
    for name in (*_asked(result), "Example"):
        house_rules = schemas[name].get("properties", {}).get("house_rules")
        if house_rules is not None:
            schemas[name]["properties"]["house_rules"] = _referring(house_rules, "HouseRulesChoice")


def _asked(result: Json) -> list[str]:
    """The components that are bodies of requests."""
    found = set()
    for operation in _operations(result):
        for content in operation.get("requestBody", {}).get("content", {}).values():
            found.add(content["schema"].get("$ref", "").rpartition("/")[2])
    return sorted(found - {""})


def _referring(schema: Json, name: str) -> Json:
    reference = {"$ref": f"#/components/schemas/{name}"}
    if "allOf" in schema:
        return {**schema, "allOf": [reference]}
    return {**schema, **reference}


# ---- problems, entity tags


def _problems_by_reference(result: Json) -> None:
    """Each status has one response, which operations refer to; any of them may be no readable request at all."""
    responses = result["components"].setdefault("responses", {})
    for operation in _operations(result):
        for status, words in _NO_REQUEST.items():
            operation["responses"].setdefault(status, {"description": words, "content": _PROBLEM_CONTENT})
        for status, answer in operation["responses"].items():
            if PROBLEM not in answer.get("content", {}):
                continue
            name = _RESPONSES[status]
            responses[name] = {**answer, "headers": {**_LANGUAGE, **_HEADERS.get(status, {})}}
            operation["responses"][status] = {"$ref": f"#/components/responses/{name}"}


def _etags(result: Json) -> None:
    for operation in _operations(result):
        asked = {parameter.get("name") for parameter in operation.get("parameters", ())}
        for status in ("200", "304") if "If-None-Match" in asked else ():
            if status in operation["responses"]:
                operation["responses"][status]["headers"] = _ETAG


# ---- what one answer gives to the next request


_MADE: Final[Mapping[str, tuple[str, str, tuple[str, ...]]]] = {
    "games_create": (
        "201",
        "game_id",
        ("games_get", "games_join", "games_leave", "games_seat_bot", "games_start", "games_events", "games_audit"),
    ),
    "games_start": ("200", "game_id", ("games_view", "games_legal", "games_command", "games_export")),
    "tournaments_create": (
        "201",
        "tournament_id",
        ("tournaments_get", "tournaments_change", "tournaments_open", "tournaments_log", "tournaments_cancel"),
    ),
    "tournaments_open": (
        "200",
        "tournament_id",
        ("tournaments_register", "tournaments_entries", "tournaments_close", "tournaments_start"),
    ),
}
"""Operation → the status and parameter that its answer's `id` is good for, and the operations that take it."""


def _links(result: Json) -> None:
    operations = {operation["operationId"]: operation for operation in _operations(result)}
    for made, (status, parameter, following) in _MADE.items():
        operations[made]["responses"][status]["links"] = {
            name: {"operationId": name, "parameters": {parameter: "$response.body#/id"}}
            for name in following
            if name in operations
        }


# ---- examples


def _examples(result: Json) -> None:
    schemas = result["components"]["schemas"]
    for name, example in json.loads(EXAMPLES.read_text(encoding="utf-8")).items():
        if name in schemas:
            schemas[name]["examples"] = [example]
