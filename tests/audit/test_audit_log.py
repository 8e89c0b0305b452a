"""The audit log: refused commands, changed roles, acts in the admin; what it keeps of persons and cards."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from django.conf import LazySettings
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.audit.entries import entries_told
from games.errors import MoveRefused
from games.models import AuditEntry, AuditKind
from games.rules.notation import parse_command
from games.rules.refusals import Refusal
from games.services import audit_log
from games.services.audit_log import MOST_REFUSED, entries_expire, refusal_record
from players.models import Player
from players.services import token_create
from tests.audit.tampering import tamper
from tests.builders import Table, given_game
from tests.desk.people import browser_of, person

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def no_limits(settings: LazySettings) -> None:
    """Only tests of the limits themselves meet them."""
    settings.TAKI_THROTTLE_FACTOR = 1_000_000


def entries(kind: AuditKind) -> list[AuditEntry]:
    return list(AuditEntry.objects.filter(kind=kind).order_by("id"))


def streamed(answer: Any) -> bytes:
    """A streamed body, whole."""
    return b"".join(answer.streaming_content)


def sent(player: Player, table: Table, command: str, **more: object) -> tuple[int, dict[str, Any]]:
    """A command over HTTP."""
    answer = Client().post(
        f"/api/v1/games/{table.game_id}/commands/",
        {"command": command, **more},
        content_type="application/json",
        headers={"authorization": f"Bearer {token_create(player=player)}"},
    )
    return answer.status_code, answer.json()


# ---- refused commands


def test_a_refused_command_is_noted_with_what_its_sender_knows() -> None:
    """Code, rule, version, seat and its text; nothing else of the request, and nothing of what the server knows."""
    table = given_game()
    status, told = sent(table.players[1], table, "draw")
    assert (status, told["refusal"]) == (422, "NOT_YOUR_TURN")
    (entry,) = entries(AuditKind.REFUSED)
    assert (entry.code, entry.version, entry.seat) == ("NOT_YOUR_TURN", told["version"], 1)
    assert (entry.game_id, entry.player) == (table.game_id, table.players[1])
    assert entry.data == {"command": "draw", "rule": told["rule"]}
    assert (entry.reason, entry.subject) == ("", None)
    assert entry.expires_at is not None
    assert 29 <= (entry.expires_at - entry.at).days <= 30


def test_stale_late_and_doubled_commands_are_noted_too_and_accepted_ones_are_not() -> None:
    """By the code of the problem; who does not sit there is not noted at all."""
    table = given_game()
    stranger = Player.objects.create_user("Nobody here")
    assert sent(table.players[0], table, "draw", expected_version=1)[1]["code"] == "stale_version"
    assert sent(stranger, table, "draw")[0] == 403
    assert sent(table.players[1], table, "leave")[0] == 201
    assert sent(table.players[0], table, "draw")[1]["code"] == "finished"
    assert [entry.code for entry in entries(AuditKind.REFUSED)] == ["stale_version", "finished"]


def test_refused_commands_are_kept_up_to_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """For each player, game and day."""
    monkeypatch.setattr(audit_log, "MOST_REFUSED", 3)
    table, other = given_game(), given_game()
    for at, seat, times in ((table, 1, 5), (table, 0, 2), (other, 1, 4)):
        for _ in range(times):
            _refuse(at, at.players[seat])
    counted = [
        AuditEntry.objects.filter(game_id=at.game_id, player=at.players[seat]).count()
        for at, seat in ((table, 1), (table, 0), (other, 1))
    ]
    assert counted == [3, 2, 3]
    tamper("UPDATE games_auditentry SET at = at - interval '25 hours'")
    _refuse(table, table.players[1])
    assert AuditEntry.objects.filter(game_id=table.game_id, player=table.players[1]).count() == 4
    assert MOST_REFUSED == 50


def _refuse(table: Table, player: Player) -> None:
    refused = MoveRefused(Refusal.NOT_YOUR_TURN, "T1", 4)
    refusal_record(game_id=table.game_id, player_id=player.pk, commands=parse_command("draw"), error=refused)


def test_noting_a_refusal_takes_one_statement_and_waits_for_no_mover() -> None:
    """While somebody else holds the game's lock."""
    table = given_game()
    with psycopg.connect(**connection.get_connection_params()) as mover:
        mover.execute("SELECT 1 FROM games_game WHERE id = %s FOR UPDATE", (table.game_id,))
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '50ms'")
        with CaptureQueriesContext(connection) as queries:
            _refuse(table, table.players[1])
        assert len(queries) == 1
        assert len(entries(AuditKind.REFUSED)) == 1


