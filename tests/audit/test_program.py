"""`taki verify` as its users meet it: files good and bad, what is held against them, and its exit status."""

import gzip
import io
import json
import os
import random
import subprocess
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from games.audit import signing
from games.audit.verify.lines import MOST_LINE, Seal, text_of
from games.audit.verify.program import FORGED, UNREADABLE, WHOLE, main
from games.rules.ruleset import DEFAULT_RULES
from tests.audit.games import Written, random_game
from tests.audit.test_verify import short_game

ROOT = Path(__file__).resolve().parents[2]
PRIVATE = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
PUBLIC = PRIVATE.public_key().public_bytes_raw()
KEY = signing.key_id(PUBLIC)
OTHER = Ed25519PrivateKey.from_private_bytes(bytes(32))


@cache
def another_game() -> Written:
    """Another one, of another length."""
    return random_game(random.Random(77), rules=replace(DEFAULT_RULES, hand_size=3, max_turns=9))


def signed(written: Written, private: Ed25519PrivateKey = PRIVATE) -> list[str]:
    """The export as a server with a key writes it: its last line carries the signature."""
    *lines, last = written.lines()
    public = private.public_key().public_bytes_raw()
    head = signing.head_bytes(game_id=written.game_id, version=last.version, head=bytes.fromhex(last.hash))
    seal = Seal(private.sign(head).hex(), signing.key_id(public), public.hex())
    return [*map(text_of, lines), text_of(last._replace(seal=seal))]


def receipt(written: Written, version: int) -> dict[str, object]:
    """The server's receipt for a command whose last event has this version."""
    event_hash = bytes.fromhex(written.lines()[version - 1].hash)
    message = signing.receipt_bytes(
        game_id=written.game_id, version=version, event_hash=event_hash, command_id=written.game_id, key=KEY
    )
    return {
        "game": str(written.game_id),
        "version": version,
        "hash": event_hash.hex(),
        "command_id": str(written.game_id),
        "key": KEY,
        "signature": PRIVATE.sign(message).hex(),
    }


class Desk:
    """Files in a folder of their own, and the program run on them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def file(self, content: object, name: str = "log.ndjson") -> str:
        """A file of lines, bytes or a JSON value; its path."""
        path = self.folder / name
        if isinstance(content, bytes):
            path.write_bytes(content)
        elif isinstance(content, list) and all(isinstance(line, str) for line in content):
            path.write_text("".join(f"{line}\n" for line in content), encoding="ascii")
        else:
            path.write_text(json.dumps(content), encoding="ascii")
        return str(path)

    def run(self, *arguments: str) -> tuple[int, str]:
        """The exit status and what was said."""
        out = io.StringIO()
        return main(arguments, out), out.getvalue()

    def said(self, content: object, *arguments: str) -> tuple[int, str]:
        """The same of a file of this content."""
        return self.run(self.file(content), *arguments)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


# ---- good files


def test_a_whole_log_is_reported_with_what_was_checked(desk: Desk) -> None:
    """Its head and commitment, who won, and that nothing was compared with what is held elsewhere."""
    lines = short_game().lines()
    status, said = desk.said(short_game().texts())
    assert status == WHOLE
    for told in ("WHOLE", lines[-1].hash, lines[1].data["commitment"], "compared with nothing", "docs/audit.md"):
        assert told in said


def test_the_report_for_programs_is_one_object_a_game(desk: Desk) -> None:
    """And one for all, with the same facts."""
    status, said = desk.said([*short_game().texts(), *another_game().texts()], "--json")
    first, second, total = map(json.loads, said.splitlines())
    assert status == WHOLE
    assert (first["game"], second["game"]) == (str(short_game().game_id), str(another_game().game_id))
    assert (first["result"], first["events"]) == ("whole", len(short_game().told))
    assert first["head"] == short_game().lines()[-1].hash
    assert total == {"whole": 2, "forged": 0, "unreadable": 0}


def test_a_file_of_many_games_is_checked_game_by_game(desk: Desk) -> None:
    """One forged among them does not keep the others from being judged; a trailer is no game."""
    one, other = short_game().texts(), another_game().texts()
    spoilt = [*one[:9], *one[10:]]
    trailer = json.dumps({"next": None, "games": 4})
    status, said = desk.said([*one, *spoilt, *other, *one, trailer])
    assert status == FORGED
    assert "3 whole, 1 forged, 0 unreadable" in said
    assert "version 10: a version is missing or doubled" in said


def test_a_log_that_breaks_off_between_others_is_the_only_one_forged(desk: Desk) -> None:
    """Its lines are not taken for the next game's, nor is the next game's seed taken for its own."""
    one, other = short_game().texts(), another_game().texts()
    for order in ([*one[:-3], *other, *one], [*one[:-3], *one, *other]):
        status, said = desk.said(order)
        assert status == FORGED
        assert "2 whole, 1 forged" in said
        assert f"version {len(one) - 3}: the log does not end by revealing the seed" in said


@pytest.mark.parametrize("how", ["plain", "packed", "standard input", "packed standard input"])
def test_files_are_read_packed_or_not_and_from_standard_input(
    desk: Desk, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pipe, too, though a log must be gone through twice."""
    content = "".join(f"{line}\n" for line in short_game().texts()).encode()
    content = gzip.compress(content) if "packed" in how else content
    if "input" not in how:
        assert desk.said(content)[0] == WHOLE
        return
    read, write = os.pipe()
    with os.fdopen(read, "rb") as pipe, os.fdopen(write, "wb") as end:
        process_input = desk.file(content)
        with subprocess.Popen(["cat", process_input], stdout=end) as cat:
            end.close()
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(pipe))
            assert desk.run("-")[0] == WHOLE
            cat.wait()


