"""The Spark session of a job, either the user's own or a new one.

A new session gets a name, a quiet log, and on this machine the loopback interface and further attempts of a task. Spark
reads its own settings, and what the user sets is kept.
"""

from __future__ import annotations

import atexit
import os
import re
import shutil
import signal
import sys
import threading
import zipfile
from contextlib import contextmanager, suppress
from functools import cache
from importlib.resources import files
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING

from conformance.campaign.pipeline.errors import SparkUnavailable
from conformance.campaign.pipeline.requirements import CONNECT_PACKAGES, require_java, require_packages
from conformance.system.own_processes import own_environment

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pyspark.sql import SparkSession


MASTER, LOCAL, CONNECT = "spark.master", "local[*]", "sc://"
REMOTE, SUBMITTED = "SPARK_REMOTE", "PYSPARK_GATEWAY_PORT"
PATH = "spark.executorEnv.PYTHONPATH"
ATTEMPTS = 4
"""The attempts of a task on one machine, as on a cluster. Spark's own number there is 1."""
_THREADS = re.compile(r"local(?:\[([0-9]+|\*)\])?")


@contextmanager
def spark_session(master: str | None = None, settings: Mapping[str, str] | None = None) -> Iterator[SparkSession]:
    """Yield the active session, or start one and stop it at the end. Its workers can import this project.

    Args:
        master: Spark's master: `local[*]`, `local[2]`, `spark://host:7077`, `sc://host`, ... Without it Spark has that
            of spark-submit, SPARK_REMOTE or spark-defaults.conf, else `local[*]`.
        settings: settings of Spark that replace all others.

    Raises:
        SparkUnavailable: PySpark, one of its packages, or Java 17 is missing; Spark does not start; or the active
            session has another master or setting.
    """
    require_packages()
    given = {**(settings or {}), **({MASTER: master} if master else {})}
    active = active_session()
    if active is not None:
        _require_same(active, given)
    session = active or _started(given)
    try:
        if session.conf.get(PATH, None) != _own_path():
            send_archive(session)
        yield session
    finally:
        if active is None:
            _stop(session)


def active_session() -> SparkSession | None:
    """Return the active session of this process, classic or of Spark Connect, or None."""
    from pyspark import SparkContext  # noqa: PLC0415  # an extra
    from pyspark.errors import PySparkRuntimeError  # noqa: PLC0415  # an extra
    from pyspark.sql import SparkSession  # noqa: PLC0415  # an extra

    with suppress(PySparkRuntimeError):
        session = SparkSession.active()
        # A fork of a process with a session has the object, and no Spark behind it.
        if is_connect(session) or SparkContext._active_spark_context is not None:  # noqa: SLF001  # no public name
            return session
    return None


def is_connect(session: SparkSession) -> bool:
    """Return whether a session is one of Spark Connect."""
    return type(session).__module__.startswith("pyspark.sql.connect")


def reason_in(error: Exception) -> str:
    """Return the text of an error of Spark, or of the exception of Java behind it."""
    return str(getattr(error, "java_exception", None) or error).strip()


def _require_same(session: SparkSession, given: Mapping[str, str]) -> None:
    for key, value in given.items():
        actual = session.conf.get(key, None)
        if actual not in {value, _retried(value)}:
            option = f"--master {value}" if key == MASTER else f"--conf {key}={value}"
            raise SparkUnavailable(
                f"{option} was asked for, and the active Spark session has {key} {actual}. "
                "Leave the option out, or stop the session first."
            )


def _started(given: Mapping[str, str]) -> SparkSession:
    from py4j.protocol import Py4JError  # noqa: PLC0415  # an extra
    from pyspark.errors import PySparkException  # noqa: PLC0415  # an extra
    from pyspark.sql import SparkSession  # noqa: PLC0415  # an extra

    master = given.get(MASTER) or os.environ.get(REMOTE) or ("" if _has_settings() else LOCAL)
    if REMOTE in os.environ or master.startswith(CONNECT):
        require_packages(CONNECT_PACKAGES, "connect")
    if not master.startswith(CONNECT) and SUBMITTED not in os.environ:
        require_java()
    handler = signal.getsignal(signal.SIGINT)
    try:
        with _environment({} if SUBMITTED in os.environ else launch_variables(master)):
            return SparkSession.builder.config(map={**session_settings(master, given)}).getOrCreate()
    except (Py4JError, PySparkException) as error:
        where = f" with master {master!r}" if master else ""
        raise SparkUnavailable(
            f"Spark does not start{where}: {reason_in(error)}. See its messages above, --master and --conf."
        ) from error
    finally:
        # PySpark's own handler of control-C sends Java a request in the middle of another one, which fails.
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, handler)


