"""A campaign on the workers of Spark: whether they have what it needs, and its tasks."""

from __future__ import annotations

import shutil
import socket
import sys
import time
from functools import partial
from hashlib import sha256
from importlib.util import find_spec
from itertools import islice
from typing import TYPE_CHECKING, Any

from conformance.bridge.adapter_files import module_spec
from conformance.bridge.loading import stdio_command
from conformance.campaign.folder import CAMPAIGN
from conformance.campaign.work import check, run_and_keep
from conformance.implementation.loaded_adapter import is_over_stdio
from conformance.pipeline.engines import map_on_spark
from conformance.pipeline.storage import Storage
from reference.errors import ConformanceError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pyspark.sql import SparkSession

    from conformance.campaign.plan import Parameters, Task
    from conformance.campaign.work import Work

MODULES = ("click", "construct", "hypothesis", "jsonschema", "pandas", "pyarrow")
"""What the process of a part imports beside this project."""

PAUSE = 0.3
"""Seconds that a question takes at least, so that the others go to other workers."""


class WorkersLack(ConformanceError):
    """Workers that cannot run a campaign; the text says which, and what to install there."""


def check_workers(session: SparkSession, parameters: Parameters, output: Storage) -> None:
    """Ask twice as many questions as there are cores: does this worker have all that it takes?

    Raises:
        WorkersLack: one has not, or none can run Python with this project.
    """
    from py4j.protocol import Py4JError  # noqa: PLC0415  # an extra
    from pyspark.errors import PySparkException  # noqa: PLC0415  # an extra

    mark = sha256(output.read(CAMPAIGN) or b"").hexdigest()
    question = partial(_answer, parameters, str(output), mark)
    try:
        count = 2 * session.sparkContext.defaultParallelism
        answers = map_on_spark(session, count, question, "host string, problem string")
    except (Py4JError, PySparkException) as error:
        modules = ", ".join(MODULES)
        raise WorkersLack(
            f"the workers cannot run Python with this project: {_last_line(error)}. Each needs Python "
            f"{sys.version_info.major}.{sys.version_info.minor} (PYSPARK_PYTHON names it) with {modules}."
        ) from error
    lacking = sorted({f"{row.host}: {row.problem}" for row in answers if row.problem})
    if lacking:
        raise WorkersLack("these workers cannot run the campaign: " + "; ".join(lacking))


def _answer(parameters: Parameters, output: str, mark: str, _: int) -> dict[str, Any]:
    time.sleep(PAUSE)
    return {"host": socket.gethostname(), "problem": ", ".join(problems(parameters, Storage(output), mark))}


def problems(parameters: Parameters, output: Storage, mark: str) -> Iterator[str]:
    """Yield what this machine lacks.

    Args:
        parameters: of the campaign.
        output: its folder.
        mark: the hash of the parameters that are kept in it, which this machine must see, too.
    """
    for module in MODULES:
        if find_spec(module) is None:
            yield f"no module {module}: install it for {sys.executable}"
    for subject in parameters.subjects:
        yield from _problem_of(subject.spec, parameters.folder)
    try:
        if sha256(output.read(CAMPAIGN) or b"").hexdigest() != mark:
            yield f"{output} is another folder here: name one that all machines share"
        if parameters.corpus and not Storage(parameters.corpus).sizes():
            yield f"the corpus {parameters.corpus} is not here: name a folder that all machines share"
    except ConformanceError as error:
        yield str(error)


def _problem_of(spec: str, folder: str) -> Iterator[str]:
    """Yield what is missing of one implementation."""
    if is_over_stdio(spec):
        program = stdio_command(spec)[0]
        if shutil.which(program) is None:
            yield f"no program {program}: install it at the same place as on the driver"
        return
    module = spec.partition(":")[0].partition(".")[0]
    if module_spec(module, folder) is None:
        yield f"no module {module}: install it for {sys.executable}"


def _last_line(error: Exception) -> str:
    """Return the last line of an error, where Python says what it is."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip() and not line.strip().startswith("at ")]
    named = [line for line in lines if "Error" in line or "Exception" in line]
    return (named or lines or ["no text"])[-1]


def run_on_spark(session: SparkSession, work: Work, tasks: Iterable[Task], together: int | None = None) -> None:
    """Run tasks; the workers must reach the folder, and what the implementations need.

    Args:
        session: of Spark.
        work: what the workers need.
        tasks: the next ones are taken up when those before are done.
        together: how many are given to Spark together, for each core; None: all.

    Raises:
        TaskFailed: a task cannot be run.
    """
    waiting, size = iter(tasks), together and together * session.sparkContext.defaultParallelism
    while wave := tuple(islice(waiting, size)):
        check(row["error"] for row in map_on_spark(session, len(wave), partial(_run_nth, work, wave), "error string"))


def _run_nth(work: Work, wave: Sequence[Task], index: int) -> dict[str, Any]:
    """Run a task; what is wrong with the implementation is returned, and what is not its fault is raised.

    So Spark tries a task again, and elsewhere, that the machine or the storage has ended.
    """
    return {"error": run_and_keep(work, wave[index])}
