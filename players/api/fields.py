"""Request bodies: a serializer that refuses what it does not know, and fields that never convert."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, Final, cast
from uuid import UUID

from django.core.exceptions import ValidationError as WrongValue
from django.core.validators import validate_email
from drf_spectacular.drainage import set_override
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError

from players.api.texts import FIELD_TEXTS
from players.names import BadName, name_normal

_SHOWN: Final = 64


def field_error(code: str, **values: object) -> ValidationError:
    """The error of this code, with its sentence in the caller's language."""
    return ValidationError(ErrorDetail(str(FIELD_TEXTS[code]) % values, code=code))


def invalid(field: str, code: str, **values: object) -> ValidationError:
    """The error of this code at one field, query parameter or header."""
    return ValidationError({field: field_error(code, **values).detail})


class StrictField(serializers.Field[Any, Any, Any, Any]):
    """A field whose errors are those of `FIELD_TEXTS`."""

    def fail(self, key: str, **kwargs: Any) -> Any:
        """Raise the error of this code."""
        raise field_error(key, **kwargs)

    def to_representation(self, value: Any) -> Any:
        """The value itself: answers are not built by these."""
        return value


class StrictSerializer(serializers.Serializer[Any]):
    """A JSON object with these fields and no others."""

    def fail(self, key: str, **kwargs: Any) -> Any:
        """Raise the error of this code."""
        raise field_error(key, **kwargs)

    def to_internal_value(self, data: Any) -> Any:
        """The checked values. ValidationError has every wrong field, not just the first."""
        if not isinstance(data, dict):
            raise ValidationError({"": field_error("not_an_object").detail})
        errors: dict[str, Any] = {
            name[:_SHOWN]: field_error("unknown").detail for name in sorted(data.keys() - self.fields.keys())
        }
        try:
            values = super().to_internal_value(data)
        except ValidationError as wrong:
            errors.update(cast("dict[str, Any]", wrong.detail))
        if errors:
            raise ValidationError(errors)
        return values


class WholeNumber(StrictField, serializers.IntegerField):
    """A JSON integer within bounds; true, "5" and 5.0 are none."""

    def __init__(self, *, least: int, most: int, **kwargs: Any) -> None:
        self.least, self.most = least, most
        super().__init__(min_value=least, max_value=most, **kwargs)

    def run_validators(self, value: Any) -> None:
        """Nothing: the bounds are checked with the type."""

    def to_internal_value(self, data: Any) -> int:
        """The number."""
        if type(data) is not int:
            raise field_error("not_an_integer")
        if not self.least <= data <= self.most:
            raise field_error("out_of_range", least=self.least, most=self.most)
        return data


class QueryNumber(WholeNumber):
    """A whole number within bounds, in digits, as a query parameter has it."""

    def to_internal_value(self, data: Any) -> int:
        """The number."""
        if not (isinstance(data, str) and data.isascii() and data.isdigit() and len(data) <= 18):
            raise field_error("not_a_query_number")
        return super().to_internal_value(int(data))


class TrueFalse(StrictField, serializers.BooleanField):
    """A JSON boolean."""

    def to_internal_value(self, data: Any) -> bool:
        """The boolean."""
        if not isinstance(data, bool):
            raise field_error("not_a_boolean")
        return data


class OneOf(StrictField, serializers.ChoiceField):
    """One of these strings."""

    def to_internal_value(self, data: Any) -> str:
        """The string."""
        if not isinstance(data, str):
            raise field_error("not_a_string")
        if data not in self.choices:
            raise field_error("not_a_choice", choices=", ".join(str(choice) for choice in self.choices))
        return data


class Text(StrictField, serializers.CharField):
    """A string of visible characters, no control characters among them."""

    def __init__(self, *, most: int, **kwargs: Any) -> None:
        self.most = most
        super().__init__(max_length=most, min_length=kwargs.pop("min_length", 1), **kwargs)

    def run_validators(self, value: Any) -> None:
        """Nothing: the length is checked with the type."""

    def run_validation(self, data: Any = serializers.empty) -> Any:
        """As any field: the empty string has no meaning of its own, and nothing is trimmed."""
        return serializers.Field.run_validation(self, data)

    def to_internal_value(self, data: Any) -> str:
        """The string."""
        if not isinstance(data, str):
            raise field_error("not_a_string")
        if not data or len(data) > self.most or not data.isprintable():
            raise field_error("bad_text", most=self.most)
        return data


