"""Random texts of defaults for every type that can have one (4.1)."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

from conformance.generate import edges
from conformance.generate.choices import pick
from reference.definitions.defaults import NULL
from reference.definitions.model import INTEGER_RANGES

if TYPE_CHECKING:
    from conformance.generate.choices import Choices
    from reference.definitions.model import VersionRange

HIGHEST_UINT32 = 2**31 - 1
"""The highest default of uint32 that compiles to the right number in Apache Kafka (4.1.4)."""

_TEXTS: dict[str, tuple[str, ...]] = {
    "bool": ("true", "false", "True", "FALSE"),
    "float64": ("1.5", "-0.0", "NaN", "Infinity", "-Infinity", "0x1p3", "1.5d", "1e300", "4.9E-324", " 2 "),
    "string": ("text", "NULL", " ", "null ", "0", "é"),
    "uuid": tuple(base64.urlsafe_b64encode(uuid.bytes).decode().rstrip("=") for uuid in edges.UUIDS),
    "records": ("abc", NULL),
}


def default_text(choices: Choices, type_name: str, versions: VersionRange, nullable: VersionRange) -> str | None:
    """Return a default for a field of that type in those versions; None: the field states none."""
    if nullable.covers(versions) and not nullable.empty and choices.below(2):
        return NULL  # no type that cannot be null has nullable versions
    return None if choices.below(2) == 0 else _text(choices, type_name)


def _text(choices: Choices, type_name: str) -> str | None:
    if type_name in INTEGER_RANGES:
        return _integer(choices, type_name)
    return pick(choices, _TEXTS[type_name]) if type_name in _TEXTS else None


def _integer(choices: Choices, type_name: str) -> str:
    """Return a number in decimal, with any sign; in hexadecimal; or in octal."""
    highest = HIGHEST_UINT32 if type_name == "uint32" else INTEGER_RANGES[type_name][1]
    number = min(pick(choices, edges.INTEGERS[type_name]), highest)
    spelled = (str(number), f"{number:+}", f"0x{abs(number) if -highest <= number else highest:x}", "0x", "010", "-0")
    return pick(choices, spelled if type_name not in {"uint16", "uint32"} else spelled[:-1])
