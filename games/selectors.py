"""Reading games: what a caller may see of them, through `view_for` and `redact` only."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, Final, Literal, NamedTuple
from uuid import UUID

from django.db.models import Count, Prefetch, Q, QuerySet

from games import history, hooks, store
from games.bots.registry import LEVELS
from games.errors import GameNotFound, NoSuchVersion, WrongPhase
from games.fold import StoredEvent
from games.invitations import invitations_of, offered_seat
from games.models import Game, Phase, Visibility, Watch
from games.models import Seat as SeatRow
from games.rules import codec
from games.rules.cards import Card, Seat
from games.rules.commands import Command
from games.rules.legal import grey_cards, legal_commands
from games.rules.refusals import Refused
from games.rules.views import View, redact, view_for
from games.table import Table
from players.models import Player
from players.names import name_key

LEVEL_NAMES: Final = tuple(LEVELS)
"""The built-in bots that may be seated."""
MOST_EVENTS: Final = 1000
_OVER: Final = (Phase.FINISHED, Phase.ABORTED)

Looking = Seat | Literal["spectator", "all"]
"""Through whose eyes a game is looked at: a seat's, a spectator's, or with every hand open."""


class Viewed(NamedTuple):
    """What a seat (or a spectator) sees, with the game's row of the same version."""

    view: View
    game: Game


class Past(NamedTuple):
    """What was to be seen at a version: the view and the game's row of then; ``hands`` where all are open."""

    view: View
    game: Game
    hands: tuple[tuple[Card, ...], ...] | None


class Legal(NamedTuple):
    """What a seat may do, and for each kind of card in its hand that it cannot lay the reason."""

    game: Game
    commands: tuple[Command, ...]
    refused: tuple[tuple[Card, Refused], ...]


class SeenEvent(NamedTuple):
    """An event as a viewer may know it; ``hash`` is that of the event as it is."""

    version: int
    type: str
    schema: int
    data: dict[str, Any]
    recorded_at: datetime
    hash: bytes


class Audit(NamedTuple):
    """The head of a game's chain. ``server_seed`` is None until the game is over."""

    game: Game
    version: int
    head_hash: bytes
    commitment: str
    entropy: tuple[bytes, ...]
    server_seed: bytes | None


def game_get(*, game_id: UUID, viewer: Player | None = None) -> Game:
    """The game with its ``seating`` (those who sit there now, with their players) read along.

    GameNotFound; also for a private game that is none of the viewer's business (`may_know`).
    """
    game = _with_seating(Game.objects.filter(pk=game_id)).first()
    if game is None or not may_know(game, viewer):
        raise GameNotFound(game_id)
    return game


def may_know(game: Game, viewer: Player | None) -> bool:
    """Whether the viewer may know of the game, whose seating must have been read along.

    It is public, or the viewer sits there, is invited to the rematch, is staff, or may know of its tournament.
    """
    if game.visibility == Visibility.PUBLIC:
        return True
    if viewer is None:
        return False
    if viewer.is_staff or any(row.player_id == viewer.pk for row in game.seating.all()):
        return True
    if offered_seat(game=game, player_id=viewer.pk) is not None:
        return True
    return any(watches(game.pk, viewer) for watches in hooks.may_watch)


def game_list(
    *,
    viewer: Player | None = None,
    phase: str | None = None,
    mode: str | None = None,
    seats_free: int | None = None,
    player: str | None = None,
    sitting: Player | None = None,
) -> QuerySet[Game]:
    """The games that the viewer may know of, newest first: of a phase, a mode, with at least so many free seats
    (in the lobby), and with a player of this name, or this player, at the table. Private games are listed for those
    who sit there or are invited.
    """
    games = Game.objects.all()
    if viewer is None:
        games = games.filter(visibility=Visibility.PUBLIC)
    elif not viewer.is_staff:
        known = Q(pk__in=_tables_of(viewer)) | Q(pk__in=invitations_of(viewer).order_by().values("pk"))
        games = games.filter(Q(visibility=Visibility.PUBLIC) | known)
    if phase is not None:
        games = games.filter(phase=phase)
    if mode is not None:
        ladder = Q(house_rules__contains={"mode": "ladder"})
        games = games.filter(ladder) if mode == "ladder" else games.exclude(ladder)
    if seats_free is not None:
        games = games.filter(phase=Phase.LOBBY, seats_free__gte=seats_free)
    if player is not None:
        who = Player.objects.filter(key=name_key(player)).first()
        games = games.filter(pk__in=_tables_of(who))
    if sitting is not None:
        games = games.filter(pk__in=_tables_of(sitting))
    return _with_seating(games)


def invitation_list(*, player: Player) -> QuerySet[Game]:
    """The lobbies of rematches that wait for the player, newest first, their seating read along."""
    return _with_seating(invitations_of(player))


def seat_of(*, game_id: UUID, player: Player | None) -> Seat | None:
    """The seat that the player has at the table now; None without one."""
    if player is None or player.pk is None:
        return None
    rows = SeatRow.objects.filter(game_id=game_id, player_id=player.pk, until_version=None)
    seat = rows.values_list("seat", flat=True).first()
    return None if seat is None else Seat(seat)


