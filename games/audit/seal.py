"""Whether a game that is over is signed as it must be, by a key of this server."""

from uuid import UUID

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from games.audit.published import public_key_of, signature_of
from games.audit.signing import head_bytes
from games.audit.verify import Verified
from games.clock import milliseconds
from games.models import GameSignature, SigningKey


def seal_problem(*, game_id: UUID, verified: Verified) -> str | None:
    """What is wrong with the signature of a log that holds, in a sentence; None if nothing is.

    A game that ended before this server had a key has none.
    """
    signed = signature_of(game_id=game_id)
    if verified.reason is None:
        return None if signed is None else "the game goes on, and its end is signed already"
    if signed is None:
        return "the end is not signed" if _signed_then(verified.ended_at) else None
    if (signed.version, bytes(signed.hash)) != (verified.version, verified.head_hash):
        return f"another end was signed, version {signed.version} with hash {bytes(signed.hash).hex()}"
    public_key = public_key_of(key=signed.key)
    if public_key is None:
        return f"the end is signed by a key that was never published, {signed.key}"
    return None if _holds(signed, public_key) else "the signature of the end does not hold"


def _signed_then(ended_at: int) -> bool:
    first = SigningKey.objects.order_by("id").values_list("since", flat=True).first()
    return first is not None and milliseconds(first) <= ended_at


def _holds(signed: GameSignature, public_key: bytes) -> bool:
    message = head_bytes(game_id=signed.game_id, version=signed.version, head=bytes(signed.hash))
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(bytes(signed.signature), message)
    except (InvalidSignature, ValueError):
        return False
    return True