def test_a_refusal_that_cannot_be_noted_is_told_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """The caller hears the refusal, and no error of ours."""
    table = given_game()
    monkeypatch.setattr(audit_log, "_REFUSED", "SELECT 1 / 0 -- %(game)s")
    status, told = sent(table.players[1], table, "draw")
    assert (status, told["code"]) == (422, "refused")
    assert entries(AuditKind.REFUSED) == []


def test_what_has_expired_goes_and_nothing_else_can_be_taken_out(application_connection: psycopg.Connection) -> None:
    """Neither by the owner nor by the application's role, which may empty an entry of a person only."""
    table = given_game()
    for _ in range(3):
        _refuse(table, table.players[1])
    with pytest.raises(DatabaseError, match="not removed before it expires"), transaction.atomic():
        AuditEntry.objects.all().delete()
    for change in ("reason = 'another'", "at = now()", "data = '{}'", "expires_at = now()"):
        statement = f"UPDATE games_auditentry SET {change}"  # noqa: S608  # a test's own
        with pytest.raises(DatabaseError, match="is not changed"), connection.cursor() as cursor:
            cursor.execute(statement)
    with pytest.raises(psycopg.errors.RaiseException, match="not removed before it expires"):
        application_connection.execute("DELETE FROM games_auditentry")
    with pytest.raises(psycopg.errors.RaiseException, match="is not changed"):
        application_connection.execute("UPDATE games_auditentry SET player_id = %s", (table.players[0].pk,))
    assert entries_expire() == 0
    first = entries(AuditKind.REFUSED)[0].pk
    expired = "UPDATE games_auditentry SET expires_at = now() - interval '1 second' WHERE kind = 'refused' AND id <> %s"
    tamper(expired, first)
    assert entries_expire() == 2
    assert [entry.pk for entry in entries(AuditKind.REFUSED)] == [first]


def test_an_erased_player_is_gone_from_the_log_and_the_entries_stay(
    application_connection: psycopg.Connection,
) -> None:
    """As the application's role erases it; the text of an entry never named anybody."""
    table = given_game()
    sent(table.players[1], table, "draw")
    player = table.players[1]
    application_connection.execute("UPDATE games_auditentry SET player_id = NULL WHERE player_id = %s", (player.pk,))
    Player.objects.get(pk=player.pk).delete()
    (entry,) = entries(AuditKind.REFUSED)
    assert (entry.player_id, entry.code) == (None, "NOT_YOUR_TURN")
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_jsonb(entry)::text FROM games_auditentry entry")
        kept = str(cursor.fetchall())
    assert player.name not in kept
    assert str(player.pk) not in kept


def test_a_player_takes_along_what_the_log_has_of_it() -> None:
    """Its own refused commands, and the changes of what it may do, without who made them."""
    table, chief = given_game(), person("Chief", superuser=True)
    player = table.players[1]
    sent(player, table, "draw")
    sent(table.players[0], table, "draw", expected_version=1)
    AuditEntry.objects.create(
        at=datetime.now(UTC), kind=AuditKind.ROLE, code="roles_added", player=chief, subject=player, reason="not told"
    )
    told = list(entries_told(player))
    assert [(entry["kind"], entry["own"], entry["reason"]) for entry in told] == [
        ("refused", True, ""),
        ("role", False, None),
    ]
    assert told[0]["data"] == {"command": "draw", "rule": AuditEntry.objects.get(player=player).data["rule"]}
    assert "Chief" not in str(told)
    assert str(chief.pk) not in str(told)


def test_a_refused_command_is_shown_only_when_its_game_is_over() -> None:
    """Before, it may name a card of a hidden hand: neither the page nor the export tells it to anybody."""
    table = given_game()
    sent(table.players[1], table, "play R7")
    (entry,) = entries(AuditKind.REFUSED)
    browser = browser_of(person("Chief", superuser=True))
    page, export = reverse("admin:games_auditentry_change", args=[entry.pk]), reverse("admin:games_auditentry_export")

    def told() -> list[str]:
        lines = streamed(browser.get(export)).decode()
        return [browser.get(page).content.decode(), lines]

    assert all("NOT_YOUR_TURN" in text and "play R7" not in text for text in told())
    table.submit(0, "leave")
    assert all("play R7" in text for text in told())


