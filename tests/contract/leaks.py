"""A random game with everybody who may ask about it, and what of any answer each of them may know."""

import json
import random
import re
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID, uuid4

from django.conf import settings
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from games import chain, services, store
from games.models import Game, Phase, Visibility
from games.rules import codec
from games.rules.cards import CARDS, Seat
from games.rules.views import redact
from games.services import BotActor, GameSettings, PlayerActor
from games.services.actors import Actor
from players.models import Player
from players.services import player_create_guest, token_create
from tests.rules.laws.random_games import _next_command, random_house_rules

CODES: Final = frozenset(card.code for card in CARDS)
BOT: Final = "random"
MOST_COMMANDS: Final = 120
# Members whose words are no cards: ids of rules look like them ("G4").
_WORDS: Final = frozenset({"rule", "rules", "title", "detail", "cause", "cure", "text", "name", "reason"})
_TOKEN: Final = re.compile(r"(?<![A-Za-z0-9+])[A-Z0-9+]+(?![A-Za-z0-9+])")
_MASKED: Final = re.compile(rb'"(?:now|hash|head|signature)":"[^"]*"')


@dataclass
class Room:
    """A running game, and the token of each who may look: seats by number, and those who do not sit there."""

    game_id: UUID
    tokens: dict[str, str]
    seats: dict[str, Seat]
    secrets: dict[str, str]

    @property
    def game(self) -> Game:
        """The row as it is now."""
        return Game.objects.get(pk=self.game_id)

    def seat(self, role: str) -> Seat | None:
        """The seat of a role; None for who only watches."""
        return self.seats.get(role)


def opened(chance: random.Random) -> tuple[Room, random.Random]:
    """A started table with random house rules, two to ten seats, and now and then a bot."""
    seats = chance.randint(2, 10)
    bots = chance.choice((0, 0, 1)) if seats > 2 else 0
    people = [player_create_guest()[0] for _ in range(seats - bots)]
    visibility = chance.choice((Visibility.PUBLIC, Visibility.PUBLIC, Visibility.PRIVATE))
    rules = random_house_rules(chance)
    made = services.game_create(
        host=people[0],
        settings=GameSettings(
            seats=seats, house_rules=rules, visibility=visibility, turn_seconds=None, name="A leaky boat"
        ),
        entropy=chance.randbytes(8),
    )
    for person in people[1:]:
        services.game_join(game_id=made.pk, player=person, invite_code=made.invite_code or None)
    for seat in range(len(people), seats):
        services.game_seat_bot(game_id=made.pk, actor=people[0], seat=Seat(seat), level=BOT)
    services.game_start(game_id=made.pk, actor=people[0])
    return _room(made, people), chance


def _room(made: Game, people: list[Player]) -> Room:
    others = {
        "guest": player_create_guest()[0],
        "other": Player.objects.create_user(f"Other {uuid4().hex[:8]}"),
        "staff": Player.objects.create_user(f"Staff {uuid4().hex[:8]}", is_staff=True),
        "chief": Player.objects.create_user(f"Chief {uuid4().hex[:8]}", is_staff=True, is_superuser=True),
    }
    services.game_create(host=others["other"], settings=GameSettings(seats=2))
    seated = {f"seat {seat}": person for seat, person in enumerate(people)}
    tokens = {role: token_create(player=person) for role, person in {**seated, **others}.items()}
    seats = {role: Seat(number) for number, role in enumerate(seated)}
    return Room(made.pk, {**tokens, "nobody": ""}, seats, _secrets(made, tokens))


def _secrets(made: Game, tokens: Mapping[str, str]) -> dict[str, str]:
    """What nobody is sent while the game runs, by name."""
    server_seed = store.server_seed_of(made.pk)
    digests = [chain.entropy_digest(entropy) for entropy in store.first_entropies(made)]
    private = {"server seed": server_seed, "game seed": chain.game_seed(server_seed, digests)}
    private |= {f"salt {version}": chain.salt(server_seed, version) for version in range(1, 60)}
    found = {name: secret.hex() for name, secret in private.items()}
    found |= {f"{name} in base64": _base64(secret) for name, secret in private.items()}
    found |= {f"token of {role}": token for role, token in tokens.items()}
    return {**found, "secret key": settings.SECRET_KEY}


def _base64(secret: bytes) -> str:
    return urlsafe_b64encode(secret).rstrip(b"=").decode()


def moves(room: Room, chance: random.Random, most: int = MOST_COMMANDS) -> Iterator[int]:
    """Play legal commands at random; the version after each."""
    for _ in range(most):
        _, table = store.load(game_id=room.game_id)
        state = table.folded.state
        if state.over:
            return
        seat, command = _chosen(state, chance)
        actor: Actor = PlayerActor(player) if (player := _player_at(table, seat)) else BotActor(seat)
        appended = services.game_submit(
            game_id=room.game_id, actor=actor, commands=(command,), command_id=uuid4(), digest=b""
        )
        yield appended.version


def _chosen(state: Any, chance: random.Random) -> tuple[Seat, Any]:
    while True:
        seat, command = _next_command(state, chance)
        if seat is not None:
            return seat, command


