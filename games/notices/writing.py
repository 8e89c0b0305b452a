"""A notice's mail: in the player's language, with a link to the game and one that stops further mails."""

from typing import Final
from urllib.parse import quote
from uuid import UUID

from django.conf import settings
from django.core import signing
from django.core.mail import EmailMessage
from django.utils import translation
from django.utils.formats import date_format

from games.models import Game, GameNotice
from games.notices.kinds import AWAITED, NAMELESS, STOP, UNTIL, WORDS

_SIGNER: Final = signing.Signer(salt="games.notices.stop", sep=".")


def notice_mail(notice: GameNotice, address: str) -> EmailMessage:
    """The mail of a notice that was read with its game and player."""
    with translation.override(notice.player.language or settings.LANGUAGE_CODE):
        game = notice.game
        named = {"game": game.name or str(NAMELESS)}
        words = WORDS[notice.kind]
        lines = [str(words.sentence) % named]
        if notice.kind in AWAITED and game.deadline is not None:
            lines.append(str(UNTIL) % {"deadline": f"{date_format(game.deadline, 'DATETIME_FORMAT')} UTC"})
        stop = stop_address(notice.player_id)
        lines += [game_address(game), str(STOP) % {"address": stop}]
        subject = f"[TAKI] {str(words.subject) % named}"
    return EmailMessage(
        subject, "\n\n".join(lines) + "\n", settings.DEFAULT_FROM_EMAIL, [address], headers=_headers(notice, stop)
    )


def game_address(game: Game) -> str:
    """Where the game is on the web pages of the players; without any, where the API has it."""
    return f"{settings.TAKI_GAME_PAGES}{game.pk}/"


def stop_address(player_id: UUID) -> str:
    """The address that stops all mails about games to this player; it needs no log-in."""
    return f"{settings.TAKI_PUBLIC_URL}/mails/stop/{quote(_SIGNER.sign(str(player_id)))}/"


def player_of_stop(signed: str) -> UUID | None:
    """The player whose mails this part of an address stops; None if it is none of ours."""
    try:
        return UUID(_SIGNER.unsign(signed))
    except (signing.BadSignature, ValueError):
        return None


def _headers(notice: GameNotice, stop: str) -> dict[str, str]:
    domain = settings.DEFAULT_FROM_EMAIL.rpartition("@")[2].rstrip(">")
    return {
        # The same when it is sent twice, as after a crash between sending and noting it.
        "Message-ID": f"<notice-{notice.pk}@{domain}>",
        "Auto-Submitted": "auto-generated",
        # RFC 8058: the mail program's own button.
        "List-Unsubscribe": f"<{stop}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }
