"""What KIP-625 asks of a definition beside the rules of the released one: the property `encoding` makes sense."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

from reference.definitions.rules import FieldUse, Finding, Rule, Stage
from reference.definitions.validate import RELEASED_RULES
from reference.proposals.kip625_encodings import ENCODINGS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from reference.definitions.errors import Place
    from reference.definitions.model import VersionRange

TYPES = ("int16", "int32", "int64")
"""Those that can have an encoding."""


def _place(use: FieldUse, versions: VersionRange | None = None) -> Place:
    """Of the property, or of what it says for some versions of the field."""
    steps = ("encoding",) if versions in {None, use.field.versions} else ("encoding", str(versions))
    return use.place.at(*steps, name=use.field.name)


def _name(use: FieldUse) -> Iterator[Finding]:
    for versions, name in use.field.encodings:
        if name not in ENCODINGS:
            yield _place(use, versions), f"{name!r} is not an encoding"


def _type(use: FieldUse) -> Iterator[Finding]:
    if use.field.encodings and use.field.type not in TYPES:
        yield _place(use), f"a field of type {use.field.type} cannot have an encoding"


def _width(use: FieldUse) -> Iterator[Finding]:
    for versions, name in use.field.encodings:
        encoding = ENCODINGS.get(name)
        if encoding and use.field.type in TYPES and encoding.bits > int(use.field.type.removeprefix("int")):
            yield _place(use, versions), f"{name} has more bits than {use.field.type}"


def _versions(use: FieldUse) -> Iterator[Finding]:
    """Whether every version of the field has an encoding, and no other version has one."""
    encodings = use.field.encodings
    if encodings and _joined([versions for versions, _ in encodings]) != _joined([use.field.versions]):
        given = ", ".join(str(versions) for versions, _ in encodings)
        yield _place(use), f"there are encodings for the versions {given}, and the field has {use.field.versions}"


def _joined(ranges: list[VersionRange]) -> list[VersionRange]:
    """The same versions in as few ranges as can be, in order."""
    joined: list[VersionRange] = []
    for each in sorted(each for each in ranges if not each.empty):
        if joined and each.lowest <= joined[-1].highest + 1:
            joined[-1] = replace(joined[-1], highest=max(joined[-1].highest, each.highest))
        else:
            joined.append(each)
    return joined


def _overlap(use: FieldUse) -> Iterator[Finding]:
    for (one, _), (other, _) in combinations(use.field.encodings, 2):
        if not one.intersect(other).empty:
            yield _place(use, other), f"the versions {other} and {one} have {one.intersect(other)} in common"


_ROWS: tuple[tuple[str, str, Callable[[FieldUse], Iterator[Finding]], str], ...] = (
    ("encoding-name", "14.93", _name, f"choose one of {', '.join(ENCODINGS)}"),
    ("encoding-type", "14.94", _type, f"drop the encoding, which only {', '.join(TYPES)} can have"),
    ("encoding-width", "625-9", _width, "choose an encoding of as many bits as the type, or fewer"),
    ("encoding-versions", "14.95", _versions, "give each version of the field one encoding, and no other version any"),
    ("encoding-overlap", "14.96", _overlap, "let each version be in one range only"),
)
"""Id without its prefix, number, check, and what to do."""

RULES = replace(
    RELEASED_RULES,
    field=(
        *RELEASED_RULES.field,
        *(Rule(f"kip-625.{name}", number, Stage.PARSED, check, advice) for name, number, check, advice in _ROWS),
    ),
)
"""Those of the released dialect, and these."""
