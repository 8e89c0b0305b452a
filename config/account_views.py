"""The OpenAPI document of accounts (django-allauth's), made once: to read its source takes most of a second."""

import json
from functools import cache
from typing import Final

from allauth.headless.spec.internal.schema import get_schema
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from config.accounts import PREFIX

SPEC: Final = f"{PREFIX}openapi.json"


@require_safe
def account_spec(_request: HttpRequest) -> HttpResponse:
    """The document, of those parts that are served here."""
    return HttpResponse(_spec(), content_type="application/json", headers={"Cache-Control": "public, max-age=300"})


@cache
def _spec() -> bytes:
    return json.dumps(get_schema()).encode()
