"""The fairness formulas, each worked out a second time from its words."""

import hashlib
import hmac
import json
from uuid import UUID

import pytest

from games import chain
from games.rules.cards import Seat

SERVER_SEED = bytes(range(32))
GAME_ID = UUID("01890A5D-AC96-774B-BCCE-B302099A8057")


def sha(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def test_the_commitment_is_of_the_server_seed_alone() -> None:
    """SHA-256("taki/1/commit" ‖ server_seed)."""
    assert chain.commitment(SERVER_SEED) == sha(b"taki/1/commit" + SERVER_SEED)


def test_the_seed_hangs_on_each_seats_entropy_in_order() -> None:
    """SHA-256("taki/1/seed" ‖ server_seed ‖ SHA-256(entropy of seat 0) ‖ …)."""
    digests = [chain.entropy_digest(entropy) for entropy in (b"abc", b"")]
    assert chain.game_seed(SERVER_SEED, digests) == sha(b"taki/1/seed" + SERVER_SEED + sha(b"abc") + sha(b""))
    assert chain.game_seed(SERVER_SEED, digests) != chain.game_seed(SERVER_SEED, digests[::-1])


def test_the_first_seat_is_drawn_from_the_seed_among_the_candidates() -> None:
    """The first 8 bytes of HMAC-SHA256(seed, "taki/1/first"), big-endian, mod the number of candidates."""
    drawn = int.from_bytes(hmac.new(SERVER_SEED, b"taki/1/first", "sha256").digest()[:8], "big")
    for candidates in ((Seat(0),), (Seat(1), Seat(3)), (Seat(0), Seat(2), Seat(5), Seat(6), Seat(9))):
        assert chain.first_seat(SERVER_SEED, candidates) == candidates[drawn % len(candidates)]
    with pytest.raises(ValueError, match="no candidates"):
        chain.first_seat(SERVER_SEED, ())


def test_the_first_hash_names_the_game_in_lower_case() -> None:
    """SHA-256("taki/1/game/" ‖ the id as canonical text)."""
    assert chain.genesis(GAME_ID) == sha(b"taki/1/game/01890a5d-ac96-774b-bcce-b302099a8057")


def test_a_hash_binds_the_one_before_the_salt_and_the_event() -> None:
    """SHA-256(hash(v−1) ‖ SHA-256(salt(v) ‖ canonical JSON)), v in decimal."""
    salt = hmac.new(SERVER_SEED, b"taki/1/salt/41", "sha256").digest()
    assert chain.salt(SERVER_SEED, 41) == salt
    assert chain.event_hash(b"before", salt, b"{}") == sha(b"before" + sha(salt + b"{}"))


def test_the_canonical_json_of_an_event_is_spelt_in_one_way() -> None:
    """Keys sorted at every depth, ASCII, no spaces, the time to the millisecond."""
    spelt = chain.canonical_event(
        version=7,
        event_type="CardsDrawn",
        schema=1,
        data={"seat": 2, "cards": ["R7", "+3"]},
        actor="seat:2",
        at="2023-11-14T22:13:20.123Z",
    )
    assert spelt == (
        b'{"actor":"seat:2","at":"2023-11-14T22:13:20.123Z","data":{"cards":["R7","+3"],"seat":2},'
        b'"schema":1,"type":"CardsDrawn","version":7}'
    )
    assert chain.canonical_json(json.loads(spelt)) == spelt


@pytest.mark.parametrize("leaf", [None, True, False, 1.5, b"x", {1: "x"}, {"deep": [{"x": None}]}])
def test_what_could_be_spelt_in_two_ways_has_no_canonical_json(leaf: object) -> None:
    """Only objects with text keys, arrays, integers and texts are taken."""
    with pytest.raises(TypeError):
        chain.canonical_json({"data": leaf})


def test_the_servers_own_command_ids_are_stable_and_hang_on_the_secret() -> None:
    """Nobody can use such an id up before the server does; it is a valid UUID of version 8."""
    own = chain.private_uuid(SERVER_SEED, "bot/41/2")
    assert own == chain.private_uuid(SERVER_SEED, "bot/41/2")
    assert own not in {chain.private_uuid(SERVER_SEED, "bot/41/3"), chain.private_uuid(bytes(32), "bot/41/2")}
    assert own.version == 8
