"""The OpenAPI document, made once a process: making it takes a fifth of a second, which nobody may ask for at will."""

from functools import cache
from hashlib import sha256
from typing import Final

from django.http import HttpResponse
from drf_spectacular.settings import spectacular_settings
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request

from players.api.answers import json_bytes, tagged
from players.api.door import Endpoint
from players.idempotency import Answer

MEDIA_TYPE: Final = "application/vnd.oai.openapi+json"


class OpenApiRenderer(JSONRenderer):
    """Lets a client ask for the document by its own media type."""

    media_type = MEDIA_TYPE
    format = "openapi"


@cache
def document() -> tuple[bytes, str]:
    """The document in JSON, and its entity tag."""
    generator = spectacular_settings.DEFAULT_GENERATOR_CLASS()
    made = json_bytes(generator.get_schema(request=None, public=True))
    return made, sha256(made).hexdigest()[:32]


@extend_schema(exclude=True)
class SchemaView(Endpoint):
    """The contract, for programs and for the page at `/api/docs/`."""

    authentication_classes = ()
    permission_classes = (AllowAny,)
    renderer_classes = (JSONRenderer, OpenApiRenderer)

    def get(self, request: Request) -> HttpResponse:
        """The document; 304 to whoever has it."""
        body, tag = document()
        shown = tagged(Answer(200, body), tag=tag, if_none_match=request.META.get("HTTP_IF_NONE_MATCH", ""))
        shown.headers["Cache-Control"] = "public, max-age=300"
        if shown.status_code == 200:
            shown.headers["Content-Type"] = request.accepted_renderer.media_type
        return shown
