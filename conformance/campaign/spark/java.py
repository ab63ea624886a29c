"""The Java that Spark starts."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

from conformance.campaign.spark.spark_errors import SparkUnavailable
from conformance.system.program_runs import run

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
