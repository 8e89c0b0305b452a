"""`manage.py games_export`: what operators write is what `taki verify` reads."""

import io
from dataclasses import replace
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from games.audit.verify.program import WHOLE, main
from games.models import Game, Visibility
from games.rules.ruleset import DEFAULT_RULES
from tests.builders import given_game

pytestmark = pytest.mark.django_db
QUICK = replace(DEFAULT_RULES, last_card_grace_seconds=0, hand_size=3)


@pytest.fixture
def games() -> list[str]:
    """Two games that are over, one of them private, and one that goes on."""
    ids = []
    for _ in range(2):
        table = given_game(players=2, rules=QUICK)
        table.submit(1, "leave")
        ids.append(str(table.game_id))
    Game.objects.filter(pk=ids[1]).update(visibility=Visibility.PRIVATE, invite_code="CODE")
    given_game()
    return ids


def verified(path: Path) -> str:
    """What `taki verify` says of a file that is whole."""
    out = io.StringIO()
    assert main([str(path)], out) == WHOLE
    return out.getvalue()


def said(*arguments: object, **options: object) -> str:
    """What the command says beside what it writes."""
    err = io.StringIO()
    call_command("games_export", *map(str, arguments), stderr=err, **options)
    return err.getvalue()


def test_every_game_that_is_over_is_written_and_verifies(games: list[str], tmp_path: Path) -> None:
    """Private ones, too; as logs or as records, packed or not; and one that is named alone."""
    for name in ("games.ndjson", "games.ndjson.gz", "games.taki", "games.taki.gz"):
        path = tmp_path / name
        assert said(out=path, records="taki" in name) == "2 games\n"
        told = verified(path)
        assert all(game in told for game in games)
        assert "2 whole" in told
    assert said(games[1], out=tmp_path / "one") == "1 games\n"
    assert games[1] in verified(tmp_path / "one")


def test_filters_choose(games: list[str], tmp_path: Path) -> None:
    """As those of the API do."""
    wanted = {
        "--limit=1": 1,
        "--to=2020-01-01": 0,
        "--from=2020-01-01T00:00:00Z": 2,
        "--mode=ladder": 0,
        "--phase=finished": 2,
    }
    for number, (option, count) in enumerate(wanted.items()):
        assert said(option, f"--out={tmp_path / str(number)}") == f"{count} games\n"


def test_it_overwrites_nothing_and_exports_no_game_that_goes_on(games: list[str], tmp_path: Path) -> None:
    """One clear sentence for each."""
    path = tmp_path / "there"
    path.touch()
    with pytest.raises(CommandError, match="File exists"):
        said(out=path)
    running = Game.objects.exclude(pk__in=games).get()
    with pytest.raises(CommandError, match="no game that is over"):
        said(running.pk, out=tmp_path / "new")
    with pytest.raises(CommandError, match="not a time"):
        said("--from=yesterday")
