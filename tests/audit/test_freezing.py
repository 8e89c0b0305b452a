"""A frozen game takes no act, rests, says so, and goes on by an act of staff with a reason."""

from collections.abc import Callable
from datetime import timedelta
from uuid import uuid4

import pytest
from django.conf import LazySettings
from django.test import Client
from django.urls import reverse

from config.metrics import Figures, exposition
from games import services
from games.audit.check import game_check
from games.errors import ChainBroken, TooManyOpenGames, WrongPhase
from games.models import AuditEntry, AuditKind, Phase
from games.rules.cards import Seat
from games.selectors import bot_overdue_oldest, overdue_oldest
from games.services import GameSettings, game_freeze, game_unfreeze
from players.models import Player
from players.services import token_create
from tests.audit.tampering import alter_event
from tests.builders import QUICK, given_bots, given_game, legal_texts
from tests.db.later import later, watched
from tests.desk.people import browser_of, person

pytestmark = pytest.mark.django_db(transaction=True)
WHY = "version 5: the event is not the one that was recorded"


@pytest.fixture
def auditor() -> Player:
    """Who may let a frozen game go on."""
    return person("Avi", "auditor")


def test_nothing_is_added_to_a_frozen_game() -> None:
    """Moves, timeouts, bots, returns, resignations and stops; the log stays as it was."""
    table = given_game(bots=("greedy",), settings=GameSettings(seats=3, turn_seconds=5, house_rules=QUICK))
    version, staff = table.game.version, person("Chief", superuser=True)
    assert game_freeze(game_id=table.game_id, reason=WHY)
    assert not game_freeze(game_id=table.game_id, reason="once more")
    seat = table.state.turn
    acts: list[Callable[[], object]] = [
        lambda: table.submit(seat, legal_texts(table)[0]),
        lambda: services.seat_resign(game_id=table.game_id, seat=Seat(0)),
        lambda: services.game_stop(game_id=table.game_id),
        lambda: services.game_give_up(game_id=table.game_id),
        lambda: services.game_abort(game_id=table.game_id, actor=staff, reason="a test"),
    ]
    for act in acts:
        with pytest.raises(WrongPhase) as refused:
            act()
        assert refused.value.code == "frozen"
    with later(3_600):
        assert services.game_timeout(game_id=table.game_id, version=version) is None
        assert services.bot_move(game_id=table.game_id, version=version) is None
        assert services.clock_sweep() == 0
        assert services.bots_claim() == ()
        assert (overdue_oldest(), bot_overdue_oldest()) == (None, None)
    game = table.game
    assert (game.version, game.phase, game.frozen_reason) == (version, Phase.PLAYING, WHY)


def test_a_command_that_was_carried_out_before_is_still_answered() -> None:
    """A repetition adds nothing, so its maker hears that it was accepted."""
    table, command_id = given_game(), uuid4()
    text = next(text for text in legal_texts(table) if text != "leave")
    told = table.submit(0, text, command_id=command_id)
    game_freeze(game_id=table.game_id, reason=WHY)
    again = table.submit(0, text, command_id=command_id)
    assert (again.repeated, again.version) == (True, told.version)


def test_an_unfrozen_game_goes_on_and_its_clock_gets_the_time_back(auditor: Player) -> None:
    """An event credits it, so that nobody loses a turn to the audit; act and reason are in the audit log."""
    table = given_game(settings=GameSettings(seats=2, turn_seconds=60, house_rules=QUICK))
    watched(ended_ago=0)
    deadline = table.game.deadline
    assert deadline is not None
    game_freeze(game_id=table.game_id, reason=WHY)
    with later(30):
        game_unfreeze(game_id=table.game_id, actor=auditor, reason="the backup was put back")
    game = table.game
    assert (game.frozen_at, game.frozen_reason) == (None, "")
    assert table.events()[-2].type == "ClockCredited"
    assert game.deadline is not None
    assert timedelta(seconds=29) <= game.deadline - deadline <= timedelta(seconds=31)
    assert game_check(game_id=table.game_id).ok
    entry = AuditEntry.objects.get(kind=AuditKind.UNFROZEN)
    assert (entry.player, entry.reason) == (auditor, "the backup was put back")
    with later(31):
        table.submit(table.state.turn, next(text for text in legal_texts(table) if text != "leave"))


def test_a_running_game_whose_log_is_still_broken_stays_frozen(auditor: Player) -> None:
    """And the act leaves nothing behind; one without a reason does not even begin."""
    table = given_game()
    alter_event(table.game_id, 4, "actor = 'nobody'")
    assert not game_check(game_id=table.game_id).ok
    with pytest.raises(ChainBroken):
        game_unfreeze(game_id=table.game_id, actor=auditor, reason="let us hope")
    with pytest.raises(ValueError, match="reason"):
        game_unfreeze(game_id=table.game_id, actor=auditor, reason="  ")
    assert table.game.frozen_at is not None
    assert not AuditEntry.objects.filter(kind=AuditKind.UNFROZEN).exists()