def view_load(*, game_id: UUID, seat: Seat | None) -> Viewed:
    """What the seat, or a spectator (None), sees now. GameNotFound, WrongPhase (not_started).

    Whether the caller may look is for `game_get` to say; whose seat it is, for `seat_of`.
    """
    game, table = _load_started(game_id)
    return Viewed(view_for(table.folded.state, seat), game)


def legal_load(*, game_id: UUID, seat: Seat) -> Legal:
    """What the seat may do now. GameNotFound, WrongPhase (not_started)."""
    game, table = _load_started(game_id)
    state = table.folded.state
    return Legal(game, legal_commands(state, seat), grey_cards(state, seat))


def events_load(*, game_id: UUID, seat: Seat | None, after: int = 0, limit: int = 100) -> tuple[SeenEvent, ...]:
    """The log after a version (exclusive), ascending, as the seat or a spectator may know it. At most MOST_EVENTS."""
    events = store.log(game_id=game_id, after=after, limit=max(0, min(limit, MOST_EVENTS)))
    return tuple(seen(stored, seat) for stored in events)


def seen(stored: StoredEvent, seat: Seat | None) -> SeenEvent:
    """The event as the seat or a spectator may know it."""
    encoded = codec.encode(redact(stored.event, seat))
    return SeenEvent(stored.version, *encoded, stored.recorded_at, stored.hash)


def state_load(*, game: Game, version: int, looking: Looking, own: Seat | None) -> Past:
    """The position at a version, as a seat, a spectator or (all hands open) the table saw it.

    ``own`` is the viewer's seat. Another's, and all hands, are shown when the game is over.
    NoSuchVersion; WrongPhase (not_started: nothing was dealt yet; not_finished).
    """
    if looking not in (own, "spectator") and game.phase not in _OVER:
        raise WrongPhase("not_finished", game.phase)
    if game.version and not 0 < version <= game.version:
        raise NoSuchVersion(game.version)
    folded = history.folded_at(game=game, version=version) if game.version else None
    if folded is None or not folded.state.pile:
        raise WrongPhase("not_started", game.phase)
    seat = None if isinstance(looking, str) else looking
    hands = folded.state.hands if looking == "all" else None
    return Past(view_for(folded.state, seat), history.game_at(game=game, folded=folded), hands)


def audit_load(*, game_id: UUID) -> Audit:
    """The head of the chain, and once the game is over what it takes to check it. GameNotFound."""
    game = Game.objects.filter(pk=game_id).first()
    if game is None:
        raise GameNotFound(game_id)
    seed = store.server_seed_of(game_id) if game.phase in _OVER else None
    return Audit(game, game.version, bytes(game.head_hash), game.commitment, store.first_entropies(game), seed)


def export_iter(*, game_id: UUID) -> Iterator[StoredEvent]:
    """Every event in full, in order, read in portions. GameNotFound; WrongPhase (not_finished) until it is over."""
    phase = Game.objects.filter(pk=game_id).values_list("phase", flat=True).first()
    if phase is None:
        raise GameNotFound(game_id)
    if phase not in _OVER:
        raise WrongPhase("not_finished", phase)
    return _portions(game_id)


def overdue_oldest() -> datetime | None:
    """The oldest deadline that has passed without its timeout; None when the clock keeps up."""
    overdue = Game.objects.filter(phase=Phase.PLAYING, frozen_at=None, deadline__lt=datetime.now(UTC))
    return overdue.order_by("deadline").values_list("deadline", flat=True).first()


def bot_overdue_oldest() -> datetime | None:
    """Since when the bot's move has been awaited that is overdue the longest; None when the bots keep up."""
    overdue = Game.objects.filter(phase=Phase.PLAYING, frozen_at=None, bot_due_at__lt=datetime.now(UTC))
    return overdue.order_by("bot_due_at").values_list("bot_due_at", flat=True).first()


def games_count() -> dict[str, int]:
    """How many games there are in the lobby and running, by phase."""
    live = Game.objects.filter(phase__in=(Phase.LOBBY, Phase.PLAYING)).order_by()
    counted = dict(live.values_list("phase").annotate(Count("pk")))
    return {phase.value: counted.get(phase.value, 0) for phase in (Phase.LOBBY, Phase.PLAYING)}


def watched_at() -> datetime | None:
    """When a sweep last looked at the clocks; None if none ever did."""
    return Watch.objects.order_by("-pk").values_list("last_at", flat=True).first()


def _portions(game_id: UUID) -> Iterator[StoredEvent]:
    after = 0
    while events := store.log(game_id=game_id, after=after, limit=MOST_EVENTS):
        yield from events
        after = events[-1].version


def _load_started(game_id: UUID) -> tuple[Game, Table]:
    game, table = store.load(game_id=game_id)
    if not game.version:
        raise WrongPhase("not_started", game.phase)
    return game, table


def _with_seating(games: QuerySet[Game]) -> QuerySet[Game]:
    now = SeatRow.objects.filter(until_version=None).select_related("player").order_by("seat")
    return games.prefetch_related(Prefetch("seating", queryset=now))


def _tables_of(player: Player | None) -> QuerySet[SeatRow, UUID]:
    rows = SeatRow.objects.filter(until_version=None)
    rows = rows.none() if player is None else rows.filter(player_id=player.pk)
    return rows.values_list("game_id", flat=True)
