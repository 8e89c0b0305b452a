"""The organiser's desk as a whole: the theme of the admin, its menu, its content policy."""

from collections.abc import Callable
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.templatetags.static import static
from django.urls import reverse_lazy

ADMIN_PATH: Final = "/admin/"
# Everything comes from this server and no script is inline. The theme's own scripts build functions from attributes
# (Alpine) and set styles, so these two words stay.
ADMIN_POLICY: Final = (
    "default-src 'none'; script-src 'self' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)

# The box's red to blue would shout; one calm blue for what can be pressed.
_PRIMARY: Final = {
    "50": "#eff6ff", "100": "#dbeafe", "200": "#bfdbfe", "300": "#93c5fd", "400": "#60a5fa", "500": "#3b82f6",
    "600": "#2563eb", "700": "#1d4ed8", "800": "#1e40af", "900": "#1e3a8a", "950": "#172554",
}  # fmt: skip


def may(permission: str) -> Callable[[HttpRequest], bool]:
    """Whether whoever asks has this right: for a line of the menu."""
    return lambda request: bool(request.user.has_perm(permission))  # type: ignore[union-attr, unused-ignore]


def may_open_desk(request: HttpRequest) -> bool:
    """Whether whoever asks has a role at the desk."""
    rights = ("add_tournament", "run_tournament", "view_tournament")
    return any(may(f"tournaments.{right}")(request) for right in rights)


def _line(title: str, icon: str, route: str, permission: str) -> dict[str, Any]:
    return {"title": title, "icon": icon, "link": reverse_lazy(route), "permission": may(permission)}


UNFOLD: Final[dict[str, Any]] = {
    "SITE_TITLE": "TAKI",
    "SITE_HEADER": "TAKI",
    "SITE_SUBHEADER": "the organiser's desk",
    "SITE_SYMBOL": "playing_cards",
    "SITE_FAVICONS": [{"rel": "icon", "type": "image/svg+xml", "href": lambda request: static("tournaments/icon.svg")}],
    "SITE_URL": None,
    "DASHBOARD_CALLBACK": "tournaments.admin.dashboard.dashboard",
    "SHOW_VIEW_ON_SITE": False,
    "COLORS": {"primary": _PRIMARY},
    "SIDEBAR": {
        "show_search": False,
        "navigation": [
            {
                "title": None,
                "items": [
                    {"title": "Dashboard", "icon": "dashboard", "link": reverse_lazy("admin:index")},
                    {
                        **_line("Tournaments", "trophy", "admin:tournaments_tournament_changelist", ""),
                        "permission": may_open_desk,
                    },
                    _line("Games", "playing_cards", "admin:games_game_changelist", "games.view_game"),
                    _line("Statistics", "bar_chart", "admin:games_gamefigures_changelist", "games.view_game"),
                ],
            },
            {
                "title": "Audit",
                "items": [
                    _line("Audit log", "policy", "admin:games_auditentry_changelist", "games.view_auditentry"),
                    _line("Audits", "fact_check", "admin:games_auditrun_changelist", "games.view_auditrun"),
                    _line("Signing keys", "vpn_key", "admin:games_signingkey_changelist", "games.view_signingkey"),
                ],
            },
            {
                "title": "People",
                "items": [
                    _line("Players", "person", "admin:players_player_changelist", "players.view_player"),
                    _line("Addresses", "mail", "admin:account_emailaddress_changelist", "account.view_emailaddress"),
                    _line("Tokens", "key", "admin:players_token_changelist", "players.view_token"),
                    _line("Roles", "shield_person", "admin:auth_group_changelist", "auth.view_group"),
                ],
            },
        ],
    },
}


class AdminPolicyMiddleware:
    """Puts the content policy on every page of the admin."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, with the header."""
        answer = self.get_response(request)
        if request.path.startswith(ADMIN_PATH):
            answer.headers.setdefault("Content-Security-Policy", ADMIN_POLICY)
        return answer
