"""Everything that is known of the caller, as one JSON object that is written while it is read."""

from collections.abc import Iterable, Iterator, Mapping

from django.http import StreamingHttpResponse
from rest_framework.request import Request

from players import hooks
from players.api.answers import JSON, PRIVATE, instant, json_bytes, now
from players.api.door import OwnEndpoint, caller
from players.api.people import me_json, token_json
from players.api.schema import reading
from players.api.shapes import ExportShape
from players.api.throttles import EXPORTS
from players.models import Player, Scope, Token
from players.selectors import emails_of, tokens_of


class ExportView(OwnEndpoint):
    """One's data. A token that may only look does not take all of it along."""

    limit = EXPORTS

    def allows(self, token: Token, method: str) -> bool:
        """Whether the token may be used for this method."""
        return super().allows(token, method) and Scope.PLAY in token.scopes

    @reading("players_me_export", "Everything known of the caller", ExportShape, without=(404,))
    def get(self, request: Request) -> StreamingHttpResponse:
        """One's profile, addresses, tokens (without their texts), log-ins, seats and entries, as a file."""
        player = caller(request)
        headers = {"Cache-Control": PRIVATE, "Content-Disposition": 'attachment; filename="taki.json"'}
        return StreamingHttpResponse(_written(player, request.auth), content_type=JSON, headers=headers)


def _written(player: Player, current: object) -> Iterator[bytes]:
    whole: dict[str, object] = {"exported_at": now(), "player": me_json(player)}
    yield json_bytes(whole)[:-1]
    parts: dict[str, Iterable[Mapping[str, object]]] = {
        "emails": [
            {"email": each.email, "verified": each.verified, "primary": each.primary} for each in emails_of(player)
        ],
        "tokens": [token_json(token, current=current) for token in tokens_of(player)],
        "sessions": [{"expires_at": instant(each.expire_date)} for each in player.sessions.order_by("expire_date")],
        **{name: section(player) for name, section in hooks.export_sections.items()},
    }
    for name, entries in parts.items():
        yield b"," + json_bytes(name) + b":["
        for place, entry in enumerate(entries):
            yield (b"," if place else b"") + json_bytes(entry)
        yield b"]"
    yield b"}"
