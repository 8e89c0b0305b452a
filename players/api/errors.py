"""What can be wrong with a request as such. What each becomes in HTTP is said in config/problems.py alone."""


class RequestError(Exception):
    """The request cannot be answered, whatever it asks for."""


class Unreadable(RequestError):
    """The body is not JSON as RFC 8259 and I-JSON have it; `code` says in what way."""

    def __init__(self, code: str = "unreadable") -> None:
        super().__init__(code)
        self.code = code


class PreconditionFailed(RequestError):
    """`If-Match` names another version than the present one."""

    def __init__(self, version: int) -> None:
        super().__init__(version)
        self.version = version


class SessionInvalid(RequestError):
    """`X-Session-Token` names no log-in that lasts."""


class CsrfFailed(RequestError):
    """A request by cookie does not prove that it comes from a page of ours."""


class ScopeMissing(RequestError):
    """The token may not be used for this."""


class TooManyRequests(RequestError):
    """A limit is reached: which, and in how many seconds it is worth another try."""

    def __init__(self, *, limit: str, seconds: int) -> None:
        super().__init__(limit, seconds)
        self.limit = limit
        self.seconds = seconds
