"""The public pages: no log-in, both languages, a strict policy, and nothing of what is private."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import translation

from players.models import Player
from tests.desk.people import LADDER, browser_of, page, person, state_of, tournament_of
from tournaments import services, store
from tournaments.models import Tournament
from tournaments.pages.picture import MOST_SHOWN, WIDTH, Climber, Step, Tone, staircase
from tournaments.rules import Format, Phase, Place, TableKind, Terms, advance

ROOT = Path(__file__).resolve().parent.parent.parent / "tournaments"


@pytest.fixture
def owner(db: None) -> Player:
    """An organiser."""
    return person("Orna", "organiser")


def started(owner: Player, terms: Terms = LADDER, players: tuple[str, ...] = ("Noa", "<b>ana")) -> Tournament:
    """One that has begun, with bots beside the players."""
    made = tournament_of(owner, terms=terms, bots=2)
    for name in players:
        player = Player.objects.create_user("Dana" if name[0] == "<" else name)
        services.entry_register(tournament_id=made.pk, actor=owner, player=player)
    services.tournament_start(tournament_id=made.pk, actor=owner)
    services.tournament_advance(tournament_id=made.pk)
    return made


def test_anybody_reads_the_page_of_a_tournament(owner: Player) -> None:
    """Schedule, stages as a picture, standings and tables, in the order of the stages."""
    made = started(owner)
    answer = Client().get(reverse("public-tournament", args=[made.pk]))
    content = answer.content.decode()
    assert answer.status_code == 200
    for words in ("Started", "stage 8", "stage 1", "winner", "Standings", "Table 1", "Noa", made.commitment):
        assert words in content
    assert content.index(">winner<") < content.index(">stage 1<") < content.index(">stage 8<")
    assert "<svg" in content


def test_a_table_that_is_finished_links_its_replay(owner: Player) -> None:
    """And one that is being played does not."""
    made = started(owner, players=())
    address = reverse("public-tournament", args=[made.pk])
    assert "Watch the replay" not in Client().get(address).content.decode()
    services.table_end(tournament_id=made.pk, actor=owner, table=1, reason="late")
    services.tournament_advance(tournament_id=made.pk)
    content = Client().get(address).content.decode()
    (replay,) = re.findall(r'href="(/games/[^"]+/replay/)">Watch the replay', content)
    assert Client().get(replay).status_code == 200


def test_the_pages_need_no_inline_script_and_no_other_host(owner: Player) -> None:
    """The policy allows this server's files alone, and the page keeps to it."""
    answer = Client().get(reverse("public-tournament", args=[started(owner).pk]))
    policy, content = answer.headers["Content-Security-Policy"], answer.content.decode()
    assert "unsafe" not in policy
    assert policy.startswith("default-src 'none'")
    assert not re.search(
        r"<script(?![^>]*\bsrc=)|\bon\w+=|<style|\bstyle=|https?://", content.replace("www.w3.org", "")
    )


def test_a_page_that_has_not_changed_is_not_sent_again(owner: Player) -> None:
    """By its tag; what the browser has kept stays under its policy."""
    address = reverse("public-tournament", args=[started(owner).pk])
    first = Client().get(address)
    again = Client().get(address, headers={"If-None-Match": first.headers["ETag"]})
    assert again.status_code == 304
    assert again.headers["Content-Security-Policy"] == first.headers["Content-Security-Policy"]


def test_private_ones_and_drafts_have_no_page(owner: Player) -> None:
    """404, also for the owner's own browser; they are not listed either."""
    private = services.tournament_create(owner=owner, name="Behind doors", terms=LADDER, visibility="private")
    services.registration_open(tournament_id=private.pk, actor=owner)
    draft = services.tournament_create(owner=owner, name="Not yet", terms=LADDER)
    public = tournament_of(owner)
    for made in (private, draft):
        assert Client().get(reverse("public-tournament", args=[made.pk])).status_code == 404
    listed = Client().get(reverse("public-tournaments")).content.decode()
    assert str(public.pk) in listed
    assert str(private.pk) not in listed
    assert str(draft.pk) not in listed
    assert Client().post(reverse("public-tournament", args=[public.pk])).status_code == 405


def test_hebrew_is_read_from_the_right(owner: Player) -> None:
    """By `?lang=he` and by what the browser prefers; an unknown language is English."""
    address = reverse("public-tournament", args=[started(owner).pk])
    for client_asks in ({"query_params": {"lang": "he"}}, {"headers": {"Accept-Language": "he"}}):
        content = Client().get(address, **client_asks).content.decode()  # type: ignore[arg-type]
        assert '<html lang="he" dir="rtl">' in content
        assert "טבלת הדירוג" in content
        assert "Standings" not in content
    assert 'dir="ltr"' in Client().get(address, query_params={"lang": "xx"}).content.decode()


def test_every_text_of_the_pages_is_there_in_hebrew() -> None:
    """Of the templates and of the words."""
    texts = set()
    for file in (ROOT / "templates" / "tournaments").glob("*.html"):
        content = file.read_text()
        texts |= set(re.findall(r'{% translate "([^"]+)"', content))
        for block in re.findall(r"{% blocktranslate[^%]*%}(.*?){% endblocktranslate %}", content):
            texts.add(re.sub(r"{{ (\w+) }}", r"%(\1)s", block))
    for file in (ROOT / "pages").glob("*.py"):
        texts |= set(re.findall(r'\b_\("([^"]+)"\)', file.read_text()))
    assert len(texts) > 80
    with translation.override("he"):
        missing = [text for text in sorted(texts) if translation.gettext(text) == text]
    assert missing == []


