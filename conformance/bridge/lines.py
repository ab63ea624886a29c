"""The lines of a codec that a call runs, by `sys.monitoring`: Python 3.12 or later has it.

Lines of Python's library, of this project, and of what this project imports are left out.
"""

from __future__ import annotations

import sys
import sysconfig
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType

CAN_TELL = hasattr(sys, "monitoring")
"""Whether this Python can tell."""

NAME = "kafka-wire-conformance"
PACKAGES = frozenset(("site-packages", "dist-packages"))


def own_folders() -> frozenset[str]:
    """Return the folders of all packages and modules that are loaded: called before a codec is loaded."""
    loaded = (getattr(module, "__file__", None) for name, module in sys.modules.items() if "." not in name)
    return frozenset(_place(Path(file)) for file in loaded if file)


def _place(file: Path) -> str:
    return str(file.parent if file.name == "__init__.py" else file)


class Lines:
    """What runs of a codec, from the creation of this object on, in this process.

    Args:
        left_out: folders and files of which nothing is told: `own_folders`.
    """

    def __init__(self, left_out: frozenset[str]) -> None:
        self._left_out = tuple(left_out)
        self._standard = str(Path(sysconfig.get_path("stdlib")).resolve())
        self._is_watched: dict[str, bool] = {}
        self._seen: set[int] = set()
        monitoring = _monitoring()
        self._tool = monitoring.COVERAGE_ID
        monitoring.use_tool_id(self._tool, NAME)
        monitoring.register_callback(self._tool, monitoring.events.PY_START, self._started)
        monitoring.register_callback(self._tool, monitoring.events.LINE, self._ran)
        monitoring.set_events(self._tool, monitoring.events.PY_START)

    def close(self) -> None:
        """Watch nothing any more."""
        _monitoring().set_events(self._tool, 0)
        _monitoring().free_tool_id(self._tool)

    def of(self, call: Callable[[], Any]) -> tuple[Any, list[int]]:
        """Return what a call returns, and the lines that it has run, as numbers: one line, one number."""
        self._seen.clear()
        _monitoring().restart_events()
        return call(), sorted(self._seen)

    def _started(self, code: CodeType, _offset: int) -> Any:
        monitoring = _monitoring()
        if self._watches(code.co_filename):
            monitoring.set_local_events(self._tool, code, monitoring.events.LINE)
        return monitoring.DISABLE

    def _ran(self, code: CodeType, line: int) -> Any:
        self._seen.add(zlib.crc32(f"{code.co_filename}:{line}".encode()))
        return _monitoring().DISABLE

    def _watches(self, file: str) -> bool:
        if file not in self._is_watched:
            self._is_watched[file] = self._is_of_codec(file)
        return self._is_watched[file]

    def _is_of_codec(self, file: str) -> bool:
        path = Path(file)
        if not path.is_absolute():  # made from a text, as the code of a dataclass is
            return False
        in_standard = str(path.resolve()).startswith(self._standard) and not PACKAGES.intersection(path.parts)
        return not in_standard and not any(file == folder or file.startswith(f"{folder}/") for folder in self._left_out)


def _monitoring() -> Any:
    """Return `sys.monitoring`, which the types of older Pythons do not have."""
    return sys.monitoring  # type: ignore[attr-defined,unused-ignore]