def test_who_plays_reads_nothing_of_what_the_others_were_refused() -> None:
    """The code alone may tell of a hand; afterwards, and to whoever does not sit there, the entry is shown."""
    table = given_game()
    player, other = table.players[0], browser_of(person("Chief", superuser=True))
    Player.objects.filter(pk=player.pk).update(is_staff=True, is_superuser=True)
    own = browser_of(Player.objects.get(pk=player.pk))
    sent(table.players[1], table, "draw")
    (entry,) = entries(AuditKind.REFUSED)
    page = reverse("admin:games_auditentry_change", args=[entry.pk])
    pages = [page, reverse("admin:games_auditentry_changelist"), reverse("admin:games_auditentry_export")]

    def told(browser: Client) -> list[bool]:
        answers = [browser.get(address) for address in pages]
        return [b"NOT_YOUR_TURN" in (streamed(it) if it.streaming else it.content) for it in answers]

    assert told(other) == [True, True, True]
    assert told(own) == [False, False, False]
    table.submit(1, "leave")
    assert told(own) == [True, True, True]


# ---- roles


def test_every_change_of_a_role_is_noted_with_who_made_it() -> None:
    """Flags, groups and rights of a player, in the admin; a save that changes none of them says nothing."""
    chief, player = person("Chief", superuser=True), Player.objects.create_user("Ruth", "a-long-password-1")
    AuditEntry.objects.filter(kind=AuditKind.ROLE).count()
    before = len(entries(AuditKind.ROLE))
    browser, referee = browser_of(chief), Group.objects.get(name="referee")
    right = Permission.objects.get(codename="look_at_hands")
    address = reverse("admin:players_player_change", args=[player.pk])
    form = browser.get(address).context["adminform"].form
    said = {name: form.initial.get(name) or "" for name in form.fields}
    said |= {"is_active": "on", "is_staff": "on", "groups": [referee.pk], "user_permissions": [right.pk]}
    assert browser.post(address, said).status_code == 302
    made = entries(AuditKind.ROLE)[before:]
    assert {(entry.code, json.dumps(entry.data)) for entry in made} == {
        ("flags_changed", '{"is_staff": [false, true]}'),
        ("roles_added", '{"roles": ["referee"]}'),
        ("rights_added", '{"rights": ["games.look_at_hands"]}'),
    }
    assert {(entry.player, entry.subject) for entry in made} == {(chief, player)}
    player.refresh_from_db()
    player.save()
    assert len(entries(AuditKind.ROLE)) == before + 3


CHANGES: list[tuple[str, Callable[[Player, Group, Permission], object], list[str]]] = [
    ("a superuser", lambda player, group, right: _set(player, is_superuser=True), ["flags_changed"]),
    ("locked out", lambda player, group, right: _set(player, is_active=False), ["flags_changed"]),
    ("a role", lambda player, group, right: player.groups.add(group), ["roles_added"]),
    ("the same role again", lambda player, group, right: _twice(player, group), ["roles_added"]),
    ("from the role's side", lambda player, group, right: group.user_set.add(player), ["roles_added"]),
    ("all roles taken", lambda player, group, right: _lose(player, group), ["roles_added", "roles_removed"]),
    ("a right of a role", lambda player, group, right: group.permissions.add(right), ["role_rights_added"]),
    ("a role deleted", lambda player, group, right: group.delete(), ["role_deleted"]),
]


def _set(player: Player, **flags: bool) -> None:
    for name, value in flags.items():
        setattr(player, name, value)
    player.save(update_fields=[*flags])


def _twice(player: Player, group: Group) -> None:
    player.groups.add(group)
    player.groups.add(group)


def _lose(player: Player, group: Group) -> None:
    player.groups.add(group)
    player.groups.clear()


@pytest.mark.parametrize(("what", "change", "codes"), CHANGES, ids=[what for what, _, _ in CHANGES])
def test_a_change_of_what_somebody_may_do_is_noted(
    what: str, change: Callable[[Player, Group, Permission], object], codes: list[str]
) -> None:
    """Once for what changed, whichever side it is changed from."""
    player, group = Player.objects.create_user("Dana"), Group.objects.create(name="helper")
    right = Permission.objects.get(codename="unfreeze_game")
    before = len(entries(AuditKind.ROLE))
    change(player, group, right)
    made = entries(AuditKind.ROLE)[before:]
    assert [entry.code for entry in made] == codes, what
    assert all(entry.player is None for entry in made)


