"""The plan of a matrix, one run of the deterministic suite for each implementation and release."""

from __future__ import annotations

import hashlib
import os
import re
from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING

from conformance.codec.bridge.loading import known_failures_file
from conformance.suite.options import RunOptions
from conformance.system.own_processes import COMMAND

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

DETERMINISTIC = "not hypothesis"
"""The marker expression of the tests with the same cases in every run."""

DIGITS = 16
MAXIMUM_NAME = 60


@dataclass(frozen=True)
class PlannedRun:
    """One run, with options, among them the implementation, release and known failures, and words for pytest."""

    options: RunOptions
    words: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The implementation and the release."""
        return f"{self.options.impl} against {self.options.release}"

    @property
    def name(self) -> str:
        """The name of its files, without the ending, readable and unique."""
        impl, release = self.options.impl.removeprefix("conformance.adapters."), self.options.release
        plain = re.sub(r"[^A-Za-z0-9._]+", "-", f"{impl}-{release}").strip("-.")
        if plain == f"{impl}-{release}" and len(plain) <= MAXIMUM_NAME:
            return plain
        return f"{plain[:MAXIMUM_NAME]}-{digest_of([os.fsencode(self.title)])}"

    def command(self, report: Path) -> list[str]:
        """Return the command line of the run, with the place of its report."""
        options = replace(self.options, report=report, ignore_project=True)
        cache = f"--override-ini=cache_dir={report.parent / 'cache'}"
        return [*COMMAND, "run", *options.words(), "-m", DETERMINISTIC, cache, *self.words]


def planned_runs(
    impls: Sequence[str], releases: Sequence[str], known: Mapping[str, Path], common: PlannedRun | None = None
) -> list[PlannedRun]:
    """Return a run for each implementation and release, in that order, without repetitions, with the `common` options.

    An implementation without a file in `known` has the known failures in the folder of its adapter.
    """
    common = common or PlannedRun(RunOptions())
    pairs = product(dict.fromkeys(impls), dict.fromkeys(releases))
    return [
        replace(
            common,
            options=replace(
                common.options, impl=impl, release=each, known_failures=known.get(impl) or known_failures_file(impl)
            ),
        )
        for impl, each in pairs
    ]


def digest_of(parts: Iterable[bytes]) -> str:
    """Return a hash of some bytes and of the borders between them."""
    total = hashlib.sha256()
    for part in parts:
        total.update(f"{len(part)} ".encode() + part)
    return total.hexdigest()[:DIGITS]
