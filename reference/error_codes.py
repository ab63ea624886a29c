"""The error codes of Kafka, by name and number: specs/error-codes.toml.

>>> error_name(35)
'UNSUPPORTED_VERSION'
"""

from __future__ import annotations

from functools import cache
from typing import Any

from reference.inputs.toml_text import packaged_toml
from reference.limits import by_version


def error_codes(release: str | None = None) -> dict[str, int]:
    """Return the codes of a release by name, in order; without one those of the newest.

    A release has the codes up to its highest one: a code that is given keeps its meaning.
    """
    codes: dict[str, int] = _table()["codes"]
    highest = None if release is None else highest_error_code(release)
    return {name: code for name, code in codes.items() if highest is None or code <= highest}


def error_name(code: int) -> str:
    """Return the name of an error code; empty if no release has it."""
    return _names().get(code, "")


def highest_error_code(release: str) -> int | None:
    """Return the highest error code of a release; None if specs/error-codes.toml has neither it nor an older one."""
    known = [(by_version(since), code) for since, code in _table()["highest"].items()]
    return max((entry for entry in known if entry[0] <= by_version(release)), default=(None, None))[1]


def tried_error_codes() -> tuple[int, ...]:
    """Return the codes that readers switch on, the highest of each release, and the first one that it does not know."""
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