class Cursor(Text):
    """Where a page of a list begins, as an earlier page gave it. What it says is read with the list."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(most=64, **kwargs)
        set_override(self, "field", {"type": "string", "pattern": "^P[A-Pg-v][A-Za-z0-9_-]{21}$"})


class Name(Text):
    """A name, in its normal form."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(most=24, min_length=2, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        """The name in NFC."""
        if not isinstance(data, str):
            raise field_error("not_a_string")
        try:
            return name_normal(data)
        except BadName as bad:
            raise field_error("bad_name") from bad


class Email(Text):
    """An e-mail address, in lower case."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(most=254, **kwargs)
        set_override(self, "field", {"type": "string", "format": "email", "maxLength": self.most})

    def to_internal_value(self, data: Any) -> str:
        """The address."""
        if not isinstance(data, str):
            raise field_error("not_a_string")
        if len(data) > self.most:
            raise field_error("bad_email")
        try:
            validate_email(data)
        except WrongValue as wrong:
            raise field_error("bad_email") from wrong
        return data.lower()


class Password(Text):
    """A password: any characters, as they are. Whether it is a good one is judged with the rest."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(most=256, write_only=True, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        """The password."""
        if not isinstance(data, str):
            raise field_error("not_a_string")
        if not data or len(data) > self.most or "\0" in data:
            raise field_error("bad_password", most=self.most)
        return data


@extend_schema_field(OpenApiTypes.DATETIME)
class Time(StrictField):
    """An RFC 3339 instant with its offset from UTC."""

    def to_internal_value(self, data: Any) -> datetime:
        """The instant, in UTC."""
        if not isinstance(data, str):
            raise field_error("not_a_string")
        try:
            time = datetime.fromisoformat(data)
            if time.tzinfo is None or "T" not in data.upper():
                raise field_error("not_an_instant")
            return time.astimezone(UTC)
        except (ValueError, OverflowError):
            raise field_error("not_an_instant") from None


class Choices(StrictField, serializers.MultipleChoiceField):
    """A list of some of these strings, each once, at least one."""

    def get_value(self, dictionary: Mapping[str, Any]) -> Any:
        """What the body has: a JSON object, never a form."""
        return dictionary.get(self.field_name or "", serializers.empty)

    def to_internal_value(self, data: Any) -> list[str]:
        """The strings, in the order of the choices."""
        if not isinstance(data, list):
            raise field_error("not_a_list")
        if not 1 <= len(data) <= len(self.choices):
            raise field_error("bad_length", least=1, most=len(self.choices))
        if any(not isinstance(each, str) or each not in self.choices for each in data):
            raise field_error("not_a_choice", choices=", ".join(str(choice) for choice in self.choices))
        if len(set(data)) < len(data):
            raise field_error("repeated")
        return [str(choice) for choice in self.choices if choice in data]


class Hex(Text):
    """Bytes, as hexadecimal digits."""

    def __init__(self, *, bytes_most: int, **kwargs: Any) -> None:
        self.bytes_most = bytes_most
        super().__init__(most=2 * bytes_most, **kwargs)
        set_override(self, "field", {"type": "string", "pattern": "^([0-9a-fA-F]{2})*$", "maxLength": self.most})

    def to_internal_value(self, data: Any) -> bytes:  # type: ignore[override]  # a text only on the wire
        """The bytes."""
        if not isinstance(data, str):
            raise field_error("not_a_string")
        digits = len(data) % 2 == 0 and len(data) <= self.most and all(c in _HEX for c in data)
        if not digits:
            raise field_error("not_hex", most=self.bytes_most)
        return bytes.fromhex(data)


_HEX: Final = frozenset("0123456789abcdefABCDEF")


def read_uuid(text: str) -> UUID | None:
    """The UUID written as RFC 9562 has it, in either case; None if it is none."""
    try:
        value = UUID(text)
    except ValueError:
        return None
    return value if str(value) == text.lower() else None


def flat_errors(detail: Any, path: str = "") -> Iterable[tuple[str, ErrorDetail]]:
    """Each error with the dotted path of its field."""
    if isinstance(detail, ErrorDetail):
        yield path, detail
    elif isinstance(detail, Mapping):
        for name, inner in detail.items():
            yield from flat_errors(inner, f"{path}.{name}" if path and name != "" else path or str(name))
    elif isinstance(detail, list | tuple):
        for place, inner in enumerate(detail):
            yield from flat_errors(inner, path if isinstance(inner, ErrorDetail) else f"{path}.{place}")
