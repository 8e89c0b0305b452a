"""The OpenAPI document: complete, valid, without warnings, and the one that is in the repository."""

import json
import re
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from config.openapi_streams import stream_paths
from tests.api.contract import SNAPSHOT


def generated() -> dict[str, Any]:
    """Generated anew, any warning an error."""
    out = StringIO()
    call_command("spectacular", "--validate", "--fail-on-warn", "--format", "openapi-json", stdout=out)
    document: dict[str, Any] = json.loads(out.getvalue())
    return document


def test_the_document_in_the_repository_is_what_the_code_says() -> None:
    """A change of the API shows as one of docs/api/openapi.json; docs/api/README.md says how it is written anew."""
    assert generated() == json.loads(SNAPSHOT.read_text())


def test_the_document_is_valid_openapi_3_1() -> None:
    """Any client generator can read it."""
    validator = pytest.importorskip("openapi_spec_validator")
    document = json.loads(SNAPSHOT.read_text())
    assert document["openapi"] == "3.1.0"
    validator.validate(document)


def _routes(patterns: list[URLPattern | URLResolver], prefix: str = "") -> list[str]:
    found = []
    for pattern in patterns:
        route = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            found += _routes(pattern.url_patterns, route)
        else:
            found.append("/" + re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", route))
    return found


def test_every_route_of_the_api_is_documented() -> None:
    """No endpoint is left out, and none is told of that does not exist."""
    routes = {route for route in _routes(get_resolver().url_patterns) if route.startswith("/api/v1/")}
    told = json.loads(SNAPSHOT.read_text())["paths"]
    streams = {path for path, described in told.items() if "servers" in described.get("get", {})}
    assert routes == set(told) - streams
    assert streams == set(stream_paths())


def test_every_enum_is_a_component_with_a_name_of_its_own() -> None:
    """A generated client gets `Phase`, not `PhaseA4cEnum`."""
    schemas = json.loads(SNAPSHOT.read_text())["components"]["schemas"]
    enums = {name for name, schema in schemas.items() if "enum" in schema}
    assert {"Phase", "Visibility", "Color", "CommandType", "EventType", "Refusal", "BotLevel"} <= enums
    assert not [name for name in enums if re.search(r"[A-Z][0-9a-f]{2}Enum$", name)]
    inline = [
        (name, field)
        for name, schema in schemas.items()
        for field, described in schema.get("properties", {}).items()
        if "enum" in described
    ]
    assert not inline


@pytest.mark.django_db
def test_the_pages_need_no_foreign_host(client: Client) -> None:
    """The documentation page loads its scripts and styles from this server alone."""
    page = client.get("/api/docs/")
    assert page.status_code == 200
    addresses = re.findall(r"""(?:src|href)=["']([^"']+)""", page.content.decode())
    assert addresses
    assert not [found for found in addresses if found.startswith(("http:", "https:", "//"))]


@pytest.mark.django_db
def test_the_schema_is_served(client: Client) -> None:
    """`/api/schema/` gives the same document to anybody."""
    answer = client.get("/api/schema/", headers={"accept": "application/vnd.oai.openapi+json"})
    assert answer.status_code == 200
    assert json.loads(answer.content)["paths"].keys() == json.loads(SNAPSHOT.read_text())["paths"].keys()


@pytest.mark.django_db
def test_the_bare_address_leads_to_the_docs(client: Client) -> None:
    """Nobody who follows the address that `./taki up` prints finds nothing."""
    answer = client.get("/", follow=True)
    assert (answer.redirect_chain, answer.status_code) == ([("/api/docs/", 302)], 200)
