"""What is over, taken away from time to time."""

from datetime import UTC, datetime, timedelta

from players.idempotency import KEPT
from players.models import KeptAnswer, Session, Token

SHOWN = timedelta(days=30)
"""How long a token that ran out is still listed."""


def leftovers_forget() -> int:
    """Delete log-ins that are over, tokens that ran out a month ago, answers that are kept no longer; how many."""
    now = datetime.now(UTC)
    over = (
        Session.objects.filter(expire_date__lt=now),
        Token.objects.filter(expires_at__lt=now - SHOWN),
        KeptAnswer.objects.filter(created_at__lt=now - KEPT),
    )
    return sum(found.delete()[0] for found in over)
