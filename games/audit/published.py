"""What is published of the audit: the keys, a game's signature, its last check."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from games.models import AuditEntry, AuditKind, Game, GameCheck, GameSignature, SigningKey


@dataclass(frozen=True, slots=True)
class PublishedKey:
    """A key that the server signs, or has signed, with; ``until`` is None for the present one."""

    key: str
    public_key: bytes
    since: datetime
    until: datetime | None


def keys_published() -> tuple[PublishedKey, ...]:
    """Every key there ever was, in the order of its first use. One that was put back counts from its first use on."""
    spells = list(SigningKey.objects.order_by("id"))
    ends = [*(spell.since for spell in spells[1:]), None]
    keys: dict[str, PublishedKey] = {}
    for spell, until in zip(spells, ends, strict=False):
        first = keys.get(spell.key)
        since = first.since if first else spell.since
        keys[spell.key] = PublishedKey(spell.key, bytes(spell.public_key), since, until)
    return tuple(keys.values())


def public_key_of(*, key: str) -> bytes | None:
    """The 32 bytes of a key by its id; None when there never was such a key."""
    found = SigningKey.objects.filter(key=key).values_list("public_key", flat=True).first()
    return None if found is None else bytes(found)


def signature_of(*, game_id: UUID) -> GameSignature | None:
    """The signature at the game's end; None while it lasts, and for games older than signatures."""
    return GameSignature.objects.filter(game_id=game_id).first()


def check_of(*, game_id: UUID) -> GameCheck | None:
    """The last check of the game; None when it was never checked."""
    return GameCheck.objects.filter(game_id=game_id).first()


def looks_at(*, game_id: UUID) -> tuple[datetime, ...]:
    """When staff looked at the hidden hands of the game, while it ran."""
    looks = AuditEntry.objects.filter(game_id=game_id, kind=AuditKind.LOOKED).order_by("id")
    return tuple(looks.values_list("at", flat=True))


def games_failing() -> int:
    """How many games did not verify when they were last checked."""
    return GameCheck.objects.filter(ok=False).count()


def games_frozen() -> int:
    """How many games are frozen."""
    return Game.objects.filter(frozen_at__isnull=False).count()
