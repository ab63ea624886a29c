"""The skeleton of an adapter in Python, with one message by hand and a place for a codec."""

from __future__ import annotations

import os
import shlex
from importlib import resources
from pathlib import Path

from conformance.adapters.harnesses.skeletons import NoPlaceError
from conformance.system.folders import made_folder
from conformance.system.shell import path_word
from conformance.system.whole_files import NotWritten, write_text

TEMPLATE = resources.files("conformance.adapters") / "adapter.py.template"
SUFFIX = ".py"


def write_adapter(name: str) -> Path:
    """Write the skeleton of an adapter into `NAME.py`, in a folder made if need be, or raise `NoPlaceError`."""
    file = Path(name if name.endswith(SUFFIX) else f"{name}{SUFFIX}")
    # The name is in a docstring of the file: it may not end that.
    if not file.stem.replace("-", "_").isidentifier() or not name.isprintable() or {'"', "\\"} & set(name):
        raise NoPlaceError(f"{name!r} is no name of a module: begin with a letter, and go on with letters and digits")
    text = TEMPLATE.read_text(encoding="utf-8").replace("MY_NAME", file.stem).replace("MY_PATH", path_of(file))
    if os.path.lexists(file):
        raise NoPlaceError(f"{file} is there already: name another file")
    try:
        with made_folder(file.parent):
            write_text(file, text)
    except NotWritten as error:
        raise NoPlaceError(str(error)) from error
    return file


def path_of(file: Path) -> str:
    """Return a file in the form for `--impl`, quoted for a shell."""
    return shlex.quote(path_word(file) if len(file.parts) > 1 else f"./{file}")
