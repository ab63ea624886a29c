"""The option `kafka-conformance run --watch`, which repeats the smoke run after each change of the implementation.

Each run is a process of its own, so that it imports the saved files. It writes a list of the imported files.
"""

from __future__ import annotations

import shutil
import signal
import sys
import time
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from conformance.codec.bridge.loading import adapter_file, stdio_command
from conformance.suite.project_options import ProjectOptions, project_options
from conformance.suite.watched import FILES
from conformance.system.own_processes import COMMAND, own_environment
from conformance.system.programs import start
from conformance.system.terminal import echo
from conformance.targets.claims import is_over_stdio
from reference import ConformanceError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from conformance.suite.options import RunOptions

POLL = 0.3
"""The seconds between two looks at the files."""
INTERRUPTED = 130
STANDARD_OUTPUT, STANDARD_ERROR = 1, 2
NAMED = 3
"""The number of files named in a line."""

States = dict[Path, tuple[int, int]]
"""The time of the last change of each file, and its size."""


def watch(options: RunOptions, words: Sequence[str]) -> int:
    """Run the suite until control-C, and return the exit status.

    Without a file to watch, and for a wrong option, it is the status of the first run.
    """
    for number in (signal.SIGINT, signal.SIGTERM):  # shells start background jobs with SIGINT ignored
        signal.signal(number, signal.default_int_handler)
    command = [*COMMAND, "run", *replace(options, smoke=True).words(), *words]
    with TemporaryDirectory(prefix="kafka-conformance-") as folder:
        try:
            return _watch(command, options, Path(folder) / "files")
        except KeyboardInterrupt:
            echo()
    return INTERRUPTED


def _watch(command: Sequence[str], options: RunOptions, listed: Path) -> int:
    try:
        named = named_files(options)
    except ConformanceError:  # the run itself says what is wrong
        named = set()
    files = named
    while True:
        before = states(files)
        status = _run(command, listed)
        if not listed.exists():  # the run has not come to its implementation
            return status
        files = named | _read(listed)
        if not files:
            echo("\nnothing to watch: the implementation has no file here")
            return status
        # With the states from before the run, so that a file saved during the run counts as changed.
        now = {**states(files), **{file: state for file, state in before.items() if file in files}}
        echo(f"\nwatching {_names(files, named)}; control-C ends it")
        changed = wait_for_change(files, now)
        echo(f"\n{_shown(changed)} has changed at {time.strftime('%H:%M:%S')}")


def _names(files: set[Path], named: set[Path]) -> str:
    names = [_shown(file) for file in sorted(files, key=lambda file: (file not in named, file))]
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return f"{', '.join(names[:NAMED])}{more}"


def wait_for_change(files: Iterable[Path], known: Mapping[Path, tuple[int, int]]) -> Path:
    """Return the first file with another state than the known one, or with a state for the first time.

    An editor may delete a file before it writes it again, so a missing file is no change.
    """
    watched = tuple(files)
    while True:
        for file, state in states(watched).items():
            if state != known.get(file):
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


def _run(command: Sequence[str], listed: Path) -> int:
    """Run the suite once. It ends with this process, and its temporary files are in the folder of the list."""
    environment = own_environment(**{FILES: str(listed), "TMPDIR": str(listed.parent)})
    sys.stdout.flush()
    with start(command, environment=environment, stdout=STANDARD_OUTPUT, stderr=STANDARD_ERROR) as program:
        return program.wait() or 0


def named_files(options: RunOptions) -> set[Path]:
    """Return the files of the implementation on the command line or in the user's project."""
    project = ProjectOptions() if options.ignore_project else project_options(Path.cwd())
    impl = options.impl or project.values.get("impl", "")
    files = set(_files_of(impl)) if impl else set()
    return files | ({project.file} if project.values and project.file else set())


def _files_of(impl: str) -> Iterator[Path]:
    if is_over_stdio(impl):
        program, *words = stdio_command(impl)
        places = [shutil.which(word) or word for word in (program, *words)]
        yield from (Path(place).absolute() for place in places if Path(place).is_file())
        if "/" in program:  # also one that is not built yet
            yield Path(program).absolute()
    elif file := adapter_file(impl):
        yield file


def _read(listed: Path) -> set[Path]:
    return {Path(line) for line in listed.read_text(encoding="utf-8").splitlines()}


def _shown(file: Path) -> str:
    name = str(file.relative_to(Path.cwd())) if file.is_relative_to(Path.cwd()) else str(file)
    return name if file.exists() else f"{name} (not there yet)"
