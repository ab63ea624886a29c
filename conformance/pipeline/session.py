"""A Spark session whose workers can import this project, from one zip; and the Java that it starts."""

from __future__ import annotations

import os
import re
import shutil
import sys
import zipfile
from contextlib import contextmanager
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from conformance.processes.run import run
from reference.errors import ConformanceError
from reference.release import FURTHER

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pyspark.sql import SparkSession


class SparkUnavailable(ConformanceError):
    """PySpark or its Java is missing, or too old."""


class NotThisCorpus(ConformanceError):
    """A folder holds something else than the corpus that was asked for."""


NEEDED = 17
ADVICE = f"Install Java {NEEDED} or later (any OpenJDK) and put `java` on the PATH, or let JAVA_HOME name its folder."
_VERSION = re.compile(r'version "(?:1\.)?([0-9]+)')


def require_java() -> int:
    """Return the major version of the Java that Spark would start: that of JAVA_HOME, else the first on the PATH.

    Raises:
        SparkUnavailable: there is none, it does not start, or it is older than 17.
    """
    java = _java()
    try:
        answer = run([java, "-version"], seconds=60)
    except OSError as error:
        raise SparkUnavailable(f"{java} does not start: {error}. {ADVICE}") from error
    if answer.status != 0:
        raise SparkUnavailable(f"{java} does not start: {answer.text!r:.200}. {ADVICE}")
    match = _VERSION.search(answer.errors)
    if match is None:
        raise SparkUnavailable(f"{java} -version prints no version: {answer.errors!r:.200}. {ADVICE}")
    version = int(match[1])
    if version < NEEDED:
        raise SparkUnavailable(f"Spark needs Java {NEEDED} or later, and {java} is Java {version}. {ADVICE}")
    return version


def _java() -> str:
    home = os.environ.get("JAVA_HOME")
    java = str(Path(home) / "bin" / "java") if home else "java"
    path = shutil.which(java)
    if path is None:
        where = f"JAVA_HOME is {home}, where there is no bin/java" if home else "there is no `java` on the PATH"
        raise SparkUnavailable(f"Spark needs Java {NEEDED} or later, and {where}. {ADVICE}")
    return path


ARCHIVED = ("conformance", "reference", "specs")
SUFFIXES = frozenset((".md", ".py", ".json", ".toml"))
"""Of code, data and the book, whose examples are vectors."""
SOURCES = frozenset(
    (".cpp", ".cs", ".csproj", ".go", ".hpp", ".java", ".mjs", ".mod", ".rs", ".sum", ".template", ".xml")
)
"""Of harnesses in other languages: a worker finds a program by the hash of its sources, or builds it."""

EPOCH = (1980, 1, 1, 0, 0, 0)
"""The earliest time that a zip can hold; with one time for all, the archive depends only on the files' contents."""


def write_archive(path: Path) -> None:
    """Write the packages and their data to a zip that can be put on `sys.path`."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for package in ARCHIVED:
            root = Path(str(files(package)))
            for file in sorted(root.rglob("*")):
                if file.suffix in SUFFIXES | SOURCES and file.is_file():
                    name = Path(package, file.relative_to(root)).as_posix()
                    archive.writestr(zipfile.ZipInfo(name, EPOCH), file.read_bytes(), zipfile.ZIP_DEFLATED)


LOCAL = "local[*]"
ARCHIVE = "kafka_wire_conformance.zip"
PACKAGES = ("pyspark", "pandas", "pyarrow")

SETTINGS = {
    "spark.driver.memory": "1g",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    # Workers import this project from the archive, never from their current folder.
    "spark.executorEnv.PYTHONSAFEPATH": "1",
}
LOOPBACK = {"spark.driver.bindAddress": "127.0.0.1", "spark.driver.host": "127.0.0.1"}
"""On one machine, Spark listens to the loopback interface only."""


@contextmanager
def spark_session(master: str = LOCAL, settings: Mapping[str, str] | None = None) -> Iterator[SparkSession]:
    """Start a session, send this project to its workers, and stop the session in the end.

    Args:
        master: Spark's master: `local[*]`, `local[2]`, `spark://host:7077`, ...
        settings: settings of Spark that replace or join the usual ones.

    Raises:
        SparkUnavailable: PySpark, one of its packages, or Java 17 is missing; or Spark does not start.
    """
    require_spark()
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    if _is_local(master):
        os.environ.setdefault("SPARK_LOCAL_IP", LOOPBACK["spark.driver.host"])
    with TemporaryDirectory(prefix="kafka-wire-conformance-") as folder:
        archive = Path(folder) / ARCHIVE
        write_archive(archive)
        session = _start(master, session_settings(master, settings or {}))
        try:
            _send(session, archive)
            yield session
        finally:
            session.stop()


def _send(session: SparkSession, archive: Path) -> None:
    """Let workers import from an archive; this process, and those that it starts, import from where they did."""
    path = list(sys.path)
    session.sparkContext.addPyFile(str(archive))
    sys.path[:] = path


def _start(master: str, settings: Mapping[str, str]) -> SparkSession:
    # Imported late: Spark is an extra.
    from py4j.protocol import Py4JError, Py4JJavaError  # noqa: PLC0415
    from pyspark.errors import PySparkException  # noqa: PLC0415
    from pyspark.sql import SparkSession  # noqa: PLC0415

    builder = SparkSession.builder.appName("kafka-wire-conformance").master(master)
    for key, value in settings.items():
        builder = builder.config(key, value)
    try:
        return builder.getOrCreate()
    except (Py4JError, PySparkException) as error:
        problem = error.java_exception.getMessage() if isinstance(error, Py4JJavaError) else error
        raise SparkUnavailable(
            f"Spark does not start with master {master!r}: {problem}. See its messages above, --master and --conf."
        ) from error


def session_settings(master: str, settings: Mapping[str, str]) -> dict[str, str]:
    """Return the settings of a session; `settings` replace the usual ones."""
    quiet = f"-Dlog4j2.configurationFile={(Path(__file__).with_name('log4j2.properties')).as_uri()}"
    usual = {**SETTINGS, "spark.driver.extraJavaOptions": quiet}
    known = {f"spark.executorEnv.{FURTHER}": os.environ[FURTHER]} if os.environ.get(FURTHER) else {}
    return {**usual, **known, **(LOOPBACK if _is_local(master) else {}), **settings}


def _is_local(master: str) -> bool:
    """Return whether all is on this machine: threads of one process, or a cluster on the loopback interface."""
    return master.startswith(("local", "spark://127.0.0.1:", "spark://localhost:"))


def require_spark() -> None:
    """Check that Spark's packages and Java are installed. Errors are as of `require_packages`."""
    require_packages()
    require_java()


def require_packages() -> None:
    """Check that the packages of the extra `spark` are installed.

    Raises:
        SparkUnavailable: one is not.
    """
    missing = [package for package in PACKAGES if find_spec(package) is None]
    if missing:
        raise SparkUnavailable(
            f"not installed: {', '.join(missing)}. Install them with `pip install 'kafka-wire-conformance[spark]'`."
        )
