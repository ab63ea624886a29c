"""The same corpus built twice: by processes of this machine, and by Spark with as many workers."""

from __future__ import annotations

import os
import time
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from conformance.pipeline.corpus import build
from conformance.pipeline.engines import map_on_spark, run_on_spark
from conformance.pipeline.parts import build_part
from conformance.pipeline.session import spark_session
from conformance.pipeline.storage import Storage

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from conformance.pipeline.plan import Parameters


PROC = Path("/proc")


class ProcessUsage(NamedTuple):
    """What one process has used so far."""

    pid: int
    name: str
    peak_mib: int
    """Its largest resident set."""
    seconds: float
    """Of processors, in user and system mode."""


def process_tree() -> list[ProcessUsage]:
    """Return the usage of this process and its descendants, the largest first; nothing where there is no /proc."""
    facts = {pid: status for pid, status in map(_status, PROC.glob("[0-9]*/status")) if status}
    tree = {os.getpid()}
    while children := {pid for pid, status in facts.items() if int(status["PPid"]) in tree} - tree:
        tree |= children
    usages = [
        ProcessUsage(pid, facts[pid]["Name"], int(facts[pid]["VmHWM"].split()[0]) // 1024, _seconds(pid))
        for pid in tree & facts.keys()
        if "VmHWM" in facts[pid]
    ]
    return sorted(usages, key=lambda usage: -usage.peak_mib)


def _seconds(pid: int) -> float:
    """Return fields 14 and 15 of stat in seconds; 0 if the process has just ended."""
    try:
        fields = (PROC / str(pid) / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _status(path: Path) -> tuple[int, dict[str, str]]:
    """Return a process and the lines of its status; no lines if it has just ended."""
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return 0, {}
    return int(path.parent.name), {key: value.strip() for key, _, value in (line.partition(":") for line in lines)}


WARMING = 4
"""Empty tasks for each worker, so that all workers have started before the work."""

PAUSE = 0.2


class Side(NamedTuple):
    """Time and memory of one of the two builds."""

    name: str
    start: float
    """Seconds until its workers had started and had imported the kernel."""
    work: float
    """Seconds from there to the manifest."""
    processor: float
    """Seconds of processor time meanwhile; other programs on the machine disturb it less than `work`."""
    sha256: str
    largest: Sequence[ProcessUsage]
    """Its processes, the largest first."""


def compare(parameters: Parameters, folder: Path, workers: int, settings: Mapping[str, str]) -> tuple[Side, Side]:
    """Build a corpus in two folders below `folder`: first by processes, then by Spark.

    Raises:
        SparkUnavailable: Spark is not installed.
        NotThisCorpus: a folder holds something else.
    """
    plain = _by_processes(parameters, Storage(str(folder / "processes")), workers)
    return plain, _by_spark(parameters, Storage(str(folder / "spark")), workers, settings)


def _by_processes(parameters: Parameters, folder: Storage, workers: int) -> Side:
    began = time.monotonic()
    with get_context("spawn").Pool(workers) as pool:  # each is a new interpreter, as Spark's workers are
        pool.map(_number, range(WARMING * workers), chunksize=1)

        def run(parameters: Parameters, folder: Storage, numbers: Sequence[int]) -> None:
            pool.map(partial(build_part, parameters, folder), numbers, chunksize=1)

        return _timed("multiprocessing", began, lambda: build(parameters, folder, run))


def _by_spark(parameters: Parameters, folder: Storage, workers: int, settings: Mapping[str, str]) -> Side:
    began = time.monotonic()
    with spark_session(f"local[{workers}]", settings) as session:
        map_on_spark(session, WARMING * workers, _number, "number long")
        return _timed("Spark", began, lambda: build(parameters, folder, partial(run_on_spark, session)))


def _timed(name: str, began: float, work: Callable[[], dict[str, object]]) -> Side:
    ready, before = time.monotonic(), process_tree()
    manifest = work()
    ended, after = time.monotonic(), process_tree()
    processor = sum(usage.seconds for usage in after) - sum(usage.seconds for usage in before)
    return Side(name, ready - began, ended - ready, processor, str(manifest["sha256"]), after)


def _number(number: int) -> dict[str, int]:
    """Do nothing; a worker that unpickles this task imports this module, and with it the kernel."""
    time.sleep(PAUSE)
    return {"number": number}
