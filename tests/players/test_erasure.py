"""Erasing: everything personal goes, everywhere, and every game still holds."""

import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import Any
from uuid import UUID, uuid4

import pytest
from allauth.account.models import EmailAddress
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection

from config.problems import problem_of
from games.audit.check import game_check
from games.models import Seat
from games.services import clock_sweep
from players import hooks
from players.models import KeptAnswer, Mail, Player, Session, Token
from players.services import erasure, player_create_guest, player_erase
from tests.api.http import Caller, problem, wrong_fields
from tests.api.tables import Table
from tests.players.people import PASSWORD, Person

Come = Callable[[], Caller]
SignUp = Callable[..., Person]
pytestmark = pytest.mark.django_db
NAME, EMAIL = "Quetzalcoatl", "quetzal@example.org"


def erase(caller: Caller, body: bytes = b"") -> Any:
    """DELETE players/me/."""
    return caller.send("DELETE", "players/me/", body, "application/json", {})


def everything() -> bytes:
    """Every row of every table, as text."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        tables = [row[0] for row in cursor]
        rows = []
        for table in tables:
            cursor.execute(f'SELECT t::text FROM "{table}" t')  # noqa: S608  # names from the catalogue
            rows += [row[0] for row in cursor]
            for column in _binary(cursor, table):
                cursor.execute(f'SELECT encode("{column}", \'escape\') FROM "{table}"')  # noqa: S608
                rows += [row[0] or "" for row in cursor]
    return "\n".join(rows).encode()


def _binary(cursor: Any, table: str) -> list[str]:
    query = "SELECT column_name FROM information_schema.columns WHERE table_name = %s AND data_type = 'bytea'"
    cursor.execute(query, [table])
    return [row[0] for row in cursor]


def test_a_guest_is_erased_by_its_token_alone(guest: Come) -> None:
    """Player, token and kept answers are gone; the token is no good any more."""
    caller = guest()
    caller.post("games/", {"seats": 2}, idempotency_key=str(uuid4()))
    assert erase(caller).status_code == 204
    assert not Player.objects.exists()
    assert not Token.objects.exists()
    assert not KeptAnswer.objects.exists()
    assert problem(caller.get("players/me/")) == (401, "token_invalid")


def test_an_account_proves_itself_first(person: SignUp) -> None:
    """A token alone is not enough, nor is a wrong password."""
    dana = person("Dana")
    token = Caller(token=dana.api("POST", "tokens/", {}).json()["token"])
    assert problem(erase(token)) == (403, "fresh_proof_needed")
    assert wrong_fields(erase(token, b'{"password": "wrong"}')) == {"password": "password_wrong"}
    assert Player.objects.exists()
    assert erase(token, f'{{"password": "{PASSWORD}"}}'.encode()).status_code == 204
    assert not Player.objects.exists()


def test_a_log_in_of_the_last_minutes_is_proof_enough(person: SignUp) -> None:
    """An older one is not, until the password is given once more."""
    dana = person("Dana")
    dana.log_in()
    session = Session.objects.get(session_key=dana.session)
    store = session.get_session_store_class()(dana.session)
    for record in store["account_authentication_methods"]:
        record["at"] -= 301
    store.save()
    assert problem(dana.api("DELETE", "players/me/")) == (403, "fresh_proof_needed")
    assert dana.prove().status_code == 200
    assert dana.api("DELETE", "players/me/").status_code == 204
    assert not Player.objects.exists()


def test_nothing_personal_is_left_in_any_table(person: SignUp, guest: Come) -> None:
    """Name, address, tokens and sessions of an account that did everything are in no row of no table."""
    dana = person(NAME, EMAIL)
    dana.log_in(email=EMAIL)
    token = Caller(token=dana.api("POST", "tokens/", {"name": f"{NAME}'s phone"}).json()["token"])
    tournament = token.post("tournaments/", {"name": "Cup", "format": "ladder"}).json()
    token.post(f"tournaments/{tournament['id']}/cancel/", {"reason": f"{NAME} has no time"})
    game = token.post("games/", {"seats": 2, "turn_seconds": None}).json()["id"]
    other = guest()
    joined = other.post(f"games/{game}/join/", {}, idempotency_key=str(uuid4()))
    assert NAME in joined.content.decode()
    assert token.post(f"games/{game}/start/").status_code == 200
    for caller in (token, other):
        assert caller.post(f"games/{game}/commands/", {"command": "close"}).status_code == 422, "noted as refused"
    log(dana.player, dana.player)
    Mail.objects.create(to=EMAIL, subject="x", body=NAME, next_at="2099-01-01T00:00Z")
    assert NAME.encode() in everything()
    assert erase(token, f'{{"password": "{PASSWORD}"}}'.encode()).status_code == 204
    left = everything().lower()
    assert NAME.lower().encode() not in left
    assert EMAIL.encode() not in left
    for model in (EmailAddress, Mail):
        assert not model.objects.exists()
    assert Session.objects.filter(player__isnull=False).count() == 0
    assert LogEntry.objects.count() == 1, "what was done stays on record"


def log(who: Player, whom: Player) -> None:
    kind = ContentType.objects.get_for_model(Player)
    LogEntry.objects.create(
        user=who, content_type=kind, object_id=str(whom.pk), object_repr=str(whom), action_flag=CHANGE
    )


def test_an_answer_that_another_may_ask_for_again_forgets_the_name(
    lobby: Table, guest: Come, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is still the same answer, and is not carried out twice; only who sat there is not told."""
    monkeypatch.setattr(erasure, "_AT_ONCE", 2)
    for number in range(5):
        guest().post("games/", {"seats": 2}, idempotency_key=str(uuid4()))
        KeptAnswer.objects.filter(created_at__gt=datetime(2020, 1, 1, tzinfo=UTC)).update(
            created_at=datetime.now(UTC) - timedelta(minutes=number // 2)
        )
    other, key = guest(), str(uuid4())
    name = lobby.host.player["name"]
    assert name in other.post(lobby.path("join/"), {}, idempotency_key=key).content.decode()
    erase(lobby.host)
    again = other.post(lobby.path("join/"), {}, idempotency_key=key)
    assert again.status_code == 200
    assert name not in again.content.decode()


def test_a_running_game_goes_on_and_verifies(table: Table) -> None:
    """The seat keeps its row without a player, a bot takes over, and the chain holds."""
    game_id = UUID(table.id)
    assert erase(table.host).status_code == 204
    seat = Seat.objects.get(game_id=game_id, seat=0)
    assert (seat.player_id, seat.bot) == (None, "")
    clock_sweep()
    assert table.seats[1].get(table.path("")).json()["seats"][0]["away"] is True
    assert game_check(game_id=game_id).ok


def test_the_host_of_a_lobby_passes_on(lobby: Table, guest: Come) -> None:
    """An erased host has left the lobby as by `leave/`: the next is host, the seat is free."""
    other = guest()
    other.post(lobby.path("join/"), {})
    erase(lobby.host)
    game = other.get(lobby.path("")).json()
    assert (game["host"], game["seats_free"], game["phase"]) == (1, 1, "lobby")
    assert game["seats"][0]["player"] is None


def test_the_last_in_a_lobby_takes_the_table_along(lobby: Table, guest: Come) -> None:
    """Nobody can ever sit at a table without anybody: it is aborted."""
    erase(lobby.host)
    assert guest().get(lobby.path("")).json()["phase"] == "aborted"


def test_an_erased_player_is_called_so_and_nobody_else_can_be(table: Table, nobody: Caller) -> None:
    """“deleted player” stands at the seat; nobody takes the name, and it is nobody's page."""
    erase(table.host)
    game = table.seats[1].get(table.path("")).json()
    assert game["seats"][0]["player"]["name"] == "deleted player"
    for name in ("deleted player", "Deleted Player", "DELETED PLAYER", "שחקן שנמחק"):
        assert wrong_fields(nobody.post("players/guest/", {"name": name})) == {"name": "name_taken"}
    assert problem(nobody.get("players/deleted player/")) == (404, "not_found")


def test_a_name_is_free_again(guest: Come, nobody: Caller) -> None:
    """Nothing keeps the erased one's name."""
    caller = guest()
    erase(caller)
    assert nobody.post("players/guest/", {"name": caller.player["name"]}).status_code == 201


def test_an_entry_is_withdrawn_before_the_start(guest: Come, person: SignUp) -> None:
    """The place is another's to take; the entry stays without a player."""
    dana, caller = person("Dana"), guest()
    tournament = dana.api("POST", "tournaments/", {"name": "Cup", "format": "ladder"}).json()["id"]
    assert dana.api("POST", f"tournaments/{tournament}/open/", {}).status_code == 200
    assert caller.post(f"tournaments/{tournament}/entries/", {}).status_code == 201
    assert dana.api("GET", f"tournaments/{tournament}/").json()["taken"] == 1
    erase(caller)
    assert dana.api("GET", f"tournaments/{tournament}/").json()["taken"] == 0


def test_what_staff_did_stays_on_record_without_a_name(db: None) -> None:
    """The admin's log goes on under nobody's name, and nobody can log in as that."""
    chief = Player.objects.create_superuser(NAME, "a-long-password-1")
    other = Player.objects.create_superuser("Other", "a-long-password-1")
    log(chief, other)
    log(other, chief)
    player_erase(player_id=chief.pk)
    entries = list(LogEntry.objects.order_by("id"))
    assert [(entry.user.get_username(), entry.object_repr) for entry in entries] == [
        ("deleted player", "Other"),
        ("Other", "deleted player"),
    ]
    nobody = Player.objects.get(name="deleted player")
    assert (nobody.is_active, nobody.has_usable_password(), nobody.is_staff) == (False, False, False)


def test_an_operator_erases_by_name(guest: Come) -> None:
    """First it only says who it would be; nobody is nobody."""
    caller = guest()
    name = caller.player["name"].upper()
    told = StringIO()
    call_command("player_erase", name, stdout=told)
    assert caller.player["id"] in told.getvalue()
    assert Player.objects.exists()
    call_command("player_erase", name, "--yes", stdout=told)
    assert not Player.objects.exists()
    with pytest.raises(CommandError, match="no player is called"):
        call_command("player_erase", name)


def test_erasing_twice_is_erasing_once(db: None) -> None:
    """The second time there is nobody any more, and nothing fails."""
    player, _ = player_create_guest()
    assert player_erase(player_id=player.pk) is True
    assert player_erase(player_id=player.pk) is False


def test_dying_half_way_leaves_a_player_who_can_be_erased(lobby: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Out of the lobby, but still there; the same request does the rest."""

    def dies(_player: Player) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(hooks, "erasing", [*hooks.erasing, dies])
    player_id = UUID(lobby.host.player["id"])
    with pytest.raises(KeyboardInterrupt):
        player_erase(player_id=player_id)
    assert lobby.host.get("players/me/").status_code == 200
    monkeypatch.undo()
    assert player_erase(player_id=player_id) is True


def test_a_request_that_outlives_its_player_is_401(db: None) -> None:
    """What it wrote for a player who is gone is refused by the database; any other fault of ours stays one."""
    Token.objects.create(player_id=uuid4(), digest=b"x" * 32)
    with pytest.raises(IntegrityError) as gone:
        connection.check_constraints()
    found = problem_of(gone.value)
    assert found is not None
    assert found.code == "token_invalid"
    assert problem_of(IntegrityError("another")) is None


def test_who_sits_down_again_and_again_is_told_to_try_again(guest: Come, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is erased by halves, and no request goes on for ever."""
    caller = guest()
    monkeypatch.setattr(hooks, "holds", [lambda _player: True])
    assert problem(erase(caller)) == (503, "unavailable")
    assert caller.get("players/me/").status_code == 200


@pytest.mark.django_db(transaction=True)
def test_erased_twice_at_the_same_instant_it_is_gone_once() -> None:
    """Both are answered; one of them did it, or both were told that it is done."""
    player, _ = player_create_guest()
    barrier, outcomes = threading.Barrier(3), []

    def go() -> None:
        barrier.wait()
        outcomes.append(player_erase(player_id=player.pk))
        connection.close()

    threads = [threading.Thread(target=go) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(outcomes) == 3
    assert True in outcomes
    assert not Player.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_sitting_down_while_being_erased_ends_in_one_or_the_other() -> None:
    """Whoever joins at that instant is seated and erased, or told that its token is no good: never an error of ours."""
    host = Caller()
    made = host.post("players/guest/", {}).json()
    host.token = made["token"]
    for _ in range(3):
        game = host.post("games/", {"seats": 3}).json()["id"]
        guest = Caller().post("players/guest/", {}).json()
        barrier, statuses = threading.Barrier(2), list[int]()
        thread = threading.Thread(target=_join, args=(guest["token"], game, barrier, statuses))
        thread.start()
        barrier.wait()
        player_erase(player_id=UUID(guest["player"]["id"]))
        thread.join()
        assert statuses[0] in (200, 401)
        assert not Player.objects.filter(pk=guest["player"]["id"]).exists()
        assert not Seat.objects.filter(game_id=game, player=None, bot="").exists()
        host.post(f"games/{game}/leave/")


def _join(token: str, game: str, barrier: threading.Barrier, statuses: list[int]) -> None:
    barrier.wait()
    statuses.append(Caller(token=token).post(f"games/{game}/join/", {}).status_code)
    connection.close()
