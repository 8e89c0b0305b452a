"""What is told of a game: plain dicts, built by hand from views and redacted events only."""

from datetime import datetime

from django.conf import settings
from django.db.models import Prefetch, prefetch_related_objects

from games.fold import StoredEvent
from games.models import Game, Phase
from games.models import Seat as SeatRow
from games.rules.cards import Seat
from games.rules.codec import encode
from games.rules.commands import COMMAND_ID, Command, Play
from games.rules.legal import may_act
from games.rules.notation import format_command
from games.rules.ruleset import Ruleset
from games.rules.state import State
from games.rules.views import View, redact
from games.selectors import Legal, Past, SeenEvent
from games.streaming.presence import NOBODY, Presence
from players.api.answers import address, instant, now
from players.api.people import seated_json
from players.models import Player

Json = dict[str, object]


def game_path(game_id: object) -> str:
    """The path of a game."""
    return f"/api/v1/games/{game_id}/"


def game_tag(game: Game) -> str:
    """What the game's ETag covers: the log and the lobby."""
    return f"{game.version}-{game.lobby_revision}"


def with_seating(game: Game) -> Game:
    """The same game, its seating read along, whoever asks."""
    sitting = SeatRow.objects.filter(until_version=None).select_related("player").order_by("seat")
    prefetch_related_objects([game], Prefetch("seating", queryset=sitting))
    return game


def seat_at(game: Game, player: Player) -> Seat | None:
    """The player's seat, from the seating that was read along."""
    return next((Seat(row.seat) for row in game.seating.all() if row.player_id == player.pk), None)


def game_json(game: Game, viewer: Player, presence: Presence = NOBODY) -> Json:
    """The table as the viewer may know it; its seating must have been read along. ``presence``: who follows it."""
    taken = {row.seat: row for row in game.seating.all()}
    seated = any(row.player_id == viewer.pk for row in taken.values())
    return {
        "id": str(game.pk),
        "name": game.name or None,
        "phase": game.phase,
        "version": game.version,
        "house_rules": Ruleset.from_mapping(game.house_rules).as_mapping(),
        "visibility": game.visibility,
        "invite_code": (game.invite_code or None) if seated else None,
        "commitment": game.commitment,
        "rematch_of": str(game.rematch_of_id) if game.rematch_of_id else None,
        "turn_seconds": game.turn_seconds,
        "bank_seconds": game.bank_seconds,
        "increment_seconds": game.increment_seconds,
        "reaction_seconds": game.reaction_seconds,
        "game_minutes": game.game_minutes,
        "when_away": game.when_away,
        "first_player": game.first_player,
        "seats_free": game.seats_free,
        "seats": [_seat(game, number, taken.get(number), number in presence.since) for number in range(game.seats)],
        "spectators": presence.spectators,
        "host": game.host_seat,
        "turn": game.turn,
        "winner": game.winner,
        "ranking": _ranking(game),
        "abort_reason": (game.abort_reason or None) if seated or viewer.is_staff else None,
        "deadline": _time(game.deadline),
        "frozen": frozen_json(game),
        "created_at": instant(game.created_at),
        "started_at": _time(game.started_at),
        "ended_at": _time(game.ended_at),
        "now": now(),
        "links": _links(game),
    }


def _ranking(game: Game) -> list[Json] | None:
    """Who came where; there are no stages in single mode."""
    if game.ranking is None:
        return None
    return [{**placing, "stage": placing["stage"] or None} for placing in game.ranking]


def _seat(game: Game, number: int, row: SeatRow | None, connected: bool) -> Json:
    return {
        "seat": number,
        "player": seated_json(row.player) if row and not row.bot else None,
        "bot": (row.bot or None) if row else None,
        "cards": game.cards[number] if number < len(game.cards) else None,
        "stage": game.stages[number] if number < len(game.stages) else None,
        "bank": game.banks[number] // 1_000 if number < len(game.banks) else None,
        "away": number in game.away,
        "connected": connected,
    }


