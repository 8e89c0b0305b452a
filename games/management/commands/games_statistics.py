"""What finished games come to: tables by filter, counted once a game."""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from games.figures.selectors import WHO, FilterWrong, figures_list, filter_from
from games.figures.services import figures_catch_up, figures_forget, figures_outstanding
from games.figures.summing import Section, summary
from games.figures.writing import as_csv, as_json, as_text

FORMS: Final[dict[str, Callable[[Sequence[Section]], str]]] = {
    "text": as_text,
    "csv": as_csv,
    "json": lambda sections: json.dumps(as_json(sections), indent=1),
}


class Command(BaseCommand):
    """Interrupted, it goes on where it stopped: each game's figures are written when they are counted."""

    help = "Count finished games that were not counted yet, then print what they say together."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the filters and forms."""
        parser.add_argument("--mode", default="", help="single or ladder")
        parser.add_argument("--seats", default="", help="2 to 10")
        parser.add_argument("--since", default="", help="ended on this day or later (2026-05-01, UTC)")
        parser.add_argument("--until", default="", help="ended on this day or earlier")
        parser.add_argument("--rule", default="", help="a house rule, as name=value")
        parser.add_argument("--who", default="", help=f"who sat there: {', '.join(WHO)}")
        parser.add_argument("--format", choices=FORMS, default="text", help="text (default), csv or json")
        parser.add_argument("--rebuild", action="store_true", help="count every game anew")
        parser.add_argument("--count-only", action="store_true", help="print nothing but how many were counted")

    def handle(self, *args: Any, **options: Any) -> None:
        """Count, then print. CommandError for a filter that cannot be meant."""
        try:
            chosen = filter_from({name: options[name] for name in ("mode", "seats", "since", "until", "rule", "who")})
        except FilterWrong as wrong:
            raise CommandError(str(wrong)) from None
        if options["rebuild"]:
            figures_forget()
        with tqdm(total=figures_outstanding(), unit=" games", disable=None, file=sys.stderr) as bar:
            written = figures_catch_up(told=bar.update)
        if options["count_only"]:
            self.stdout.write(f"{written} games counted")
            return
        sections = summary(figures_list(chosen))
        if not sections and options["format"] == "text":
            self.stdout.write("No finished game matches.")
            return
        self.stdout.write(FORMS[options["format"]](sections))
