"""How mails leave: the address in `TAKI_EMAIL_URL`, as Django's mail backends want it."""

from typing import Any, Final
from urllib.parse import parse_qs, unquote, urlsplit

TIMEOUT_SECONDS: Final = 10
_PORTS: Final = {"smtp": 587, "smtps": 465}


def mail_way(url: str) -> dict[str, Any]:
    """The keyword arguments of `django.core.mail.get_connection`."""
    parts = urlsplit(url)
    match parts.scheme:
        case "file":
            return {"backend": "django.core.mail.backends.filebased.EmailBackend", "file_path": unquote(parts.path)}
        case "smtp" | "smtps":
            return {
                "backend": "django.core.mail.backends.smtp.EmailBackend",
                "host": parts.hostname,
                "port": parts.port or _PORTS[parts.scheme],
                "username": unquote(parts.username or ""),
                "password": unquote(parts.password or ""),
                "use_ssl": parts.scheme == "smtps",
                "use_tls": parts.scheme == "smtp" and parse_qs(parts.query).get("tls") != ["no"],
                "timeout": TIMEOUT_SECONDS,
            }
        case _:
            return {"backend": "django.core.mail.backends.console.EmailBackend"}
