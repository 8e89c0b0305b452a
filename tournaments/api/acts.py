"""What players and organisers do with a tournament. Each act answers with the tournament, or with the entry."""

from collections.abc import Callable, Mapping
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from rest_framework.request import Request

from players.api.door import caller, idempotency_key
from players.api.fields import StrictSerializer, invalid
from players.api.schema import IF_MATCH, IF_NONE_MATCH, reading, writing
from tournaments import services
from tournaments.api.bodies import (
    AttemptBody,
    EntryBody,
    NoShowBody,
    PlayerBody,
    ReasonBody,
    ResultBody,
    SeedingBody,
)
from tournaments.api.door import OrganiserEndpoint, PlayerEndpoint, player_named, require_organise, told_entry
from tournaments.api.shapes import EntriesShape, EntryShape, TournamentShape
from tournaments.api.views import entries_answer
from tournaments.errors import NotEntered
from tournaments.rules import EntryNo, Place
from tournaments.selectors import entry_of, tournament_get
from tournaments.services import Acted

Service = Callable[..., Acted]


class EntriesView(PlayerEndpoint):
    """The entries; registering and withdrawing."""

    @reading("tournaments_entries", "Entries", EntriesShape, IF_NONE_MATCH)
    def get(self, request: Request, tournament_id: UUID) -> HttpResponse:
        """Every entry, by number."""
        return entries_answer(request, tournament_id)

    @writing("tournaments_register", "Register", EntryBody, 201, EntryShape, IF_MATCH, more=(412,))
    def post(self, request: Request, tournament_id: UUID) -> HttpResponse:
        """Enter: with a place, or on the waiting list. A private tournament wants its invite code."""
        body, actor, key = self.body(request, EntryBody), caller(request), idempotency_key(request)
        if body.get("player") and body["bot"]:
            raise invalid("bot", "not_together", other="player")
        if body.get("player") or body["bot"]:
            require_organise(request)
        player = None if body["bot"] else player_named(body["player"]) if body.get("player") else actor

        def make() -> Any:
            acted = services.entry_register(
                tournament_id=tournament_id,
                actor=actor,
                player=player,
                bot=body["bot"],
                invite_code=body.get("invite_code"),
                reason=body.get("reason") or "",
                command_id=key,
            )
            return told_entry(acted, acted.entry or 0, actor, status=201)

        return self.answered(request, tournament_id, make)

    @writing("tournaments_withdraw", "Withdraw", ReasonBody, 200, EntryShape, IF_MATCH, more=(412,))
    def delete(self, request: Request, tournament_id: UUID) -> HttpResponse:
        """The caller's own entry does not go on; in a running game its seat leaves."""
        actor = caller(request)
        tournament_get(tournament_id=tournament_id, viewer=actor)
        own = entry_of(tournament_id=tournament_id, player=actor)
        if own is None:
            raise NotEntered
        return _on_entry(self, request, tournament_id, own.number, services.entry_withdraw)


class EntryView(PlayerEndpoint):
    """One entry."""

    @writing("tournaments_withdraw_entry", "Withdraw an entry", ReasonBody, 200, EntryShape, IF_MATCH, more=(412,))
    def delete(self, request: Request, tournament_id: UUID, number: int) -> HttpResponse:
        """The entry does not go on; by whoever holds it, or the organiser."""
        return _on_entry(self, request, tournament_id, number, services.entry_withdraw)


class CheckInView(PlayerEndpoint):
    """Being there."""

    @writing("tournaments_check_in", "Check in", ReasonBody, 200, EntryShape, IF_MATCH, more=(412,))
    def post(self, request: Request, tournament_id: UUID, number: int) -> HttpResponse:
        """Here; by whoever holds the entry, or the organiser. Twice is once."""
        return _on_entry(self, request, tournament_id, number, services.entry_check_in)


class ForfeitView(PlayerEndpoint):
    """Giving up a table."""

    @writing("tournaments_forfeit", "Forfeit a table", ReasonBody, 200, EntryShape, IF_MATCH, more=(412,))
    def post(self, request: Request, tournament_id: UUID, number: int) -> HttpResponse:
        """The entry gives up the table it sits at, and comes last there; by whoever holds it, or the organiser."""
        return _on_entry(self, request, tournament_id, number, services.entry_forfeit)


def _on_entry(view: PlayerEndpoint, request: Request, tournament_id: UUID, number: int, act: Service) -> HttpResponse:
    reason = view.body(request, ReasonBody).get("reason") or ""
    actor, key = caller(request), idempotency_key(request)

    def make() -> Any:
        acted = act(tournament_id=tournament_id, actor=actor, entry=number, reason=reason, command_id=key)
        return told_entry(acted, number, actor)

    return view.answered(request, tournament_id, make)


# ---- the organiser's


