"""What proves a game: the head of its chain, what the server is bound to, its signature, the last check."""

from uuid import UUID

from django.http import HttpResponse
from rest_framework.request import Request

from games.api.answers import Json, frozen_json
from games.api.shapes import AuditShape
from games.audit.published import check_of, looks_at, public_key_of, signature_of
from games.audit.signing import ALGORITHM
from games.models import GameCheck, GameSignature
from games.selectors import Audit, audit_load, game_get
from players.api.answers import address, answer, instant, response
from players.api.door import Endpoint, caller
from players.api.schema import reading


class AuditView(Endpoint):
    """What the server is bound to."""

    @reading("games_audit", "The chain's head", AuditShape)
    def get(self, request: Request, game_id: UUID) -> HttpResponse:
        """The head of the hash chain and the commitment; after the end also the server's seed and its signature.

        `verification` is the server's own last check, of which an export needs to believe nothing; a game that does
        not verify is `frozen`. `looks`: when staff looked at its hidden hands, told when it is over.
        """
        game_get(game_id=game_id, viewer=caller(request))
        return response(answer(audit_json(audit_load(game_id=game_id))))


def audit_json(audit: Audit) -> Json:
    """What the server is bound to, and once the game is over what it takes to check it."""
    game, over = audit.game, audit.server_seed is not None
    return {
        "version": audit.version,
        "phase": game.phase,
        "hash": audit.head_hash.hex(),
        "commitment": audit.commitment,
        "entropy": [given.hex() for given in audit.entropy],
        "server_seed": audit.server_seed.hex() if audit.server_seed else None,
        "signature": _signature(signature_of(game_id=game.pk)),
        "verification": _verification(check_of(game_id=game.pk)),
        "frozen": frozen_json(game),
        "looks": [instant(at) for at in looks_at(game_id=game.pk)] if over else None,
        "keys": address("/api/v1/keys/"),
    }


def _signature(signed: GameSignature | None) -> Json | None:
    if signed is None:
        return None
    public_key = public_key_of(key=signed.key)
    return {
        "version": signed.version,
        "hash": bytes(signed.hash).hex(),
        "algorithm": ALGORITHM,
        "key": signed.key,
        "public_key": public_key.hex() if public_key else None,
        "signature": bytes(signed.signature).hex(),
        "signed_at": instant(signed.signed_at),
    }


def _verification(check: GameCheck | None) -> Json | None:
    if check is None:
        return None
    return {
        "ok": check.ok,
        "problem": check.problem or None,
        "version": check.version,
        "checked_at": instant(check.checked_at),
    }


__all__ = ["AuditView", "audit_json"]
