"""Several reports in order, each with a name for the addresses of its pages."""

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
    """Two reports have the same implementation, version, release and file name."""


@dataclass(frozen=True)
class PublishedRun:
    """A report with its title and its address.

    Attributes:
        run: the report.
        title: the implementation with its version, and the name of the file if another report has the same.
        slug: a name for addresses, of small letters, digits, dots and dashes.
    """

    run: RunReport
    title: str
    slug: str


@dataclass(frozen=True)
class ReportSet:
    """Reports in order.

    Codecs come first, then servers, clients and captures. Within a kind they are ordered by name, then by release with
    the newest first.
    """

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
    """Return reports in order.

    The order of the arguments makes no difference.

    Raises:
        SameRun: two of them have the same title and release.
    """
    runs = list(runs)
    clashing = Counter(_identity(run) for run in runs)
    # By `id`, since a report holds dicts and so has no hash.
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
    return ReportSet(
        tuple(PublishedRun(run, titles[id(run)], slug_of(f"{titles[id(run)]} {run.release}")) for run in ordered)
    )


def slug_of(name: str) -> str:
    """Return a name for addresses.

    Different names have different addresses. A name with other characters than those of addresses, or a long one, gets
    a hash at its end.
    """
    plain = re.sub(r"[^a-z0-9.]+", "-", name.lower()).strip("-.")
    is_exact = plain == name.lower().replace(" ", "-") and len(plain) <= MAXIMUM_SLUG
    return plain if is_exact and plain else f"{plain[:MAXIMUM_SLUG]}-{address_of(name)}".strip("-")


def _identity(run: RunReport) -> tuple[str, str, str]:
    return run.kind, run.title, run.release


def _stem(run: RunReport) -> str:
    return PurePath(run.source).stem
