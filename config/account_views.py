"""The OpenAPI document of accounts (django-allauth's), made once: to read its source takes most of a second."""

import json
from functools import cache
from typing import Final

from allauth.headless.spec.internal.schema import get_schema
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from config.accounts import PREFIX, SERVED

SPEC: Final = f"{PREFIX}openapi.json"


@require_safe
def account_spec(_request: HttpRequest) -> HttpResponse:
    """The document, of those parts that are served here."""
    return HttpResponse(_spec(), content_type="application/json", headers={"Cache-Control": "public, max-age=300"})


@cache
def _spec() -> bytes:
    schema = get_schema()
    schema["paths"] = {path: told for path, told in schema["paths"].items() if path.partition("/v1/")[2] in SERVED}
    return json.dumps(schema).encode()
