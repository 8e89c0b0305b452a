"""`config.env`: what is read, and the sentence for what cannot be."""

import base64
from dataclasses import fields
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

from config.env import ROOT, VARIABLES, BadEnvironment, Environment, read, required


def test_each_field_has_a_variable_whose_default_has_its_type() -> None:
    """An empty environment is readable, and every value is of the type that the field declares."""
    hints = get_type_hints(Environment)
    env = read({})
    assert {field.name for field in fields(Environment)} == set(VARIABLES)
    for name, hint in hints.items():
        kinds = tuple(kind if isinstance(kind, type) else tuple for kind in (get_args(hint) or (hint,)))
        kinds = (tuple,) if str(hint).startswith("tuple") else kinds
        assert isinstance(getattr(env, name), kinds), name


def test_names_are_unique() -> None:
    """No two fields read the same variable."""
    names = [variable.name for variable in VARIABLES.values()]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("PORT", "0", "PORT (the API's port) must be a whole number from 1 to 65535, not '0'."),
        ("PORT", "８０", "PORT (the API's port) must be a whole number from 1 to 65535, not '８０'."),
        ("TAKI_API_PROCESSES", "-1", "TAKI_API_PROCESSES (gunicorn processes) must be a whole number from 1 to 256"),
        ("TAKI_THROTTLE_FACTOR", "nan", "TAKI_THROTTLE_FACTOR (multiplies every rate limit) must be a number above 0"),
        ("TAKI_BEHIND_PROXY", "true", "TAKI_BEHIND_PROXY (trust X-Forwarded-*: yes or no) must be yes or no"),
        ("TAKI_LOG_LEVEL", "loud", "TAKI_LOG_LEVEL (the least level that is logged) must be one of DEBUG, INFO"),
        ("TAKI_PUBLIC_URL", "taki.example", "TAKI_PUBLIC_URL (where clients reach the API) must be a web address"),
        (
            "TAKI_DATABASE_ROLE",
            "admin",
            "TAKI_DATABASE_ROLE (which of the two roles) must be one of application, owner",
        ),
        ("TAKI_PORT", "1", "TAKI_PORT is not a variable of this program; known are TAKI_"),
    ],
)
def test_a_bad_value_is_one_sentence(name: str, value: str, sentence: str) -> None:
    """It names the variable, what it is for, and what it must be."""
    with pytest.raises(BadEnvironment) as refused:
        read({name: value})
    assert str(refused.value).startswith(sentence)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("name", ["DATABASE_URL", "BROKER_URL"])
def test_a_secret_is_not_repeated_in_the_sentence(name: str) -> None:
    """A misspelt address with a password in it does not reach the terminal or a log."""
    with pytest.raises(BadEnvironment) as refused:
        read({name: "mysql://me:hush@host/x"})
    assert "hush" not in str(refused.value)


def test_a_missing_secret_is_named() -> None:
    """Production says which variable is not set."""
    with pytest.raises(BadEnvironment, match=r"^DATABASE_URL \(.*\) is not set"):
        required(read({"SECRET_KEY": "k" * 40}), "secret_key", "database_url")


def test_addresses_follow_from_the_ports_unless_they_are_said() -> None:
    """Without a public address the one on this machine is meant; without an owner, one role does both."""
    env = read({"PORT": "81", "STREAM_PORT": "82", "DATABASE_URL": "postgresql://a@b/c"})
    assert (env.public_url, env.stream_url) == ("http://127.0.0.1:81", "http://127.0.0.1:82")
    assert env.database_owner_url == env.database_url == env.connection_url
    assert read({"TAKI_PUBLIC_URL": "https://taki.example/"}).public_url == "https://taki.example"


def test_the_broker_is_spelt_for_both_its_libraries() -> None:
    """Celery and redis-py write a unix socket differently."""
    env = read({"BROKER_URL": "redis+socket:///run/v.sock?virtual_host=2"})
    assert env.valkey_url == "unix:///run/v.sock?db=2"
    assert read({"BROKER_URL": "redis://:pw@host:6379/1"}).valkey_url == "redis://:pw@host:6379/1"


def test_folders_are_absolute_and_relative_ones_lie_in_the_checkout() -> None:
    """Every process finds the same folder, wherever it was started."""
    assert read({}).data_dir == ROOT / "var"
    assert read({"TAKI_DATA_DIR": "/srv/taki"}).data_dir == Path("/srv/taki")


def test_the_signing_key_is_32_bytes_in_either_spelling() -> None:
    """Hexadecimal, and base64 in both its alphabets; empty means none is given."""
    key = bytes(range(224, 256))
    for spelt in (key.hex(), base64.b64encode(key).decode(), base64.urlsafe_b64encode(key).decode()):
        assert read({"TAKI_SIGNING_KEY": spelt}).signing_key == key
    assert read({}).signing_key == b""


@pytest.mark.parametrize("spelt", ["ab" * 31, "zz" * 32, base64.b64encode(b"k" * 31).decode(), "hush hush"])
def test_a_signing_key_of_another_size_is_refused_and_not_repeated(spelt: str) -> None:
    """The sentence says what it must be, and nothing of what it was."""
    with pytest.raises(BadEnvironment, match=r"^TAKI_SIGNING_KEY \(.*\) must be 32 bytes, in hexadecimal") as refused:
        read({"TAKI_SIGNING_KEY": spelt})
    assert spelt not in str(refused.value)
