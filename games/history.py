"""Games as they were: what a log folds to up to an earlier version. Only reads.

Folds on the way are kept as marks, so that going through a game step by step costs the steps, however long it is.
A mark is not trusted: its hash is compared with the log's.
"""

import copy
import threading
from collections import OrderedDict
from typing import Final
from uuid import UUID

from games import chain, store
from games.fold import Folded, begin, fold
from games.models import Game
from games.projections import summary
from games.table import Table

EVERY: Final = 100
"""So many versions lie between two marks."""
MOST_GAMES: Final = 32

Marks = dict[int, Folded]


class _Kept:
    """The marks of the games looked at last; of each game, every hundredth version and the last one asked for."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._games: OrderedDict[UUID, Marks] = OrderedDict()
        self._guard = threading.Lock()

    def nearest(self, game_id: UUID, version: int) -> Folded | None:
        with self._guard:
            marks = self._games.get(game_id, {})
            return marks[max(near)] if (near := [mark for mark in marks if mark <= version]) else None

    def keep(self, game_id: UUID, found: Marks, last: int) -> None:
        with self._guard:
            before = self._games.pop(game_id, {})
            kept = {mark: folded for mark, folded in {**before, **found}.items() if mark % EVERY == 0 or mark == last}
            self._games[game_id] = kept
            if len(self._games) > self._most:
                self._games.popitem(last=False)

    def forget(self, game_id: UUID) -> None:
        with self._guard:
            self._games.pop(game_id, None)

    def clear(self) -> None:
        with self._guard:
            self._games.clear()


_kept = _Kept(MOST_GAMES)
keep: Final = _kept.keep
forget_all: Final = _kept.clear


def folded_at(*, game: Game, version: int) -> Folded:
    """What the log folds to up to this version, which the game must have reached; 0 is the empty log."""
    start = _kept.nearest(game.id, version)
    if start is not None and not _holds(game.id, start):
        _kept.forget(game.id)
        start = None
    marks = _folds(game.id, start or _beginning(game), version)
    _kept.keep(game.id, marks, version)
    return marks[version]


def game_at(*, game: Game, folded: Folded) -> Game:
    """A copy of the game's row with the summary that it had at this fold; not to be saved."""
    then = copy.copy(game)
    derived = summary(Table(folded, (), -1, b""), store.limits_of(game))
    for name, value in derived._asdict().items():
        setattr(then, name, value)
    return then


def _holds(game_id: UUID, mark: Folded) -> bool:
    if not mark.version:
        return True
    (stored,) = store.log(game_id=game_id, after=mark.version - 1, limit=1) or (None,)
    return stored is not None and stored.hash == mark.hash


def _beginning(game: Game) -> Folded:
    digests = [chain.entropy_digest(entropy) for entropy in store.first_entropies(game)]
    return begin(chain.genesis(game.id), chain.game_seed(store.server_seed_of(game.id), digests))


def _folds(game_id: UUID, folded: Folded, version: int) -> Marks:
    """The fold at ``version``, and those at the marks on the way to it."""
    marks = {folded.version: folded}
    while folded.version < version:
        most = min(EVERY - folded.version % EVERY, version - folded.version)
        events = store.log(game_id=game_id, after=folded.version, limit=most)
        if not events:
            raise LookupError(f"game {game_id} has no version {version}")
        folded = fold(folded, events)
        marks[folded.version] = folded
    return marks
