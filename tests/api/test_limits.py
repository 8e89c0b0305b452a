"""How often one may ask, and what happens when the counter is away."""

import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any
from uuid import uuid4

import pytest
from django.conf import LazySettings
from redis import Redis

from players.api import throttles
from players.api.errors import TooManyRequests
from players.api.throttles import COMMANDS, GUESTS, READS, Limit, limit_spend
from players.models import Player
from tests.api.http import Caller, problem

Come = Callable[[], Caller]
SLOW = Limit("test", 60, 3600, 5)


@pytest.fixture(autouse=True)
def limits_hold(no_limits: None, settings: LazySettings) -> None:
    """Here the limits are as they are in service."""
    settings.TAKI_THROTTLE_FACTOR = 1


@pytest.fixture
def valkey(settings: LazySettings, servers: object, monkeypatch: pytest.MonkeyPatch) -> Iterator[Redis]:
    """The counter's server, empty, and waited for: on a busy machine the short limit of service would let pass."""
    monkeypatch.setattr(throttles, "_TIMEOUT_SECONDS", 30.0)
    monkeypatch.setattr(throttles._Outage, "until", 0.0)
    throttles._counter.cache_clear()
    client = Redis.from_url(settings.TAKI_VALKEY_URL)
    for key in client.scan_iter("limit:*"):
        client.delete(key)
    yield client
    client.close()
    monkeypatch.undo()
    throttles._counter.cache_clear()


def test_a_burst_passes_and_what_follows_must_wait(valkey: Redis) -> None:
    """After five at once the sixth is told how many seconds to wait: one a minute comes back."""
    who = str(uuid4())
    for _ in range(5):
        limit_spend(SLOW, who)
    with pytest.raises(TooManyRequests) as refused:
        limit_spend(SLOW, who)
    assert refused.value.limit == "test"
    assert 50 <= refused.value.seconds <= 60
    limit_spend(SLOW, str(uuid4()))


def test_a_refused_request_is_not_counted(valkey: Redis) -> None:
    """Asking again does not put the time off."""
    who = str(uuid4())
    for _ in range(5):
        limit_spend(SLOW, who)
    waits = []
    for _ in range(20):
        with pytest.raises(TooManyRequests) as refused:
            limit_spend(SLOW, who)
        waits.append(refused.value.seconds)
    assert max(waits) <= 60


def test_the_count_forgets_itself(valkey: Redis) -> None:
    """No key stays after the bucket is full again."""
    who = str(uuid4())
    limit_spend(SLOW, who)
    assert 0 < valkey.ttl(f"limit:test:{who}") <= 60


def test_counting_is_atomic(valkey: Redis) -> None:
    """Of many at the same instant exactly the burst pass."""
    who, passed = str(uuid4()), []
    barrier = threading.Barrier(16)

    def spend() -> None:
        barrier.wait()
        for _ in range(4):
            try:
                limit_spend(Limit("test", 1, 3600, 10), who)
                passed.append(1)
            except TooManyRequests:
                pass

    threads = [threading.Thread(target=spend) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(passed) == 10


@pytest.mark.django_db
def test_guests_are_limited_by_address(valkey: Redis, nobody: Caller) -> None:
    """60 at once from one address, then 429 with the limit's name; another address is free; nobody is made."""
    for _ in range(GUESTS.burst):
        assert nobody.post("players/guest/").status_code == 201
    refused = nobody.post("players/guest/")
    assert problem(refused) == (429, "too_many_requests")
    told = refused.json()
    assert told["limit"] == "guests"
    assert refused.headers["Retry-After"] == str(told["seconds"])
    assert 50 <= told["seconds"] <= 60
    assert Player.objects.count() == GUESTS.burst
    nobody.client.defaults["REMOTE_ADDR"] = "192.0.2.9"
    assert nobody.post("players/guest/").status_code == 201


@pytest.mark.django_db
@pytest.mark.parametrize(("limit", "method"), [(READS, "GET"), (COMMANDS, "POST")])
def test_players_are_limited_each_by_itself(valkey: Redis, guest: Come, limit: Limit, method: str) -> None:
    """Reading and writing have their own counts, and so has each player."""
    one, two = guest(), guest()
    key = f"limit:{limit.name}:{one.player['id']}"
    full = 60 + limit.burst * limit.seconds / limit.count  # a minute more than the burst allows
    valkey.set(key, int((valkey.time()[0] + full) * 1_000_000))
    path = "players/me/" if method == "GET" else "games/"
    refused = one.send(method, path, b"{}" if method == "POST" else b"", "application/json", {})
    assert problem(refused) == (429, "too_many_requests")
    assert refused.json()["limit"] == limit.name
    assert two.send(method, path, b"{}" if method == "POST" else b"", "application/json", {}).status_code < 300
    other = one.get("players/me/") if method == "POST" else one.post("games/", {})
    assert other.status_code < 300


@pytest.mark.django_db
def test_behind_a_proxy_the_address_is_the_one_the_proxy_saw(
    valkey: Redis, nobody: Caller, settings: LazySettings
) -> None:
    """The last of X-Forwarded-For, which the client cannot write; without a proxy the header counts for nothing."""
    settings.TAKI_BEHIND_PROXY = True
    nobody.post("players/guest/", x_forwarded_for="1.2.3.4, 198.51.100.7")
    nobody.post("players/guest/", x_forwarded_for="4.3.2.1, 198.51.100.7")
    settings.TAKI_BEHIND_PROXY = False
    nobody.post("players/guest/", x_forwarded_for="1.2.3.4, 198.51.100.7")
    keys = list(valkey.scan_iter("limit:guests:*"))
    assert len(keys) == 2
    assert not [key for key in keys if b"198.51" in key or b"127.0" in key]


@pytest.mark.django_db
def test_one_setting_loosens_every_limit(valkey: Redis, nobody: Caller, settings: LazySettings) -> None:
    """TAKI_THROTTLE_FACTOR multiplies both rate and burst."""
    settings.TAKI_THROTTLE_FACTOR = 2
    for _ in range(2 * GUESTS.burst):
        assert nobody.post("players/guest/").status_code == 201
    assert nobody.post("players/guest/").status_code == 429


def test_limits_that_are_loosened_out_of_sight_are_still_counted(valkey: Redis, settings: LazySettings) -> None:
    """No factor makes the counting itself fail (which would let pass, and hide it)."""
    for factor in (0.001, 1, 1_000_000):
        settings.TAKI_THROTTLE_FACTOR = factor
        for limit in (GUESTS, COMMANDS, READS):
            with suppress(TooManyRequests):
                limit_spend(limit, str(uuid4()))
    assert throttles._Outage.until == 0.0


@pytest.mark.django_db
def test_without_the_counter_everybody_may_ask(
    valkey: Redis, nobody: Caller, settings: LazySettings, monkeypatch: pytest.MonkeyPatch, caplog: Any
) -> None:
    """Valkey away: requests are answered, the log says so once, and the next ones do not even try for a while."""
    monkeypatch.setattr(throttles, "_PAUSE_SECONDS", 3600.0)
    settings.TAKI_VALKEY_URL = "redis://127.0.0.1:1/0"
    throttles._counter.cache_clear()
    tried, away = [], throttles._counter()

    def counter() -> Any:
        tried.append(1)
        return away

    monkeypatch.setattr(throttles, "_counter", counter)
    for _ in range(GUESTS.burst + 5):
        assert nobody.post("players/guest/").status_code == 201
    assert len(tried) == 1
    assert "limits are not counted" in caplog.text
