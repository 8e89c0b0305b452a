"""The published contract, docs/api/openapi.json, as a check of what the server really answers."""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

SNAPSHOT = Path(__file__).parents[2] / "docs" / "api" / "openapi.json"


@cache
def document() -> dict[str, Any]:
    """The published document, its objects closed, so that an answer may hold nothing undocumented."""
    loaded: dict[str, Any] = json.loads(SNAPSHOT.read_text())
    for schema in loaded["components"]["schemas"].values():
        if "properties" in schema:
            schema.setdefault("additionalProperties", False)
    return loaded


@cache
def _routes() -> list[tuple[re.Pattern[str], str]]:
    return [(re.compile(re.sub(r"\{\w+\}", "[^/]+", path)), path) for path in document()["paths"]]


def operation(method: str, path: str) -> dict[str, Any] | None:
    """The documented operation at this path; None for a path or method that is none."""
    for pattern, template in _routes():
        if pattern.fullmatch(path.partition("?")[0]):
            found: dict[str, Any] | None = document()["paths"][template].get(method.lower())
            return found
    return None


def _followed(response: dict[str, Any]) -> dict[str, Any]:
    """The response itself, also where the operation only refers to it."""
    if "$ref" not in response:
        return response
    shared: dict[str, Any] = document()["components"]["responses"][response["$ref"].rpartition("/")[2]]
    return shared


@cache
def _validator(name: str) -> Draft202012Validator:
    return Draft202012Validator({"$ref": f"#/components/schemas/{name}", "components": document()["components"]})


def matches(name: str, value: object) -> None:
    """The value is as the component of this name."""
    errors = [f"{error.json_path}: {error.message}" for error in _validator(name).iter_errors(value)]
    assert not errors, (name, errors)


def check(method: str, path: str, status: int, media_type: str, body: bytes) -> None:
    """The status is documented for this operation, and the body is as its schema says."""
    found = operation(method, path)
    if found is None:
        return
    assert str(status) in found["responses"], (method, path, status, body)
    content = _followed(found["responses"][str(status)]).get("content")
    if content is None:
        assert not body
        return
    media_type = media_type.partition(";")[0]  # the document does not name character sets
    assert media_type in content, (media_type, path)
    name = content[media_type]["schema"].get("$ref", "").rpartition("/")[2]
    if name and media_type.endswith("json") and not media_type.endswith("ndjson"):
        matches(name, json.loads(body))
