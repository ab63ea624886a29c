"""The classes of a Java program, archived as its JVM holds them: to load them from jars is most of the time of a start.

Java calls it class data sharing. A run of the suite starts two JVMs for each worker.
"""

from __future__ import annotations

import hashlib
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from conformance.harnesses.building import JVM_OPTIONS, built_once

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

QUIET = ("-Xlog:disable", "-Xlog:all=error:stderr")
"""Standard output belongs to the protocol, and a JVM would warn there of an archive that it cannot use."""

DEADLINE = 120.0
"""Seconds for the run that makes an archive; it takes two."""


def archive_options(java: str, harness: Path, program: Sequence[str], told: Callable[[], str]) -> tuple[str, ...]:
    """Return the options with which a JVM takes the classes of a program from an archive, made if there is none.

    Each JVM has an archive of its own, beside the built program. Where it makes none, or cannot use it, the program
    loads its classes from the jars.

    Args:
        java: the path of the JVM.
        harness: the folder of the built program.
        program: its class path, main class and arguments.
        told: returns the standard input of the run that makes the archive, which decides what classes are in it.
    """
    archive = Path(f"{harness}-{_version_of(java)}.jsa")
    built_once("java", archive, lambda: _make(archive, java, program, told()))
    return (*QUIET, f"-XX:SharedArchiveFile={archive}") if archive.stat().st_size else ()


def _make(archive: Path, java: str, program: Sequence[str], told: str) -> None:
    """Make an archive; an empty one if that fails, which is not used, and not made again."""
    with tempfile.TemporaryDirectory(dir=archive.parent, prefix="building-") as scratch:
        made = Path(scratch) / archive.name
        command = (java, *QUIET, *JVM_OPTIONS, f"-XX:ArchiveClassesAtExit={made}", *program)
        try:
            subprocess.run(command, input=told.encode(), capture_output=True, check=True, timeout=DEADLINE)  # noqa: S603
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
            made.unlink(missing_ok=True)
        made.touch()
        made.replace(archive)


def _version_of(java: str) -> str:
    """Return what changes with the JVM."""
    program = Path(java).resolve()
    return hashlib.sha256(f"{program} {program.stat().st_mtime_ns}".encode()).hexdigest()[:8]
