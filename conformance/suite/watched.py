"""The list of the implementation's files, for `kafka-conformance run --watch`."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from conformance.suite.import_guard import HOME, PACKAGES
from conformance.system.import_path import LIBRARY

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

FILES = "KAFKA_CONFORMANCE_FILES"
"""The variable with the path of the list."""


class WatchedRun:
    """A plugin with the list of files at the end of a run, also of one without a beginning."""

    def __init__(self) -> None:
        self._known = set(sys.modules)
        self._files: dict[str, None] = {}
        self._list = Path(os.environ[FILES])
        self.write()  # a list is the sign of a run that has begun, also if its adapter ends the process

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        """Add the files imported by now to the record of an item."""
        try:
            yield
        finally:
            # A fork that runs the items sends the files of its own imports with the reports.
            item.user_properties.append((FILES, [*self._imported()]))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take the files of a report."""
        for name, files in report.user_properties:
            if name == FILES and isinstance(files, list):
                self._files.update(dict.fromkeys(files))

    def pytest_unconfigure(self) -> None:
        """Write the list of files."""
        self.write()

    def write(self) -> None:
        """Write the files of all modules imported since this plugin was made."""
        self._files.update(dict.fromkeys(self._imported()))
        self._list.write_text("\n".join(self._files), encoding="utf-8")

    def _imported(self) -> Iterator[str]:
        """Yield the files imported since the last call."""
        new = [name for name in sys.modules if name not in self._known]
        self._known.update(new)
        return files_of(new)


def files_of(modules: Iterable[str]) -> Iterator[str]:
    """Yield the files of modules outside of Python and of the suite."""
    for name in modules:
        file = getattr(sys.modules.get(name), "__file__", None)
        if file and not _is_of_suite(Path(file)) and not _is_of_python(file):
            yield file


def _is_of_suite(file: Path) -> bool:
    return any(file.is_relative_to(HOME / package) for package in PACKAGES)


def _is_of_python(file: str) -> bool:
    return file.startswith(LIBRARY) and "site-packages" not in file