def test_a_new_superuser_made_by_a_command_is_noted() -> None:
    """Nobody's request, so the entry has the player it concerns and no author."""
    Player.objects.create_superuser("Root", "a-long-password-1")
    entry = entries(AuditKind.ROLE)[-1]
    assert (entry.code, entry.player, entry.subject) == ("flags_changed", None, Player.objects.get(name="Root"))
    assert entry.data == {"is_staff": [False, True], "is_superuser": [False, True]}


# ---- acts in the admin


def test_an_act_in_the_admin_is_noted_by_the_database_without_names() -> None:
    """What Django's own log of it says: who, what, which fields; it outlives its author."""
    chief, player = person("Chief", superuser=True), Player.objects.create_user("Dana Levi", "a-long-password-1")
    browser = browser_of(chief)
    address = reverse("admin:players_player_change", args=[player.pk])
    form = browser.get(address).context["adminform"].form
    said = {"name": form.initial["name"], "is_active": "on", "bot": "on"}
    assert browser.post(address, said).status_code == 302
    browser.post(reverse("admin:auth_group_add"), {"name": "helper"})
    changed, added = entries(AuditKind.DESK)
    assert (changed.code, changed.player, changed.subject) == ("changed", chief, player)
    assert changed.data == {"model": "players.player", "fields": ["Bot"]}
    group = Group.objects.get(name="helper")
    assert (added.code, added.subject) == ("added", None)
    assert added.data == {"model": "auth.group", "fields": [], "object": str(group.pk)}
    chief.delete()
    assert [entry.player for entry in entries(AuditKind.DESK)] == [None, None]
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_jsonb(entry)::text FROM games_auditentry entry")
        assert "Dana" not in str(cursor.fetchall())


def test_an_act_that_is_told_in_words_is_noted_without_them() -> None:
    """Whatever another page writes into Django's log, the words stay there."""
    chief = person("Chief", superuser=True)
    for words in ("Dana Levi was warned", "", '{"a": ["b"]}'):
        LogEntry.objects.create(
            user=chief,
            content_type=ContentType.objects.get_for_model(Group),
            object_id="1",
            action_flag=2,
            object_repr="Dana Levi",
            change_message=words,
        )
    assert [entry.data for entry in entries(AuditKind.DESK)] == [
        {"model": "auth.group", "object": "1", "fields": []}
    ] * 3


# ---- reading it


def test_auditors_read_filter_and_take_the_log_along_and_nobody_changes_it() -> None:
    """In the admin, by kind and by game; referees have no right to it."""
    table, other = given_game(), given_game()
    _refuse(table, table.players[1])
    _refuse(other, other.players[1])
    auditor = browser_of(person("Avi", "auditor"))
    entry = AuditEntry.objects.filter(game_id=table.game_id).get()
    listed, export = reverse("admin:games_auditentry_changelist"), reverse("admin:games_auditentry_export")
    content = auditor.get(f"{listed}?game__id__exact={table.game_id}").content.decode()
    assert str(table.game_id) in content
    assert str(other.game_id) not in content
    query = f"?kind__exact=refused&game__id__exact={other.game_id}"
    lines = streamed(auditor.get(export + query)).splitlines()
    told = [json.loads(line) for line in lines]
    assert [(line["game"], line["kind"], line["seat"]) for line in told] == [(str(other.game_id), "refused", 1)]
    page = reverse("admin:games_auditentry_change", args=[entry.pk])
    assert auditor.get(page).status_code == 200
    chief = browser_of(person("Chief", superuser=True))
    for address in (page, page.replace("change", "delete"), reverse("admin:games_auditrun_changelist") + "add/"):
        assert chief.post(address, {"reason": "another"}).status_code in (403, 404)
    referee = browser_of(person("Ruth", "referee"))
    assert {referee.get(address).status_code for address in (listed, export, page)} == {403}
    for name in ("auditrun", "signingkey"):
        assert auditor.get(reverse(f"admin:games_{name}_changelist")).status_code == 200


def test_the_command_writes_the_log_as_lines(capsys: pytest.CaptureFixture[str]) -> None:
    """Oldest first, by kind, game and time."""
    table = given_game()
    for _ in range(3):
        _refuse(table, table.players[1])
    call_command("audit_log", "--kind", "refused", "--game", str(table.game_id))
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["id"] for line in told] == sorted(line["id"] for line in told)
    assert [line["player"] for line in told] == [str(table.players[1].pk)] * 3
    assert told[0].keys() == {
        *("id", "at", "kind", "code", "game", "player", "subject", "seat", "version", "reason", "data")
    }
    call_command("audit_log", "--since", "2999-01-01")
    call_command("audit_log", "--game", str(uuid4()))
    assert capsys.readouterr().out == ""
