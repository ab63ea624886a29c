"""The plan of a matrix, one run of the deterministic suite for each implementation and release."""

from __future__ import annotations

import hashlib
import os
import re
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from conformance.codec.bridge.loading import known_failures_file
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
    """One run.

    Attributes:
        impl: as in `--impl`.
        release: the Kafka release to test against.
        known_failures: the file with its known failures; None without one.
        options: further options of `kafka-conformance run`.
    """

    impl: str
    release: str
    known_failures: Path | None = None
    options: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The implementation and the release."""
        return f"{self.impl} against {self.release}"

    @property
    def name(self) -> str:
        """The name of its files, without the ending.

        It is readable and unique.
        """
        impl = self.impl.removeprefix("conformance.adapters.")
        plain = re.sub(r"[^A-Za-z0-9._]+", "-", f"{impl}-{self.release}").strip("-.")
        if plain == f"{impl}-{self.release}" and len(plain) <= MAXIMUM_NAME:
            return plain
        return f"{plain[:MAXIMUM_NAME]}-{digest_of([os.fsencode(self.title)])}"

    def command(self, report: Path) -> list[str]:
        """Return the command line of the run, with the place of its report."""
        known = [f"--known-failures={self.known_failures}"] if self.known_failures else []
        own = [f"--impl={self.impl}", f"--release={self.release}", f"--report={report}", "-m", DETERMINISTIC]
        cache = f"--override-ini=cache_dir={report.parent / 'cache'}"
        return [*COMMAND, "run", "--ignore-project", *own, cache, *known, *self.options]


def planned_runs(
    impls: Sequence[str], releases: Sequence[str], known: Mapping[str, Path], options: Sequence[str] = ()
) -> list[PlannedRun]:
    """Return a run for each implementation and release, in that order, without repetitions.

    Args:
        impls: the implementations.
        releases: the releases.
        known: files of known failures, by implementation. Others have the one in the folder of their adapter.
        options: further options of all runs.
    """
    pairs = product(dict.fromkeys(impls), dict.fromkeys(releases))
    return [
        PlannedRun(impl, each, known.get(impl) or known_failures_file(impl), tuple(options)) for impl, each in pairs
    ]


def digest_of(parts: Iterable[bytes]) -> str:
    """Return a hash of some bytes and of the borders between them."""
    total = hashlib.sha256()
    for part in parts:
        total.update(f"{len(part)} ".encode() + part)
    return total.hexdigest()[:DIGITS]
