"""The property `headerVersions`, the headers before the versions of a request or response (6.60 to 6.67).

    "headerVersions": { "0-2": "1", "3+": "2" }      header 1 before versions 0 to 2, header 2 before all later ones

Apache Kafka has the property since KAFKA-20923; in releases up to 4.4.0 the header follows from flexibleVersions (5.1
and 5.2).
"""

from __future__ import annotations

import re
from itertools import islice, pairwise
from typing import TYPE_CHECKING

from reference.definitions.errors import TOP
from reference.definitions.json_flavour import BLANKS, Tree
from reference.definitions.model import INTEGER_RANGES, VersionRange
from reference.definitions.properties import version_bounds
from reference.definitions.rules import problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from reference.definitions.errors import Problem
    from reference.definitions.model import Definition
    from reference.definitions.properties import Properties

PROPERTY = "headerVersions"
APIS = ("request", "response")
"""The kinds of messages with a header before them."""

FIRST_FLEXIBLE = {"request": 2, "response": 1}
"""The first version of each header with a tag section (5.5 and 5.6)."""

RELEASED_HEADERS = {"RequestHeader": VersionRange(0, 2), "ResponseHeader": VersionRange(0, 1)}
"""The versions of headers in releases up to 4.4.0, for releases without definitions of them."""

API_VERSIONS = 18
CONTROLLED_SHUTDOWN = 7

_ENTRIES = ("definition.header-versions-entries", "6.61")
_ADVICE = 'write ranges and header versions as texts: {"0-1": "1", "2+": "2"}'
_PLACE = TOP.at(PROPERTY)

Entries = tuple[tuple[VersionRange, int], ...]


def header_versions(properties: Properties) -> Entries | None:
    """Return the readable entries of the property in ascending order, or None if it is absent."""
    tree = properties.value(PROPERTY)
    if tree is None:
        return None
    if not isinstance(tree, dict):
        properties.problem(*_ENTRIES, f"{PROPERTY} is not an object", _ADVICE, PROPERTY)
        return ()
    if not tree:
        properties.problem(*_ENTRIES, f"{PROPERTY} is empty", _ADVICE, PROPERTY)
    found = ((_range(properties, key), _header(properties, key, value)) for key, value in tree.items())
    entries = [(versions, header) for versions, header in found if versions is not None and header is not None]
    return tuple(sorted(entries, key=lambda entry: entry[0].lowest))


def _range(properties: Properties, key: str) -> VersionRange | None:
    bounds = version_bounds(key.strip(BLANKS))
    if bounds is None or not 0 <= bounds[0] <= bounds[1]:
        what = f"{key!r} is not a range of versions"
        properties.problem(*_ENTRIES, what, "write 3, 3+ or 3-5, the lower version first", PROPERTY, key)
        return None
    return VersionRange(*bounds)


def _header(properties: Properties, key: str, value: Tree) -> int | None:
    text = value.strip(BLANKS) if isinstance(value, str) else ""
    if re.fullmatch(r"[+-]?[0-9]{1,18}", text) and 0 <= int(text) <= INTEGER_RANGES["int16"][1]:
        return int(text)
    shown = repr(text) if isinstance(value, str) else "what is no text"
    what = f"the header version of {key!r} is a decimal number from 0 to 32767, not {shown}"
    properties.problem(*_ENTRIES, what, _ADVICE, PROPERTY, key)
    return None


def header_of(definition: Definition, version: int, *, flexible_headers: bool = True) -> int:
    """Return the header before a version of a request or response, by the definition or flexible versions (5.1 to 5.3).

    An invalid version has the header of the nearest valid one, unless headerVersions name another. In two drafts
    flexible versions have no headers with a tag section.
    """
    declared = definition.header_version(version)
    if declared is not None:
        return declared
    if (definition.kind, definition.api_key, version) == ("request", CONTROLLED_SHUTDOWN, 0):
        return 0
    is_flexible = flexible_headers and definition.valid_versions.nearest(version) in definition.flexible_versions
    plain = FIRST_FLEXIBLE[definition.kind] - 1
    return plain + (is_flexible and not _is_answer_to_api_versions(definition))


