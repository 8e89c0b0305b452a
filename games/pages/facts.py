"""What the page of a game knows beside its log: who may open it, who sat where and when, and whether it verifies."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Final
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q
from django.utils.translation import gettext as _

from games.audit.published import looks_at, signature_of
from games.errors import GameNotFound
from games.models import Game, GameCheck, Phase, Visibility
from games.models import Seat as SeatRow
from players.models import Player

OVER: Final = (Phase.FINISHED, Phase.ABORTED)


@dataclass(frozen=True, slots=True)
class Sitter:
    """Who sat on a seat from a version on, until the next one did."""

    seat: int
    since: int
    name: str


@dataclass(frozen=True, slots=True)
class Standing:
    """Whether the log was checked: ``frozen`` and ``problem`` are reasons, empty without one."""

    checked_at: object | None
    ok: bool
    problem: str
    frozen: str


def replayed(*, game_id: UUID, viewer: Player | AnonymousUser | None) -> Game:
    """A game that is over and has a log: a public one for everybody, a private one for who sat in it, and for staff
    with the right to see games. GameNotFound. ``viewer`` is looked at for private ones only."""
    game = over(game_id=game_id)
    if game.visibility == Visibility.PUBLIC or (isinstance(viewer, Player) and _may_know(game, viewer)):
        return game
    raise GameNotFound(game_id)


def over(*, game_id: UUID) -> Game:
    """Any game that is over and has a log. GameNotFound."""
    game = Game.objects.filter(pk=game_id, phase__in=OVER, version__gt=0).defer("invite_code").first()
    if game is None:
        raise GameNotFound(game_id)
    return game


def sitters_of(*, game: Game) -> tuple[Sitter, ...]:
    """Who sat where, by seat and time; a bot has a name, somebody who was erased is told by the seat."""
    rows = SeatRow.objects.filter(game_id=game.pk).filter(_played()).select_related("player")
    return tuple(Sitter(row.seat, row.from_version + 1, _name(row)) for row in rows.order_by("seat", "from_version"))


def names_at(sitters: Iterable[Sitter], seats: int, version: int) -> tuple[str, ...]:
    """What each seat is called at a version."""
    names = [seat_name(seat) for seat in range(seats)]
    for sitter in sorted(sitters, key=lambda one: one.since):
        if sitter.seat < seats and (sitter.since <= version or names[sitter.seat] == seat_name(sitter.seat)):
            names[sitter.seat] = sitter.name
    return tuple(names)


def spells(sitters: tuple[Sitter, ...], seats: int, versions: int) -> list[tuple[int, int, tuple[str, ...]]]:
    """(first version, last version, names) for each spell in which nobody was replaced."""
    starts = sorted({1, *(sitter.since for sitter in sitters if 1 < sitter.since <= versions)})
    return [(first, after - 1, names_at(sitters, seats, first)) for first, after in pairwise([*starts, versions + 1])]


def standing_of(*, game: Game) -> Standing:
    """What the audit last said of the game."""
    check = GameCheck.objects.filter(pk=game.pk).first()
    frozen = (game.frozen_reason or "?") if game.frozen_at is not None else ""
    if check is None:
        return Standing(None, ok=False, problem="", frozen=frozen)
    return Standing(check.checked_at, check.ok and check.version == game.version, check.problem, frozen)


def stamp_of(*, game: Game) -> str:
    """Everything that the pages of a game that is over show of it, short of its log, as one text."""
    signed = signature_of(game_id=game.pk)
    parts = (
        game.version,
        bytes(game.head_hash).hex(),
        game.name,
        game.visibility,
        sitters_of(game=game),
        standing_of(game=game),
        signed and signed.key,
        looks_at(game_id=game.pk),
    )
    return repr(parts)


def seat_name(seat: int) -> str:
    """A seat whose player is not known: erased, say."""
    return _("Seat %(number)s") % {"number": seat}


def _may_know(game: Game, viewer: Player) -> bool:
    if viewer.is_staff and viewer.has_perm("games.view_game"):
        return True
    return SeatRow.objects.filter(game_id=game.pk, player_id=viewer.pk).filter(_played()).exists()


def _played() -> Q:
    """Rows of who sat there while the game ran."""
    return Q(until_version=None) | Q(until_version__gt=0)


def _name(row: SeatRow) -> str:
    if row.player is not None:
        return row.player.name
    return _("Bot %(number)s") % {"number": row.seat} if row.bot else seat_name(row.seat)
