"""Stopping the mails: the link at the end of each one, and the mail program's own button (RFC 8058)."""

from contextlib import suppress
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from games.notices.writing import player_of_stop
from players.errors import PlayerNotFound
from players.services import player_change

POLICY: Final = (
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)


@csrf_exempt  # The signed address is the proof, and mail programs have no cookie.
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def stop_mails(request: HttpRequest, signed: str) -> HttpResponse:
    """Looking only asks (mail scanners follow links); the POST stops the mails."""
    heading, player_id = _("No more mails"), player_of_stop(signed)
    if player_id is None:
        return _page(request, heading, _("This is not an address of ours; copy it whole from the mail."), status=404)
    if request.method != "POST":
        return _page(request, heading, _("Stop all mails about your games and tournaments?"), button=_("Stop them"))
    with suppress(PlayerNotFound):  # whoever was erased gets none
        player_change(player_id=player_id, changes={"notify_by_email": False})
    return _page(request, heading, _("You get no more mails about your games. You can turn them on again at any time."))


def _page(request: HttpRequest, heading: str, sentence: str, *, button: str = "", status: int = 200) -> HttpResponse:
    told = {"heading": heading, "sentence": sentence, "button": button}
    answer = render(request, "players/page.html", told, status=status)
    answer.headers["Content-Security-Policy"] = POLICY
    answer.headers["Referrer-Policy"] = "no-referrer"  # the address is a key
    return answer


urlpatterns = [path("stop/<str:signed>/", stop_mails, name="mails-stop")]
