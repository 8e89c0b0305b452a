"""A creating request that is sent twice, even at the same instant, is carried out once and answered twice."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

from django.db import transaction

from players.errors import KeyReused
from players.models import KeptAnswer

KEPT: Final = timedelta(hours=24)
_SWEPT_AT_ONCE: Final = 100


@dataclass(frozen=True, slots=True)
class Answer:
    """A finished answer: HTTP status, JSON body, further headers."""

    status: int
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Asked:
    """A request with an `Idempotency-Key`: whose, on which route, and the SHA-256 of what it says."""

    caller: str
    route: str
    key: UUID
    digest: bytes


def answer_once(asked: Asked, make: Callable[[], Answer]) -> Answer:
    """The kept answer, or that of `make`, which is then kept for a day. KeyReused for another body.

    One transaction: a second request waits for the first at the unique key. Whatever `make` raises undoes all,
    so that a refusal is not remembered.
    """
    now = datetime.now(UTC)
    with transaction.atomic():
        _forget_before(now - KEPT)
        kept, mine = _claim(asked, now)
        if not mine:
            if bytes(kept.digest) != asked.digest:
                raise KeyReused
            return Answer(kept.status, bytes(kept.body), kept.headers)
        answer = make()
        kept.status, kept.body, kept.headers = answer.status, answer.body, dict(answer.headers)
        kept.save(update_fields=["status", "body", "headers"])
        return answer


def _claim(asked: Asked, now: datetime) -> tuple[KeptAnswer, bool]:
    fresh = KeptAnswer(caller=asked.caller, route=asked.route, key=asked.key, digest=asked.digest, created_at=now)
    KeptAnswer.objects.bulk_create([fresh], ignore_conflicts=True)
    kept = KeptAnswer.objects.select_for_update().get(caller=asked.caller, route=asked.route, key=asked.key)
    if kept.id == fresh.id:
        return kept, True
    if kept.created_at > now - KEPT:
        return kept, False
    kept.digest, kept.created_at = asked.digest, now
    kept.save(update_fields=["digest", "created_at"])
    return kept, True


def _forget_before(time: datetime) -> None:
    """A few of the old answers, passing over those that another request is at."""
    old = KeptAnswer.objects.select_for_update(skip_locked=True).filter(created_at__lt=time)
    KeptAnswer.objects.filter(pk__in=old.order_by("created_at").values("pk")[:_SWEPT_AT_ONCE]).delete()
