"""Run the suite and the command as their users do, on a few messages.

They run in a fork of the tests' process, which has imported everything and has read the definitions of the newest
release. `command` is for tests about a process of its own.
"""

import gc
import json
import multiprocessing
import os
import re
import signal
import subprocess
import sys
import weakref
from collections.abc import Callable, Mapping, Sequence
from functools import cache, reduce
from itertools import takewhile
from multiprocessing.context import ForkProcess
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner, Result

from conformance.commands.main import main
from conformance.system.parents import end_with
from reference import load_release, newest_release

ROOT = Path(__file__).resolve().parents[2]
LIARS = "tests.fakes.faulty_codecs"
WITHOUT_SEARCH = ("-m", "not hypothesis")
"""Options without random values and bytes, for tests where they add nothing."""

_COUNTS = (
    r"\d+(?= more like this)",
    r"\d+ of \d+(?=,| values)",
    r"\d+(?= (protocol-error|rejected))",
    r"(?<=\.py:)\d+",
)
"""Numbers in a mistake of an adapter that depend on the cases of a run, and on the lines of a fake."""

_FORK = multiprocessing.get_context("fork")


class Finished(NamedTuple):
    """A process that has ended."""

    status: int
    text: str
    """Both of its outputs."""

    def ended(self, status: int) -> str:
        """Return the text of a process that ended with this status."""
        assert self.status == status, self.text
        return self.text


def command(*words: str, columns: int = 300, timeout: float = 120) -> Finished:
    """Run Python with these arguments at the top of the checkout, by default with unwrapped lines."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "CI"))}
    return program([sys.executable, *words], ROOT, {**kept, "COLUMNS": str(columns)}, timeout)


def program(words: Sequence[str], folder: Path, environment: Mapping[str, str], timeout: float) -> Finished:
    """Run a program in a folder."""
    done = subprocess.run(  # noqa: S603 - the words are those of a test
        words,
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=timeout,
        check=False,
    )
    return Finished(done.returncode, done.stdout)


def suite(*options: str, columns: int = 300, timeout: float = 120, folder: Path = ROOT) -> Finished:
    """Run the suite by pytest, in a fork."""
    words = (str(ROOT / "conformance"), "-p", "no:cacheprovider", *options)
    return forked(pytest.main, *words, columns=columns, timeout=timeout, folder=folder)


def suite_on(liar: str, *options: str, isolation: str = "never") -> Finished:
    """Run the suite on one of the liars, over everything that it offers, by default without a child process."""
    return suite(f"--impl={LIARS}:{liar}", f"--isolation={isolation}", *options)


def kafka_conformance(*words: str, columns: int = 300, timeout: float = 120, folder: Path = ROOT) -> Finished:
    """Run the command in a fork."""
    return forked(_kafka_conformance, *words, columns=columns, timeout=timeout, folder=folder)


def _kafka_conformance(words: list[str]) -> None:
    main(words, prog_name="kafka-conformance")


def invoke(*words: str) -> Result:
    """Run the command in this process."""
    return CliRunner().invoke(main, words)


def error_of(done: Result, status: int) -> str:
    """Return the error of a command, without the usage above it, after a check of its status."""
    assert done.exit_code == status, done.output
    _, mark, error = done.stderr.partition("Error: ")
    assert mark, done.output
    return error.removesuffix("\n")


def forked(
    program: Callable[[list[str]], object], *words: str, columns: int = 300, timeout: float = 120, folder: Path = ROOT
) -> Finished:
    """Call a program with these arguments in a fork of this process.

    Raises:
        TimeoutError: it has not ended in time, and was killed.
    """
    with TemporaryFile("w+", encoding="utf-8") as output:
        process = started(program, *words, output=output.fileno(), columns=columns, folder=folder)
        process.join(timeout)
        if process.exitcode is None:
            process.kill()
            process.join()
            raise TimeoutError(f"{' '.join(words)}: no end after {timeout} seconds")
        output.seek(0)
        return Finished(process.exitcode, output.read())


def started(
    program: Callable[[list[str]], object], *words: str, output: int, columns: int = 300, folder: Path = ROOT
) -> ForkProcess:
    """Start a program in a fork of this process, with its output in a file."""
    _know_the_newest_release()
    process = _FORK.Process(target=_run, args=(program, words, columns, folder, output))
    process.start()
    return process


@cache
def _know_the_newest_release() -> None:
    """Load in the parent the release needed by every run of the suite."""
    list(load_release(newest_release()).schemas())


def _run(program: Callable[[list[str]], object], words: Sequence[str], columns: int, folder: Path, output: int) -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    end_with(parent.pid or 0)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job of a shell ignores it
    _forget_the_parent()
    _take_over_the_streams(output)
    os.environ["COLUMNS"] = str(columns)
    os.chdir(folder)
    sys.argv = ["kafka-conformance", *words]
    raise SystemExit(program(list(words)))


def _forget_the_parent() -> None:
    """Leave to the parent its objects, its Spark, the files removed at its end, and pytest's variables."""
    gc.freeze()
    if "pyspark" in sys.modules:
        sys.modules["pyspark"].SparkContext._active_spark_context = None
    registry: dict[object, object] = weakref.finalize._registry  # type: ignore[attr-defined]
    registry.clear()
    for name in [name for name in os.environ if name.startswith(("PYTEST", "CI"))]:
        del os.environ[name]


def _take_over_the_streams(output: int) -> None:
    """Redirect the output of this process and its children to one file, past the capture of the parent's pytest."""
    with Path(os.devnull).open("rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    for number in (1, 2):
        os.dup2(output, number)
    sys.stdin = os.fdopen(0, closefd=False)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = os.fdopen(2, "w", buffering=1, encoding="utf-8", closefd=False)


def replay_lines(text: str) -> list[str]:
    """Return the lines of an output for replaying a finding."""
    lines = (line.strip() for line in text.splitlines())
    return [line for line in lines if line.startswith("kafka-conformance replay ")]


def faults(text: str) -> list[str]:
    """Return the mistakes of the adapter in an output, one a line, with a word for their counts and line numbers."""
    _, _, below = text.partition("\nthe adapter itself seems to be at fault; fix it before reading findings\n")
    lines = takewhile(lambda line: line.startswith(("- ", "    ")), below.splitlines())
    items = re.sub(r"\n +", " ", "\n".join(lines)).splitlines()
    return [reduce(lambda item, count: re.sub(count, "some", item), _COUNTS, item) for item in items]


def events(path: Path) -> list[dict[str, Any]]:
    """Return the events of a report."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
