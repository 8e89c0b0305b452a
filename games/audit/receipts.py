"""A receipt: the server's word, signed, that it has accepted a command."""

from uuid import UUID

from games.audit.signing import receipt_bytes
from games.services.keys import registered_signer


def receipt_for(*, game_id: UUID, version: int, event_hash: bytes, command_id: UUID) -> dict[str, object]:
    """The receipt of a command whose last event has this version and hash; hashes and signature in hexadecimal.

    It is made anew for a repeated command, by the present key: the same bytes as long as the key is the same.
    To be made when the command is committed.
    """
    signer = registered_signer()
    message = receipt_bytes(
        game_id=game_id, version=version, event_hash=event_hash, command_id=command_id, key=signer.key
    )
    return {
        "game": str(game_id),
        "version": version,
        "hash": event_hash.hex(),
        "command_id": str(command_id),
        "key": signer.key,
        "signature": signer.sign(message).hex(),
    }
