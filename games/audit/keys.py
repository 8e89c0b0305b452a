"""The key that this process signs with. The private one is in memory only, from the environment."""

from dataclasses import dataclass, field
from functools import lru_cache

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.conf import settings

from games.audit.signing import key_id


@dataclass(frozen=True, slots=True)
class Signer:
    """A key pair: the public key of 32 bytes, its id, and a way to sign with the private one."""

    key: str
    public_key: bytes
    _private: Ed25519PrivateKey = field(repr=False)

    def sign(self, message: bytes) -> bytes:
        """The Ed25519 signature of 64 bytes; the same one for the same message."""
        return self._private.sign(message)


def present_signer() -> Signer:
    """The present key's. ValueError when the settings hold no key of 32 bytes."""
    return _signer(settings.TAKI_SIGNING_KEY)


@lru_cache(maxsize=2)  # as a move would else make the key anew
def _signer(private: bytes) -> Signer:
    pair = Ed25519PrivateKey.from_private_bytes(private)
    public_key = pair.public_key().public_bytes_raw()
    return Signer(key_id(public_key), public_key, pair)
