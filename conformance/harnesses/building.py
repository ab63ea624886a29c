"""Building the Java programs of this room with Maven: each once for each release, into the user's cache."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs

if TYPE_CHECKING:
    from collections.abc import Iterator

JVM_OPTIONS = ("-Xmx1g", "-XX:+UseSerialGC")


class HarnessUnavailableError(Exception):
    """The harness cannot be built or started here; the text says what is missing."""


def build_java(program: str, release: str) -> Path:
    """Return a folder with a program and all its jars, built by Maven if it is not in the cache.

    The cache is keyed by release and sources, and a folder appears there only when it is complete.

    Args:
        program: the folder with its sources, beside this file.
        release: of Apache Kafka, whose jars it is built with.

    Raises:
        HarnessUnavailableError: java or mvn is missing, or the build failed.
    """
    with resources.as_file(resources.files("conformance.harnesses") / program) as sources:
        cache = Path(platformdirs.user_cache_dir("kafka-wire-conformance")) / "harnesses"
        finished = cache / f"{program}-{release}-{_digest(sources)}"
        if finished.is_dir():
            return finished
        cache.mkdir(parents=True, exist_ok=True)
        with _only_one_build(cache):
            if not finished.is_dir():
                _build_into(finished, release, sources)
    return finished


def _build_into(finished: Path, release: str, sources: Path) -> None:
    with tempfile.TemporaryDirectory(dir=finished.parent, prefix="building-") as scratch:
        project = Path(scratch) / "project"
        shutil.copytree(sources, project, ignore=shutil.ignore_patterns("target"))
        command = (tool("mvn"), "--batch-mode", "--quiet", f"-Dkafka.version={release}", "package")
        run = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)  # noqa: S603 - our own command
        if run.returncode != 0:
            raise HarnessUnavailableError(
                f"Maven could not build the Java harness for Apache Kafka {release}:\n{run.stdout}{run.stderr}"
            )
        (project / "target" / "harness").replace(finished)


def _digest(sources: Path) -> str:
    """Hash what the build depends on, names and contents."""
    files = sorted([sources / "pom.xml", *(sources / "src").rglob("*.java")])
    digest = hashlib.sha256()
    for file in files:
        content = file.read_bytes()
        digest.update(f"{file.relative_to(sources).as_posix()} {len(content)}\n".encode() + content)
    return digest.hexdigest()[:16]


@contextmanager
def _only_one_build(cache: Path) -> Iterator[None]:
    """Let one process build at a time: Maven's local repository does not stand concurrent downloads."""
    with (cache / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def tool(name: str) -> str:
    """The path of a program.

    Raises:
        HarnessUnavailableError: it is not there.
    """
    path = shutil.which(name)
    if path is None:
        raise HarnessUnavailableError(
            f"{name} is not on the PATH ({os.environ.get('PATH', '')}): "
            "the Apache Kafka harness needs Java 17 or later and Maven"
        )
    return path