def _links(game: Game) -> Json:
    path = game_path(game.pk)
    here, streams = address(path), f"{settings.TAKI_STREAM_URL}{path}"
    return {
        "self": here,
        **{name: f"{here}{name}/" for name in ("view", "legal", "commands", "events")},
        "poll": f"{streams}events/",
        "stream": f"{streams}stream/",
        "states": f"{here}states/{{version}}/{{?as}}",
        "audit": f"{here}audit/",
        "export": f"{here}export/",
        "record": f"{here}record/",
        "replay": _replay(game),
    }


def _replay(game: Game) -> str | None:
    """The page that replays a game which is over; one that never began has none."""
    over = game.phase in (Phase.FINISHED, Phase.ABORTED) and game.version
    return address(f"/games/{game.pk}/replay/") if over else None


def view_json(view: View, game: Game) -> Json:
    """The position as its viewer sees it."""
    state, seat = view.state, view.viewer
    return {
        "version": game.version,
        "phase": game.phase,
        "seat": seat,
        "hand": None if seat is None else [card.code for card in state.hands[seat]],
        "cards": [len(hand) for hand in state.hands],
        "draw_pile": len(state.draw),
        "top": state.pile[0].code,
        "lead": state.lead.code,
        "turn": state.turn,
        "direction": state.direction,
        "owe": state.owe,
        "taki": state.taki.value if state.taki else None,
        "run": state.run.value if state.run else None,
        "again": state.again.value if state.again else None,
        "window": _window(state, seat, game.deadline),
        "last": state.last,
        "left": state.left,
        "stages": state.stages or None,
        "bank": [left // 1_000 for left in game.banks] or None,
        "away": game.away,
        "may_act": seat is not None and game.phase == Phase.PLAYING and may_act(state, seat),
        "winner": state.winner,
        "ranking": _ranking(game),
        "deadline": _time(game.deadline),
        "now": now(),
    }


def state_json(past: Past) -> Json:
    """The position as it was seen at an earlier version."""
    told = view_json(past.view, past.game)
    if past.hands is not None:
        told["hands"] = [[card.code for card in hand] for hand in past.hands]
    return told


def _window(state: State, seat: Seat | None, deadline: datetime | None) -> Json | None:
    if state.plus3 is None:
        return None
    return {"seat": state.plus3, "answered": seat not in state.answer, "deadline": _time(deadline)}


def _time(time: datetime | None) -> str | None:
    return None if time is None else instant(time)


def appended_json(stored: StoredEvent, seat: Seat | None) -> Json:
    """An event of a command just carried out, as this seat may know it; hot: only what is hidden is encoded anew."""
    told = redact(stored.event, seat)
    return {
        "version": stored.version,
        "type": stored.type,
        "data": stored.data if told is stored.event else encode(told).data,
        "at": instant(stored.recorded_at),
    }


def event_json(seen: SeenEvent) -> Json:
    """An event of the log, as its viewer may know it."""
    return {"version": seen.version, "type": seen.type, "data": seen.data, "at": instant(seen.recorded_at)}


def frozen_json(game: Game) -> Json | None:
    """Since when and why the game is frozen; None when it is not."""
    return None if game.frozen_at is None else {"at": instant(game.frozen_at), "reason": game.frozen_reason}


def legal_json(legal: Legal) -> Json:
    """Every legal command of the seat, and why the rest of its hand cannot be laid."""
    playing = legal.game.phase == Phase.PLAYING
    return {
        "version": legal.game.version,
        "commands": [_command(command) for command in legal.commands] if playing else [],
        "refused": [
            {"card": card.code, "refusal": refused.refusal.value, "rule": refused.rule}
            for card, refused in legal.refused
        ]
        if playing
        else [],
    }


def _command(command: Command) -> Json:
    text = format_command((command,))
    card = command.card.code if isinstance(command, Play) else None
    color = command.color.value if isinstance(command, Play) and command.color else None
    kind = "play" if isinstance(command, Play) else text
    return {"id": COMMAND_ID[command], "command": text, "type": kind, "card": card, "color": color}
