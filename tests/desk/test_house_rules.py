"""House rules in the desk's forms: chosen with a new tournament, changed in its draft, and fixed from then on."""

import re
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

import tournaments
from games.rules.ruleset import DEFAULT_RULES, Mode, Ruleset, house_rules_schema
from players.models import Player
from tests.desk.people import LADDER, browser_of, messages_of, page, person, state_of
from tournaments import services
from tournaments.models import Tournament
from tournaments.settings import DEFAULT_TABLES, game_settings, read_tables

pytestmark = pytest.mark.django_db

TERMS = {"format": "ladder", "table_kind": "ladder", "capacity": "4", "table_size": "4", "go_on": "1"}
TERMS |= {"seeding": "random", "no_shows": "leave_out", "waiting_list": "on"}
NEW = {**TERMS, "name": "By our rules", "visibility": "public", "turn_seconds": "60", "when_away": "bot"}
ADD = reverse("admin:tournaments_tournament_add") + "?pattern=ladder-4"


@pytest.fixture
def owner() -> Player:
    """An organiser."""
    return person("Orna", "organiser")


@pytest.fixture
def client(owner: Player) -> Client:
    """The organiser's browser."""
    return browser_of(owner)


@pytest.fixture
def draft(owner: Player) -> Tournament:
    """A draft by the default rules."""
    return services.tournament_create(owner=owner, name="The club's evening", terms=LADDER)


def chosen(tournament: Tournament) -> object:
    """The house rules of its tables that differ from the default, as they are stored."""
    return Tournament.objects.get(pk=tournament.pk).tables["house_rules"]


def shown(client: Client, address: str) -> dict[str, str]:
    """The house rules of a form as a browser would send them: what is seen, and what was seen."""
    sent = {}
    for field in client.get(address).context["form"].rule_fields:
        sent[field.html_name] = sent[field.html_initial_name] = str(field.value())
    return sent


def test_the_form_has_every_house_rule_but_the_mode_at_its_default(client: Client) -> None:
    """With the choices and bounds of the rules, a help text each; the mode is the terms' to say."""
    answer = client.get(ADD)
    schema = house_rules_schema()["properties"]
    assert isinstance(schema, dict)
    fields = {field.name.removeprefix("rule_"): field for field in answer.context["form"].rule_fields}
    assert set(fields) == set(schema) - {"mode"}
    for name, field in fields.items():
        said = schema[name]
        assert field.value() == str(said["default"]).lower(), name
        assert field.field.help_text, name
        if said["type"] == "integer":
            assert (field.field.min_value, field.field.max_value) == (said["minimum"], said["maximum"])
        else:
            assert {value for value, _ in field.field.choices} == set(said.get("enum", ("true", "false")))
            assert len({words for _, words in field.field.choices}) == len(field.field.choices)
    assert re.search(r'<details [^>]*id="house-rules"><summary[^>]*>House rules<', answer.content.decode())


def test_a_tournament_is_created_with_two_changed_house_rules(client: Client) -> None:
    """Its tables have these two, and every other at its default; the mode of a ladder's games stays a ladder's."""
    said = {**NEW, **shown(client, ADD), "rule_hand_size": "5", "rule_open_taki": "false", "rule_mode": "single"}
    assert client.post(ADD, said).status_code == 302
    made = Tournament.objects.get(name="By our rules")
    assert chosen(made) == {"hand_size": 5, "open_taki": False}
    assert read_tables(made.tables).house_rules == Ruleset(hand_size=5, open_taki=False)
    assert read_tables(made.tables).turn_seconds == 60
    game = game_settings(made, kind=state_of(made).terms.table_kind, table=1, seats=4)
    assert game.house_rules == Ruleset(mode=Mode.LADDER, hand_size=5, open_taki=False)


