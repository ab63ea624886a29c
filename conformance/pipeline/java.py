"""The Java that Spark would start, and its version."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

from conformance.pipeline.errors import SparkUnavailable

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
        answer = subprocess.run([java, "-version"], capture_output=True, text=True, check=True, timeout=60)  # noqa: S603  # the user's Java
    except (OSError, subprocess.SubprocessError) as error:
        raise SparkUnavailable(f"{java} does not start: {error}. {ADVICE}") from error
    match = _VERSION.search(answer.stderr)
    if match is None:
        raise SparkUnavailable(f"{java} -version prints no version: {answer.stderr!r:.200}. {ADVICE}")
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