def test_the_desk_lets_a_game_go_on_for_a_reason_only(auditor: Player) -> None:
    """A referee may not; a reason too short is asked for again."""
    table = given_bots(("random", "random"), rules=QUICK)
    table.bot_moves()
    game_freeze(game_id=table.game_id, reason=WHY)
    address = reverse("admin:games_game_unfreeze", args=[table.game_id])
    assert browser_of(person("Ruth", "referee")).post(address, {"reason": "a good reason"}).status_code == 403
    browser = browser_of(auditor)
    assert WHY in browser.get(address).content.decode()
    assert "Give a reason of 10 to 500" in browser.post(address, {"reason": "short"}).content.decode()
    assert table.game.frozen_at is not None
    assert browser.post(address, {"reason": "restored from the backup"}).status_code == 302
    assert table.game.frozen_at is None


def test_a_frozen_game_says_so_wherever_it_is_told() -> None:
    """The game's answer, its audit, its page in the admin, its ETag, and the figures."""
    table = given_bots(("random", "random"), rules=QUICK)
    table.bot_moves()
    viewer, browser = Client(), browser_of(person("Chief", superuser=True))
    token = viewer.post("/api/v1/players/guest/", {}, content_type="application/json").json()["token"]
    asked = {"authorization": f"Bearer {token}"}
    before = viewer.get(f"/api/v1/games/{table.game_id}/", headers=asked)
    alter_event(table.game_id, 5, "actor = 'nobody'")
    game_check(game_id=table.game_id)
    game = viewer.get(f"/api/v1/games/{table.game_id}/", headers=asked)
    audit = viewer.get(f"/api/v1/games/{table.game_id}/audit/", headers=asked).json()
    assert before.json()["frozen"] is None
    assert game.json()["frozen"]["reason"].startswith("version 5: ")
    assert game.headers["ETag"] != before.headers["ETag"]
    assert (audit["verification"]["ok"], audit["verification"]["version"]) == (False, table.game.version)
    assert audit["frozen"]["reason"] == audit["verification"]["problem"][:200]
    page = browser.get(reverse("admin:games_game_change", args=[table.game_id])).content.decode()
    assert "does not verify — version 5" in page
    figures = exposition(Figures({}, None, None)).decode()
    assert "taki_audit_failed_games 1.0" in figures
    assert "taki_frozen_games 1.0" in figures


def test_a_move_at_a_frozen_table_is_a_clear_409() -> None:
    """Over HTTP, in a sentence that says what will be done."""
    table = given_game()
    game_freeze(game_id=table.game_id, reason=WHY)
    token = token_create(player=table.players[0])
    answer = Client().post(
        f"/api/v1/games/{table.game_id}/commands/",
        {"command": "draw"},
        content_type="application/json",
        headers={"authorization": f"Bearer {token}"},
    )
    told = answer.json()
    assert (answer.status_code, told["code"], told["phase"]) == (409, "frozen", "playing")
    assert "does not verify" in told["detail"]


@pytest.mark.parametrize("who", ["a player", "a bot"])
def test_a_move_that_meets_a_broken_log_freezes_the_game_at_once(who: str) -> None:
    """Nobody waits for the night: the mover hears what it is, and the next one, too."""
    table = given_game() if who == "a player" else given_bots(("random", "random"), rules=QUICK)
    version = table.game.version
    alter_event(table.game_id, 4, "actor = 'nobody'")
    if who == "a bot":
        assert services.bot_move(game_id=table.game_id, version=version) is None
    else:
        token = token_create(player=table.players[0])
        for _ in range(2):
            answer = Client().post(
                f"/api/v1/games/{table.game_id}/commands/",
                {"command": "draw"},
                content_type="application/json",
                headers={"authorization": f"Bearer {token}"},
            )
            assert (answer.status_code, answer.json()["code"]) == (409, "frozen")
    assert table.game.frozen_reason == "version 4: the log does not lead to the noted head"
    assert AuditEntry.objects.filter(kind=AuditKind.FROZEN).count() == 1


def test_a_frozen_game_takes_no_place_among_a_players_open_ones(settings: LazySettings) -> None:
    """Nobody can finish or leave it."""
    settings.TAKI_THROTTLE_FACTOR = 1
    table = given_game()
    host = table.players[0]
    for _ in range(2):
        services.game_create(host=host, settings=GameSettings())
    with pytest.raises(TooManyOpenGames):
        services.game_create(host=host, settings=GameSettings())
    game_freeze(game_id=table.game_id, reason=WHY)
    assert services.game_create(host=host, settings=GameSettings())


def test_an_event_that_this_release_does_not_know_puts_off_and_freezes_nothing(client: Client) -> None:
    """Another process may be of a newer release; what was altered is found by the audit, and then told as frozen."""
    table = given_game(settings=GameSettings(seats=2, turn_seconds=5, house_rules=QUICK))
    alter_event(table.game_id, 3, "type = 'Nonsense'")
    bearer = {"authorization": f"Bearer {token_create(player=table.players[0])}"}
    view, moves = (f"/api/v1/games/{table.game_id}/{name}/" for name in ("view", "commands"))
    for answer in (
        client.get(view, headers=bearer),
        client.post(moves, {"command": "draw"}, content_type="application/json", headers=bearer),
    ):
        assert (answer.status_code, answer.json()["code"], answer.headers["Retry-After"]) == (503, "unavailable", "2")
    with later(3_600):
        assert services.clock_sweep() == 0
    assert table.game.frozen_at is None
    game_freeze(game_id=table.game_id, reason=WHY)
    assert client.get(view, headers=bearer).json()["code"] == "frozen"
