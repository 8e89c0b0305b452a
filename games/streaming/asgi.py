"""ASGI's own words, and answers that are finished bytes."""

from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any, Final
from urllib.parse import parse_qsl

from django.http import HttpRequest

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Header = tuple[bytes, bytes]

MOST_PARAMETERS: Final = 100


class Request:
    """The request of a scope: its path, headers by lower-case name, parameters in the order given.

    Of more parameters than anybody needs the rest is not read: some of the first are unknown or repeated already.
    """

    def __init__(self, scope: Scope) -> None:
        self.method = str(scope["method"])
        self.path = str(scope["path"])
        self.headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        self.client = str((scope.get("client") or ("",))[0])
        parameters = scope["query_string"].decode("latin-1").split("&", MOST_PARAMETERS)[:MOST_PARAMETERS]
        self.query = parse_qsl("&".join(parameters), keep_blank_values=True)

    def as_django(self) -> HttpRequest:
        """As much of it as language and address are told by."""
        asking = HttpRequest()
        asking.META = {
            "REMOTE_ADDR": self.client,
            "HTTP_X_FORWARDED_FOR": self.headers.get("x-forwarded-for", ""),
            "HTTP_ACCEPT_LANGUAGE": self.headers.get("accept-language", ""),
        }
        return asking

    def parameter(self, name: str) -> str | None:
        """The last value of a query parameter; None without one."""
        return dict(self.query).get(name)

    def cookie(self, name: str) -> str:
        """A cookie's value; empty without it."""
        try:
            found = SimpleCookie(self.headers.get("cookie", "")).get(name)
        except CookieError:
            return ""
        return found.value if found else ""


async def respond(send: Send, status: int, headers: Iterable[Header], body: bytes = b"") -> None:
    """A whole answer."""
    told = [*headers]
    if status not in (204, 304):
        told.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": status, "headers": told})
    await send({"type": "http.response.body", "body": body})
