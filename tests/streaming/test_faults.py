"""Streams of a running system while its parts are killed: that costs delay, never an event."""

from __future__ import annotations

import random
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from tests.e2e.stranger import Stranger
from tests.e2e.system import System, eventually
from tests.streaming.client import Client, Persistent

LONGEST_SECONDS = 240.0
QUICK = {"last_card_grace_seconds": 0, "hand_size": 8}


@dataclass
class Followed:
    """A running game of three strangers, each of whom follows it, and so does a fourth; they are cut off at random."""

    game: str
    players: list[Stranger]
    people: list[Stranger]
    followers: list[Persistent]

    @classmethod
    def begin(cls, system: System, *, most: int) -> Followed:
        """Sit down, start, and follow from the first event on."""
        people = [Stranger(f"{system.url}/api/v1") for _ in range(4)]
        players = people[:3]
        made = players[0].create(seats=3, house_rules=QUICK, turn_seconds=None)
        for player in players[1:]:
            player.post(f"/games/{made['id']}/join/")
        followers = [
            Persistent(made["links"]["stream"], token_of(person), number, most=most, longest=LONGEST_SECONDS)
            for number, person in enumerate(people)
        ]
        players[0].post(f"/games/{made['id']}/start/")
        for follower in followers:
            follower.start()
        return cls(str(made["id"]), players, people, followers)

    def play(self, moves: int) -> bool:
        """So many moves, or to the end; whether it has been reached."""
        for _ in range(moves):
            for player in self.players:
                view = player.view(self.game)
                if view["phase"] != "playing":
                    return True
                if view["may_act"]:
                    player.move(self.game, view)
        return False

    def finish(self) -> None:
        """All but one leave."""
        for player in self.players[:2]:
            player.http.post(f"/games/{self.game}/leave/", json={})

    def judge(self) -> None:
        """Everybody was told every event once and in order, as the list of events has it for them."""
        for person, follower in zip(self.people, self.followers, strict=True):
            follower.join(LONGEST_SECONDS)
            log = person.http.get(f"/games/{self.game}/events/", params={"limit": 1000}).json()
            assert log["next"] is None
            assert follower.found == log["results"]
            assert follower.stopped
        assert sum(follower.cut for follower in self.followers) > len(self.followers)


def token_of(person: Stranger) -> str:
    """Its bearer token."""
    return str(person.http.headers["Authorization"]).removeprefix("Bearer ")


def test_a_killed_stream_process_and_cut_lines_cost_no_event(system: System) -> None:
    """The short form, on the shared system: the process dies in the middle of a game, and comes back."""
    followed = Followed.begin(system, most=40)
    followed.play(3)
    old = system.kill("streams")
    followed.play(4)
    followed.finish()
    followed.judge()
    assert system.pid("streams") not in (0, old)


def test_a_system_that_stops_tells_its_streams_and_does_not_wait_for_them(system: System) -> None:
    """SIGTERM to the stream process: every client is told when to come again, and it runs again at once."""
    person = Stranger(f"{system.url}/api/v1")
    made = person.create(seats=2)
    with Client(made["links"]["stream"], token_of(person)) as client:
        client.named("presence")
        system.kill("streams", signal.SIGTERM)
        list(client.rest())
        assert client.retry is not None
    url, token = made["links"]["stream"], token_of(person)
    eventually(lambda: system.pid("streams") and answers(url, token), "the streams are back")


def answers(url: str, token: str) -> bool:
    """The stream can be opened."""
    try:
        with Client(url, token) as client:
            return client.status == 200
    except OSError:
        return False


@pytest.fixture
def besieged() -> Iterator[System]:
    """A system of the test's own, whose limits are those of load tests."""
    own = System(variables={"TAKI_THROTTLE_FACTOR": "100000"})
    try:
        own.start()
        yield own
    finally:
        own.close()


@pytest.mark.faults
@pytest.mark.parametrize("seed", range(2))
def test_valkey_postgres_and_the_stream_process_killed_in_turn_cost_no_event(besieged: System, seed: int) -> None:
    """The long form: each several times in random order under a game that goes on, whoever is away."""
    chance = random.Random(seed)
    followed = Followed.begin(besieged, most=60)
    for name in chance.sample(["valkey", "postgres", "streams"] * 3, 9):
        besieged.kill_and_wait(name)
        besieged.wait_until_ready()
        time.sleep(chance.uniform(0.1, 1.5))
        if followed.play(2):
            break
    followed.finish()
    followed.judge()
