"""One campaign twice, with plain processes and on Spark: the same parts, the same rows, and the time of each."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, NamedTuple

from conformance.campaign.engines import run_in_processes, run_on_spark
from conformance.campaign.folder import finish, prepare
from conformance.pipeline.session import spark_session
from conformance.pipeline.storage import Storage

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from conformance.campaign.preparation import Campaign

FACTS = {"finished": "", "seconds": 0.0}


class Side(NamedTuple):
    """One of the two.

    Attributes:
        name: which.
        seconds: from the first part to the last; the start of Spark is not counted.
        cases: by implementation: the number of cases, and the seconds of its parts.
        hashes: by implementation: the hash of its outcomes.
        load: the load average of the last minute, at the end.
    """

    name: str
    seconds: float
    cases: dict[str, tuple[int, float]]
    hashes: dict[str, str]
    load: float


def compare(campaign: Campaign, folder: Path, workers: int, settings: Mapping[str, str]) -> tuple[Side, Side]:
    """Run a campaign in so many processes, then on Spark with as many threads.

    Raises:
        PartFailed: a part cannot be run.
        SparkUnavailable: Spark does not start.
    """
    parameters, planned = campaign
    numbers = range(len(planned))

    def plainly(output: str) -> None:
        run_in_processes(parameters, planned, numbers, output, workers)

    plain = _side("processes", campaign, folder / "processes", plainly)
    with spark_session(f"local[{workers}]", settings) as session:
        session.range(workers).count()  # what is started with the first job is no part of the work

        def on_spark(output: str) -> None:
            run_on_spark(session, parameters, planned, numbers, output)

        return plain, _side("Spark", campaign, folder / "spark", on_spark)


def _side(name: str, campaign: Campaign, folder: Path, run: Callable[[str], None]) -> Side:
    output = Storage(str(folder))
    prepare(output, campaign.parameters, campaign.parts)
    start = time.perf_counter()
    run(str(folder))
    seconds = time.perf_counter() - start
    manifest = finish(output, campaign.parameters, campaign.parts, FACTS)
    cases = {each["implementation"]: (each["cases"], each["secondsOfWork"]) for each in manifest["implementations"]}
    hashes = {each["implementation"]: each["sha256"] for each in manifest["implementations"]}
    return Side(name, seconds, cases, hashes, os.getloadavg()[0])


def differing(one: Side, other: Side) -> list[str]:
    """Return the implementations whose outcomes differ."""
    return [name for name, digest in one.hashes.items() if other.hashes[name] != digest]
