"""The selection of messages and versions for a run, such as `--messages 'Fetch*,MetadataRequest-v9..12'`."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, NamedTuple

from conformance.adapter import DIRECTIONS
from conformance.targets import RECORD_BATCHES, Body
from reference import ConformanceError, primitives
from reference.suggestions import suggestion

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from conformance.targets import Claims
    from reference import MessageSchema

SMOKE_MESSAGES = ("ApiVersionsRequest", "ApiVersionsResponse", "MetadataRequest", "FetchRequest", "OffsetCommitRequest")
"""The first messages of --smoke: common ones with every kind of field between them."""

SMOKE_PAIRS = 6

HIGHEST_VERSION = 2**15 - 1

_VERSIONS = re.compile(r"-v(\d+)(?:\.\.(\d+))?$")


class BadSelection(ConformanceError):
    """A selection is unreadable, or matches nothing."""


class Selector(NamedTuple):
    """One part of a selection, with a glob over names and a range of versions."""

    pattern: str
    lowest: int
    highest: int

    def __str__(self) -> str:
        """Return its written form, such as `FetchRequest-v12..17`."""
        if (self.lowest, self.highest) == (0, HIGHEST_VERSION):
            return self.pattern
        return f"{self.pattern}-v{self.lowest}" + (f"..{self.highest}" if self.highest > self.lowest else "")

    def matches(self, message: str, version: int) -> bool:
        """Whether it selects that pair."""
        return self.lowest <= version <= self.highest and fnmatchcase(message, self.pattern)


class Shared(NamedTuple):
    """The pairs and names that a run leaves to the run of its base release, in which they are the same."""

    release: str = ""
    """The name of the base release; empty if the run has none."""
    pairs: Sequence[str] = ()
    """As `FetchRequest-v17`."""
    others: Sequence[str] = ()
    selected: int = 0
    """The number of selected pairs, shared ones included."""

    def __str__(self) -> str:
        """Return it in one line for users, empty without a base release."""
        if not self.release:
            return ""
        batches, types = RECORD_BATCHES in self.others, [name for name in self.others if name != RECORD_BATCHES]
        names = [f"{len(types)} wire type{'s' * (len(types) > 1)}"] * bool(types) + ["record batches"] * batches
        pairs = f"{len(self.pairs)} of {self.selected} message versions"
        return f"the same as in {self.release}: {', '.join([pairs, *names])}, not tested again"


NOTHING_SHARED = Shared()


class Selection(NamedTuple):
    """The selected pairs, and the names of selected wire types and record batches."""

    schemas: Sequence[MessageSchema]
    others: Sequence[str]
    probed: Sequence[MessageSchema] = ()
    """The pairs for the check of the adapter itself, with a few calls each."""
    shared: Shared = NOTHING_SHARED


def parse_selection(texts: Iterable[str]) -> list[Selector]:
    """Return the parts of some selections, comma-separated names or globs, each with `-v12` or `-v12..17` if need be.

    Raises:
        BadSelection: a range of versions runs backwards or exceeds every version, or a part is empty.
    """
    return [_parse_one(part.strip()) for text in texts for part in text.split(",")]


def _parse_one(part: str) -> Selector:
    if not part:
        raise BadSelection("an empty part: names are separated by single commas")
    found = _VERSIONS.search(part)
    if found is None:
        return Selector(part, 0, HIGHEST_VERSION)
    lowest = _version(part, found[1])
    highest = _version(part, found[2] or found[1])
    if lowest > highest:
        raise BadSelection(f"{part!r}: versions run from the lower to the higher one")
    return Selector(part[: found.start()], lowest, highest)


def _version(part: str, digits: str) -> int:
    if len(digits) > len(str(HIGHEST_VERSION)) or int(digits) > HIGHEST_VERSION:
        raise BadSelection(f"{part[:80]!r}: no version is above {HIGHEST_VERSION}")
    return int(digits)


ONLY_VERSION = 0
"""The version of a wire type or of record batches, which have no versions."""


def other_names() -> tuple[str, ...]:
    """Return the names of the wire types and of record batches, which are no messages."""
    return (*primitives(), RECORD_BATCHES)


def is_selected(selectors: Sequence[Selector], message: str, version: int) -> bool:
    """Return whether any selector matches a pair, or there are none."""
    return not selectors or any(each.matches(message, version) for each in selectors)


def select_others(selectors: Sequence[Selector]) -> list[str]:
    """Return the names in `other_names` with a matching selector, or all of them without selectors."""
    return [name for name in other_names() if is_selected(selectors, name, ONLY_VERSION)]


def select(
    schemas: Sequence[MessageSchema], selectors: Sequence[Selector], others: Sequence[str] = ()
) -> list[MessageSchema]:
    """Return the schemas with a matching selector, or all of them without selectors.

    Raises:
        BadSelection: a selector matches no schema and none of the names of wire types and record batches in `others`.
    """
    for selector in selectors:
        is_other = any(selector.matches(name, 0) for name in others)
        if not is_other and not any(selector.matches(schema.message, schema.version) for schema in schemas):
            hint = _hint(selector, schemas, others)
            raise BadSelection(f"{str(selector)!r} matches nothing" + (f"; {hint}" if hint else ""))
    return [schema for schema in schemas if is_selected(selectors, schema.message, schema.version)]


def _hint(selector: Selector, schemas: Sequence[MessageSchema], others: Sequence[str]) -> str:
    versions = [schema.version for schema in schemas if fnmatchcase(schema.message, selector.pattern)]
    if versions:
        return f"there are versions {min(versions)} to {max(versions)}"
    names = [schema.message for schema in schemas]
    globs = [re.sub("(Request|Response)$", "*", name) for name in names]
    return suggestion(selector.pattern, [*names, *others, *globs])


def smoke(schemas: Sequence[MessageSchema]) -> list[MessageSchema]:
    """Return a handful of pairs, the newest versions of common messages first."""
    newest = {schema.message: schema for schema in schemas}
    common = [newest.pop(message) for message in SMOKE_MESSAGES if message in newest]
    return (common + list(newest.values()))[:SMOKE_PAIRS]


def newest(schemas: Iterable[MessageSchema]) -> list[MessageSchema]:
    """Return the newest version of each message."""
    return list({schema.message: schema for schema in schemas}.values())


def offered(claims: Claims, schemas: Iterable[MessageSchema]) -> list[MessageSchema]:
    """Return the schemas that the implementation supports in at least one direction."""
    return [schema for schema in schemas if any(Body(schema).is_offered(claims, way) for way in DIRECTIONS)]
