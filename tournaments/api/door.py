"""What the endpoints of tournaments have in common: scopes, who is meant, and the answer to an act."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.views import APIView

from players.api.answers import address, answer
from players.api.door import Endpoint, caller, idempotency_key, may
from players.api.errors import ScopeMissing
from players.api.fields import invalid
from players.api.preconditions import if_match, require_match
from players.idempotency import Answer
from players.models import Player, Scope, Token
from players.names import name_key
from tournaments.api.answers import entry_json, tournament_json, tournament_path, tournament_tag
from tournaments.models import Tournament
from tournaments.selectors import brief, entry_get, tournament_get
from tournaments.services import Acted
from tournaments.services.guarded import under_lock


class PlayerEndpoint(Endpoint):
    """An endpoint at which players act for themselves, and organisers for anybody: either scope will do."""

    def check_permissions(self, request: Request) -> None:
        """The permission classes; then the token's scope, if there is a token."""
        APIView.check_permissions(self, request)
        if isinstance(request.auth, Token) and not self.allows(request.auth, request.method or ""):
            raise ScopeMissing

    def allows(self, token: Token, method: str) -> bool:
        """Whether the token may be used for this method."""
        return may(token, method) or organises(token)

    def answered(self, request: Request, tournament_id: UUID, make: Callable[[], Answer]) -> HttpResponse:
        """The answer made, once for each `Idempotency-Key`, and only if the tournament is as `If-Match` says."""
        wanted = if_match(request)
        if wanted is None:
            return self.once(request, make)

        def check(tournament: Tournament) -> None:
            require_match(wanted, tournament_tag(tournament), tournament.version)

        def guarded() -> Answer:
            tournament_get(tournament_id=tournament_id, viewer=caller(request))
            return under_lock(tournament_id=tournament_id, check=check, act=make)

        return self.once(request, guarded)


class OrganiserEndpoint(PlayerEndpoint):
    """An endpoint at which tournaments are run: writing needs the scope `organise`."""

    def allows(self, token: Token, method: str) -> bool:
        """Whether the token may be used for this method."""
        return may(token, method) if method in SAFE_METHODS else organises(token)

    def act(self, request: Request, tournament_id: UUID, act: Callable[[UUID | None], Acted]) -> HttpResponse:
        """Carry it out and answer with the tournament."""
        key = idempotency_key(request)
        return self.answered(request, tournament_id, lambda: told(act(key).tournament, caller(request)))


def organises(token: Token) -> bool:
    """The token may be used to run tournaments."""
    return Scope.ORGANISE in token.scopes


def require_organise(request: Request) -> None:
    """ScopeMissing for a token that may not act as an organiser."""
    if isinstance(request.auth, Token) and not organises(request.auth):
        raise ScopeMissing


def told(tournament: Tournament, viewer: Player, *, status: int = 200) -> Answer:
    """The tournament, after an act of the viewer."""
    headers = {"ETag": f'"{tournament_tag(tournament)}"'}
    if status == 201:
        headers["Location"] = address(tournament_path(tournament))
    return answer(tournament_json(brief(tournament=tournament, viewer=viewer), viewer), status=status, headers=headers)


def told_entry(acted: Acted, number: int, viewer: Player, *, status: int = 200) -> Answer:
    """The entry, after an act on it."""
    seen = brief(tournament=acted.tournament, viewer=viewer)
    entries: dict[int, Any] = {**seen.entries, number: entry_get(tournament_id=acted.tournament.pk, number=number)}
    return answer(entry_json(type(seen)(seen.tournament, seen.state, entries), number), status=status)


def player_named(name: str) -> Player:
    """The player of this name. ValidationError."""
    player = Player.objects.filter(key=name_key(name), is_active=True).first()
    if player is None:
        raise invalid("player", "no_such_player")
    return player
