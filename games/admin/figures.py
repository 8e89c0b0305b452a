"""The statistics page: what finished games say together, as tables, plots and files. Nothing is edited."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.response import TemplateResponse

from games.figures.plot import bars, columns
from games.figures.selectors import WHO, Filter, FilterWrong, figures_list, filter_from
from games.figures.services import figures_outstanding
from games.figures.summing import Section, summary, turns_histogram
from games.figures.writing import as_csv, as_json, shown
from games.models import GameFigures
from games.rules.ruleset import DEFAULT_RULES, house_rules_schema
from players.read_only import ReadOnly

if TYPE_CHECKING:
    _FiguresPage = admin.ModelAdmin[GameFigures]
else:  # the theme's; it takes no type argument at run time
    from unfold.admin import ModelAdmin as _FiguresPage

MOST_GAMES: Final = 20_000
"""The page sums the newest of them; the command sums all."""
FIELDS: Final = ("mode", "seats", "since", "until", "rule", "who")
_PLOTS: Final[dict[str, tuple[int, int | None]]] = {"wins": (0, 1), "first_player": (0, 1), "cards": (3, None)}
"""Sections that are drawn as well: the cell with the rate, and the one with what chance would give."""


@admin.register(GameFigures)
class FiguresAdmin(ReadOnly, _FiguresPage):
    """One page in place of a list of rows; for whoever may see games. `games_statistics --rebuild` counts anew."""

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Whoever may see games."""
        return request.user.has_perm("games.view_game")

    def has_module_permission(self, request: HttpRequest) -> bool:
        """As above."""
        return self.has_view_permission(request)

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """The page, or with `?export=csv|json` its tables as a file."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        asked = {name: request.GET.get(name, "")[:80] for name in FIELDS}
        try:
            chosen, fault = filter_from(asked), ""
        except FilterWrong as wrong:
            chosen, fault = Filter(), str(wrong)
        games = [] if fault else figures_list(chosen, MOST_GAMES)
        sections = summary(games)
        match request.GET.get("export"):
            case "csv" if not fault:
                return _file(HttpResponse(as_csv(sections), content_type="text/csv; charset=utf-8"), "csv")
            case "json" if not fault:
                return _file(JsonResponse({"filter": asked, "figures": as_json(sections)}), "json")
        context = {
            **self.admin_site.each_context(request),
            "title": "Statistics",
            "opts": self.opts,
            "asked": asked,
            "fault": fault,
            "games": len(games),
            "newest_only": len(games) == MOST_GAMES,
            "outstanding": figures_outstanding(),
            "tables": [_table(section) for section in sections],
            "histogram": columns(turns_histogram(games)) if games else None,
            "choices": {"mode": ("single", "ladder"), "seats": range(2, 11), "who": WHO, "rule": _rules()},
            "query": urlencode({name: text for name, text in asked.items() if text}),
        }
        return TemplateResponse(request, "admin/games/figures.html", context)


def _file(answer: HttpResponse, ending: str) -> HttpResponse:
    answer.headers["Content-Disposition"] = f'attachment; filename="taki-statistics.{ending}"'
    return answer


def _table(section: Section) -> dict[str, Any]:
    lines = [(row.label, [shown(cell) for cell in row.cells]) for row in section.rows]
    place, chance = _PLOTS.get(section.key, (None, None))
    plot = None if place is None else bars(section.rows, place, chance=chance)
    return {"key": section.key, "title": section.title, "columns": section.columns, "lines": lines, "plot": plot}


def _rules() -> list[str]:
    """Every house rule with each value it can be chosen by; numbers are written by hand."""
    found = []
    properties: Any = house_rules_schema()["properties"]
    for name, kind in properties.items():
        if name == "mode":
            continue
        values = kind.get("enum") or (["true", "false"] if kind["type"] == "boolean" else [])
        found += [f"{name}={value}" for value in values] or [f"{name}={DEFAULT_RULES.as_mapping()[name]}"]
    return found
