"""Where parts are run: on Spark's workers, or in plain processes of this machine; the rows are the same."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any

from conformance.campaign.guard import PartFailed, run_guarded
from conformance.pipeline.engines import map_on_spark
from reference.errors import ConformanceError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyspark.sql import SparkSession

    from conformance.campaign.plan import Parameters, Part

DONE = "part long, error string"


def run_on_spark(
    session: SparkSession, parameters: Parameters, planned: Sequence[Part], numbers: Sequence[int], output: str
) -> None:
    """Run parts; the workers must reach `output`, and what the implementations need.

    Raises:
        PartFailed: a part cannot be run.
    """
    work = tuple((number, planned[number]) for number in numbers)
    _refuse_failed(map_on_spark(session, len(work), partial(_run_nth, parameters, work, output), DONE))


def run_in_processes(
    parameters: Parameters, planned: Sequence[Part], numbers: Sequence[int], output: str, workers: int
) -> None:
    """Run parts, so many at a time; each has a process of its own. Errors are as of `run_on_spark`."""
    work = tuple((number, planned[number]) for number in numbers)
    with ThreadPoolExecutor(workers) as pool:
        done = list(pool.map(partial(_run_nth, parameters, work, output), range(len(work))))
    _refuse_failed(done)


def _run_nth(parameters: Parameters, work: Sequence[tuple[int, Part]], output: str, index: int) -> dict[str, Any]:
    """Run a part; what is wrong with it is returned, for an exception would come back as a trace of Spark."""
    number, part = work[index]
    try:
        run_guarded(parameters, part, number, output)
    except ConformanceError as error:
        return {"part": number, "error": str(error)}
    return {"part": number, "error": ""}


def _refuse_failed(done: Sequence[Any]) -> None:
    errors = [row["error"] for row in done if row["error"]]
    if errors:
        more = f" (and {len(errors) - 1} other parts)" if len(errors) > 1 else ""
        raise PartFailed(f"{errors[0]}{more}. The other parts are kept: the same command goes on from them.")
