"""A Spark session whose workers have this project, wherever they are."""

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
    # Workers take this project from the archive, and never from the folder they happen to stand in.
    "spark.executorEnv.PYTHONSAFEPATH": "1",
}
LOOPBACK = {"spark.driver.bindAddress": "127.0.0.1", "spark.driver.host": "127.0.0.1"}
"""On one machine nothing listens to the network."""


@contextmanager
def spark_session(master: str = LOCAL, settings: Mapping[str, str] | None = None) -> Iterator[SparkSession]:
    """A session that is stopped in the end; this project is shipped to its workers.

    Args:
        master: as Spark's: `local[*]`, `local[2]`, `spark://host:7077`, ...
        settings: further or other settings of Spark.

    Raises:
        SparkUnavailable: PySpark, what it needs, or Java 17 is missing; or Spark does not start with these settings.
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
    # An extra: the base install is free of Spark.
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
            f"Spark does not start with master {master!r}: {problem}. Its own words are above; see --master and --conf."
        ) from error


def session_settings(master: str, settings: Mapping[str, str]) -> dict[str, str]:
    """The settings of a session: what is given wins over what is usual here."""
    quiet = f"-Dlog4j2.configurationFile={(Path(__file__).with_name('log4j2.properties')).as_uri()}"
    usual = {**SETTINGS, "spark.driver.extraJavaOptions": quiet}
    return {**usual, **(LOOPBACK if _is_local(master) else {}), **settings}


def _is_local(master: str) -> bool:
    return master.startswith("local")


def require_spark() -> None:
    """See that all is there that Spark needs.

    Raises:
        SparkUnavailable: something is not; says what.
    """
    require_packages()
    require_java()


def require_packages() -> None:
    """See that the packages of the extra `spark` are there.

    Raises:
        SparkUnavailable: one is not; says which.
    """
    missing = [package for package in PACKAGES if find_spec(package) is None]
    if missing:
        raise SparkUnavailable(
            f"not installed: {', '.join(missing)}. Install them with `pip install 'kafka-wire-conformance[spark]'`."
        )