@pytest.mark.parametrize("dressed", [b"\xef\xbb\xbf%b", b"\n\n%b\n\n", b"  \n%b"])
def test_blank_lines_and_a_byte_order_mark_change_nothing(desk: Desk, dressed: bytes) -> None:
    """As editors leave them; nor do line ends of another system."""
    content = "".join(f"{line}\n" for line in short_game().texts()).encode()
    assert desk.said(dressed % content)[0] == WHOLE
    assert desk.said(dressed % content.replace(b"\n", b"\r\n"))[0] == WHOLE
    assert desk.said((dressed % content).rstrip())[0] == WHOLE


def test_it_runs_from_a_checkout_with_nothing_but_python(tmp_path: Path) -> None:
    """Isolated, without site-packages: no Django, no cryptography; a signature is checked all the same."""
    path = Desk(tmp_path).file(signed(short_game()))
    code = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r})",
        f"import games.audit.verify.program as it; status = it.main([{path!r}])",
        "print(sorted({name.split('.')[0] for name in sys.modules} & {'django', 'cryptography', 'psycopg', 'redis'}))",
        "sys.exit(status)",
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", "; ".join(code)], capture_output=True, text=True, check=False
    )
    assert done.returncode == WHOLE, done.stderr
    assert f"by key {KEY}" in done.stdout
    assert done.stdout.splitlines()[-1] == "[]"


