"""What the server signs, byte for byte, and by which key. Pure.

All of it is ASCII; a line feed stands between two parts, none at the end. Ids of games and commands are canonical
lower-case UUID texts, versions are decimal without leading zeros, hashes are lower-case hexadecimal.

- head of a game that is over: ``taki/1/head``, game id, last version, hash of that version
- receipt of an accepted command: ``taki/1/receipt``, game id, version, hash of that version, command id, key id
- key id: the first 16 hexadecimal digits of SHA-256 of the 32 bytes of the public key

A signature is Ed25519 (RFC 8032), 64 bytes, over exactly these bytes.
"""

import hashlib
from typing import Final
from uuid import UUID

ALGORITHM: Final = "Ed25519"
KEY_BYTES: Final = 32
SIGNATURE_BYTES: Final = 64
KEY_ID_DIGITS: Final = 16
HEAD_PARTS: Final = ("taki/1/head", "<game>", "<version>", "<hash>")
RECEIPT_PARTS: Final = ("taki/1/receipt", "<game>", "<version>", "<hash>", "<command_id>", "<key>")
"""What is signed, for people to read; joined by line feeds."""


def key_id(public_key: bytes) -> str:
    """By what name a public key (32 bytes) goes: 16 hexadecimal digits."""
    return hashlib.sha256(public_key).hexdigest()[:KEY_ID_DIGITS]


def head_bytes(*, game_id: UUID, version: int, head: bytes) -> bytes:
    """What is signed at the end of a game; ``head`` is the hash of its last event, 32 bytes."""
    return f"taki/1/head\n{game_id}\n{version}\n{head.hex()}".encode("ascii")


def receipt_bytes(*, game_id: UUID, version: int, event_hash: bytes, command_id: UUID, key: str) -> bytes:
    """What is signed for an accepted command: ``version`` and ``event_hash`` are its last event's."""
    return f"taki/1/receipt\n{game_id}\n{version}\n{event_hash.hex()}\n{command_id}\n{key}".encode("ascii")
