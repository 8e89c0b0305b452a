"""The server's public keys, old and present."""

from hashlib import sha256
from typing import Final

from django.http import HttpResponse
from rest_framework.permissions import AllowAny
from rest_framework.request import Request

from games.api.shapes import KeyListShape
from games.audit.published import PublishedKey, keys_published
from games.audit.signing import ALGORITHM, HEAD_PARTS, RECEIPT_PARTS
from players.api.answers import JSON, instant, json_bytes, unchanged
from players.api.door import Endpoint
from players.api.schema import IF_NONE_MATCH, reading

CACHE: Final = "public, max-age=300"


class KeysView(Endpoint):
    """What receipts and finished games are checked with."""

    authentication_classes = ()
    permission_classes = (AllowAny,)

    @reading("keys", "The keys that games are signed with", KeyListShape, IF_NONE_MATCH, without=(401, 403, 404))
    def get(self, request: Request) -> HttpResponse:
        """Every key that the server signs with or ever did, oldest first, and what exactly is signed."""
        body = json_bytes(keys_json(keys_published()))
        tag = sha256(body).hexdigest()[:32]
        headers = {"Cache-Control": CACHE, "ETag": f'"{tag}"'}
        if_none_match = str(request.META.get("HTTP_IF_NONE_MATCH", ""))
        if if_none_match and unchanged(if_none_match, tag):
            return HttpResponse(status=304, headers=headers)
        return HttpResponse(body, content_type=JSON, headers=headers)


def keys_json(keys: tuple[PublishedKey, ...]) -> dict[str, object]:
    """The keys, and the parts of what is signed: joined by line feeds, in ASCII."""
    return {
        "keys": [
            {
                "key": key.key,
                "algorithm": ALGORITHM,
                "public_key": key.public_key.hex(),
                "from": instant(key.since),
                "until": None if key.until is None else instant(key.until),
            }
            for key in keys
        ],
        "bytes": {"head": HEAD_PARTS, "receipt": RECEIPT_PARTS},
    }


__all__ = ["KeysView", "keys_json"]
