"""The error codes of Kafka, by name and number, from specs/error-codes.toml.

>>> error_name(35)
'UNSUPPORTED_VERSION'
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from reference.inputs.toml_text import packaged_toml
from reference.limits import by_version

if TYPE_CHECKING:
    from collections.abc import Iterator


def error_codes(release: str | None = None) -> dict[str, int]:
    """Return the codes of a release, or without one of the newest release, by name, in order.

    A release has all codes up to its highest one, since a code keeps its meaning for ever.
    """
    codes: dict[str, int] = _table()["codes"]
    highest = None if release is None else highest_error_code(release)
    return {name: code for name, code in codes.items() if highest is None or code <= highest}


def error_name(code: int) -> str:
    """Return the name of an error code, or empty text if no release has it."""
    return _names().get(code, "")


def codes_in(value: Any) -> Iterator[int]:
    """Yield every error code in a value, at any depth."""
    if isinstance(value, list):
        for item in value if value and isinstance(value[0], dict) else ():
            yield from codes_in(item)
    elif isinstance(value, dict):
        for name, item in value.items():
            if name.endswith("ErrorCode") and isinstance(item, int):
                yield item
            elif isinstance(item, dict | list):
                yield from codes_in(item)


def highest_error_code(release: str) -> int | None:
    """Return the highest error code of a release, or None if specs/error-codes.toml has neither it nor an older one."""
    known = [(by_version(since), code) for since, code in _table()["highest"].items()]
    return max((entry for entry in known if entry[0] <= by_version(release)), default=(None, None))[1]


def tried_error_codes() -> tuple[int, ...]:
    """Return the codes to try, those handled in a special way by many readers, each release's highest and the next."""
    table = _table()
    highest = table["highest"].values()
    common = (table["codes"][name] for name in table["common"])
    return tuple(sorted({*common, *highest, *(code + 1 for code in highest)}))


@cache
def _table() -> dict[str, Any]:
    return packaged_toml("specs", "error-codes.toml")


@cache
def _names() -> dict[int, str]:
    return {code: name for name, code in error_codes().items()}
