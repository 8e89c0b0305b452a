"""Who sits at the desk in these tests, and the tournaments they have there."""

from collections.abc import Sequence
from uuid import uuid4

from django.contrib.auth.models import Group
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from players.models import Player
from tournaments import services
from tournaments.models import Tournament
from tournaments.rules import Format, State, TableKind, Terms
from tournaments.selectors import state_load

LADDER = Terms(format=Format.LADDER, table_kind=TableKind.LADDER, table_size=4, go_on=1, capacity=4, check_in=False)
REASON = "agreed with all of them"


def person(name: str, *roles: str, superuser: bool = False) -> Player:
    """A player with an account; with roles (or as a superuser) one who may log in to the admin."""
    player = Player.objects.create_user(name, "a-long-password-1", is_staff=bool(roles) or superuser)
    if superuser:
        player.is_superuser = True
        player.save()
    player.groups.add(*Group.objects.filter(name__in=roles))
    assert player.groups.count() == len(roles)
    return player


def browser_of(player: Player) -> Client:
    """A logged-in browser."""
    client = Client()
    client.force_login(player)
    return client


def tournament_of(owner: Player, *, terms: Terms = LADDER, players: Sequence[str] = (), bots: int = 0) -> Tournament:
    """One whose registration is open, with these players and bots entered."""
    made = services.tournament_create(owner=owner, name="The club's evening", terms=terms)
    services.registration_open(tournament_id=made.pk, actor=owner)
    for name in players:
        player = Player.objects.create_user(name)
        services.entry_register(tournament_id=made.pk, actor=owner, player=player)
    for _ in range(bots):
        services.entry_register(tournament_id=made.pk, actor=owner, player=None, bot=True)
    return made


def page(name: str, tournament: Tournament, *more: object) -> str:
    """The address of one of the desk's pages."""
    return reverse(f"admin:tournaments_tournament_{name}", args=[tournament.pk, *more])


def pressed(client: Client, tournament: Tournament, act: str, where: str = "press", **form: object) -> HttpResponse:
    """What a press of a button is answered."""
    said = {"act": act, "press": str(uuid4()), "reason": REASON, **form}
    answer: HttpResponse = client.post(page(where, tournament), said)  # type: ignore[assignment, unused-ignore]
    return answer


def state_of(tournament: Tournament) -> State:
    """How it stands."""
    return state_load(tournament_id=tournament.pk)


def messages_of(client: Client, tournament: Tournament) -> list[str]:
    """What the next page of the desk tells."""
    context = client.get(page("change", tournament)).context
    return [str(message) for message in context["messages"]]
