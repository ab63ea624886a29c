"""Single values, between the wire's types and kio's.

kio holds timestamps as datetimes, durations as timedeltas, error codes as an enum, the zero UUID as None, and so the
timestamp -1 where one may be missing. What these cannot hold is `Unrepresentable`: nothing is wrapped, clipped or
rounded, and null is not taken for the value that None stands for. A value counts as representable if
kio's own type takes it, or if kio's own reader hands it out: its type for timestamps asks for whole seconds, yet the
reader gives milliseconds; its type for floats asks for finite ones, yet the reader gives NaN.

Anything that is not of the type that the field has on the wire goes to kio unchanged, which then refuses it itself.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from kio.schema.errors import ErrorCode
from kio.static.constants import uuid_zero
from kio.static.primitive import i32Timedelta, i64Timedelta

from conformance.adapter import Unrepresentable
from conformance.adapters._mapping import Conversion

if TYPE_CHECKING:
    from uuid import UUID

    from conformance.adapters._mapping import Convert

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MILLISECOND = timedelta(milliseconds=1)
LATEST = (datetime.max.replace(tzinfo=UTC) - EPOCH) // MILLISECOND
"""The last millisecond of the year 9999."""

NO_TIMESTAMP = -1
"""What kio reads as None, and writes for it, in a timestamp that may be missing."""

ERROR_CODES = {int(code): code for code in ErrorCode}


def _error_code_to_kio(value: Any) -> Any:
    if type(value) is not int:
        return value
    code = ERROR_CODES.get(value)
    if code is None:
        raise Unrepresentable(f"{value} is not in kio's ErrorCode")
    return code


def _timestamp_to_kio(value: Any) -> Any:
    if type(value) is not int:
        return value
    if not 0 <= value <= LATEST:
        raise Unrepresentable(f"{value} is not in the years 1970 to 9999, which kio's timestamps cover")
    return EPOCH + timedelta(milliseconds=value)


def _optional_timestamp_to_kio(value: Any) -> Any:
    if value is None:
        raise Unrepresentable(f"None is kio's timestamp {NO_TIMESTAMP}")
    return None if value == NO_TIMESTAMP else _timestamp_to_kio(value)


def _duration_to_kio(kio_type: Any) -> Convert:
    """Milliseconds as a timedelta that `kio_type` takes."""

    def to_kio(value: Any) -> Any:
        if type(value) is not int:
            return value
        try:
            duration = timedelta(milliseconds=value)
        except OverflowError:
            duration = None
        if duration is None or not isinstance(duration, kio_type) or duration // MILLISECOND != value:
            raise Unrepresentable(f"{value} milliseconds are not a {kio_type.__name__}")
        return duration

    return to_kio


def _uuid_to_kio(value: Any) -> Any:
    if value is None:
        raise Unrepresentable("None is kio's zero UUID")
    return None if value == uuid_zero else value


def _duration_from_kio(duration: timedelta) -> int | str:
    """A timedelta in milliseconds; as text, should it have a fraction of one, so that it shows."""
    milliseconds, rest = divmod(duration, MILLISECOND)
    return str(duration) if rest else milliseconds


def _timestamp_from_kio(moment: datetime | None) -> int | str:
    """A datetime in milliseconds since 1970; as text, should it have a fraction of one, so that it shows."""
    if moment is None:
        return NO_TIMESTAMP
    milliseconds, rest = divmod(moment - EPOCH, MILLISECOND)
    return moment.isoformat() if rest else milliseconds


def _uuid_from_kio(value: UUID | None) -> UUID:
    return uuid_zero if value is None else value


CONVERSIONS = {
    "error_code": Conversion(_error_code_to_kio, int),
    "timedelta_i32": Conversion(_duration_to_kio(i32Timedelta), _duration_from_kio),
    "timedelta_i64": Conversion(_duration_to_kio(i64Timedelta), _duration_from_kio),
    "datetime_i64": Conversion(_timestamp_to_kio, _timestamp_from_kio),
    "uuid": Conversion(_uuid_to_kio, _uuid_from_kio),
}
"""By the `kafka_type` that kio notes in a field's metadata; for others, values are the same on both sides."""

OPTIONAL_CONVERSIONS = {
    **CONVERSIONS,
    "datetime_i64": Conversion(_optional_timestamp_to_kio, _timestamp_from_kio),
}
"""The same for fields that may be None."""
