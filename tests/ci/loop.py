"""A loop over programs, which goes on after a failure and fails at its end."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from conformance.system.terminal import echo
from reference import newest_release, releases

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build"
REPORTS = BUILD / "reports"
KAFKA_CONFORMANCE = (sys.executable, "-m", "conformance")


def chosen(kind: str, given: Iterable[str] | None, known: Iterable[str]) -> list[str]:
    """Return the names that are given, or all that are known.

    Raises:
        click.UsageError: a name is unknown, or there is none: a loop over nothing would pass.
    """
    known = list(known)
    names = known if given is None else list(given)
    unknown = [name for name in names if name not in known]
    if not names or unknown:
        problem = f"no {kind} is named {', '.join(unknown)}" if unknown else f"no {kind} is chosen"
        raise click.UsageError(f"{problem}; there are: {', '.join(known) or 'none'}")
    return names


def chosen_releases(given: Iterable[str] | None) -> list[str]:
    """Return releases by their names, the newest one first."""
    newest = newest_release()
    names = None if given is None else [newest if name == "newest" else name for name in given]
    return sorted(chosen("release", names, releases()), key=lambda release: release != newest)


class Loop:
    """The runs of a loop, and the names of those that failed.

    Attributes:
        failed: the names, in their order.
    """

    def __init__(self) -> None:
        self.failed: list[str] = []

    def can_run(self, name: str, tools: Iterable[str]) -> bool:
        """Return whether the tools are here; one that is missing is named, and fails the loop in CI."""
        missing = [tool for tool in tools if shutil.which(tool) is None]
        if missing:
            echo(f"skipped: {name}, which needs {' and '.join(missing)}")
            if os.environ.get("CI"):
                self.failed.append(f"{name} (needs {' and '.join(missing)})")
        return not missing

    def run(
        self, name: str, command: Sequence[str], *, text: Path | None = None, folder: Path = ROOT, **variables: str
    ) -> bool:
        """Run a command, and return whether it passed; with `text`, write its output there, then print it."""
        environment = {**os.environ, **variables}
        if text is None:
            passed = subprocess.run(command, cwd=folder, env=environment, check=False).returncode == 0  # noqa: S603
        else:
            passed = _kept(command, text, {**environment, "COLUMNS": "80"})
        if not passed:
            self.failed.append(name)
        return passed

    def end(self) -> None:
        """Fail if a run failed.

        Raises:
            click.ClickException: the names of those that did.
        """
        if self.failed:
            raise click.ClickException(f"failed: {', '.join(self.failed)}")


def _kept(command: Sequence[str], text: Path, environment: dict[str, str]) -> bool:
    text.parent.mkdir(parents=True, exist_ok=True)
    with text.open("wb") as output:
        done = subprocess.run(command, cwd=ROOT, env=environment, stdout=output, check=False)  # noqa: S603
    echo(text.read_text(encoding="utf-8"))
    return done.returncode == 0
