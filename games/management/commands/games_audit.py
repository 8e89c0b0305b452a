"""Check the logs of games, and whether their summaries are what the logs come to."""

from argparse import ArgumentParser, ArgumentTypeError
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from games.audit.check import Checked
from games.audit.runs import RunBusy, run_begin, run_go_on, run_unfinished
from games.audit.scope import Scope
from games.models import AuditRun, Game

BUSY: Final = 2
STOPPED: Final = 130


class Command(BaseCommand):
    """One line for each game that does not verify or whose summary differs; at last a line that counts them."""

    help = (
        "Verify the logs of games (chain, seed, shuffles, every act, signature) and compare their summaries. A game "
        "that does not verify is frozen. Stopped or killed, the same command goes on where it was."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare what can be asked."""
        parser.add_argument("--game", type=UUID, action="append", default=[], dest="games", help="only this one; often")
        parser.add_argument("--since", type=moment_of, help="only those that run or ended since this date or time")
        parser.add_argument("--sample", type=_count, help="only so many, drawn by lot")
        parser.add_argument("--anew", action="store_true", help="do not go on with an audit that was stopped")

    def handle(
        self, *args: Any, games: list[UUID], since: datetime | None, sample: int | None, anew: bool, **options: Any
    ) -> None:
        """Go through the games. Exit code 1 when one fails or differs, 2 when it is being done, 130 when stopped."""
        scope = Scope(tuple(games), since, sample)
        _require_known(scope)
        run = self._run(scope, anew=anew)
        try:
            run = self._through(run)
        except RunBusy:
            raise CommandError("Another process is doing just this audit.", returncode=BUSY) from None
        except KeyboardInterrupt:
            raise CommandError("Stopped; the same command goes on from here.", returncode=STOPPED) from None
        self.stdout.write(f"{run.checked} games, {run.failed} failed, {run.differing} differ from their logs")
        if run.failed or run.differing:
            raise CommandError("Not every game is as its log says.")

    def _run(self, scope: Scope, *, anew: bool) -> AuditRun:
        found = None if anew else run_unfinished(scope=scope)
        if found is None:
            return run_begin(scope=scope)
        self.stderr.write(f"Going on after {found.checked} of {found.games} games, {found.failed} of which failed.")
        return found

    def _through(self, run: AuditRun) -> AuditRun:
        # None: no bar where nobody watches.
        with tqdm(total=run.games, initial=run.checked, unit="game", disable=None, dynamic_ncols=True) as bar:

            def told(game_id: UUID, checked: Checked) -> None:
                bar.update()
                for line in _lines(game_id, checked):
                    bar.clear()
                    self.stdout.write(line)

            return run_go_on(run_id=run.pk, told=told)


def _lines(game_id: UUID, checked: Checked) -> list[str]:
    lines = [f"{game_id} {checked.problem}"] if checked.problem is not None else []
    return [*lines, f"{game_id} differs: {' '.join(checked.differing)}"] if checked.differing else lines


def _require_known(scope: Scope) -> None:
    unknown = {*scope.games} - {*Game.objects.filter(pk__in=scope.games).values_list("pk", flat=True)}
    if unknown:
        raise CommandError(f"no such game: {', '.join(sorted(map(str, unknown)))}")


def moment_of(text: str) -> datetime:
    """The date or time of an argument, in UTC unless it says otherwise. ArgumentTypeError."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(f"a date such as 2026-05-01, or 2026-05-01T12:00+00:00, not {text!r}") from None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 0 < int(text) < 2**31):
        raise ArgumentTypeError(f"a whole number from 1, not {text!r}")
    return int(text)
