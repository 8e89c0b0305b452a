"""What is known of a game from elsewhere, and must be what its log says: a log could be made up as a whole."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple
from uuid import UUID

from games import chain
from games.audit import signing
from games.audit.verify import ed25519
from games.audit.verify.chaining import Entry
from games.audit.verify.checking import Verified
from games.audit.verify.errors import Forged, Unreadable, shown
from games.audit.verify.lines import Seal, read_hash, read_hex, read_id, read_time
from games.clock import Limits, moment, timestamp
from games.rules.cards import Seat
from games.rules.ruleset import Ruleset


class Key(NamedTuple):
    """A published key: its 32 bytes, and from when to when it was the present one, in milliseconds since 1970 UTC."""

    public_key: bytes
    since: int | None = None
    until: int | None = None


Keys = Mapping[str, Key]
"""Published keys by their ids."""
CHANGING_MS: Final = 24 * 3_600_000
"""For so long processes may go on with a key that has been replaced."""


class Receipt(NamedTuple):
    """The server's signed word that it accepted a command: its last event had this version and hash."""

    game: UUID
    version: int
    hash: bytes
    command_id: UUID
    key: str
    signature: bytes


@dataclass(frozen=True, slots=True)
class Pins:
    """What somebody holds of a game: all of it is optional.

    ``keys``: the server's keys as it published them; with them the head must be signed by one. ``receipts``: of this
    game. ``entropy``: what seats gave, in bytes. ``published``: the answer of `GET games/{id}/`.
    """

    commitment: str = ""
    head: str = ""
    keys: Keys | None = None
    receipts: tuple[Receipt, ...] = ()
    entropy: Mapping[int, bytes] = field(default_factory=dict)
    published: Mapping[str, Any] = field(default_factory=dict)

    @property
    def limits(self) -> Limits | None:
        """The table's clock, if it was published."""
        told = self.published
        if not told:
            return None
        return Limits(
            told["turn_seconds"],
            told["reaction_seconds"],
            told["game_minutes"],
            told["bank_seconds"],
            told["increment_seconds"],
        )


class Signed(NamedTuple):
    """A signature of the head that holds: by which key, and whether that key was pinned."""

    key: str
    public_key: bytes
    pinned: bool


class Watcher:
    """Compares receipts with the events that go by."""

    def __init__(self, receipts: tuple[Receipt, ...]) -> None:
        self._due: dict[int, list[Receipt]] = {}
        for receipt in receipts:
            self._due.setdefault(receipt.version, []).append(receipt)

    def __call__(self, entry: Entry) -> None:
        """An event whose place in the chain holds."""
        for receipt in self._due.pop(entry.version, ()):
            if receipt.hash != entry.hash:
                what = "the server signed a receipt for another event here"
                raise Forged(what, version=entry.version, found=entry.hash.hex(), expected=receipt.hash.hex())

    def require_all_seen(self, version: int) -> None:
        """The log has ended at this version."""
        if self._due:
            what = f"the server signed a receipt for version {max(self._due)}, and the log ends before it"
            raise Forged(what, version=version)


def require_pinned(verified: Verified, pins: Pins) -> Signed | None:
    """Hold the log against what is known from elsewhere; by whom its head is signed. Forged."""
    if pins.commitment and pins.commitment != verified.commitment:
        what = "another commitment was published"
        raise Forged(what, version=2, found=verified.commitment, expected=pins.commitment)
    if pins.head and pins.head != verified.head_hash.hex():
        what = "the head is another"
        raise Forged(what, version=verified.version, found=verified.head_hash.hex(), expected=pins.head)
    for seat, given in pins.entropy.items():
        _require_entropy(verified, seat, chain.entropy_digest(given).hex())
    if pins.published:
        _require_published(verified, pins.published)
    return _signed(verified, pins.keys)


def require_receipts_signed(pins: Pins, seal: Seal | None) -> None:
    """Whoever says that the server signed something shows it, before the log is held against it. Forged, Unreadable."""
    for receipt in pins.receipts:
        _require_signed(receipt, seal, pins.keys)


def _require_entropy(verified: Verified, seat: int, digest: str) -> None:
    found = verified.entropy[seat] if seat < len(verified.entropy) else "no such seat"
    if found != digest:
        raise Forged(f"seat {seat} gave other entropy", version=2, found=found, expected=digest)


def _require_published(verified: Verified, published: Mapping[str, Any]) -> None:
    state, began = verified.state, verified.first
    facts: tuple[tuple[str, int, object, object], ...] = (
        ("id", 1, str(verified.game_id), published["id"]),
        ("commitment", 2, verified.commitment, published["commitment"]),
        ("number of seats", 1, state.seats, len(published["seats"])),
        ("set of house rules", 1, state.rules, Ruleset.from_mapping(published["house_rules"])),
    )
    for name, version, found, expected in facts:
        if found != expected:
            what = f"another {name} was published"
            raise Forged(what, version=version, found=shown(str(found)), expected=shown(str(expected)))
    first = published["first_player"]
    if first == "random" and not verified.first_drawn:
        raise Forged("the seed draws another seat to begin", version=1, found=f"seat {began}")
    host = published["host"]
    if first == "host" and type(host) is int and began != Seat(host):
        raise Forged("the host begins at this table", version=1, found=f"seat {began}", expected=f"seat {host}")


