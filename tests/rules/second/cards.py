"""Cards as texts, and shuffling (sections 2 and 12 of the rules)."""

import hmac
from collections.abc import Iterable, Iterator, Sequence

COLORS = "RGBY"
FACES = ("1", "3", "4", "5", "6", "7", "8", "9", "S", "+2", "D", "+", "T")
COLORLESS = ("ST", "K", "+3", "X3", "C")
KINDS = (*(color + face for color in COLORS for face in FACES), *COLORLESS)
DECK = tuple(card for card in KINDS for _ in range(4 if card == "C" else 2))


def color_of(card: str) -> str | None:
    return None if card in COLORLESS else card[0]


def face_of(card: str) -> str:
    return card if card in COLORLESS else card[1:]


def in_order(cards: Iterable[str]) -> list[str]:
    return sorted(cards, key=KINDS.index)


def shuffled(seed: bytes, number: int, cards: Sequence[str]) -> list[str]:
    """H1: Fisher–Yates from the end, each place chosen by a word of H2."""
    result, words = list(cards), _words(seed, number)
    for i in range(len(result) - 1, 0, -1):
        word = next(words)
        while word >= 2**64 - 2**64 % (i + 1):
            word = next(words)
        j = word % (i + 1)
        result[i], result[j] = result[j], result[i]
    return result


def _words(seed: bytes, number: int) -> Iterator[int]:
    block = 0
    while True:
        stream = hmac.new(seed, b"taki/1/%d/%d" % (number, block), "sha256").digest()
        yield from (int.from_bytes(stream[place : place + 8], "big") for place in range(0, 32, 8))
        block += 1
