"""An archive of an environment for a worker, with the packages of this project.

They are the packages of the tests' own environment.
"""

import sys
import tarfile
import tomllib
import venv
from collections.abc import Iterable
from importlib.metadata import Distribution, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.helpers.runs import ROOT

OF_SPARK = "pyspark"
"""A package left out, since workers have that of their Spark."""

LEFT_OUT = frozenset(("..", "include", "tests"))
"""Folders of packages not needed there, and programs installed elsewhere."""


def pack(archive: Path, scratch: Path) -> None:
    """Write the archive, in the form of gzip but not compressed.

    Its Python is a link to the one of this machine.

    Args:
        archive: a file that ends with `.tar.gz`: from one that ends with `.tar`, Spark takes no links out of it.
        scratch: an empty folder.
    """
    venv.EnvBuilder(symlinks=True).create(scratch)
    place = f"lib/python{sys.version_info.major}.{sys.version_info.minor}/site-packages"
    with tarfile.open(archive, "w:gz", compresslevel=0) as packed:
        packed.add(scratch / "bin", "bin")
        packed.add(scratch / "pyvenv.cfg", "pyvenv.cfg")
        for each in needed():
            for file in each.files or ():
                if not LEFT_OUT & set(file.parts) and Path(str(file.locate())).is_file():
                    packed.add(str(file.locate()), f"{place}/{file.as_posix()}")


def needed() -> Iterable[Distribution]:
    """Return the packages of a plain install and of the extra `spark`, without PySpark."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    waiting = [*project["dependencies"], *project["optional-dependencies"]["spark"]]
    found: dict[str, Distribution] = {}
    while waiting:
        asked = Requirement(waiting.pop())
        name = canonicalize_name(asked.name)
        is_asked = asked.marker is None or asked.marker.evaluate({"extra": ""})
        if is_asked and name != OF_SPARK and name not in found:
            found[name] = distribution(name)
            waiting += found[name].requires or ()
    return found.values()
