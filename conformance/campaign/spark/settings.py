"""The settings of a session started here, the user's and added ones."""

from __future__ import annotations

import os
import re
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from conformance.system.own_processes import own_environment

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

NAME = "kafka-wire-conformance"
LOCAL = "local[*]"
ATTEMPTS = 4
"""The attempts of a task on one machine, as on a cluster. Spark's own number there is 1."""
SHELL = "pyspark-shell"
"""The name that Spark's launcher gives to a program without a name."""

LOOPBACK = "127.0.0.1"
SUBMITTED = "PYSPARK_GATEWAY_PORT"
"""The environment variable that is set for programs of spark-submit."""
PYTHON, PYTHON_VARIABLE = "spark.pyspark.python", "PYSPARK_PYTHON"
"""The names of the workers' Python: Spark's setting, which has precedence, and the environment variable."""
OPTIONS, ADDRESS, ARGUMENTS = "SPARK_SUBMIT_OPTS", "SPARK_LOCAL_IP", "PYSPARK_SUBMIT_ARGS"
LOGGING = ("LOG4J_CONFIGURATION_FILE", "JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", ARGUMENTS)
"""Environment variables that may name a configuration of log4j. The one in OPTIONS has precedence over all."""

USUAL = {
    "spark.app.name": NAME,
    "spark.ui.showConsoleProgress": "false",
    # Workers import this project from the archive, never from their current folder.
    "spark.executorEnv.PYTHONSAFEPATH": "1",
}
ADDRESSES = {"spark.driver.bindAddress": LOOPBACK, "spark.driver.host": LOOPBACK}
"""On one machine, Spark listens to the loopback interface only."""
BINDING = {"spark.connect.grpc.binding.address": LOOPBACK}
"""The same for a Spark Connect server of this process."""

_SETTING = re.compile(r"\s*([^#!\s=:][^\s=:]*)\s*[\s=:]\s*(.*?)\s*")
_THREADS = re.compile(r"local(?:\[([0-9]+|\*)\])?")


def added(given: Mapping[str, str]) -> dict[str, str]:
    """Return the settings added to those of a user."""
    master = given.get("spark.master", LOCAL)
    known = {key for key in given if key != "spark.app.name" or given[key] not in _default_names()}
    usual = {**USUAL, **({} if known & ADDRESSES.keys() or not _is_private(master) else ADDRESSES)}
    return {**{key: usual[key] for key in usual if key not in known}, "spark.master": retrying(master)}


def _is_private(master: str) -> bool:
    """Return whether Spark must listen on the loopback interface only."""
    return is_local(master) and os.environ.get(ADDRESS, LOOPBACK) == LOOPBACK


def _default_names() -> tuple[str, ...]:
    """Return the names that Spark gives to a program without a name."""
    return SHELL, Path(sys.argv[0]).name


def retrying(master: str) -> str:
    """Return a master with further attempts for a task of a lost Python worker."""
    threads = _THREADS.fullmatch(master)
    return f"local[{threads[1] or 1},{ATTEMPTS}]" if threads else master


def is_local(master: str) -> bool:
    """Return whether all of Spark is on this machine.

    It is in threads of one process, or in a cluster on the loopback interface.
    """
    return master.startswith(("local", f"spark://{LOOPBACK}:", "spark://localhost:"))


def defaults() -> dict[str, str]:
    """Return the settings of the user's spark-defaults.conf."""
    file = _configuration() / "spark-defaults.conf"
    lines = file.read_text(encoding="utf-8", errors="replace").splitlines() if file.is_file() else []
    return {found[1]: found[2] for found in map(_SETTING.fullmatch, lines) if found}


def _configuration() -> Path:
    """Return Spark's folder of configurations."""
    from pyspark.find_spark_home import _find_spark_home  # noqa: PLC0415  # an extra

    return Path(os.environ.get("SPARK_CONF_DIR") or Path(_find_spark_home(), "conf"))


def launched(given: Mapping[str, str]) -> dict[str, str]:
    """Return the settings for Spark's launcher.

    They are the given ones, without Spark's progress bar, since there is another one. The launcher switches Spark's bar
    on unless the user sets it.
    """
    bar = "spark.ui.showConsoleProgress"
    is_set = bar in defaults() or bar in os.environ.get(ARGUMENTS, "")
    return {**({} if is_set else {bar: USUAL[bar]}), **given}


@contextmanager
def launch_environment(given: Mapping[str, str]) -> Iterator[None]:
    """Add the environment variables for Spark's launcher, and remove them at the end."""
    variables = _variables(given)
    before = {name: os.environ[name] for name in variables if name in os.environ}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name in variables:
            del os.environ[name]
        os.environ.update(before)


def _variables(given: Mapping[str, str]) -> dict[str, str]:
    """Return the variables for the workers' Python, the interface, and log4j's file.

    Workers on this machine import this project from its folder, not from an archive, which is slower.
    """
    variables = {PYTHON_VARIABLE: _python(given)}
    master = given.get("spark.master") or _expected_master()
    if master.startswith("local"):
        variables["PYTHONPATH"] = own_environment()["PYTHONPATH"]
    if is_local(master):
        variables[ADDRESS] = os.environ.get(ADDRESS, LOOPBACK)
    if not _has_logging():
        quiet = f"-Dlog4j2.configurationFile={Path(__file__).with_name('log4j2.properties').as_uri()}"
        variables[OPTIONS] = f"{quiet} {os.environ.get(OPTIONS, '')}".strip()  # the last of two options wins
    return variables


def _python(given: Mapping[str, str]) -> str:
    """Return the workers' Python, either the user's or this one.

    PySpark reads only the environment variable, unless it is submitted.
    """
    named = given.get(PYTHON) or defaults().get(PYTHON)
    return named or os.environ.get(PYTHON_VARIABLE, sys.executable)


def _expected_master() -> str:
    """Return the expected master of Spark's launcher, or an empty text.

    It is empty if only Spark can find out.
    """
    if ARGUMENTS in os.environ:
        return ""
    return defaults().get("spark.master") or os.environ.get("MASTER", LOCAL)


def _has_logging() -> bool:
    """Return whether the user has a configuration of log4j."""
    return any(_configuration().glob("log4j2*")) or any("log4j" in os.environ.get(name, "").lower() for name in LOGGING)
