"""What concerns a player just now: its games, invitations and tournaments; and what to tell when that has changed."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple
from uuid import UUID

from django.conf import settings

from games.api.answers import game_path
from games.models import Game, Phase
from games.rules.cards import Seat
from games.streaming.feed import GameFeed
from players.api.answers import address, instant

Json = dict[str, object]
Told = tuple[str, Json]


class OwnGame(NamedTuple):
    """A game in which the player sits. ``turn_version`` and ``window_version`` tell one turn or window from another.

    ``asked``: a +3 waits for this player's own answer; of others nothing is said.
    """

    game_id: UUID
    name: str
    phase: str
    version: int
    seat: Seat
    turn: int | None
    your_turn: bool
    turn_version: int
    window: int | None
    asked: bool
    window_version: int
    stage: int | None
    deadline: str | None
    away: bool
    ranking: object

    def json(self) -> Json:
        """As it is sent."""
        here = address(game_path(self.game_id))
        stream = f"{settings.TAKI_STREAM_URL}{game_path(self.game_id)}stream/"
        window = None if self.window is None else {"seat": self.window, "answered": not self.asked}
        return {
            "id": str(self.game_id),
            "name": self.name or None,
            "phase": self.phase,
            "version": self.version,
            "seat": self.seat,
            "turn": self.turn,
            "your_turn": self.your_turn,
            "window": window,
            "stage": self.stage,
            "deadline": self.deadline,
            "away": self.away,
            "ranking": self.ranking,
            "links": {
                "self": here,
                "view": f"{here}view/",
                "commands": f"{here}commands/",
                "stream": stream,
            },
        }


class OwnState(NamedTuple):
    """Everything that concerns a player. ``sections``: what other apps add, by name and key."""

    games: Mapping[UUID, OwnGame]
    invitations: Mapping[UUID, Json]
    sections: Mapping[str, Mapping[str, Json]]

    def json(self) -> Json:
        """As `state` has it."""
        listed = {name: list(entries.values()) for name, entries in self.sections.items()}
        games = [game.json() for game in self.games.values()]
        return {"games": games, "invitations": list(self.invitations.values()), **listed}


def own_game(feed: GameFeed, player_id: UUID) -> OwnGame | None:
    """The game as it concerns the player; None when it no longer sits there, or has left. Only while `settled`."""
    game, state, clock, seat = feed.row, feed.folded.state, feed.folded.clock, feed.viewer(player_id)
    if seat is None or seat in state.left:
        return None
    playing = game.phase == Phase.PLAYING
    window = state.plus3 if playing else None
    return OwnGame(
        game_id=game.pk,
        name=game.name,
        phase=game.phase,
        version=game.version,
        seat=seat,
        turn=game.turn,
        your_turn=playing and window is None and game.turn == seat,
        turn_version=clock.turn_version,
        window=window,
        asked=window is not None and seat in state.answer,
        window_version=clock.window_version,
        stage=state.stages[seat] if state.stages else None,
        deadline=None if game.deadline is None else instant(game.deadline),
        away=seat in game.away,
        ranking=_ranking(game),
    )


def changes(before: OwnState, now: OwnState) -> Iterator[Told]:
    """What has happened between two states, each with its event's name."""
    for game_id, game in now.games.items():
        yield from _of_game(before.games.get(game_id), game)
    for game_id, gone in before.games.items():
        if game_id not in now.games and gone.phase in (Phase.LOBBY, Phase.PLAYING):
            yield "left", gone.json()
    for game_id, invitation in now.invitations.items():
        if game_id not in before.invitations:
            yield "invitation", invitation


def _of_game(before: OwnGame | None, now: OwnGame) -> Iterator[Told]:
    if now.phase == Phase.LOBBY:
        if before is None or before.seat != now.seat:
            yield "seated", now.json()
        return
    if now.phase != Phase.PLAYING:
        if before is not None and before.phase in (Phase.LOBBY, Phase.PLAYING):
            yield "finished", now.json()
        return
    if before is None or before.phase != Phase.PLAYING:
        yield "started", now.json()
    if now.your_turn and not (before and before.your_turn and before.turn_version == now.turn_version):
        yield "turn", now.json()
    if now.asked and not (before and before.asked and before.window_version == now.window_version):
        yield "window", now.json()
    if before is not None and before.stage is not None and before.stage != now.stage:
        yield "advanced", now.json()
    if before is not None and now.away and not before.away:
        yield "away", now.json()


def _ranking(game: Game) -> object:
    return [{**placing, "stage": placing["stage"] or None} for placing in game.ranking or ()] or None
