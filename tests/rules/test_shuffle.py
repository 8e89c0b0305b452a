"""Shuffling (H1, H2) in what no case can show: words that are skipped, evenness, and the stream itself."""

import hmac
from collections import Counter
from itertools import islice, permutations

import pytest

from games.rules.shuffle import _below, _words, shuffled

SEED = bytes(range(32))


@pytest.mark.parametrize("bound", [3, 5, 6, 7, 115, 116])
def test_h2_a_word_past_the_last_full_multiple_is_skipped(bound: int) -> None:
    """The first unfair word and the greatest are skipped; the last fair one is taken."""
    unfair = 2**64 - 2**64 % bound
    assert _below(bound, iter([unfair, 2**64 - 1, 4])) == 4 % bound
    assert _below(bound, iter([unfair - 1])) == bound - 1


@pytest.mark.parametrize("bound", [2, 4, 64])
def test_h2_no_word_is_skipped_where_all_are_fair(bound: int) -> None:
    """A power of two divides 2^64."""
    assert _below(bound, iter([2**64 - 1])) == bound - 1


def test_h2_the_stream_is_hmac_sha256_in_big_endian_words() -> None:
    """Block after block, four words each, the message being text in ASCII."""
    digests = [hmac.new(SEED, f"taki/1/12/{block}".encode("ascii"), "sha256").digest() for block in range(3)]
    expected = [int.from_bytes(digest[place : place + 8], "big") for digest in digests for place in (0, 8, 16, 24)]
    assert list(islice(_words(SEED, 12), 12)) == expected


def test_h1_a_shuffle_keeps_every_item_and_needs_no_chance_of_its_own() -> None:
    """The same seed and number give the same order; another number or seed gives another."""
    items = tuple(range(116))
    once = shuffled(SEED, 0, items)
    assert sorted(once) == list(items)
    assert shuffled(SEED, 0, items) == once
    assert shuffled(SEED, 1, items) != once
    assert shuffled(bytes(32), 0, items) != once


def test_h1_every_order_is_about_as_likely() -> None:
    """24,000 shuffles of four items: each of the 24 orders within five standard deviations of a thousand."""
    counts = Counter(shuffled(SEED, number, "abcd") for number in range(24_000))
    assert set(counts) == set(permutations("abcd"))
    assert all(abs(count - 1000) < 5 * 31 for count in counts.values())


@pytest.mark.parametrize("items", [(), ("one",)])
def test_h1_nothing_and_one_thing_stay_as_they_are(items: tuple[str, ...]) -> None:
    """No word of the stream is needed."""
    assert shuffled(SEED, 0, items) == items
