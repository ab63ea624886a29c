"""The kernel of campaigns and nights, a pure function from blocks of a plan to rows, but for the implementation.

Every call runs in a child process: a crash or a hang of the implementation costs one outcome, and never the worker.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import ExitStack
from itertools import groupby
from multiprocessing.util import Finalize
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from conformance.campaign.kernel import Input, run_part
from conformance.campaign.pipeline.batches import part_row, summed
from conformance.campaign.pipeline.engines import parts_of
from conformance.campaign.pipeline.errors import PartLost
from conformance.campaign.plan import KEPT, TaskBlock
from conformance.campaign.rows import FINDING, IMPLEMENTATION, OUTCOME, hash_of
from conformance.codec.bridge.harness_errors import HarnessLostError
from conformance.codec.bridge.isolation import ChildCodec
from conformance.codec.bridge.opening import open_session
from conformance.judge.forms import as_json
from conformance.system.foreign_warnings import ForeignWarnings
from conformance.system.unpacked import unpacked
from conformance.targets.claims import is_over_stdio
from reference import load_release
from reference.errors import ConformanceError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from conformance.campaign.kernel import PartResult
    from conformance.campaign.pipeline.engines import Row
    from conformance.campaign.plan import CampaignSubject, Parameters
    from conformance.codec.session import Session
    from conformance.judge.case import Violation
    from conformance.judge.findings.finding import Finding

LIMIT = "PYSPARK_EXECUTOR_MEMORY_MB"
"""Spark's limit on the address space of a worker and all its child processes, in the environment of the worker."""


def tried(parameters: Parameters, run: str, blocks: Iterable[Row]) -> Iterator[Row]:
    """Yield the rows of parts.

    Args:
        parameters: the campaign's parameters.
        run: a name of this run of the command: a worker loads an implementation once in a run.
        blocks: the blocks of whole parts, in order, with the rows of a corpus beside them.

    Raises:
        PartLost: the machine has ended the implementation's process, repeatedly.
    """
    _find_adapters(parameters.folder)
    for own in parts_of(blocks):
        subject = parameters.subjects[own[0]["subject"]]
        about = {**part_row(own, ()), IMPLEMENTATION: subject.label}
        try:
            _require_no_limit()
            session = HELD.session(parameters, subject, run)
            result = run_part(subject.label, session, list(_inputs(own)), parameters.seed)
        except HarnessLostError as error:
            HELD.close()
            raise PartLost(f"{subject.label}: {error}") from error
        except ConformanceError as error:
            HELD.close()
            yield {**about, "rows": 0, "hash": 0, "problem": f"{subject.label}: {error}"}
        else:
            yield from _rows(result, about, keeps_outcomes=parameters.keeps_rows)


def _require_no_limit() -> None:
    if int(os.environ.get(LIMIT) or -1) > 0:
        raise ConformanceError(
            "spark.executor.pyspark.memory would end implementations in place of --memory-limit, and accuse them: "
            "leave it out, and see spark.executor.memoryOverhead"
        )


def _inputs(rows: Sequence[Row]) -> Iterator[Input]:
    for _, own in groupby(rows, key=itemgetter("block")):
        group = list(own)
        block = TaskBlock(*(group[0][name] for name in TaskBlock._fields))
        is_kept = block.kind == KEPT and group[0].get("wire") is not None
        yield Input(block, [(row["name"], row["wire"]) for row in group] if is_kept else ())


def _rows(result: PartResult, about: Row, *, keeps_outcomes: bool) -> Iterator[Row]:
    label, hashes = about[IMPLEMENTATION], [hash_of(row) for row in result.rows]
    for row, each in zip(result.rows, hashes, strict=True) if keeps_outcomes else ():
        yield {"kind": OUTCOME, "hash": each, **row._asdict()}
    findings = [row for finding in result.findings for row in _finding_rows(finding, label)]
    yield from findings
    yield {
        **about,
        "rows": len(hashes),
        "hash": summed(hashes),
        "others": len(findings),
        "cases": result.cases,
        "deaths": result.deaths,
        "seconds": result.seconds,
        "has_faults": int(bool(result.faults)),
        "faults": json.dumps(result.faults) if result.faults else None,
    }


def _finding_rows(finding: Finding, label: str) -> Iterator[Row]:
    """Yield a row for each pair and field of a finding, the first one with the example."""
    key = finding.key
    example: str | None = example_text(finding.example)
    for (message, version), counts in sorted(finding.fields.items()):
        for place, cases in sorted(counts.items()):
            yield {
                "kind": FINDING,
                IMPLEMENTATION: label,
                "rule": key.rule,
                "outcome": key.outcome,
                "error": key.cluster,
                "message": message,
                "version": version,
                "place": place,
                "cases": cases,
                "example": example,
            }
            example = None


def example_text(example: Violation) -> str:
    """Return a violation as text, smaller for those of a smaller weight, with its event as JSON behind a tab."""
    rank, size, length, message, version, name, direction, *_ = example.weight
    weight = f"{rank.grade}{rank.is_elsewhere:d}{rank.noise:04}{size:09}{length + 1:09} {message} {version:05}"
    named = f"{weight} {name} {direction}".encode("ascii", "backslashreplace").decode()
    return f"{named}\t{json.dumps(as_json(example.event()))}"


class _HeldSession:
    """The session of this process, kept for the next parts of the same implementation in the same run."""

    def __init__(self) -> None:
        self._key: Any = None
        self._open = ExitStack()
        self._ends: Any = None
        self._session: Session | None = None

    def session(self, parameters: Parameters, subject: CampaignSubject, run: str) -> Session:
        """Return the session of an implementation.

        Raises:
            AdapterError: it cannot be loaded.
            HarnessStartError: it cannot be loaded in its own process.
        """
        self._ends = self._ends or Finalize(self, self.close, exitpriority=0)  # a process of a pool ends without atexit
        if self._session is None or self._key != (run, subject):
            self.close()
            release, limits, self._key = load_release(parameters.release), parameters.limits, (run, subject)
            if not is_over_stdio(subject.spec):
                with ChildCodec(subject.spec, release.name, **limits._asdict()) as child:
                    child.start()  # what cannot be loaded must not end this process
            with ForeignWarnings().taken():  # the driver has counted those of the import
                opened = open_session(subject.spec, release, limits, isolate_all=True)
                self._session = self._open.enter_context(opened)
        return self._session

    def close(self) -> None:
        """End the session."""
        self._session = None
        self._open.close()


HELD = _HeldSession()


def _find_adapters(folder: str) -> None:
    """Put the driver's folder last on the import path.

    An archive of this project there is replaced by its unpacked copy, so child processes, which need files, import the
    same.
    """
    entries = [Path(entry) for entry in sys.path]
    path = [str(unpacked(entry)) if entry.suffix == ".zip" and _is_ours(entry) else str(entry) for entry in entries]
    sys.path[:] = path if folder in path else [*path, folder]


def _is_ours(archive: Path) -> bool:
    return archive.is_file() and archive in Path(__file__).parents
