"""Campaigns on the workers of Spark, with a check of their installation."""

from __future__ import annotations

import re
import shutil
import socket
import sys
import time
from functools import cache, partial
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from importlib.util import find_spec
from itertools import islice
from typing import TYPE_CHECKING, Any

from conformance.campaign.codec_hosts import check, run_and_keep
from conformance.campaign.folder import CAMPAIGN
from conformance.campaign.spark.engines import Job, map_on_spark
from conformance.campaign.spark.jobs import GO_ON, parallelism
from conformance.campaign.spark.settings import PYTHON, PYTHON_VARIABLE
from conformance.campaign.spark.spark_errors import JobFailed
from conformance.campaign.spark.spark_session import is_on_this_machine
from conformance.campaign.spark.storage import Storage
from conformance.codec.adapter_place import module_spec, place_of
from conformance.codec.bridge.loading import stdio_command
from conformance.codec.loaded_adapter import is_over_stdio
from reference.errors import ConformanceError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pyspark.sql import SparkSession

    from conformance.campaign.codec_hosts import Work
    from conformance.campaign.plan import Parameters, Task

DISTRIBUTION = "kafka-wire-conformance"
_REQUIREMENT = re.compile(r"(?P<name>[\w.-]+)[^;]*(?:;.*extra == ['\"](?P<extra>[\w-]+)['\"].*)?")

PYTHON_MEMORY = "spark.executor.pyspark.memory"
"""Spark's limit on the address space of a worker's Python and all its child processes."""
_NONE = re.compile(r"0*[a-z]*")

PAUSE = 0.3
"""Minimum seconds for a question. Meanwhile other questions go to other workers."""


class WorkersLack(ConformanceError):
    """Workers that cannot run a campaign.

    The text says which ones, and what to install there.
    """


def check_workers(session: SparkSession, parameters: Parameters, output: Storage) -> None:
    """Check that the workers have everything for a campaign.

    There are two questions for each core. Workers on this machine run this machine's Python, so only their memory limit
    is checked.

    Raises:
        WorkersLack: a worker lacks something, or no worker can run Python with this project.
    """
    _require_no_limit(session)
    if is_on_this_machine(session):
        return
    modules, mark = needed_modules(), sha256(output.read(CAMPAIGN) or b"").hexdigest()
    question = partial(_answer, parameters, str(output), mark, modules)
    job = Job(question, "host string, problem string", "check of the workers")
    try:
        answers = map_on_spark(session, 2 * parallelism(session), job)
    except JobFailed as error:
        raise WorkersLack(
            f"the workers cannot run Python with this project: {error.reason}. Each needs Python "
            f"{sys.version_info.major}.{sys.version_info.minor} ({PYTHON} or {PYTHON_VARIABLE} names it) with "
            f"{', '.join(modules)}."
        ) from error
    lacking = sorted({f"{row.host}: {row.problem}" for row in answers if row.problem})
    if lacking:
        raise WorkersLack("these workers cannot run the campaign: " + "; ".join(lacking))


def _require_no_limit(session: SparkSession) -> None:
    """Check that Spark does not limit the memory of codecs.

    Codecs would be blamed for memory that --memory-limit allows.
    """
    limit = session.conf.get(PYTHON_MEMORY, None) or ""
    if not _NONE.fullmatch(limit):
        raise WorkersLack(
            f"{PYTHON_MEMORY} is {limit}, and limits codecs in place of --memory-limit: they would be accused of it. "
            f"Leave it out, or give --conf {PYTHON_MEMORY}=0; spark.executor.memoryOverhead makes room for them."
        )


@cache
def needed_modules() -> tuple[str, ...]:
    """Return the modules that workers need besides this project.

    They are the modules of its requirements and of the extra `spark`, from the metadata of the installed package. A
    checkout without an installation names none.
    """
    try:
        found = [_REQUIREMENT.match(text) for text in requires(DISTRIBUTION) or ()]
    except PackageNotFoundError:
        return ()
    names = {_normal(each["name"]) for each in found if each and each["extra"] in {None, "spark"}}
    modules: dict[str, list[str]] = {}
    for module, distributions in packages_distributions().items():
        for name in names & set(map(_normal, distributions)):
            modules.setdefault(name, []).append(module)
    # A distribution may have several modules. One of them is enough to find out whether it is installed.
    return tuple(sorted(name if name in modules[name] else min(modules[name]) for name in modules))


def _normal(name: str) -> str:
    """Return the name of a distribution in the form of a module's name."""
    return re.sub(r"[-_.]+", "_", name).lower()


def _answer(parameters: Parameters, output: str, mark: str, modules: tuple[str, ...], _: int) -> dict[str, Any]:
    time.sleep(PAUSE)
    return {"host": socket.gethostname(), "problem": ", ".join(problems(parameters, Storage(output), mark, modules))}


def problems(parameters: Parameters, output: Storage, mark: str, modules: tuple[str, ...] = ()) -> Iterator[str]:
    """Yield the problems of this machine with a campaign.

    Args:
        parameters: the campaign's parameters.
        output: the campaign's folder.
        mark: the expected hash of the parameters in that folder, as a check that this machine sees the same folder.
        modules: modules needed besides this project.
    """
    for module in modules:
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
    """Yield the missing program or module of one implementation."""
    if is_over_stdio(spec):
        program = stdio_command(spec)[0]
        if shutil.which(program) is None:
            yield f"no program {program}: install it at the same place as on the driver"
        return
    place = place_of(spec)
    if place.file and not place.file.is_file():
        yield f"no file {place.file}: put it at the same place as on the driver"
    module = place.module.partition(".")[0]
    if place.file is None and module_spec(module, folder) is None:
        yield f"no module {module}: install it for {sys.executable}, or send it with --py-files"


def run_on_spark(session: SparkSession, work: Work, tasks: Iterable[Task], together: int | None = None) -> None:
    """Run tasks on Spark.

    The workers must reach the folder, and all files of the implementations.

    Args:
        session: Spark's session.
        work: the facts for the workers.
        tasks: the tasks; a wave of them begins when the previous one is done.
        together: the number of tasks in a wave for each core; None for all.

    Raises:
        TaskFailed: a task cannot be run.
        JobFailed: Spark failed.
    """
    waiting, size = iter(tasks), together and together * parallelism(session)
    about = f"campaign of {', '.join(subject.label for subject in work.parameters.subjects)}"
    while wave := tuple(islice(waiting, size)):
        job = Job(partial(_run_nth, work, wave), "error string", about, GO_ON)
        check(row["error"] for row in map_on_spark(session, len(wave), job))


def _run_nth(work: Work, wave: Sequence[Task], index: int) -> dict[str, Any]:
    """Run a task, and return the problem of the implementation.

    Other problems are raised. So Spark retries a task on another worker after a failure of the machine or the storage.
    """
    return {"error": run_and_keep(work, wave[index])}
