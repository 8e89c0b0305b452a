"""Entries from a file or a list of names: all or none, and what is wrong named by line."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from players.models import Player
from tests.desk.people import browser_of, messages_of, page, person, pressed, state_of, tournament_of
from tournaments.admin.importing import MOST_BYTES
from tournaments.models import Tournament
from tournaments.rules import Format, TableKind, Terms

pytestmark = pytest.mark.django_db

NAMES = ("Noa", "Dana", "יעל כהן", "Itamar")
LARGE = Terms(format=Format.KNOCKOUT, table_kind=TableKind.SINGLE, table_size=4, go_on=2, capacity=100)


@pytest.fixture
def owner() -> Player:
    """An organiser."""
    return person("Orna", "organiser")


@pytest.fixture
def tournament(owner: Player) -> Tournament:
    """One with room for a hundred, and some players who are not in it yet."""
    for name in NAMES:
        Player.objects.create_user(name)
    return tournament_of(owner, terms=LARGE)


@pytest.fixture
def client(owner: Player) -> Client:
    """The organiser's browser."""
    return browser_of(owner)


def imported(client: Client, tournament: Tournament, content: bytes, name: str = "entries.csv") -> list[str]:
    """What the form says is wrong; nothing when all was registered."""
    answer = client.post(page("import", tournament), {"file": SimpleUploadedFile(name, content)})
    if answer.status_code == 302:
        return []
    assert answer.status_code == 200
    return list(answer.context["bad"])


def test_a_csv_file_of_names_and_bots_is_registered_in_its_order(client: Client, tournament: Tournament) -> None:
    """Spaces, case, a byte order mark, blank lines and another order of the columns are no matter."""
    text = "\ufeffbot,Name\n,Noa\n\n, dANA \n1,\n,יעל כהן\n"
    assert imported(client, tournament, text.encode()) == []
    holders = [(row.player.name if row.player else None, row.bot) for row in tournament.entries.order_by("number")]
    assert holders == [("Noa", False), ("Dana", False), (None, True), ("יעל כהן", False)]


def test_a_json_list_says_the_same(client: Client, tournament: Tournament) -> None:
    """Objects with a name, or a bot that is true."""
    rows = [{"name": "Noa"}, {"bot": True}, {"name": "Dana", "bot": False}]
    assert imported(client, tournament, json.dumps(rows).encode(), "entries.json") == []
    assert [entry.bot for entry in state_of(tournament).entries] == [False, True, False]


def test_bad_rows_are_named_by_line_and_the_good_ones_are_not_registered(
    client: Client, tournament: Tournament
) -> None:
    """The line of the file, blank lines counted."""
    content = b"name,bot\nNoa,\nNobody,\n\nDana,1\nNoa,\nItamar,maybe\n"
    assert imported(client, tournament, content) == [
        "Line 3: There is no player called “Nobody”.",
        "Line 5: A row has either a name or a bot.",
        "Line 6: This player is in the tournament already, as entry 1.",
        "Line 7: “bot” is 1 or empty.",
    ]
    assert state_of(tournament).entries == ()
    assert not tournament.entries.exists()


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "The file has no column “name”."),
        (b"name\n", "The file has no rows."),
        (b"who\nNoa\n", "The file has no column “name”."),
        (b"name,seed\nNoa,1\n", "Unknown column: seed. Known are “name” and “bot”."),
        (b"name\nNoa,Dana\n", "Line 2: more cells than there are columns."),
        (b'name\n"Noa\n', "Line 2: this is no CSV (unexpected end of data)."),
        (b"name\n\xff\xfe\n", "The file is not text in UTF-8."),
        (b"name\nNoa\0\n", "The file is not text in UTF-8."),
        (b"[{]", "The file is no JSON that can be read (line 1)."),
        (b"[" * 100_000, "The file is no JSON that can be read"),
        (b'{"name": "Noa"}', "The JSON is no list of objects with a “name”."),
        (b'[{"name": ["Noa"]}]', "A name is a text, and “bot” is true or false."),
        (b"name\n" + b"Noa\n" * 10_001, "More than 10000 entries are too many."),
        (b"name\n" + b"x" * MOST_BYTES, "The file is larger than 1 MiB, which no list of entries is."),
    ],
)
def test_a_file_that_cannot_be_read_gets_one_sentence(
    client: Client, tournament: Tournament, content: bytes, sentence: str
) -> None:
    """And nothing is registered."""
    (told,) = imported(client, tournament, content)
    assert told.startswith(sentence.rstrip("."))
    assert state_of(tournament).entries == ()


def test_a_file_of_a_hundred_megabytes_is_not_even_read(client: Client, tournament: Tournament) -> None:
    """Its length alone sends the browser back to the form, which says why."""
    content = SimpleUploadedFile("big.csv", b"n" * 100_000_000)
    answer = client.post(page("import", tournament), {"file": content})
    assert (answer.status_code, answer.headers["Location"]) == (302, page("import", tournament) + "?too_large=1")
    (told,) = client.get(answer.headers["Location"]).context["bad"]
    assert "larger than 1 MiB" in told
    assert state_of(tournament).entries == ()


def test_an_export_of_entries_can_be_imported_again(client: Client, owner: Player, tournament: Tournament) -> None:
    """Its other columns are passed over."""
    assert imported(client, tournament, b"name,bot\nNoa,\n,1\nDana,\n") == []
    exported = client.get(page("export", tournament, "entries", "csv")).content
    other = tournament_of(owner, terms=LARGE)
    assert imported(client, other, exported) == []
    assert [entry.bot for entry in state_of(other).entries] == [False, True, False]


def test_names_typed_at_the_desk_are_all_registered_or_none(client: Client, tournament: Tournament) -> None:
    """With the line of each that is wrong."""
    pressed(client, tournament, "", "register", names="Noa\nNobody\n\nDana", bots="2")
    assert messages_of(client, tournament) == [
        "Line 2: There is no player called “Nobody”.",
        "Nobody was registered.",
    ]
    assert state_of(tournament).entries == ()
    pressed(client, tournament, "", "register", names="Noa\n\nDana", bots="2")
    assert messages_of(client, tournament) == ["4 registered."]
    assert len(state_of(tournament).entries) == 4


def test_a_double_click_registers_once(client: Client, tournament: Tournament) -> None:
    """The same press of the same form, with bots, who could be entered any number of times."""
    form = {"press": "1b4e28ba-2fa1-11d2-883f-0016d3cca427", "names": "Noa", "bots": "3"}
    for _ in range(2):
        client.post(page("register", tournament), form)
        assert messages_of(client, tournament) == ["4 registered."]
    assert len(state_of(tournament).entries) == 4


def test_what_a_spreadsheet_would_run_is_exported_as_text(client: Client, tournament: Tournament) -> None:
    """A name cannot be a formula; a reason can be."""
    pressed(client, tournament, "Cancel", reason="=HYPERLINK(1)")
    log = client.get(page("export", tournament, "log", "csv")).content.decode()
    assert "'=HYPERLINK(1)" in log
    assert ",=HYPERLINK" not in log