def act_view(
    operation: str,
    summary: str,
    words: str,
    service: Service,
    *,
    body: type[StrictSerializer] = ReasonBody,
    target: str = "",
    read: Callable[[Mapping[str, Any]], dict[str, Any]] = lambda body: {},
) -> type[OrganiserEndpoint]:
    """The endpoint of one act of the organiser. ``target``: the service's name for the number in the path."""

    class ActView(OrganiserEndpoint):
        __doc__ = words

        @writing(operation, summary, body, 200, TournamentShape, IF_MATCH, more=(412,))
        def post(self, request: Request, tournament_id: UUID, number: int = 0) -> HttpResponse:
            given, actor = self.body(request, body), caller(request)
            about = {target: number} if target else {}

            def act(key: UUID | None) -> Acted:
                return service(
                    tournament_id=tournament_id,
                    actor=actor,
                    reason=given.get("reason") or "",
                    command_id=key,
                    **about,
                    **read(given),
                )

            return self.act(request, tournament_id, act)

        post.__doc__ = words

    ActView.__name__ = ActView.__qualname__ = "".join(part.title() for part in operation.split("_")) + "View"
    return ActView


def _result(body: Mapping[str, Any]) -> dict[str, Any]:
    places = tuple(
        Place(place["rank"], EntryNo(place["entry"]), place.get("stage"), place.get("cards"))
        for place in body["result"]
    )
    return {"result": places, "attempt": body["attempt"]}


def _attempt(body: Mapping[str, Any]) -> dict[str, Any]:
    return {"attempt": body["attempt"]}


ORGANISER_ACTS = {
    "open/": act_view(
        "tournaments_open", "Open registration", "Take entries, or take them again.", services.registration_open
    ),
    "close/": act_view(
        "tournaments_close", "Close registration", "Take no more; check-in begins.", services.registration_close
    ),
    "seeding/": act_view(
        "tournaments_seeding",
        "List the seeds",
        "Seed these entries in this order, all others after them.",
        services.seeding_list,
        body=SeedingBody,
        read=lambda body: {"order": body["order"]},
    ),
    "start/": act_view("tournaments_start", "Start", "Begin with whoever is there.", services.tournament_start),
    "pause/": act_view(
        "tournaments_pause",
        "Pause",
        "No game begins and nothing follows until it is resumed. Needs a reason.",
        services.tournament_pause,
    ),
    "resume/": act_view("tournaments_resume", "Resume", "Go on.", services.tournament_resume),
    "cancel/": act_view(
        "tournaments_cancel",
        "Cancel",
        "End it; it does not count, and its games are aborted. Needs a reason.",
        services.tournament_cancel,
    ),
    "entries/<number:number>/promote/": act_view(
        "tournaments_promote",
        "Promote an entry",
        "An entry of the waiting list gets a free place. Needs a reason.",
        services.entry_promote,
        target="entry",
    ),
    "entries/<number:number>/replace/": act_view(
        "tournaments_replace",
        "Replace a player",
        "From now on this player holds the entry, with its seat, cards and results. Needs a reason.",
        services.entry_replace,
        body=PlayerBody,
        target="entry",
        read=lambda body: {"player": player_named(body["player"])},
    ),
    "entries/<number:number>/no-show/": act_view(
        "tournaments_no_show",
        "Note a no-show",
        "Nobody came to the table: a bot plays, or the entry forfeits the table. Needs a reason.",
        services.entry_no_show,
        body=NoShowBody,
        target="entry",
        read=lambda body: {"bot": body["bot"]},
    ),
    "entries/<number:number>/disqualify/": act_view(
        "tournaments_disqualify",
        "Disqualify an entry",
        "The entry is out. Needs a reason.",
        services.entry_disqualify,
        target="entry",
    ),
    "entries/<number:number>/reinstate/": act_view(
        "tournaments_reinstate",
        "Reinstate an entry",
        "The disqualification or withdrawal was a mistake. Needs a reason.",
        services.entry_reinstate,
        target="entry",
    ),
    "tables/<number:number>/end/": act_view(
        "tournaments_end_table",
        "End a table early",
        "Its game is stopped and ranked as it stands; without a game a draw settles it. Needs a reason.",
        services.table_end,
        body=AttemptBody,
        target="table",
        read=_attempt,
    ),
    "tables/<number:number>/replay/": act_view(
        "tournaments_replay_table",
        "Replay a table",
        "What was played there does not count; it is played anew. Needs a reason.",
        services.table_replay,
        body=AttemptBody,
        target="table",
        read=_attempt,
    ),
    "tables/<number:number>/abort/": act_view(
        "tournaments_abort_table",
        "Abort a table",
        "Its game comes to nothing; replay or end the table, or it is replayed in ten minutes. Needs a reason.",
        services.table_abort,
        body=AttemptBody,
        target="table",
        read=_attempt,
    ),
    "tables/<number:number>/result/": act_view(
        "tournaments_correct_result",
        "Correct a result",
        "This result holds from now on; the old one stays in the log. Needs a reason.",
        services.result_correct,
        body=ResultBody,
        target="table",
        read=_result,
    ),
    "stages/<number:number>/reopen/": act_view(
        "tournaments_reopen_round",
        "Reopen a round",
        "Undo every later round; they are seated anew. Needs a reason.",
        services.round_reopen,
        target="number",
    ),
}
"""Path below the tournament → its endpoint."""
