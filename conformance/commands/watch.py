"""The option `kafka-conformance run --watch`.

It repeats the smoke run after each change of a file of the implementation. Each run is a process of its own, so that it
imports the saved files. It writes a list of the imported files.
"""

from __future__ import annotations

import argparse
import shlex
import shutil
import signal
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from conformance.codec.bridge.loading import adapter_file
from conformance.codec.loaded_adapter import STDIO, is_over_stdio
from conformance.suite.option import IMPL
from conformance.suite.project_options import project_options
from conformance.suite.watched import FILES
from conformance.system.own_processes import COMMAND, own_environment
from conformance.system.programs import start
from conformance.system.terminal import echo

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

WATCH = "--watch"
SMOKE = "--smoke"
POLL = 0.3
"""The seconds between two looks at the files."""
INTERRUPTED = 130
STANDARD_OUTPUT, STANDARD_ERROR = 1, 2
NAMED = 3
"""The number of files named in a line."""

States = dict[Path, tuple[int, int]]
"""The time of the last change of each file, and its size."""


def watch(arguments: Sequence[str]) -> int:
    """Run the suite until control-C, and return the exit status."""
    for number in (signal.SIGINT, signal.SIGTERM):  # shells start background jobs with SIGINT ignored
        signal.signal(number, signal.default_int_handler)
    words = [word for word in arguments if word != WATCH]
    command = [*COMMAND, "run", *words, *([] if SMOKE in words else [SMOKE])]
    with TemporaryDirectory(prefix="kafka-conformance-") as folder:
        try:
            _watch(command, named_files(words), Path(folder) / "files")
        except KeyboardInterrupt:
            echo()
    return INTERRUPTED


def _watch(command: Sequence[str], named: set[Path], listed: Path) -> None:
    files = named
    while True:
        before = states(files)
        _run(command, listed)
        files = named | _read(listed)
        # With the states from before the run, so that a file saved during the run counts as changed.
        now = {**states(files), **{file: state for file, state in before.items() if file in files}}
        names = [_shown(file) for file in sorted(files, key=lambda file: (file not in named, file))]
        more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
        echo(f"\nwatching {', '.join(names[:NAMED])}{more}; control-C ends it")
        changed = wait_for_change(now)
        echo(f"\n{_shown(changed)} has changed at {time.strftime('%H:%M:%S')}")


def wait_for_change(known: Mapping[Path, tuple[int, int]]) -> Path:
    """Return the first file with another state than the known one.

    An editor may delete a file before it writes it again, so a missing file is no change.
    """
    while True:
        for file, state in states(known).items():
            if state != known[file]:
                return file
        time.sleep(POLL)


def states(files: Iterable[Path]) -> States:
    """Return the states of the existing files."""
    found = {}
    for file in files:
        try:
            status = file.stat()
        except OSError:
            continue
        found[file] = status.st_mtime_ns, status.st_size
    return found


def _run(command: Sequence[str], listed: Path) -> None:
    """Run the suite once.

    The run ends with this process. Its temporary files are in the folder of the list.
    """
    environment = own_environment(**{FILES: str(listed), "TMPDIR": str(listed.parent)})
    sys.stdout.flush()
    with start(command, environment=environment, stdout=STANDARD_OUTPUT, stderr=STANDARD_ERROR) as program:
        program.wait()


def named_files(words: Sequence[str]) -> set[Path]:
    """Return the files of the implementation on the command line or in the user's project."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    parser.add_argument(IMPL.name)
    options = project_options(Path.cwd())
    impl = parser.parse_known_args(words)[0].impl or options.values.get("impl", "")
    files = set(_files_of(impl)) if impl else set()
    return files | ({options.file} if options.values and options.file else set())


def _files_of(impl: str) -> Iterator[Path]:
    if is_over_stdio(impl):
        places = (shutil.which(word) or word for word in shlex.split(impl.removeprefix(STDIO)))
        yield from (Path(place).absolute() for place in places if Path(place).is_file())
    elif file := adapter_file(impl):
        yield file


def _read(listed: Path) -> set[Path]:
    """Return the files listed by a run, or none if it ended before."""
    if not listed.is_file():
        return set()
    return {Path(line) for line in listed.read_text(encoding="utf-8").splitlines()}


def _shown(file: Path) -> str:
    return str(file.relative_to(Path.cwd())) if file.is_relative_to(Path.cwd()) else str(file)