@pytest.mark.parametrize("sends_them", [True, False])
def test_defaults_stay_defaults(client: Client, sends_them: bool) -> None:
    """Whether the form is sent as it was shown or without any house rule."""
    assert client.post(ADD, {**NEW, **(shown(client, ADD) if sends_them else {})}).status_code == 302
    made = Tournament.objects.get(name="By our rules")
    assert chosen(made) == {}
    assert read_tables(made.tables).house_rules == DEFAULT_RULES


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("hand_size", "11"),
        ("hand_size", "2"),
        ("hand_size", ""),
        ("max_turns", "many"),
        ("deck", "tarot"),
        ("taki_all", "perhaps"),
        ("taki_all", ""),
    ],
)
def test_a_bad_value_is_named_at_its_field(client: Client, draft: Tournament, name: str, value: str) -> None:
    """In both forms, which then show the house rules; nothing is created or changed."""
    for address, said in ((ADD, NEW), (page("terms", draft), TERMS)):
        answer = client.post(address, {**said, f"rule_{name}": value})
        assert list(answer.context["form"].errors) == [f"rule_{name}"]
        assert re.search(r'<details [^>]*id="house-rules" open>', answer.content.decode())
    assert Tournament.objects.get() == draft
    assert chosen(draft) == {}


def test_house_rules_change_in_the_draft(client: Client, draft: Tournament) -> None:
    """Alone, with a message that says so; sent again they change nothing; the terms and clocks stay."""
    before, said = state_of(draft), {**TERMS, **shown(client, page("terms", draft)), "rule_deck": "king_112"}
    client.post(page("terms", draft), said)
    assert messages_of(client, draft) == ["The terms have been changed."]
    assert chosen(draft) == {"deck": "king_112"}
    assert shown(client, page("terms", draft))["rule_deck"] == "king_112"
    client.post(page("terms", draft), said)
    assert messages_of(client, draft) == ["Nothing was changed."]
    draft.refresh_from_db()
    assert read_tables(draft.tables).turn_seconds == DEFAULT_TABLES.turn_seconds
    assert state_of(draft) == before


def test_two_who_change_different_house_rules_lose_neither(client: Client, draft: Tournament) -> None:
    """Both opened the form before either sent it."""
    first, second = (shown(client, page("terms", draft)) for _ in range(2))
    client.post(page("terms", draft), {**TERMS, **first, "rule_hand_size": "6"})
    client.post(page("terms", draft), {**TERMS, **second, "rule_king_lead": "under"})
    assert chosen(draft) == {"hand_size": 6, "king_lead": "under"}


def test_after_the_draft_they_are_shown_and_fixed(client: Client, owner: Player, draft: Tournament) -> None:
    """The form no longer sends them; one that was opened in the draft is refused whole, with the rules' sentence."""
    early = {**TERMS, **shown(client, page("terms", draft)), "rule_hand_size": "5", "capacity": "4"}
    assert not re.search(r"<fieldset [^>]*disabled", client.get(page("terms", draft)).content.decode())
    services.registration_open(tournament_id=draft.pk, actor=owner)
    assert re.search(r"<fieldset [^>]*disabled", client.get(page("terms", draft)).content.decode())
    answer = client.post(page("terms", draft), early)
    assert "it can no longer be changed" in answer.content.decode()
    assert chosen(draft) == {}
    assert client.post(page("terms", draft), {**TERMS, "waiting_list": ""}).status_code == 302
    assert not state_of(draft).terms.waiting_list


def test_the_house_rules_are_there_in_hebrew(client: Client) -> None:
    """Title, labels, choices, help and the sentences around them."""
    template = Path(tournaments.__file__).parent / "templates/admin/tournaments/tournament/form.html"
    sentences = re.findall(r'{% translate "([^"]+)"', template.read_text())
    assert len(sentences) == 2
    with translation.override("he"):
        texts = [translation.gettext(sentence) for sentence in sentences]
    form = client.get(ADD, headers={"Accept-Language": "he"}).context["form"]
    texts.append(form.rules_title)
    for field in form.rule_fields:
        texts += [field.label, field.field.help_text, *(words for _, words in getattr(field.field, "choices", ()))]
    assert len(texts) > 60
    assert [text for text in texts if not re.search("[א-ת]", text)] == []