def session_settings(master: str, given: Mapping[str, str]) -> Mapping[str, str]:
    """Return the settings of a new session by its master, empty if the user's files name it, and by those asked for."""
    if master.startswith(CONNECT):
        # Those of a server of Spark Connect, and of a session of spark-submit, are not ours to add to.
        return {**{key: value for key, value in given.items() if key != MASTER}, "spark.remote": master}
    if REMOTE in os.environ or SUBMITTED in os.environ:
        return given
    usual = {
        "spark.app.name": "kafka-wire-conformance",
        "spark.ui.showConsoleProgress": "false",
        # Workers import this project from its folder or its archive, never from their current folder.
        "spark.executorEnv.PYTHONSAFEPATH": "1",
        # An archive is slower.
        **({PATH: _own_path()} if _is_local(master) else {}),
    }
    return {**usual, **given, **({MASTER: _retried(master)} if master else {})}


def launch_variables(master: str) -> dict[str, str]:
    """Return variables for Spark's launcher: the workers' Python, the interface, and log4j's file."""
    interface = {"SPARK_LOCAL_IP": "127.0.0.1"} if _is_local(master) else {}
    quiet = {"LOG4J_CONFIGURATION_FILE": Path(__file__).with_name("log4j2.properties").as_uri()}
    return {"PYSPARK_PYTHON": sys.executable, **interface, **({} if _is_configured("log4j2.properties") else quiet)}


@contextmanager
def _environment(variables: Mapping[str, str]) -> Iterator[None]:
    further = {name: text for name, text in variables.items() if name not in os.environ}
    os.environ.update(further)
    try:
        yield
    finally:
        for name in further:
            del os.environ[name]


def _own_path() -> str:
    return own_environment()["PYTHONPATH"]


def _retried(master: str) -> str:
    """Return a master with further attempts for a task of a lost Python worker."""
    threads = _THREADS.fullmatch(master)
    return f"local[{threads[1] or 1},{ATTEMPTS}]" if threads else master


def _is_local(master: str) -> bool:
    return master.partition("[")[0] == "local"


def _has_settings() -> bool:
    """Return whether the user has settings of Spark, which may name a master. Spark alone reads them."""
    return _is_configured("spark-defaults.conf") or not os.environ.keys().isdisjoint((SUBMITTED, "PYSPARK_SUBMIT_ARGS"))


def _is_configured(name: str) -> bool:
    from pyspark.find_spark_home import _find_spark_home  # noqa: PLC0415  # an extra

    return Path(os.environ.get("SPARK_CONF_DIR") or Path(_find_spark_home(), "conf"), name).is_file()


def _stop(session: SparkSession) -> None:
    from py4j.protocol import Py4JError  # noqa: PLC0415  # an extra

    with suppress(Py4JError, OSError):
        session.stop()


ARCHIVE = "kafka_wire_conformance.zip"
ARCHIVED = ("conformance", "reference", "specs")
SUFFIXES = frozenset(
    (
        *(".json", ".md", ".py", ".toml"),
        *(".cpp", ".cs", ".csproj", ".go", ".hpp", ".java", ".mjs", ".mod", ".rs", ".sum", ".template", ".xml"),
    )
)
"""The suffixes of code, data, the book and harnesses in other languages.

The examples of the book are vectors. A worker finds a program by the hash of its sources, or builds it.
"""

EPOCH = (1980, 1, 1, 0, 0, 0)
"""The earliest time in a zip. All files have it, so the archive depends on their contents only."""


def write_archive(path: Path) -> None:
    """Write the packages and their data to a zip for `sys.path`."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for package in ARCHIVED:
            root = Path(str(files(package)))
            for file in sorted(root.rglob("*")):
                if file.suffix in SUFFIXES and file.is_file():
                    name = Path(package, file.relative_to(root)).as_posix()
                    archive.writestr(zipfile.ZipInfo(name, EPOCH), file.read_bytes(), zipfile.ZIP_DEFLATED)


def send_archive(session: SparkSession) -> None:
    """Let the workers of a session import this project, without a change to the import path of this process."""
    path = list(sys.path)  # PySpark adds the archive to the path of the driver too
    session.addArtifacts(str(_kept_archive()), pyfile=True)
    sys.path[:] = path


@cache
def _kept_archive() -> Path:
    """Return an archive for the life of this process, since new executors of a session fetch it later."""
    folder = Path(mkdtemp(prefix="kafka-wire-conformance-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    write_archive(folder / ARCHIVE)
    return folder / ARCHIVE
