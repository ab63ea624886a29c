"""Where the files of an adapter are, as far as its name tells: nothing of it is run."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from conformance.implementation.loaded_adapter import is_over_stdio

KNOWN_FAILURES = "known_failures.toml"
"""The file beside an adapter that lists its known failures."""


def adapter_file(impl: str) -> Path | None:
    """Return the file of the module that `--impl` names; None: it is a command, or there is no such module."""
    if is_over_stdio(impl):
        return None
    try:
        spec = find_spec(impl.partition(":")[0])
    except (ImportError, ValueError):
        return None
    return Path(spec.origin) if spec and spec.origin else None


def known_failures_file(impl: str) -> Path | None:
    """Return the file of known failures in the folder of an adapter; None: there is none."""
    file = adapter_file(impl)
    beside = file.parent / KNOWN_FAILURES if file else None
    return beside if beside and beside.is_file() else None