def _signed(verified: Verified, keys: Keys | None) -> Signed | None:
    seal, version = verified.seal, verified.version
    if seal is None:
        if keys is not None:
            raise Forged("the head is not signed", version=version, expected="a signature by a published key")
        return None
    public_key = _public_key(seal.key, read_hex(seal.public_key, signing.KEY_BYTES), keys, version)
    message = signing.head_bytes(game_id=verified.game_id, version=version, head=verified.head_hash)
    signature = read_hex(seal.signature, signing.SIGNATURE_BYTES)
    if signature is None or not ed25519.verify(public_key, signature, message):
        raise Forged(f"the signature of the head does not hold under key {seal.key}", version=version)
    if keys is not None:
        _require_present(keys[seal.key], seal.key, verified)
    return Signed(seal.key, public_key, keys is not None)


def _require_present(key: Key, name: str, verified: Verified) -> None:
    """A key that has been replaced signs no later games, nor a new one earlier games."""
    ended = verified.ended_at
    late = key.until is not None and key.until + CHANGING_MS < ended
    early = key.since is not None and key.since - CHANGING_MS > ended
    if late or early:
        what = f"key {name} was not in use when the game ended"
        raise Forged(what, version=verified.version, found=timestamp(moment(ended)), expected=_spell(key))


def _spell(key: Key) -> str:
    since, until = ("" if at is None else timestamp(moment(at)) for at in (key.since, key.until))
    return f"from {since or 'its beginning'} to {until or 'now'}"


def _public_key(key: str, given: bytes | None, keys: Keys | None, version: int) -> bytes:
    """The key of this id: the published one, or without any the one that comes along, which must have that id."""
    if keys is not None and key not in keys:
        raise Forged("it is signed by a key that was not published", version=version, found=shown(key, 40))
    public_key = given if keys is None else keys[key].public_key
    if public_key is None or signing.key_id(public_key) != key or (given or public_key) != public_key:
        raise Forged("the public key is not the one of this id", version=version, found=shown(key, 40))
    return public_key


def _require_signed(receipt: Receipt, seal: Seal | None, keys: Keys | None) -> None:
    given = read_hex(seal.public_key, signing.KEY_BYTES) if seal and seal.key == receipt.key else None
    if keys is None and given is None:
        what = f"the key {shown(receipt.key, 40)} of a receipt is needed to check it: give the published keys (--keys)"
        raise Unreadable(what)
    public_key = _public_key(receipt.key, given, keys, receipt.version)
    message = signing.receipt_bytes(
        game_id=receipt.game,
        version=receipt.version,
        event_hash=receipt.hash,
        command_id=receipt.command_id,
        key=receipt.key,
    )
    if not ed25519.verify(public_key, receipt.signature, message):
        raise Forged("the receipt, not the log: its signature does not hold", version=receipt.version)


# ---- reading them

_PUBLISHED: Final = (
    "id",
    "commitment",
    "seats",
    "house_rules",
    "first_player",
    "host",
    "turn_seconds",
    "bank_seconds",
    "increment_seconds",
    "reaction_seconds",
    "game_minutes",
)


def read_keys(told: object) -> dict[str, Key]:
    """The keys of `GET keys/`. Unreadable."""
    keys: dict[str, Key] = {}
    listed = told.get("keys") if isinstance(told, dict) else told
    for one in listed if isinstance(listed, list) else ():
        public_key = read_hex(one.get("public_key"), signing.KEY_BYTES) if isinstance(one, dict) else None
        if public_key is None or one.get("key") != signing.key_id(public_key):
            raise Unreadable("a published key is not 32 bytes in hex under its own id")
        keys[signing.key_id(public_key)] = Key(public_key, _time(one.get("from")), _time(one.get("until")))
    if not keys:
        raise Unreadable("there is no key in what should be the answer of keys/")
    return keys


def _time(text: object) -> int | None:
    if text is None:
        return None
    try:
        return read_time(text if isinstance(text, str) else "")
    except ValueError as error:
        raise Unreadable(f"a published key: {error}") from None


def read_receipts(told: object) -> tuple[Receipt, ...]:
    """One receipt, a list of them, or answers of `commands/` with their receipts. Unreadable."""
    listed = told if isinstance(told, list) else [told]
    return tuple(_receipt(one.get("receipt", one) if isinstance(one, dict) else one) for one in listed)


def _receipt(told: object) -> Receipt:
    if not isinstance(told, dict):
        raise Unreadable("a receipt is an object {game, version, hash, command_id, key, signature}")
    event_hash = read_hash(told.get("hash"))
    signature = read_hex(told.get("signature"), signing.SIGNATURE_BYTES)
    version, key = told.get("version"), told.get("key")
    if event_hash is None or signature is None or type(version) is not int or not isinstance(key, str):
        raise Unreadable("a receipt has a version, and hash, key and signature in hex")
    try:
        game, command = read_id(told.get("game", "")), read_id(told.get("command_id", ""))
    except (ValueError, TypeError):
        raise Unreadable("a receipt has the ids of its game and its command") from None
    return Receipt(game, version, event_hash, command, key if key.isascii() else "?", signature)


def read_published(told: object) -> Mapping[str, Any]:
    """The answer of `GET games/{id}/`. Unreadable names what is missing."""
    if not isinstance(told, dict):
        raise Unreadable("the game's description is not a JSON object")
    if missing := [key for key in _PUBLISHED if key not in told]:
        raise Unreadable(f"the game's description has no {missing[0]}")
    numbers = ("turn_seconds", "game_minutes", "bank_seconds", "increment_seconds", "reaction_seconds")
    for key in numbers:
        if type(told[key]) is not int and not (told[key] is None and key in numbers[:2]):
            raise Unreadable(f"{key} of the game's description is not a whole number")
    if not isinstance(told["seats"], list):
        raise Unreadable("seats of the game's description is not a list")
    try:
        Ruleset.from_mapping(told["house_rules"])
    except (ValueError, TypeError, AttributeError) as error:
        raise Unreadable(f"the game's description: {shown(str(error))}") from None
    return told