def header_problems(definition: Definition) -> Iterator[Problem]:
    """Yield the first problem by each rule about the entries of one message."""
    entries = definition.header_versions or ()
    if definition.header_versions is not None and definition.kind not in APIS:
        what = f"a message of type {definition.kind} has {PROPERTY}"
        yield problem("header-versions-on-apis", _PLACE, what)
        return
    for rule, check in _CHECKS.items() if entries else ():
        yield from (problem(rule, _PLACE, what) for what in islice(check(definition, entries), 1))


def _not_contiguous(_definition: Definition, entries: Entries) -> Iterator[str]:
    ranges = [versions for versions, _ in entries]
    if ranges[0].lowest != 0:
        yield f"the first range, {ranges[0]}, does not begin with version 0"
    for before, after in pairwise(ranges):
        if before.highest + 1 != after.lowest:
            yield f"the range {after} does not begin with the version after those of {before}"
    if not ranges[-1].open_ended:
        yield f"the last range, {ranges[-1]}, comes to an end"


def _unreached(definition: Definition, entries: Entries) -> Iterator[str]:
    valid = definition.valid_versions
    for versions, _ in entries:
        if versions.lowest > valid.highest:
            yield f"the range {versions} begins after the highest of the validVersions {valid}"


def _decreasing(_definition: Definition, entries: Entries) -> Iterator[str]:
    for (before, higher), (after, lower) in pairwise(entries):
        if lower < higher:
            yield f"versions {after} have header {lower}, and the versions {before} before them header {higher}"


def _inflexible(definition: Definition, entries: Entries) -> Iterator[str]:
    first = FIRST_FLEXIBLE[definition.kind]
    if _is_answer_to_api_versions(definition):
        return
    for versions, header in entries:
        flexible = versions.intersect(definition.valid_versions).intersect(definition.flexible_versions)
        if not flexible.empty and header < first:
            yield f"version {flexible.lowest} is flexible, and header {header} has no tag section"


def _not_readable(definition: Definition, entries: Entries) -> Iterator[str]:
    if _is_answer_to_api_versions(definition):
        for versions, header in entries:
            if header != 0:
                yield f"answers to ApiVersions have header 0, not {header} in versions {versions}"


def _is_answer_to_api_versions(definition: Definition) -> bool:
    return (definition.kind, definition.api_key) == ("response", API_VERSIONS)


_CHECKS = {
    "header-versions-contiguous": _not_contiguous,
    "header-versions-reached": _unreached,
    "header-versions-ascending": _decreasing,
    "header-versions-flexible": _inflexible,
    "header-versions-api-versions": _not_readable,
}


def absent_header_versions(definitions: Iterable[Definition]) -> Iterator[tuple[Definition, str]]:
    """Yield the messages without the property, if others of their module have it."""
    framed = [each for each in definitions if each.kind in APIS and not each.valid_versions.empty]
    if any(each.header_versions is not None for each in framed):
        for definition in framed:
            if definition.header_versions is None:
                yield definition, f"the {definition.kind} {definition.name} has no {PROPERTY}, and others have them"


def unknown_headers(
    definitions: Iterable[Definition], headers: Mapping[str, VersionRange]
) -> Iterator[tuple[Definition, str]]:
    """Yield the messages with a header of a version that `headers` does not have for it."""
    headers = {**RELEASED_HEADERS, **headers}
    for definition in definitions:
        name = f"{definition.kind.capitalize()}Header"
        for versions, header in (definition.header_versions or ()) if name in headers else ():
            used = versions.intersect(definition.valid_versions)
            if not used.empty and header not in headers[name]:
                yield (
                    definition,
                    f"version {used.lowest} has header {header}; the versions of {name} are {headers[name]}",
                )