def test_the_command_takes_files_from_where_its_caller_stands(tmp_path: Path) -> None:
    """`./taki verify` needs no .venv, and its exit status is the program's."""
    lines = short_game().texts()
    Desk(tmp_path).file(lines)
    Desk(tmp_path).file(lines[:-1], "short.ndjson")
    for name, status in (("log.ndjson", WHOLE), ("short.ndjson", FORGED), ("none.ndjson", UNREADABLE)):
        done = subprocess.run(
            [ROOT / "taki", "verify", name], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == status, done.stdout + done.stderr


# ---- what is held against a log


def test_the_published_commitment_and_the_head_are_compared(desk: Desk) -> None:
    """A log that was made up as a whole, with a chain that holds, has another."""
    lines = short_game().lines()
    held = ("--commitment", lines[1].data["commitment"], "--head", lines[-1].hash.upper())
    status, said = desk.said(short_game().texts(), *held)
    assert (status, said.count("as held against")) == (WHOLE, 2)
    for option, version in (("--commitment", 2), ("--head", len(lines))):
        status, said = desk.said(short_game().texts(), option, "00" * 32)
        assert status == FORGED
        assert f"version {version}: " in said
        assert "expected  " + "00" * 32 in said


def test_the_entropy_that_a_seat_gave_must_be_what_the_deal_hangs_on(desk: Desk) -> None:
    """By its bytes; of another seat, or other bytes, or a seat that there is not: forged."""
    assert (
        desk.said(short_game().texts(), "--entropy", f"0={b'entropy 0'.hex()}", "--entropy", f"2={b'entropy 2'.hex()}")[
            0
        ]
        == WHOLE
    )
    for wrong in (f"1={b'entropy 0'.hex()}", "0=00ff", "0=", f"9={b'entropy 0'.hex()}"):
        status, said = desk.said(short_game().texts(), "--entropy", wrong)
        assert status == FORGED
        assert "version 2: " in said


def test_what_came_from_outside_is_told(desk: Desk) -> None:
    """Seats made to leave, stops, time credited: lawful, and for people to judge."""
    awaited = {"is made to leave by the server", "the game is stopped by", "s are credited", "by the server's word"}
    for number in (13, 41):
        said = desk.said(random_game(random.Random(number)).texts())[1]
        awaited -= {what for what in awaited if what in said}
    assert not awaited
    assert "  outside  " not in desk.said(short_game().texts())[1]


def test_a_head_must_be_signed_by_a_published_key(desk: Desk) -> None:
    """Signed by it: whole. By another, by none, or by it for another head: not."""
    keys = desk.file({"keys": [{"key": KEY, "algorithm": "Ed25519", "public_key": PUBLIC.hex()}]}, "keys.json")
    assert "a published key" in desk.said(signed(short_game()), "--keys", keys)[1]
    swapped = json.loads(signed(another_game())[-1])
    *rest, last = short_game().texts()
    foreign = {**json.loads(last), **{key: swapped[key] for key in Seal._fields}}
    for lines, what in (
        (signed(short_game(), OTHER), "a key that was not published"),
        (short_game().texts(), "the head is not signed"),
        ([*rest, json.dumps(foreign)], "does not hold under key"),
    ):
        status, said = desk.said(lines, "--keys", keys)
        assert status == FORGED
        assert what in said


def test_a_key_signs_only_while_it_is_the_present_one(desk: Desk) -> None:
    """The game ended on the 1st of May: a day's grace on either side, as processes are not replaced all at once."""
    for since, until, status in (
        ("2026-04-01T00:00:00.000Z", None, WHOLE),
        ("2026-05-01T20:00:00.000Z", None, WHOLE),
        ("2026-05-03T00:00:00.000Z", None, FORGED),
        ("2026-04-01T00:00:00.000Z", "2026-05-01T00:00:00.000Z", WHOLE),
        ("2026-04-01T00:00:00.000Z", "2026-04-29T00:00:00.000Z", FORGED),
        ("2026-04-01", None, UNREADABLE),
    ):
        key = {"key": KEY, "public_key": PUBLIC.hex(), "from": since, "until": until}
        assert desk.said(signed(short_game()), "--keys", desk.file({"keys": [key]}, "keys.json"))[0] == status


def test_a_signature_that_comes_with_its_own_key_says_so(desk: Desk) -> None:
    """It proves little before the key is compared; and the id must be the key's."""
    status, said = desk.said(signed(short_game(), OTHER))
    assert status == WHOLE
    assert "came with the file" in said
    *rest, last = signed(short_game())
    for part, value in (
        ("key", "0" * 16),
        ("public_key", PUBLIC.hex()[::-1]),
        ("signature", "00" * 64),
        ("signature", "x"),
    ):
        assert desk.said([*rest, json.dumps({**json.loads(last), part: value})])[0] == FORGED


def test_a_receipt_must_be_found_in_the_log(desk: Desk) -> None:
    """Of an event that is there as it was signed; one of a later version says that the log was cut."""
    game = short_game()
    keys = desk.file({"keys": [{"key": KEY, "public_key": PUBLIC.hex()}]}, "keys.json")
    mine = desk.file([receipt(game, 9), {"version": 12, "events": [], "receipt": receipt(game, 12)}], "mine.json")
    status, said = desk.said(signed(game), "--keys", keys, "--receipt", mine)
    assert status == WHOLE
    assert "2 match" in said
    for change in ({"hash": "00" * 32}, {"version": 10}, {"version": 4_000}, {"signature": "00" * 64}):
        other = desk.file({**receipt(game, 9), **change}, "other.json")
        assert desk.said(signed(game), "--keys", keys, "--receipt", other)[0] == FORGED, change


def test_a_receipt_of_a_game_that_is_not_there_is_said(desk: Desk) -> None:
    """Whoever holds it wanted to see that game's log; and without the key it cannot be judged."""
    mine = desk.file(receipt(another_game(), 5), "mine.json")
    assert desk.said(short_game().texts(), "--receipt", mine)[0] == UNREADABLE
    own = desk.file(receipt(short_game(), 5), "own.json")
    status, said = desk.said(short_game().texts(), "--receipt", own)
    assert status == UNREADABLE
    assert "give the published keys" in said


def published(written: Written, **other: object) -> dict[str, object]:
    """What `GET games/{id}/` says of the table."""
    limits = written.limits
    told: dict[str, object] = {
        "id": str(written.game_id),
        "commitment": written.lines()[1].data["commitment"],
        "seats": [{"seat": seat} for seat in range(written.state.seats)],
        "house_rules": written.state.rules.as_mapping(),
        "first_player": "random",
        "host": 0,
        "turn_seconds": limits.turn_seconds,
        "bank_seconds": limits.bank_seconds,
        "increment_seconds": limits.increment_seconds,
        "reaction_seconds": limits.reaction_seconds,
        "game_minutes": limits.game_minutes,
    }
    return {**told, **other}


@pytest.mark.parametrize(
    "other",
    [
        {"commitment": "00" * 32},
        {"seats": []},
        {"house_rules": {"mode": "ladder"}},
        {"turn_seconds": 61},
        {"turn_seconds": None},
        {"first_player": "host", "host": 7},
    ],
)
def test_what_was_published_of_the_table_is_compared(desk: Desk, other: dict[str, object]) -> None:
    """Its commitment, seats, house rules and clock, and who was to begin."""
    game = short_game()
    assert desk.said(game.texts(), "--game", desk.file(published(game), "game.json"))[0] == WHOLE
    assert desk.said(game.texts(), "--game", desk.file(published(game, **other), "game.json"))[0] == FORGED


# ---- bad files

LINE = short_game().texts()[3]
BAD = {
    "empty": b"",
    "blank": b"\n \n\n",
    "no JSON": b"{nonsense\n",
    "another kind of file": b"%PDF-1.7",
    "a list": b"[" + LINE.encode() + b"]",
    "a number": b"17\n",
    "cut off in a line": LINE.encode()[:60],
    "not ASCII": LINE.replace("server", "sörver").encode(),
    "no Unicode": b"{\xff\xfe}\n",
    "UTF-16": LINE.encode("utf-16"),
    "NUL": b"\0" * 1_000,
    "no number": LINE.replace('"schema": 1', '"schema": NaN').encode(),
    "infinity": LINE.replace('"schema": 1', '"schema": -Infinity').encode(),
    "a fraction": LINE.replace('"schema": 1', '"schema": 1.0').encode(),
    "a large number": LINE.replace('"schema": 1', '"schema": ' + "9" * 30).encode(),
    "a huge number": LINE.replace('"schema": 1', '"schema": ' + "9" * 9_000).encode(),
    "a key twice": LINE.replace('"schema": 1', '"schema": 1, "schema": 1').encode(),
    "a key twice within": LINE.replace('"data": {', '"data": {"at": 1, ').encode(),
    "a missing key": LINE.replace('"schema": 1, ', "").encode(),
    "an unknown key": LINE.replace('"schema": 1', '"schema": 1, "more": 1').encode(),
    "half a signature": LINE.replace('"schema": 1', '"schema": 1, "key": "00"').encode(),
    "a flag as version": LINE.replace('"version": 4', '"version": true').encode(),
    "version 0": LINE.replace('"version": 4', '"version": 0').encode(),
    "text as version": LINE.replace('"version": 4', '"version": "4"').encode(),
    "no object as data": LINE.replace('"data": {', '"data": [], "x": {').encode(),
    "null": LINE.replace('"actor": "server"', '"actor": null').encode(),
    "deep": b'{"a":' * 20_000,
    "deep in data": LINE.replace('"data": {', '"data": {"x": ' + "[" * 20_000 + "]" * 20_000 + ", ").encode(),
    "a long line": b'{"a": "' + b"x" * MOST_LINE + b'"}\n',
    "no line end": b"{" * (3 * MOST_LINE),
    "no gzip": b"\x1f\x8b\x08 nonsense",
    "gzip cut off": gzip.compress(LINE.encode() * 50)[:-20],
    "no id": LINE.replace(str(short_game().game_id), "x").encode(),
    "a trailer alone": b'{"next": null, "games": 0}\n',
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_log_gets_one_clear_sentence(desk: Desk, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Never a traceback; exit status 2 and a sentence."""
    status, said = desk.said(BAD[name])
    assert status == UNREADABLE
    assert capsys.readouterr().err == ""
    assert len(said) < 500


@pytest.mark.parametrize("name", [name for name in BAD if BAD[name].startswith(b"{") and "trailer" not in name])
def test_a_bad_line_within_a_log_spoils_that_log(desk: Desk, name: str) -> None:
    """It is named by its number, and the log is not whole."""
    lines = [line.encode() for line in short_game().texts()]
    status, said = desk.said(b"\n".join([*lines[:7], BAD[name].rstrip(), *lines[7:]]))
    assert status in (FORGED, UNREADABLE)
    assert "line 8: " in said or "version 8: " in said or "version 4" in said


def test_random_damage_is_never_a_traceback(desk: Desk) -> None:
    """Bytes changed, cut out and doubled anywhere: it is whole only if nothing that counts was touched."""
    chance = random.Random(6)
    content = "".join(f"{line}\n" for line in short_game().texts()).encode()
    for _ in range(150):
        at, length = chance.randrange(len(content)), chance.randrange(1, 40)
        put = chance.choice([b"", chance.randbytes(length), content[at : at + 2 * length], b'"', b"}", b"\n"])
        status, said = desk.said(content[:at] + put + content[at + length :])
        assert status in (FORGED, UNREADABLE), (at, length, put)
        assert "Traceback" not in said


@pytest.mark.parametrize(
    "arguments",
    [
        ["--commitment", "xyz"],
        ["--head", "00"],
        ["--entropy", "0"],
        ["--entropy", "10=00"],
        ["--entropy", "0=0"],
        ["--keys", "nowhere.json"],
        ["--keys", "{log}"],
        ["--game", "{log}"],
        ["--receipt", "{log}"],
    ],
)
def test_what_is_held_must_be_readable(desk: Desk, arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """One sentence says what is wrong with it."""
    log = desk.file(short_game().texts())
    assert desk.run(log, *(part.replace("{log}", log) for part in arguments))[0] == UNREADABLE
    assert capsys.readouterr().err.startswith("taki verify: ")


def test_a_missing_file_and_a_missing_argument_are_said(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit status 2 for both; the other files are judged all the same."""
    status, said = desk.run(str(desk.folder / "none"), desk.file(short_game().texts()))
    assert status == UNREADABLE
    assert "No such file" in said
    assert "1 whole" in said
    with pytest.raises(SystemExit) as ended:
        main([])
    assert ended.value.code == UNREADABLE
    capsys.readouterr()


def test_a_commitment_is_of_one_game(desk: Desk) -> None:
    """It is not held against several."""
    commitment = short_game().lines()[1].data["commitment"]
    status, said = desk.said([*short_game().texts(), *another_game().texts()], "--commitment", commitment)
    assert status == UNREADABLE
    assert "are of one game" in said
