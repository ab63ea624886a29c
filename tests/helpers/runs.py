"""The suite as its users run it: in a process of its own, on a few messages."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

from click.testing import CliRunner, Result

from conformance.commands.main import main

ROOT = Path(__file__).resolve().parents[2]
LIARS = "tests.fakes.faulty_codecs"


class Finished(NamedTuple):
    """A process that has ended."""

    status: int
    text: str
    """Both of its outputs."""

    def ended(self, status: int) -> str:
        """The text of a process that ended with this status."""
        assert self.status == status, self.text
        return self.text


def command(*words: str, columns: int = 300, timeout: float = 120) -> Finished:
    """Run Python with these arguments at the top of the checkout, by default with lines that are not wrapped."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "CI"))}
    done = subprocess.run(  # noqa: S603 - the words are those of a test
        [sys.executable, *words],
        cwd=ROOT,
        env={**kept, "COLUMNS": str(columns)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=timeout,
        check=False,
    )
    return Finished(done.returncode, done.stdout)


def suite(*options: str, columns: int = 300, timeout: float = 120) -> Finished:
    words = ("-m", "pytest", "conformance/", "-p", "no:cacheprovider", *options)
    return command(*words, columns=columns, timeout=timeout)


def suite_on(liar: str, *options: str, isolation: str = "never") -> Finished:
    """Run the suite on one of the liars, over everything that it offers; unless asked for, without a child process."""
    return suite(f"--impl={LIARS}:{liar}", f"--isolation={isolation}", *options)


def kafka_conformance(*words: str, timeout: float = 120) -> Finished:
    """Run the command, wherever it may be installed."""
    return command("-m", "conformance", *words, timeout=timeout)


def invoke(*words: str) -> Result:
    return CliRunner().invoke(main, words)


def replay_lines(text: str) -> list[str]:
    lines = (line.strip() for line in text.splitlines())
    return [line for line in lines if line.startswith("kafka-conformance replay ")]


def events(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
