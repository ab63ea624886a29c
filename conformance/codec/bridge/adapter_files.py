"""Where the files of an adapter are, as far as its name tells: nothing of it is run."""

from __future__ import annotations

from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import find_spec
from pathlib import Path

from conformance.codec.loaded_adapter import is_over_stdio
from conformance.system.import_path import current_folder

KNOWN_FAILURES = "known_failures.toml"
"""The file beside an adapter that lists its known failures."""

ROWS = "known_failures"
"""The folder of a package that has such files of adapters that are objects of the package, by their names."""


def adapter_file(impl: str) -> Path | None:
    """Return the file of the module that `--impl` names, or of its package if that has none; None: it is a command."""
    if is_over_stdio(impl):
        return None
    module = impl.partition(":")[0]
    return _file_of(module) or _file_of(module.rpartition(".")[0])


def known_failures_file(impl: str) -> Path | None:
    """Return the file of known failures that belongs to an adapter; None: there is none."""
    file = adapter_file(impl)
    if file is None:
        return None
    module = impl.partition(":")[0]
    belongs = file.parent / KNOWN_FAILURES
    if not _file_of(module):
        belongs = file.parent / ROWS / f"{module.rpartition('.')[2]}.toml"
    return belongs if belongs.is_file() else None


def module_spec(name: str, folder: str) -> ModuleSpec | None:
    """Return where a module is: on the import path, or else in a folder. Neither it nor a package of it is imported."""
    top, *rest = name.split(".")
    try:
        spec = find_spec(top) or PathFinder.find_spec(top, [folder])
    except ValueError:  # of a module that has no place
        return None
    for part in rest:
        spec = PathFinder.find_spec(part, spec.submodule_search_locations or []) if spec else None
    return spec


def _file_of(module: str) -> Path | None:
    spec = module_spec(module, current_folder())
    return Path(spec.origin) if spec and spec.origin else None
