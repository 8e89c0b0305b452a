"""Our own check of Ed25519 agrees with RFC 8032 and with `cryptography`, and refuses what is spelt in a second way."""

import random

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from games.audit.verify import ed25519

VECTORS = {
    "TEST 1": (
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        (
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
            "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
        ),
    ),
    "TEST 2": (
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        (
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
            "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
        ),
    ),
    "TEST 3": (
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        (
            "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
            "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
        ),
    ),
    "TEST SHA(abc)": (
        "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
        (
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
            "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
        ),
        (
            "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b589"
            "09351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704"
        ),
    ),
}
"""RFC 8032, 7.1: public key, message, signature."""

SMALL_ORDER = (
    "01" + 31 * "00",
    "ec" + 30 * "ff" + "7f",
    32 * "00",
    31 * "00" + "80",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
)
"""The eight points of small order: under such a key one signature fits many texts."""
NOT_CANONICAL = (
    "ee" + 30 * "ff" + "7f",  # y = p + 1
    "ed" + 30 * "ff" + "7f",  # y = p
    "ff" + 30 * "ff" + "ff",  # y = 2^255 - 1
    "01" + 30 * "00" + "80",  # x = 0 with a sign
    "02" + 31 * "00",  # no point of the curve
)


def by_library(public_key: bytes, signature: bytes, message: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
    except InvalidSignature:
        return False
    return True


@pytest.mark.parametrize("name", VECTORS)
def test_the_vectors_of_the_rfc_hold(name: str) -> None:
    """With `cryptography` and without; and no other message does."""
    public_key, message, signature = (bytes.fromhex(part) for part in VECTORS[name])
    for check in (ed25519.verify, ed25519.holds, by_library):
        assert check(public_key, signature, message)
        assert not check(public_key, signature, message + b"x")
    assert ed25519.well_formed(public_key, signature)


def test_it_agrees_with_the_library_on_signatures_true_and_spoilt() -> None:
    """Random keys and messages; each signature as it is and with one bit changed anywhere."""
    chance = random.Random(8032)
    for _ in range(20):
        private = Ed25519PrivateKey.from_private_bytes(chance.randbytes(32))
        public_key, message = private.public_key().public_bytes_raw(), chance.randbytes(chance.randrange(100))
        signature = private.sign(message)
        spoilt = bytearray(signature)
        spoilt[chance.randrange(64)] ^= 1 << chance.randrange(8)
        assert ed25519.holds(public_key, signature, message)
        assert ed25519.holds(public_key, bytes(spoilt), message) == by_library(public_key, bytes(spoilt), message)
        assert not ed25519.verify(public_key, bytes(spoilt), message)


@pytest.mark.parametrize("name", VECTORS)
def test_the_same_signature_spelt_with_a_larger_s_is_refused(name: str) -> None:
    """S + L solves the equation as well: without the bound a signature would have two spellings."""
    public_key, message, signature = (bytes.fromhex(part) for part in VECTORS[name])
    larger = int.from_bytes(signature[32:], "little") + ed25519.L
    other = signature[:32] + larger.to_bytes(32, "little")
    assert ed25519.holds(public_key, other, message)
    assert not ed25519.well_formed(public_key, other)
    assert not ed25519.verify(public_key, other, message)


@pytest.mark.parametrize("point", SMALL_ORDER + NOT_CANONICAL)
def test_points_of_small_order_or_of_another_spelling_are_refused(point: str) -> None:
    """As a key and as a signature's first half."""
    public_key, _, signature = (bytes.fromhex(part) for part in VECTORS["TEST 2"])
    odd = bytes.fromhex(point)
    assert not ed25519.well_formed(odd, signature)
    assert not ed25519.well_formed(public_key, odd + signature[32:])
    assert not ed25519.verify(odd, odd + bytes(32), b"any text")


@pytest.mark.parametrize(("key_bytes", "signature_bytes"), [(31, 64), (33, 64), (32, 63), (32, 65), (0, 0)])
def test_other_sizes_are_refused(key_bytes: int, signature_bytes: int) -> None:
    """32 and 64 bytes, no more and no less."""
    assert not ed25519.verify(bytes(key_bytes), bytes(signature_bytes), b"")
