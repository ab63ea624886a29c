"""A Spark session whose workers can import this project."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from conformance.pipeline.errors import SparkUnavailable
from conformance.pipeline.java import require_java
from conformance.pipeline.source_archive import write_archive

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pyspark.sql import SparkSession

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
            session.sparkContext.addPyFile(str(archive))
            yield session
        finally:
            session.stop()


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
    return {**usual, **(LOOPBACK if _is_local(master) else {}), **settings}


def _is_local(master: str) -> bool:
    return master.startswith("local")


def require_spark() -> None:
    """Check that Spark's packages and Java are installed.

    Raises:
        SparkUnavailable: one is not.
    """
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
