"""Checking an Ed25519 signature (RFC 8032), in a few lines of integers, strictly.

Refused beside what is plainly wrong: S not below the order of the base point (the same signature spelt otherwise),
points that are not spelt canonically, and keys or points of small order, under which one signature fits many texts.
The equation is [S]B = R + [k]A, without the cofactor, as `cryptography` has it; where that can be imported it checks
the equation, which is some fifty times faster. Nothing secret passes here, so the time taken may tell what it likes.
"""

import hashlib
from collections.abc import Callable
from typing import Final

SIGNATURE_BYTES: Final = 64
KEY_BYTES: Final = 32

Point = tuple[int, int, int, int]
"""Extended homogeneous coordinates X, Y, Z, T with x = X/Z, y = Y/Z, xy = T/Z (RFC 8032, 5.1.4)."""

P: Final = 2**255 - 19
L: Final = 2**252 + 27742317777372353535851937790883648493
_D: Final = -121665 * pow(121666, P - 2, P) % P
_ROOT_OF_MINUS_ONE: Final = pow(2, (P - 1) // 4, P)
_NEUTRAL: Final[Point] = (0, 1, 1, 0)


def verify(public_key: bytes, signature: bytes, message: bytes) -> bool:
    """Whether the 64 bytes are this 32-byte key's signature of the message."""
    if not well_formed(public_key, signature):
        return False
    check = _checked_elsewhere()
    return check(public_key, signature, message) if check else holds(public_key, signature, message)


def well_formed(public_key: bytes, signature: bytes) -> bool:
    """Whether key and signature are of the right size, spelt in the one way, and not of small order."""
    if len(public_key) != KEY_BYTES or len(signature) != SIGNATURE_BYTES:
        return False
    if int.from_bytes(signature[32:], "little") >= L:
        return False
    points = (_point(public_key), _point(signature[:32]))
    return all(point is not None and not _of_small_order(point) for point in points)


def holds(public_key: bytes, signature: bytes, message: bytes) -> bool:
    """The equation, for what is well formed."""
    key, commitment = _point(public_key), _point(signature[:32])
    if key is None or commitment is None:
        return False
    digest = hashlib.sha512(signature[:32] + public_key + message).digest()
    challenge = int.from_bytes(digest, "little") % L
    left = _times(int.from_bytes(signature[32:], "little"), _BASE)
    return _equal(left, _add(commitment, _times(challenge, key)))


def _checked_elsewhere() -> Callable[[bytes, bytes, bytes], bool] | None:
    try:
        from cryptography.exceptions import InvalidSignature  # noqa: PLC0415  # it may be missing
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey  # noqa: PLC0415
    except ImportError:
        return None

    def check(public_key: bytes, signature: bytes, message: bytes) -> bool:
        try:
            Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
        except InvalidSignature:
            return False
        return True

    return check


# ---- the curve (RFC 8032, 5.1)


def _point(spelt: bytes) -> Point | None:
    """The point of 32 bytes; None for none, or one that has another spelling."""
    y = int.from_bytes(spelt, "little")
    sign, y = y >> 255, y & (2**255 - 1)
    if y >= P:
        return None
    x = _x_of(y, sign)
    return None if x is None else (x, y, 1, x * y % P)


def _x_of(y: int, sign: int) -> int | None:
    square = (y * y - 1) * pow(_D * y * y + 1, P - 2, P) % P
    if square == 0:
        return None if sign else 0
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * _ROOT_OF_MINUS_ONE % P
    if (x * x - square) % P:
        return None
    return P - x if x & 1 != sign else x


def _add(one: Point, other: Point) -> Point:
    a = (one[1] - one[0]) * (other[1] - other[0]) % P
    b = (one[1] + one[0]) * (other[1] + other[0]) % P
    c = 2 * one[3] * other[3] * _D % P
    d = 2 * one[2] * other[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def _times(number: int, point: Point) -> Point:
    total = _NEUTRAL
    while number:
        if number & 1:
            total = _add(total, point)
        point = _add(point, point)
        number >>= 1
    return total


def _equal(one: Point, other: Point) -> bool:
    return (one[0] * other[2] - other[0] * one[2]) % P == 0 and (one[1] * other[2] - other[1] * one[2]) % P == 0


def _of_small_order(point: Point) -> bool:
    return _equal(_times(8, point), _NEUTRAL)


def _base() -> Point:
    y = 4 * pow(5, P - 2, P) % P
    x = _x_of(y, 0)
    if x is None:
        raise ArithmeticError
    return (x, y, 1, x * y % P)


_BASE: Final = _base()
