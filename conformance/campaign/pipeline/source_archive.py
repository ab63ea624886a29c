"""The archive of this project for workers of Spark."""

from __future__ import annotations

import atexit
import shutil
import sys
import zipfile
from functools import cache
from importlib.resources import files
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

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
