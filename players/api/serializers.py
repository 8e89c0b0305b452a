"""The bodies of requests about players."""

from datetime import UTC, datetime
from typing import Any, Final

from django.conf import settings

from players.api.fields import (
    Choices,
    Email,
    Name,
    OneOf,
    Password,
    StrictSerializer,
    Text,
    Time,
    TrueFalse,
    WholeNumber,
    field_error,
)
from players.models import Scope

LANGUAGE_CODES: Final = [code for code, _ in settings.LANGUAGES]
EARLIEST_BIRTH: Final = 1900
LATEST_BIRTH: Final = 2200
"""What the table takes. This year is asked for with each request, or a process would refuse the next one's."""
LEAST_SECONDS: Final = 60
MOST_SECONDS: Final = 10 * 366 * 86_400


class GuestBody(StrictSerializer):
    """Who wants to come in; without a name the server finds one."""

    name = Name(required=False, allow_null=True)
    bot = TrueFalse(required=False, help_text="It is a program, for good.")


class UpgradeBody(StrictSerializer):
    """What makes a guest an account; without a name it keeps its own."""

    name = Name(required=False, allow_null=True)
    email = Email()
    password = Password()


class BirthYear(WholeNumber):
    """A year that is not to come."""

    def to_internal_value(self, data: Any) -> int:
        """The year."""
        year, this_year = super().to_internal_value(data), datetime.now(UTC).year
        if year > this_year:
            raise field_error("out_of_range", least=self.least, most=this_year)
        return year


class MeBody(StrictSerializer):
    """What one says of oneself; what is not named stays."""

    name = Name(required=False)
    birth_year = BirthYear(
        least=EARLIEST_BIRTH,
        most=LATEST_BIRTH,
        required=False,
        allow_null=True,
        help_text="Private; finds the youngest, who begins (rule S4).",
    )
    language = OneOf(choices=LANGUAGE_CODES, required=False, allow_null=True, help_text="Of mails.")
    notify_by_email = TrueFalse(required=False, help_text="Mails of slow games and tournaments.")
    bot = TrueFalse(required=False, help_text="This player is a program; it stays one.")


class EraseBody(StrictSerializer):
    """An account's proof; a guest needs none, nor does a session that began in the last five minutes."""

    password = Password(required=False)


class TokenBody(StrictSerializer):
    """A new token. Without scopes it may do whatever the asking one may; without an end it does not run out."""

    name = Text(most=60, required=False, allow_null=True)
    scopes = Choices(choices=Scope.values, required=False)
    expires_at = Time(required=False, allow_null=True)
    expires_in_seconds = WholeNumber(least=LEAST_SECONDS, most=MOST_SECONDS, required=False, allow_null=True)
