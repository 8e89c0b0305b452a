"""What staff may do to a running game beyond looking on: look at its hidden hands, and let a frozen one go on.

Both need a right of their own and a reason, and both are in the audit log before anything comes of them.
"""

from typing import TYPE_CHECKING, Final, NamedTuple, cast
from uuid import UUID

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.cache import never_cache

from games.audit.published import check_of, signature_of
from games.errors import ChainBroken, GameNotFound, WrongPhase
from games.models import Game, Phase
from games.services.freezing import game_unfreeze
from games.services.looking import LEAST_REASON, MOST_REASON, Hands, hands_look, may_look
from players.models import Player

UNFREEZE: Final = "games.unfreeze_game"
_SENTENCES: Final = {
    "not_started": "The game has not started: nobody has a hand yet.",
    "finished": "The game is over: its replay shows every hand.",
}

if TYPE_CHECKING:
    _Pages = admin.ModelAdmin[Game]
else:
    _Pages = object


class Hand(NamedTuple):
    """One hand as the page shows it."""

    seat: int
    cards: str


class LookingPages(_Pages):
    """The pages and columns that the admin of games has beside its own."""

    def get_urls(self) -> list[URLPattern]:
        """The pages of this module, and the others'."""
        own = [
            path("<uuid:game_id>/hands/", self.admin_site.admin_view(self.hands_view), name="games_game_hands"),
            path(
                "<uuid:game_id>/unfreeze/", self.admin_site.admin_view(self.unfreeze_view), name="games_game_unfreeze"
            ),
        ]
        return [*own, *super().get_urls()]

    @admin.display(description="frozen")
    def frozen(self, game: Game) -> SafeString | str:
        """Since when, why, and the way to let it go on."""
        if game.frozen_at is None:
            return "no"
        address = reverse("admin:games_game_unfreeze", args=[game.pk])
        since = f"{game.frozen_at:%F %T} UTC"
        return format_html('since {}: {} <a href="{}">Let it go on</a>', since, game.frozen_reason, address)

    @admin.display(description="verification")
    def verification(self, game: Game) -> str:
        """What the last check came to."""
        check = check_of(game_id=game.pk)
        if check is None:
            return "not checked yet"
        when = f"checked {check.checked_at:%F %T} UTC at version {check.version}"
        if not check.ok:
            return f"does not verify — {check.problem} ({when})"
        contradicted = f"; the summary differs: {check.differing}" if check.differing else ""
        return f"verifies ({when}){contradicted}"

    @admin.display(description="signature")
    def signature(self, game: Game) -> str:
        """By which key the end is signed."""
        signed = signature_of(game_id=game.pk)
        return "none" if signed is None else f"by key {signed.key}: {bytes(signed.signature).hex()}"

    @admin.display(description="audit")
    def audit_links(self, game: Game) -> SafeString:
        """The ways to the game's audit log, and to its hidden hands while it runs."""
        log = f"{reverse('admin:games_auditentry_changelist')}?game__id__exact={game.pk}"
        links = format_html('<a href="{}">Audit log</a>', log)
        if game.phase != Phase.PLAYING:
            return links
        return format_html(
            '{} · <a href="{}">Look at hidden hands</a>', links, reverse("admin:games_game_hands", args=[game.pk])
        )

    def hands_view(self, request: HttpRequest, game_id: UUID) -> HttpResponse:
        """Ask for the reason; show the hands to who gave one. A page that is loaded again asks again."""
        return never_cache(self._hands)(request, game_id)

    def _hands(self, request: HttpRequest, game_id: UUID) -> HttpResponse:
        actor, game = cast("Player", request.user), self._found(request, game_id)
        if not may_look(actor):
            raise PermissionDenied
        told: dict[str, object] = {"title": f"Hidden hands of {game}"}
        if request.method == "POST":
            reason = request.POST.get("reason", "")
            found = _looked(game_id, actor, reason)
            told |= {"reason": reason, "problem": found} if isinstance(found, str) else _shown(found)
        return self._page(request, game, "hands.html", told)

    def unfreeze_view(self, request: HttpRequest, game_id: UUID) -> HttpResponse:
        """Ask for the reason, and let the game go on."""
        actor, game = cast("Player", request.user), self._found(request, game_id)
        if not actor.has_perm(UNFREEZE):
            raise PermissionDenied
        told: dict[str, object] = {"title": f"Let {game} go on"}
        if request.method == "POST":
            reason = request.POST.get("reason", "")
            problem = _unfrozen(game_id, actor, reason)
            if problem is None:
                messages.success(request, "The game may go on.")
                return redirect("admin:games_game_change", game_id)
            told |= {"reason": reason, "problem": problem}
        return self._page(request, game, "unfreeze.html", told)

    def _found(self, request: HttpRequest, game_id: UUID) -> Game:
        game = self.get_queryset(request).filter(pk=game_id).first()
        if not self.has_view_permission(request, game):
            raise PermissionDenied
        if game is None:
            raise Http404
        return game

    def _page(self, request: HttpRequest, game: Game, name: str, told: dict[str, object]) -> HttpResponse:
        context = {
            **self.admin_site.each_context(request),
            "game": game,
            "opts": self.opts,
            "least": LEAST_REASON,
            "most": MOST_REASON,
            **told,
        }
        return TemplateResponse(request, f"admin/games/game/{name}", context)


def _looked(game_id: UUID, actor: Player, reason: str) -> Hands | str:
    """The hands, or in a sentence why not."""
    try:
        return hands_look(game_id=game_id, actor=actor, reason=reason)
    except ValueError as error:
        return f"Give {error}."
    except WrongPhase as error:
        return _SENTENCES[error.code]
    except GameNotFound:
        raise Http404 from None


def _shown(found: Hands) -> dict[str, object]:
    hands = [Hand(seat, " ".join(card.code for card in hand)) for seat, hand in enumerate(found.hands)]
    return {"hands": hands, "version": found.version, "entry": found.entry_id}


def _unfrozen(game_id: UUID, actor: Player, reason: str) -> str | None:
    """Why not, in a sentence; None when it is done."""
    if not LEAST_REASON <= len(reason.strip()) <= MOST_REASON:
        return f"Give a reason of {LEAST_REASON} to {MOST_REASON} characters."
    try:
        game_unfreeze(game_id=game_id, actor=actor, reason=reason)
    except ChainBroken as error:
        return f"Its log still does not hold, at version {error.version}: put it right first."
    return None
