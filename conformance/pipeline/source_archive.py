"""This project as one zip, from which Spark's workers import it."""

from __future__ import annotations

import zipfile
from importlib.resources import files
from pathlib import Path

PACKAGES = ("conformance", "reference", "specs")
SUFFIXES = frozenset((".py", ".json", ".toml"))
EPOCH = (1980, 1, 1, 0, 0, 0)
"""The earliest time that a zip can hold; with one time for all, the archive depends only on the files' contents."""


def write_archive(path: Path) -> None:
    """Write the packages and their data to a zip that can be put on `sys.path`."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for package in PACKAGES:
            root = Path(str(files(package)))
            for file in sorted(root.rglob("*")):
                if file.suffix in SUFFIXES and file.is_file():
                    name = Path(package, file.relative_to(root)).as_posix()
                    archive.writestr(zipfile.ZipInfo(name, EPOCH), file.read_bytes(), zipfile.ZIP_DEFLATED)
