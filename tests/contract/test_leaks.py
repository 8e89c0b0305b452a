"""No byte that anybody is sent tells of a card, a seed or a token that is not theirs to know.

Two ways: each answer is searched for cards outside of what the engine tells this viewer, and for every secret; and
each answer must be the same when all cards that the viewer has never seen are dealt out anew (twins).
"""

import random
from collections.abc import Iterator

import pytest
from django.test import Client

from games.rules.cards import CARDS
from tests.contract import leaks
from tests.contract.leaks import Room
from tests.contract.twins import twin_of

pytestmark = pytest.mark.django_db
GAMES, GAMES_DEEP = 4, 200


@pytest.fixture
def client(caplog: pytest.LogCaptureFixture) -> Client:
    """One for all requests; it costs time to make."""
    caplog.set_level("ERROR")
    return Client(raise_request_exception=False)


def moments(room: Room, chance: random.Random, count: int) -> Iterator[int]:
    """Some versions of a game, and at last its end (or where it is after very many commands)."""
    stops = sorted(chance.sample(range(1, 60), count))
    version = room.game.version
    for number, version in enumerate(leaks.moves(room, chance), start=1):
        if number in stops:
            yield version
    yield version


def roles_of(room: Room, chance: random.Random, most: int) -> list[str]:
    """Some seats, and some of those who do not sit there."""
    seats = chance.sample(sorted(room.seats), min(most, len(room.seats)))
    return [*seats, *chance.sample(["guest", "other", "staff", "chief", "nobody"], most)]


def scan(seed: int, client: Client, *, stops: int, most: int, twins: int = 2) -> int:
    """One random game; how many answers were looked at."""
    room, chance = leaks.opened(random.Random(seed))
    looked = 0
    for version in moments(room, chance, stops):
        for role in roles_of(room, chance, most):
            answers = everything(room, role, version, client, chance)
            may_know = leaks.known(room, role)
            for path, answer in answers.items():
                assert not leaks.secrets_in(room, role, answer), (seed, version, role, path)
                unknown = leaks.cards_in(answer) - may_know
                assert not unknown, (seed, version, role, path, unknown, answer)
            looked += len(answers)
        looked += same_of_the_twin(seed, room, version, client, chance, twins)
    return looked


def everything(room: Room, role: str, version: int, client: Client, chance: random.Random) -> dict[str, bytes]:
    """Every answer about the game, and to some commands which are refused to this role."""
    found = {path: leaks.asked(room, role, path, client) for path in leaks.addresses(room, version, chance)}
    lines = f"/api/v1/games/{room.game_id}/events/"
    found["ndjson"] = leaks.asked(room, role, lines, client, accept="application/x-ndjson")
    return {**found, **_refusals(room, role, client, chance)}


def _refusals(room: Room, role: str, client: Client, chance: random.Random) -> dict[str, bytes]:
    """What is answered to commands that this role cannot carry out: it does not hold these cards."""
    seat = room.seat(role)
    hand = set() if seat is None else leaks.hand_of(room, seat)
    others = [card.code for card in CARDS if card.code not in hand]
    asked = chance.sample(others, 3)
    return {f"play {code}": _without_code(leaks.told(room, role, f"play {code}", client), code) for code in asked}


def _without_code(answer: bytes, code: str) -> bytes:
    """Whoever names a card may have its name back."""
    return answer.replace(f'"{code}"'.encode(), b'""')


def same_of_the_twin(seed: int, room: Room, version: int, client: Client, chance: random.Random, twins: int = 2) -> int:
    """Law 8 over HTTP: with other hidden cards, who sits there and who does not are sent the same bytes as before."""
    if leaks.is_over(room):
        return 0
    looked = 0
    viewers = [chance.choice(sorted(room.seats)), chance.choice(["guest", "staff", "chief"])]
    for role in chance.sample(viewers, twins):
        luck = chance.random()
        before = everything(room, role, version, client, random.Random(luck))
        with twin_of(room.game_id, room.seat(role), random.Random(luck)) as changed:
            assert changed
            after = everything(room, role, version, client, random.Random(luck))
        assert before.keys() == after.keys()
        del before["/metrics"], after["/metrics"]  # they count the requests themselves
        for path, answer in before.items():
            assert leaks.masked(answer) == leaks.masked(after[path]), (seed, version, role, path)
        looked += 2 * len(before)
    return looked


@pytest.mark.parametrize("seed", range(GAMES))
def test_nothing_leaks_from_a_random_game(seed: int, client: Client) -> None:
    """At one moment and at the end, for a seat and somebody who does not sit there."""
    assert scan(seed, client, stops=1, most=1, twins=1) > 80


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(GAMES, GAMES_DEEP))
def test_nothing_leaks_from_many_random_games(seed: int, client: Client) -> None:
    """At two moments and at the end, for most of each role."""
    assert scan(seed, client, stops=2, most=4) > 100


# ---- the scan itself finds what it looks for


def test_a_leaked_card_is_found(client: Client) -> None:
    """Whatever the member is called, and in lines of JSON too."""
    for body in ('{"a":[{"b":"R7"}]}', '{"x":1}\n{"command":"play R7"}', '{"hands":[["R7"]]}'):
        assert leaks.cards_in(b"200\n\n" + body.encode()) == {"R7"}
    assert not leaks.cards_in(b'200\n\n{"rule":"G4","detail":"Play R7."}')


def test_a_leaked_hand_is_found_by_the_twin(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """If views were not made for their viewer, some answer would differ."""
    from games import selectors
    from games.rules.views import View, view_for

    room, chance = leaks.opened(random.Random(3))
    assert same_of_the_twin(3, room, room.game.version, client, chance)
    monkeypatch.setattr(selectors, "view_for", lambda state, viewer: View(0, view_for(state, 0).state))  # type: ignore[arg-type]
    with pytest.raises(AssertionError, match=r"states|view|legal"):
        _many_twins(room, client, chance)


def _many_twins(room: Room, client: Client, chance: random.Random) -> None:
    for _ in range(8):
        same_of_the_twin(3, room, room.game.version, client, chance)
