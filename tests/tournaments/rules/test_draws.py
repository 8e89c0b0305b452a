"""Chance comes from the committed seed alone."""

import hashlib
import hmac

import pytest

from games.rules.shuffle import shuffled
from tests.tournaments.rules.desk import SEED
from tournaments.rules.draws import commitment, drawn, subseed, tie_use


def test_the_commitment_is_the_hash_of_prefix_and_seed() -> None:
    """Anyone can check it with a hash function alone."""
    assert commitment(SEED) == hashlib.sha256(b"taki/1/tournament/commit" + SEED).hexdigest()


@pytest.mark.parametrize("size", [0, 31, 33])
def test_a_seed_of_another_length_is_no_seed(size: int) -> None:
    """A short seed could be guessed."""
    with pytest.raises(ValueError, match="32 bytes"):
        commitment(bytes(size))


def test_a_draw_is_the_game_shuffle_under_a_seed_of_its_own() -> None:
    """So the same few lines that check a game's shuffle check a tournament's draw."""
    key = hmac.new(SEED, b"taki/1/tournament/ranking", hashlib.sha256).digest()
    assert subseed(SEED, "ranking") == key
    assert drawn(SEED, "ranking", range(50)) == shuffled(key, 0, range(50))


def test_each_use_draws_for_itself() -> None:
    """One draw tells nothing of another."""
    uses = ["seeding", "ranking", tie_use(1, 1, 0), tie_use(1, 2, 0), tie_use(1, 1, 1), tie_use(11, 1, 0)]
    assert len({drawn(SEED, use, range(50)) for use in uses}) == len(uses)


def test_a_draw_of_three_gives_each_its_third() -> None:
    """Over many seeds nobody is favoured (a wrong shuffle would be some 5 % off)."""
    firsts = [drawn(number.to_bytes(32, "big"), "seeding", "abc")[0] for number in range(3000)]
    assert all(900 < firsts.count(letter) < 1100 for letter in "abc")
