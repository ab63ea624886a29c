"""The place of a Python adapter, with the module and the attribute or the file in `--impl`.

A file is imported by its own name. Its folder, or that of its topmost package, comes last on the import path, so that
the modules beside it are found. A file that shares its name with another module gets a name of its own.
"""

from __future__ import annotations

import os
import re
import sys
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

SUFFIX = ".py"
PACKAGE_FILE = "__init__.py"
# `kafka.py` may be the adapter of the library `kafka`
OWN_NAME = "adapter_of_{}"

_FILE = re.compile(r"(?P<file>[^:]*\.py|.*[/\\][^:]*)(?::(?P<attribute>.*))?", re.DOTALL)


class AdapterPlace(NamedTuple):
    """A module, and its attribute with the adapter."""

    module: str
    attribute: str = ""
    file: Path | None = None
    """The file of the module, if the file was named."""

    @property
    def location(self) -> Path | None:
        """The file, if an import of the module would give another one."""
        return None if self.file is None or is_found_by(self.module, self.file) else self.file


def place_of(spec: str) -> AdapterPlace:
    """Return the place in `--impl`, in the form `module:attribute` or `folder/file.py:attribute`."""
    named = _FILE.fullmatch(spec)
    if named is None:
        module, _, attribute = spec.partition(":")
        return AdapterPlace(module, attribute)
    file = Path(os.path.abspath(named["file"]))  # noqa: PTH100  # a link keeps its name
    name = ".".join([*file.parent.relative_to(import_folder(file)).parts, file.stem])
    is_own = is_found_by(name, file)
    return AdapterPlace(
        name if is_own else OWN_NAME.format(re.sub(r"\W", "_", file.stem)), named["attribute"] or "", file
    )


def import_folder(file: Path) -> Path:
    """Return the folder of the topmost package of a file, or its own folder without a package."""
    folder = file.parent
    while os.path.isfile(folder / PACKAGE_FILE):  # noqa: PTH113  # also false for a name that is too long
        folder = folder.parent
    return folder


def is_found_by(name: str, file: Path) -> bool:
    """Return whether the import of a name, with the file's own folder last on the path, gives a file."""
    if not all(part.isidentifier() for part in name.split(".")):
        return False
    spec = module_spec(name, str(import_folder(file)))
    return spec is not None and spec.origin is not None and Path(spec.origin).resolve() == file.resolve()


def module_spec(name: str, folder: str) -> ModuleSpec | None:
    """Return the place of a module on the import path, or else in a folder, without importing it or a package of it."""
    top, *rest = name.split(".")
    try:
        spec = find_spec(top) or PathFinder.find_spec(top, [folder])
    except ValueError:  # of a module that has no place
        return None
    for part in rest:
        spec = PathFinder.find_spec(part, spec.submodule_search_locations or []) if spec else None
    return spec


def add_import_folder(file: Path) -> None:
    """Put the folder from which a file is imported last on `sys.path`."""
    folder = str(import_folder(file))
    if folder not in sys.path:
        sys.path.append(folder)
