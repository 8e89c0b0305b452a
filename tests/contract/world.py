"""One of each kind of game, tournament and person, for the table of who may do what."""

from dataclasses import dataclass, field
from typing import Any, Final
from uuid import uuid4

from django.contrib.auth.models import Group

from games import services as games
from games.models import FirstPlayer, Game, Visibility
from games.rules.cards import Seat
from games.rules.commands import LEAVE
from games.services import GameSettings, PlayerActor
from players.models import Player, Scope
from players.services import player_create_guest, token_create
from tournaments import services
from tournaments.models import TournamentTable
from tournaments.rules import Format, TableKind, Terms
from tournaments.services import tournament_advance

ROLES: Final = (
    "nobody",
    "guest",
    "other",
    "watcher",
    "seated",
    "host",
    "organiser",
    "staff",
    "referee",
    "reader",
    "player",
)
"""`watcher` sat at the tables and got up again. `staff` has no rights of its own, `referee` those of the role.

`reader` and `player` are the one who may do most (the host at a game, the organiser at a tournament) with a token
of the scope `read` alone, and one of `read` and `play`.
"""
CAPACITY: Final = 4


@dataclass
class World:
    """Ids by the name that a path in the table calls them, and a token by role."""

    ids: dict[str, str] = field(default_factory=dict)
    tokens: dict[str, str] = field(default_factory=dict)
    people: dict[str, Player] = field(default_factory=dict)

    def token(self, role: str, path: str) -> str:
        """The token of a role for this path; empty for nobody."""
        if role in ("reader", "player"):
            return self.tokens[f"{role} {'organiser' if 'tournaments/' in path else 'host'}"]
        return self.tokens.get(role, "")


def made_world() -> World:
    """A new one. To be called within a transaction that is rolled back."""
    world = World()
    _people(world)
    _games(world)
    _tournaments(world)
    return world


def _people(world: World) -> None:
    world.people["guest"] = player_create_guest()[0]
    for role in ("other", "watcher", "seated", "host", "organiser"):
        world.people[role] = Player.objects.create_user(f"The {role}")
    for role in ("staff", "referee"):
        world.people[role] = Player.objects.create_user(f"The {role}", is_staff=True)
    world.people["referee"].groups.add(Group.objects.get(name="referee"))
    for role, person in world.people.items():
        world.tokens[role] = token_create(player=person)
    world.ids["token"] = str(world.people["host"].tokens.get().pk)
    for role in ("host", "organiser"):
        for kind, scopes in (("reader", {Scope.READ}), ("player", {Scope.READ, Scope.PLAY})):
            world.tokens[f"{kind} {role}"] = _narrow_token(world.people[role], scopes)


def _narrow_token(person: Player, scopes: set[Scope]) -> str:
    text = token_create(player=person)
    made = person.tokens.order_by("-id")[0]
    made.scopes = sorted(scope.value for scope in scopes)
    made.save()
    return text


# ---- games


def _games(world: World) -> None:
    for name, visibility in (("lobby", Visibility.PUBLIC), ("private", Visibility.PRIVATE)):
        world.ids[name] = str(_lobby(world, visibility, seats=4).pk)
    world.ids["full"] = str(_lobby(world, Visibility.PUBLIC, seats=2).pk)
    for name, visibility in (("playing", Visibility.PUBLIC), ("hidden", Visibility.PRIVATE)):
        world.ids[name] = str(_begun(world, visibility).pk)
    for name, visibility in (("finished", Visibility.PUBLIC), ("past", Visibility.PRIVATE)):
        world.ids[name] = str(_finished(world, visibility).pk)


def _lobby(world: World, visibility: Visibility, *, seats: int) -> Game:
    host, seated, watcher = (world.people[role] for role in ("host", "seated", "watcher"))
    settings = GameSettings(seats=seats, visibility=visibility, first_player=FirstPlayer.HOST)
    game = games.game_create(host=host, settings=settings)
    code = game.invite_code or None
    games.game_join(game_id=game.pk, player=watcher, seat=Seat(1), invite_code=code)
    games.game_leave(game_id=game.pk, player=watcher)
    games.game_join(game_id=game.pk, player=seated, seat=Seat(1), invite_code=code)
    return game


def _begun(world: World, visibility: Visibility) -> Game:
    game = _lobby(world, visibility, seats=2)
    games.game_start(game_id=game.pk, actor=world.people["host"])
    return game


def _finished(world: World, visibility: Visibility) -> Game:
    game = _begun(world, visibility)
    actor = PlayerActor(world.people["seated"].pk)
    games.game_submit(game_id=game.pk, actor=actor, commands=(LEAVE,), command_id=uuid4(), digest=b"")
    return game


# ---- tournaments


LADDER: Final = Terms(
    format=Format.LADDER, table_kind=TableKind.LADDER, table_size=CAPACITY, go_on=1, capacity=CAPACITY, check_in=True
)


def _tournaments(world: World) -> None:
    for name, visibility in (("draft", "public"), ("open", "public"), ("secret", "private"), ("running", "public")):
        world.ids[name] = _tournament(world, name, visibility)


def _tournament(world: World, name: str, visibility: str) -> str:
    organiser = world.people["organiser"]
    made = services.tournament_create(
        owner=organiser, name=f"The {name} one", terms=LADDER, visibility=Visibility(visibility)
    )
    about: dict[str, Any] = {"tournament_id": made.pk, "actor": organiser, "reason": "as the table of rights wants it"}
    if name != "draft":
        services.registration_open(**about)
        for role in ("seated", "host"):
            person = world.people[role]
            code = made.invite_code or None
            services.entry_register(tournament_id=made.pk, actor=person, player=person, invite_code=code)
    if name == "running":
        services.registration_close(**about)
        for entry in (1, 2):
            services.entry_check_in(entry=entry, **about)
        services.tournament_start(**about)
        while tournament_advance(tournament_id=made.pk).more:
            pass
        table = TournamentTable.objects.get(tournament_id=made.pk)
        world.ids["table"] = str(table.game_id)
    return str(made.pk)
