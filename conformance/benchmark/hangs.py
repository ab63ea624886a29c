"""What an implementation costs that hangs: seconds of a run with inputs on which it never answers, and without them.

Both runs are of the suite, on the reference (`hanging.py`), one after the other. The inputs are hostile bytes that must
be rejected, one of each of so many pairs, so that every one is of another message or version.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from conformance.benchmark.hanging import INPUTS
from conformance.bridge.loading import load_adapter
from conformance.checks.hostile_bytes import hostile_bytes_cases
from conformance.implementation.driver import Implementation
from conformance.implementation.outcome import Kind
from conformance.implementation.session import Session
from reference import ConformanceError, Result, judge

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from reference import MessageSchema, Release

    Input = tuple[str, int, str]

IMPL = "conformance.benchmark.hanging"
RUN = ("run", f"--impl={IMPL}", "-q", "-m", "not hypothesis")


class TooFewInputsError(ConformanceError):
    """There are fewer pairs than inputs were asked for."""


class RunFailedError(ConformanceError):
    """A run of the suite did not come to its end."""


class TimedRun(NamedTuple):
    """One run of the suite."""

    seconds: float
    hangs: int
    """Inputs that were waited for with the whole deadline: violations with the outcome `timed-out`."""
    not_run: int
    """Inputs that got less of it, or were not tried, since others like them had hung."""


def chosen_inputs(release: Release, schemas: Sequence[MessageSchema], count: int) -> Iterator[Input]:
    """Yield one invalid hostile input of each of so many pairs, which are spread over all.

    Raises:
        TooFewInputsError: there are not as many pairs.
    """
    session = Session(Implementation(load_adapter("conformance.adapters.reference")), release)
    if len(schemas) < count:
        raise TooFewInputsError(f"{count} inputs are taken of as many pairs, and there are only {len(schemas)}")
    for number in range(count):
        schema = schemas[number * len(schemas) // count]
        cases = [case for case in hostile_bytes_cases(session, schema) if _is_invalid(schema, case.data)]
        if cases:
            yield schema.message, schema.version, cases[number % len(cases)].data.hex()


def _is_invalid(schema: MessageSchema, data: bytes) -> bool:
    return judge(schema, data).result is Result.INVALID


def timed_run(inputs: Sequence[Input], options: Sequence[str]) -> TimedRun:
    """Run the suite on the reference that hangs on these inputs; with none it is the reference.

    Raises:
        RunFailedError: the run ended otherwise than with or without findings.
    """
    with TemporaryDirectory(prefix="kafka-wire-conformance-") as folder:
        chosen, report = Path(folder) / "inputs.json", Path(folder) / "report.jsonl"
        chosen.write_text(json.dumps(list(inputs)), encoding="utf-8")
        command = (sys.executable, "-m", "conformance", *RUN, f"--report={report}", *options)
        start = time.perf_counter()
        done = subprocess.run(  # noqa: S603  # this program itself
            command, env={**os.environ, INPUTS: str(chosen)}, capture_output=True, text=True, check=False
        )
        seconds = time.perf_counter() - start
        if done.returncode not in {0, 1} or not report.exists():
            raise RunFailedError(f"the run ended with status {done.returncode}: {(done.stdout + done.stderr)[-500:]}")
        return TimedRun(seconds, *_counted(report))


def _counted(report: Path) -> tuple[int, int]:
    counts: Counter[str] = Counter()
    for line in report.read_text(encoding="utf-8").splitlines():
        event = json.loads(line)
        if event["event"] == "finding" and event["outcome"] == Kind.TIMED_OUT:
            counts["hangs"] += event["count"]
        elif event["event"] == Kind.NOT_RUN:
            counts["not run"] += event["count"]
    return counts["hangs"], counts["not run"]
