"""Several reports side by side: put in order, each with a name of its own by which pages are addressed."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePath
from typing import TYPE_CHECKING, get_args

from conformance.report.facts import RunKind, address_of
from reference import ConformanceError, releases

if TYPE_CHECKING:
    from collections.abc import Iterable

    from conformance.report.facts import RunReport

MAXIMUM_SLUG = 60
"""Characters of a name that is part of an address."""

KINDS: tuple[RunKind, ...] = get_args(RunKind)


class SameRun(ConformanceError):
    """Two reports are of the same implementation, version and release, and their files have the same name."""


@dataclass(frozen=True)
class Placed:
    """A report with its place.

    Attributes:
        title: the implementation with its version; with the name of the file if another report has the same.
        slug: a name for addresses, of small letters, digits, dots and dashes.
    """

    run: RunReport
    title: str
    slug: str


@dataclass(frozen=True)
class Shelf:
    """Reports in order: codecs, servers, clients, captures; by name; newest release first."""

    placed: tuple[Placed, ...]

    @cached_property
    def releases(self) -> tuple[str, ...]:
        """The releases that anything was tested against, the newest first; then folders of definitions by name."""
        names = {each.run.release for each in self.placed}
        known = [name for name in reversed(releases()) if name in names]
        return (*known, *sorted(names.difference(known)))

    def against(self, release: str) -> tuple[Placed, ...]:
        """Return the reports of runs against a release."""
        return tuple(each for each in self.placed if each.run.release == release)

    def elsewhere(self, release: str) -> tuple[str, ...]:
        """Return the titles of what was tested, but not against this release."""
        here = {each.title for each in self.against(release)}
        return tuple(dict.fromkeys(each.title for each in self.placed if each.title not in here))

    def others(self, one: Placed) -> tuple[Placed, ...]:
        """Return the reports of the same implementation and version, that one included."""
        same = (one.run.kind, one.title)
        return tuple(each for each in self.placed if (each.run.kind, each.title) == same)


def shelf_of(runs: Iterable[RunReport]) -> Shelf:
    """Return reports in order, whatever the order that they are given in.

    Raises:
        SameRun: two of them cannot be told apart.
    """
    runs = list(runs)
    clashing = Counter(_identity(run) for run in runs)
    titles = {id(run): run.title + (f" ({_stem(run)})" if clashing[_identity(run)] > 1 else "") for run in runs}
    seen: dict[tuple[str, ...], RunReport] = {}
    for run in runs:
        key = (run.kind, titles[id(run)], run.release)
        if key in seen:
            text = f"{seen[key].source} and {run.source} are both of {run.title} against {run.release}"
            raise SameRun(f"{text}: give one of them, or files of different names")
        seen[key] = run
    order = [*releases()][::-1]

    def place(run: RunReport) -> tuple[int, str, int, str]:
        newest = order.index(run.release) if run.release in order else len(order)
        return KINDS.index(run.kind), titles[id(run)].lower(), newest, run.release

    ordered = sorted(runs, key=place)
    return Shelf(tuple(Placed(run, titles[id(run)], slug_of(f"{titles[id(run)]} {run.release}")) for run in ordered))


def slug_of(name: str) -> str:
    """Return a name for addresses: the same for the same name, and another one for any other."""
    plain = re.sub(r"[^a-z0-9.]+", "-", name.lower()).strip("-.")
    is_exact = plain == name.lower().replace(" ", "-") and len(plain) <= MAXIMUM_SLUG
    return plain if is_exact and plain else f"{plain[:MAXIMUM_SLUG]}-{address_of(name)}".strip("-")


def _identity(run: RunReport) -> tuple[str, str, str]:
    return run.kind, run.title, run.release


def _stem(run: RunReport) -> str:
    return PurePath(run.source).stem