def test_a_knockout_shows_its_rounds_and_pages_its_tables(owner: Player) -> None:
    """With forty bots: ten tables of four, each once, and a nonsensical address shows the beginning."""
    terms = Terms(
        format=Format.KNOCKOUT, table_kind=TableKind.SINGLE, table_size=2, go_on=1, capacity=64, check_in=False
    )
    made = tournament_of(owner, terms=terms, bots=60)
    services.tournament_start(tournament_id=made.pk, actor=owner)
    services.tournament_advance(tournament_id=made.pk)
    address, seen = reverse("public-tournament", args=[made.pk]), []
    for first in (0, 24):
        content = Client().get(address, query_params={"table": str(first)}).content.decode()
        seen += re.findall(r"<h3>Table (\d+)</h3>", content)
    assert seen == [str(number) for number in range(1, 31)]
    for query in ({"table": "-1"}, {"round": "99"}, {"from": "x"}, {"table": "9" * 400}, {"before": "\0"}):
        assert Client().get(address, query_params=query).status_code == 200
    assert "+48" in content


# ---- the picture


@pytest.mark.parametrize("mirrored", [False, True])
def test_nothing_in_the_picture_overlaps_or_leaves_it(mirrored: bool) -> None:
    """Whatever the number of climbers, in both directions of reading."""
    steps = [
        Step(f"stage {n}", tuple(Climber("יעל" * 8, Tone.HERE, str(n)) for _ in range(count)))
        for n, count in enumerate((0, 1, 2, 7, 12, 13, 500, 1))
    ]
    picture = staircase(steps, right_to_left=mirrored)
    bottom = 0.0
    for tread, step in zip(picture.treads, reversed(steps), strict=True):
        assert tread.y >= bottom
        bottom = tread.y + tread.height
        assert len(tread.chips) == min(len(step.climbers), MOST_SHOWN + 1)
        for chip in tread.chips:
            assert tread.x <= chip.x <= chip.x + chip.width <= min(WIDTH, tread.x + tread.width)
            assert tread.y <= chip.y <= chip.y + 22 <= bottom
        boxes = [(chip.x, chip.y, chip.width) for chip in tread.chips]
        apart = [a[1] != b[1] or a[0] + a[2] <= b[0] or b[0] + b[2] <= a[0] for a in boxes for b in boxes if a is not b]
        assert all(apart)
    assert picture.height >= bottom


# ---- every moment


@pytest.mark.parametrize("kind", [Format.LADDER, Format.KNOCKOUT])
def test_the_pages_open_at_every_moment_of_a_life(owner: Player, kind: Format) -> None:
    """Also between two steps that follow each other at once, where a reader may come in: the desk, the public page,
    the export. With disqualifications, a table ended early, a corrected result and a cancellation."""
    terms = LADDER if kind is Format.LADDER else replace(LADDER, format=kind, table_size=3, go_on=1, capacity=9)
    made = tournament_of(owner, terms=terms, bots=terms.capacity)
    look(owner, made)
    services.tournament_start(tournament_id=made.pk, actor=owner)
    while (state := state_of(made)).phase is not Phase.FINISHED:
        step_by_step(owner, made)
        table = next((table for table in state_of(made).tables if table.unsettled), None)
        if table is None:
            continue
        if table.number == 1 and not table.out:
            services.entry_disqualify(tournament_id=made.pk, actor=owner, entry=table.seats[0], reason="cheated")
            look(owner, made)
        services.table_end(tournament_id=made.pk, actor=owner, table=table.number, reason="late")
        step_by_step(owner, made)
    table = state.tables[-1]
    ranks = [Place(rank, place.entry) for rank, place in enumerate(reversed(table.result), start=1)]
    services.result_correct(tournament_id=made.pk, actor=owner, table=table.number, result=ranks, reason="miscounted")
    step_by_step(owner, made)
    other = started(owner, players=())
    services.tournament_cancel(tournament_id=other.pk, actor=owner, reason="rain")
    look(owner, other)


def step_by_step(owner: Player, made: Tournament) -> None:
    """Take the steps that follow by themselves one at a time, looking after each of them; then the games."""
    while True:
        with transaction.atomic():
            locked = store.lock(tournament_id=made.pk)
            lines = advance(locked.state, now=locked.now(), seed=store.seed_of(made.pk))[:1]
            locked.add(lines)
            store.write(locked)
        look(owner, made)
        if not lines:
            break
    services.tournament_advance(tournament_id=made.pk)
    look(owner, made)


def look(owner: Player, made: Tournament) -> None:
    """Open every page."""
    client = browser_of(owner)
    pages = [page("change", made), reverse("public-tournament", args=[made.pk])]
    pages += [page("export", made, what, form) for what in ("results", "entries", "log") for form in ("csv", "json")]
    pages += [page("table", made, table.number) for table in state_of(made).tables[:2]]
    assert {client.get(address).status_code for address in pages} == {200}
