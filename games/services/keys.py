"""The register of signing keys, and the signature at the end of a game."""

import threading
from datetime import UTC, datetime
from typing import Final

from django.db import connection, transaction

from games.audit.keys import Signer, present_signer
from games.audit.signing import head_bytes
from games.clock import moment
from games.fold import Folded
from games.models import AuditEntry, AuditKind, Game, GameSignature, SigningKey

_LOCK: Final = 7_241_011
"""Processes that start at the same time register one after the other; the number is only this program's own."""


class _Registered:
    """The keys that this process knows to be in the register."""

    def __init__(self) -> None:
        self._keys: frozenset[str] = frozenset()
        self._guard = threading.Lock()

    def __contains__(self, key: str) -> bool:
        return key in self._keys

    def add(self, key: str) -> None:
        with self._guard:
            self._keys |= {key}

    def clear(self) -> None:
        with self._guard:
            self._keys = frozenset()


registered: Final = _Registered()


def registered_signer() -> Signer:
    """The present key's signer, once it is sure that whoever is given a signature finds the key published."""
    signer = present_signer()
    if signer.key not in registered:
        key_register(signer=signer)
    return signer


def key_register(*, signer: Signer) -> bool:
    """Enter the key into the register, unless it is the newest there; whether it was entered.

    The key before it is retired by this, which the audit log tells. Processes that do so at once enter it once.
    """
    if _newest() == signer.key:
        registered.add(signer.key)
        return False
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
        before = _newest()
        if before != signer.key:
            _enter(signer, before)
        transaction.on_commit(lambda: registered.add(signer.key))
        return before != signer.key


def head_sign(*, game: Game, folded: Folded, now: int) -> None:
    """Sign the last version of a game that is over, in the transaction that ends it. ``now`` in milliseconds."""
    signer = registered_signer()
    signature = signer.sign(head_bytes(game_id=game.pk, version=folded.version, head=folded.hash))
    GameSignature.objects.create(
        game=game,
        version=folded.version,
        hash=folded.hash,
        key=signer.key,
        signature=signature,
        signed_at=moment(now),
    )


def _newest() -> str | None:
    return SigningKey.objects.order_by("-id").values_list("key", flat=True).first()


def _enter(signer: Signer, before: str | None) -> None:
    now = datetime.now(UTC)
    SigningKey.objects.create(key=signer.key, public_key=signer.public_key, since=now)
    if before is not None:
        AuditEntry.objects.create(
            at=now, kind=AuditKind.KEY, code="key_replaced", data={"before": before, "after": signer.key}
        )
