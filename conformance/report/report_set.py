"""Several reports in order, each with a name for its pages, which does not depend on the other reports."""

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
"""The number of characters of a name within an address."""

KINDS: tuple[RunKind, ...] = get_args(RunKind)


class SameRun(ConformanceError):
    """Two reports have the same title and release, or the same addresses of pages."""


@dataclass(frozen=True)
class PublishedRun:
    """A report with a title, which has the name of the file among equals, and a slug, which others do not change."""

    run: RunReport
    title: str
    slug: str


@dataclass(frozen=True)
class ReportSet:
    """Reports in the order of kind (codecs, servers, clients, captures), name and release, the newest one first."""

    placed: tuple[PublishedRun, ...]

    @cached_property
    def releases(self) -> tuple[str, ...]:
        """The releases of all reports, the newest first, then folders of definitions by name."""
        names = {each.run.release for each in self.placed}
        known = [name for name in reversed(releases()) if name in names]
        return (*known, *sorted(names.difference(known)))

    def against(self, release: str) -> tuple[PublishedRun, ...]:
        """Return the reports of runs against a release."""
        return tuple(each for each in self.placed if each.run.release == release)

    def elsewhere(self, release: str) -> tuple[str, ...]:
        """Return the titles of programs tested against other releases only."""
        here = {each.title for each in self.against(release)}
        return tuple(dict.fromkeys(each.title for each in self.placed if each.title not in here))

    def others(self, one: PublishedRun) -> tuple[PublishedRun, ...]:
        """Return the reports of the same implementation and version, this one included."""
        same = (one.run.kind, one.title)
        return tuple(each for each in self.placed if (each.run.kind, each.title) == same)


def report_set_of(runs: Iterable[RunReport]) -> ReportSet:
    """Return reports in order, or raise `SameRun` for two with one title, release and words in their files' names."""
    runs = list(runs)
    clashing = Counter(_identity(run) for run in runs)
    placed: dict[str, PublishedRun] = {}
    for run in runs:
        slug = run_slug(run)
        if slug in placed:
            text = f"{placed[slug].run.source} and {run.source} are both of {run.title} against {run.release}"
            raise SameRun(f"{text}: give one of them, or files of different names")
        file = f" ({_stem(run)})" if clashing[_identity(run)] > 1 else ""
        placed[slug] = PublishedRun(run, f"{run.title}{file}", slug)
    order = [*releases()][::-1]

    def place(each: PublishedRun) -> tuple[int, str, int, str]:
        newest = order.index(each.run.release) if each.run.release in order else len(order)
        return KINDS.index(each.run.kind), each.title.lower(), newest, each.run.release

    return ReportSet(tuple(sorted(placed.values(), key=place)))


def run_slug(run: RunReport) -> str:
    """Return the name of a run for addresses, with the name of the file where that says more than the title."""
    name = f"{run.title} {run.release}"
    stem = _stem(run)
    return slug_of(name if _words(stem) <= _words(name) else f"{name} {stem}")


def _words(text: str) -> set[str]:
    return set(re.findall(r"[a-z0-9.]+", text.lower()))


def slug_of(name: str) -> str:
    """Return a name for addresses, never that of another name, as a long or an odd one gets a hash at its end."""
    plain = re.sub(r"[^a-z0-9.]+", "-", name.lower()).strip("-.")
    is_exact = plain == name.lower().replace(" ", "-") and len(plain) <= MAXIMUM_SLUG
    return plain if is_exact and plain else f"{plain[:MAXIMUM_SLUG]}-{address_of(name)}".strip("-")


def _identity(run: RunReport) -> tuple[str, str, str]:
    return run.kind, run.title, run.release


def _stem(run: RunReport) -> str:
    return PurePath(run.source).stem
