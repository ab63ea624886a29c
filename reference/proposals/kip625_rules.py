"""What KIP-625 asks of a definition beside the rules of the released one: the property `encoding` makes sense."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

from reference.definitions.rules import problem
from reference.proposals.kip625_encodings import ENCODINGS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reference.definitions.errors import Problem
    from reference.definitions.model import VersionRange
    from reference.definitions.rules import FieldUse

TYPES = ("int16", "int32", "int64")
"""Those that can have an encoding."""


def encoding_problems(use: FieldUse) -> Iterator[Problem]:
    """Yield every problem of the encodings of a field."""
    encodings, has_type = use.field.encodings, use.field.type in TYPES
    for versions, name in encodings:
        if name not in ENCODINGS:
            yield _problem("name", use, versions, f"{name!r} is not an encoding")
    if encodings and not has_type:
        yield _problem("type", use, None, f"a field of type {use.field.type} cannot have an encoding")
    for versions, name in encodings if has_type else ():
        if name in ENCODINGS and ENCODINGS[name].bits > int(use.field.type.removeprefix("int")):
            yield _problem("width", use, versions, f"{name} has more bits than {use.field.type}")
    if encodings and _joined([versions for versions, _ in encodings]) != _joined([use.field.versions]):
        ranges = ", ".join(str(versions) for versions, _ in encodings)
        what = f"there are encodings for the versions {ranges}, and the field has {use.field.versions}"
        yield _problem("versions", use, None, what)
    for (one, _), (other, _) in combinations(encodings, 2):
        if not one.intersect(other).empty:
            what = f"the versions {other} and {one} have {one.intersect(other)} in common"
            yield _problem("overlap", use, other, what)


def _problem(rule: str, use: FieldUse, versions: VersionRange | None, what: str) -> Problem:
    steps = ("encoding",) if versions in {None, use.field.versions} else ("encoding", str(versions))
    return problem(f"kip-625.encoding-{rule}", use.place.at(*steps, name=use.field.name), what)


def _joined(ranges: list[VersionRange]) -> list[VersionRange]:
    """The same versions in as few ranges as can be, in order."""
    joined: list[VersionRange] = []
    for each in sorted(each for each in ranges if not each.empty):
        if joined and each.lowest <= joined[-1].highest + 1:
            joined[-1] = replace(joined[-1], highest=max(joined[-1].highest, each.highest))
        else:
            joined.append(each)
    return joined
