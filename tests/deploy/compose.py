"""The compose file as a person's environment would fill it in."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parent.parent.parent
FILE = ROOT / "docker-compose.yml"
_PLACE = re.compile(r"\$\{(?P<name>[A-Z_]+)(?::(?P<kind>[-?])(?P<rest>[^}]*))?\}")


@dataclass(frozen=True, slots=True)
class Service:
    """One service: what it runs, with which environment, and the rest of its entry."""

    name: str
    command: list[str]
    environment: dict[str, str]
    entry: dict[str, Any]

    @property
    def ours(self) -> bool:
        """Whether it runs this repository's image."""
        return self.entry.get("image") == "taki"


def raw() -> dict[str, Any]:
    """The file, with its anchors resolved and its variables untouched."""
    found: dict[str, Any] = yaml.safe_load(FILE.read_text())
    return found


def services(given: dict[str, str]) -> dict[str, Service]:
    """All services with the variables filled in from `given`. KeyError for a required one that is missing."""
    return {name: _service(name, entry, given) for name, entry in raw()["services"].items()}


def _service(name: str, entry: dict[str, Any], given: dict[str, str]) -> Service:
    command = [_filled(str(word), given) for word in entry.get("command", [])]
    environment = {key: _filled(str(value), given) for key, value in entry.get("environment", {}).items()}
    return Service(name, command, environment, entry)


def _filled(text: str, given: dict[str, str]) -> str:
    def value(found: re.Match[str]) -> str:
        if found["kind"] == "-":
            return given.get(found["name"]) or found["rest"]
        return given[found["name"]]

    return _PLACE.sub(value, text)


def variables() -> dict[str, str]:
    """The variables that the file asks for: name and the text after `:-` or `:?`."""
    return {found["name"]: f"{found['kind'] or ''}{found['rest'] or ''}" for found in _PLACE.finditer(FILE.read_text())}