def _player_at(table: Any, seat: Seat) -> UUID | None:
    return next((seated.player_id for seated in table.seating if seated.seat == seat), None)


# ---- what is asked


def routes() -> list[str]:
    """Every address that tells of one game, and lists that hold it."""
    found = [route for route in _patterns(get_resolver().url_patterns) if _about_games(route)]
    return sorted({*found, "/api/v1/games/", "/metrics"})


def _about_games(route: str) -> bool:
    if route.startswith(("/admin/", "/_allauth/")):
        return False
    return "game_id" in route or ("players/" in route and "/games/" in route)


def _patterns(patterns: list[URLPattern | URLResolver], prefix: str = "/") -> Iterator[str]:
    for pattern in patterns:
        route = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _patterns(pattern.url_patterns, route)
        elif _tells(pattern.callback):
            yield re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", route)


def addresses(room: Room, version: int, chance: random.Random) -> list[str]:
    """All of them, for this game at this version."""
    host = room.game.seating.get(seat=0, until_version=None).player
    assert host is not None
    values = {"game_id": str(room.game_id), "seat": "0", "name": host.name}
    found = []
    for route in routes():
        versions = {version, max(1, version // 2)} if "{version}" in route else {version}
        for asked in versions:
            path = re.sub(r"\{(\w+)\}", lambda name, at=asked: values.get(name[1], str(at)), route)  # type: ignore[misc]
            found += [path + more for more in _variants(route, chance)]
    return found


def _variants(route: str, chance: random.Random) -> tuple[str, ...]:
    if "/states/" in route:
        return "", "?as=spectator", "?as=all", f"?as={chance.randrange(10)}"
    if route.endswith("/events/"):
        return "?limit=1000", f"?after={chance.randrange(9)}&limit=50"
    return ("",)


def asked(room: Room, role: str, path: str, client: Client, **headers: str) -> bytes:
    """Every byte of the answer, its headers among them."""
    client.cookies.clear()
    return _bytes(client.get(path, headers={**headers, **_authorization(room, role)}))


def _authorization(room: Room, role: str) -> dict[str, str]:
    token = room.tokens[role]
    return {"authorization": f"Bearer {token}"} if token else {}


def told(room: Room, role: str, command: str, client: Client) -> bytes:
    """The answer to a command."""
    path = f"/api/v1/games/{room.game_id}/commands/"
    body = {"command": command}
    return _bytes(client.post(path, body, "application/json", headers=_authorization(room, role)))


def _bytes(answer: Any) -> bytes:
    assert answer.status_code < 500, answer
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content
    headers = "".join(f"{name}: {value}\n" for name, value in answer.headers.items() if name != "X-Request-Id")
    return f"{answer.status_code}\n{headers}\n".encode() + bytes(body)


def masked(answer: bytes) -> bytes:
    """Without what differs between a game and its twin although it tells nothing: times, and salted hashes."""
    return re.sub(rb"ETag: [^\n]*\n", b"", _MASKED.sub(b'""', answer))


def _tells(view: Any) -> bool:
    """It answers GET; a page that is a plain function does."""
    endpoint = getattr(view, "cls", None) or getattr(view, "view_class", None)
    return endpoint is None or hasattr(endpoint, "get")


# ---- what may be known


def known(room: Room, role: str) -> set[str]:
    """The kinds of cards that the role may know of: those in what the engine tells its seat, or a spectator."""
    seat = room.seat(role)
    if room.game.phase in (Phase.FINISHED, Phase.ABORTED):
        return set(CODES)
    found: set[str] = set()
    for stored in store.log(game_id=room.game_id):
        data = codec.encode(redact(stored.event, seat)).data
        found |= set(_TOKEN.findall(json.dumps(data))) & CODES
    return found


def cards_in(answer: bytes) -> set[str]:
    """The kinds of cards that a JSON answer, or lines of JSON, name anywhere."""
    body = answer.partition(b"\n\n")[2]
    found: set[str] = set()
    for line in body.splitlines() or [b""]:
        try:
            value = json.loads(line)
        except ValueError:
            continue
        found |= {token for text in _texts(value) for token in _TOKEN.findall(text)} & CODES
    return found


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, member in value.items():
            if name not in _WORDS:
                yield from _texts(member)
    elif isinstance(value, list):
        for member in value:
            yield from _texts(member)


def secrets_in(room: Room, role: str, answer: bytes) -> list[str]:
    """The names of the secrets that an answer holds."""
    text = answer.decode(errors="replace").lower()
    over = room.game.phase in (Phase.FINISHED, Phase.ABORTED)
    shown = {name for name in room.secrets if over and not name.startswith(("token", "secret"))}
    return [name for name, secret in room.secrets.items() if name not in shown and secret.lower() in text]


def hand_of(room: Room, seat: Seat) -> set[str]:
    """The kinds of cards in a hand."""
    _, table = store.load(game_id=room.game_id)
    return {card.code for card in table.folded.state.hands[seat]}


def is_over(room: Room) -> bool:
    """Nothing is hidden any more."""
    return room.game.phase in (Phase.FINISHED, Phase.ABORTED)
