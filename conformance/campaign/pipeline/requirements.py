"""The packages and the Java that the engines need."""

from __future__ import annotations

import os
import re
import shutil
from importlib.util import find_spec
from pathlib import Path

from conformance.campaign.pipeline.errors import SparkUnavailable
from conformance.system.program_runs import run

PACKAGES = ("pyspark", "pandas", "pyarrow")
LOCAL_PACKAGES = ("pyarrow", "duckdb")
CONNECT_PACKAGES = ("grpc", "grpc_status", "google.rpc")


def require_spark() -> None:
    """Check that Spark's packages and Java are installed."""
    require_packages()
    require_java()


def require_packages(packages: tuple[str, ...] = PACKAGES, extra: str = "spark") -> None:
    """Check that the packages of an extra are installed, or raise SparkUnavailable."""
    missing = [package for package in packages if not _is_installed(package)]
    if missing:
        raise SparkUnavailable(
            f"not installed: {', '.join(missing)}. Install them with `pip install 'kafka-wire-conformance[{extra}]'`."
        )


def _is_installed(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ModuleNotFoundError:  # of the package around it
        return False


NEEDED = 17
ADVICE = f"Install Java {NEEDED} or later (any OpenJDK) and put `java` on the PATH, or let JAVA_HOME name its folder."
_VERSION = re.compile(r'version "(?:1\.)?([0-9]+)')


def require_java() -> None:
    """Check the Java of JAVA_HOME, else the first one on the PATH.

    Raises:
        SparkUnavailable: there is none, it does not start, or it is older than 17.
    """
    home = os.environ.get("JAVA_HOME")
    java = shutil.which(Path(home, "bin", "java") if home else "java")
    if java is None:
        where = f"JAVA_HOME is {home}, where there is no bin/java" if home else "there is no `java` on the PATH"
        raise SparkUnavailable(f"Spark needs Java {NEEDED} or later, and {where}. {ADVICE}")
    try:
        text = run([java, "-version"], seconds=60).errors
    except OSError as error:
        text = str(error)
    version = _VERSION.search(text)
    if version is None:
        raise SparkUnavailable(f"{java} -version prints no version: {text!r:.200}. {ADVICE}")
    if int(version[1]) < NEEDED:
        raise SparkUnavailable(f"Spark needs Java {NEEDED} or later, and {java} is Java {version[1]}. {ADVICE}")
