"""The classes of a Java program, archived as its JVM holds them: to load some thousand from jars takes half a second.

Java calls it class data sharing. Each start of a run saves that time, and a run starts two JVMs for each worker.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from conformance.harnesses.building import built_once

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

QUIET = ("-Xlog:disable", "-Xlog:all=error:stderr")
"""Standard output belongs to the protocol, and a JVM would warn there of an archive that it cannot use."""

DEADLINE = 120.0
"""Seconds for the run that makes an archive; it takes two."""


def with_archive(
    java: str, options: Sequence[str], class_path: str, program: Sequence[str], told: Callable[[], str]
) -> tuple[str, ...]:
    """Return the command of a Java program that takes its classes from an archive.

    The archive is made if there is none for this class path and this JVM, by a run of the program. Where a JVM makes
    none, or cannot use it, the program loads its classes from the jars.

    Args:
        java: the path of the JVM.
        options: of the JVM.
        class_path: the program's: jars, or folders with `/*`.
        program: its main class and arguments.
        told: returns the standard input of the run that makes the archive, which decides what classes are in it.
    """
    first = class_path.partition(os.pathsep)[0].removesuffix("/*")
    archive = Path(f"{first}-{_version_of(java)}.jsa")
    command = ("-cp", class_path, *program)

    def make() -> None:
        unfinished = archive.with_suffix(f".{os.getpid()}")
        making = (java, *QUIET, *options, f"-XX:ArchiveClassesAtExit={unfinished}", *command)
        with suppress(subprocess.TimeoutExpired):
            subprocess.run(making, input=told().encode(), capture_output=True, check=False, timeout=DEADLINE)  # noqa: S603
        unfinished.touch()  # an empty one is not used, and not made again
        unfinished.replace(archive)

    built_once("java", archive, make)
    used = (f"-XX:SharedArchiveFile={archive}",) if archive.stat().st_size else ()
    return (java, *QUIET, *options, *used, *command)


def _version_of(java: str) -> str:
    """Return what changes with the JVM."""
    program = Path(java).resolve()
    return hashlib.sha256(f"{program} {program.stat().st_mtime_ns}".encode()).hexdigest()[:8]
