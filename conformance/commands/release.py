"""The command `kafka-conformance release`, for all steps of a new release of Apache Kafka, one after the other."""

from __future__ import annotations

import shlex
import time
from importlib import resources
from pathlib import Path
from subprocess import STDOUT
from typing import TYPE_CHECKING, NamedTuple

import click
from rich.table import Table

from conformance.commands.common import OUTPUT_FOLDER, errors_shown, progress_bar, workers_option
from conformance.definitions.published import checkout, committed_releases
from conformance.suite.options import RunOptions
from conformance.system.folders import claim
from conformance.system.own_processes import COMMAND, PYTHON, own_environment
from conformance.system.programs import start
from conformance.system.terminal import echo, new_console
from reference.limits import by_version

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

FAILURES = "known_failures.toml"
MARKER = "logs.json"
"""The file that marks a folder of logs, which the next release of the same name writes again."""

LAST_LINES = 12
"""The number of lines shown of a failed step."""

PERSON = """Left for a person:
  1. What changed in behaviour: the differences of `prove`, into rules, specs/limits.toml, specs/error-codes.toml and
     chapter 15 of the book.
  2. New causes of each implementation: look at each by hand, then
     pytest conformance/ --impl=... --release={release} --known-failures=FILE --update-known-failures, and its reason.
  3. vectors/: the counts in tests/vectors/test_committed.py, and a line in CHANGELOG.md.
  4. specs/history.toml, if the release is one of those whose definitions are compared, and README.md, which shows a run
     against the newest release."""


class Step(NamedTuple):
    """One command for a new release."""

    name: str
    command: tuple[str, ...]
    needed: bool = False
    """Whether a failure ends the whole work."""


class Done(NamedTuple):
    """A finished step."""

    step: Step
    seconds: float
    status: int
    log: Path


@click.command()
@click.argument("release")
@workers_option
@click.option(
    "--logs",
    type=OUTPUT_FOLDER,
    help="The folder for the output of each step. Default: build/release-RELEASE of the checkout.",
)
def release(release: str, workers: int, logs: Path | None) -> None:
    """Import RELEASE, as 4.3.1, into this checkout, and run everything on it.

    The steps are: import, validate, compare the definitions with those of the release before, prove against Apache
    Kafka, build and check the golden vectors, and the suite on every implementation that has an adapter here. The
    output of each step is kept. At the end there is a table of the steps, and what is left for a person. The exit
    status is 1 if a step failed: then that, too, is left for a person. In an installation there is nothing to change:
    the other commands take any published release by its name.
    """
    root = checkout()
    if root is None:
        raise click.UsageError(
            "this is no checkout of the project, which `release` changes: to test against a release, name it, as in "
            f"`kafka-conformance run --impl=... --release {release}`"
        )
    logs = logs or root / "build" / f"release-{release}"
    with errors_shown():
        claim(logs, MARKER, {"release": release}, f"folder of the logs of {release}")
    done = list(_run(steps(release, workers), logs))
    new_console().print(_table(release, done))
    for ended in done:
        if ended.status:
            echo(f"\n{ended.step.name}: exit status {ended.status}; {ended.log} ends with")
            echo("\n".join(ended.log.read_text(encoding="utf-8", errors="replace").splitlines()[-LAST_LINES:]))
    echo(f"\n{PERSON.format(release=release)}")
    raise SystemExit(1 if any(ended.status for ended in done) else 0)


def steps(release: str, workers: int) -> list[Step]:
    """Return the steps for a release, in order."""
    processes = ("-n", str(workers))
    return [
        Step("import", (*COMMAND, "specs", "import", "--release", release), needed=True),
        Step("validate", (*COMMAND, "specs", "validate", str(committed_releases() / release))),
        *_differences(release),
        Step("prove", (*COMMAND, "prove", "--release", release)),
        Step("vectors build", (*COMMAND, "vectors", "build", "--in-process", *processes)),
        Step("vectors check", (*COMMAND, "vectors", "check", *processes)),
        *(Step(f"suite on {name}", command) for name, command in _suites(release, workers)),
    ]


def _differences(release: str) -> Iterator[Step]:
    names = (folder.name for folder in committed_releases().iterdir() if folder.is_dir())
    older = sorted((name for name in names if by_version(name) < by_version(release)), key=by_version)
    if older:
        yield Step(f"changes since {older[-1]}", (*COMMAND, "specs", "diff", older[-1], release, "--all"))


def _suites(release: str, workers: int) -> Iterator[tuple[str, tuple[str, ...]]]:
    package = Path(str(resources.files("conformance")))
    for file in sorted((package / "adapters").glob(f"*/{FAILURES}")):  # of other languages: `make foreign`
        name = file.parent.name
        yield name, _suite(f"conformance.adapters.{name}", release, workers, file)
    harness = f"stdio:{shlex.join(PYTHON)} -m conformance.adapters.harnesses.apache_kafka {release}"
    yield (
        f"Apache Kafka {release}",
        _suite(harness, release, workers, package / "adapters" / "known_failures" / "apache_kafka.toml"),
    )


def _suite(impl: str, release: str, workers: int, known_failures: Path) -> tuple[str, ...]:
    options = RunOptions(impl=impl, release=release, known_failures=known_failures, ignore_project=True)
    return (*COMMAND, "run", *options.words(), "-n", str(workers))


def _run(chosen: Iterable[Step], logs: Path) -> Iterator[Done]:
    with progress_bar() as progress:
        task = progress.add_task("", total=None)
        for number, step in enumerate(chosen, 1):
            progress.update(task, description=step.name)
            log = logs / f"{number}-{step.name.replace(' ', '-')}.txt"
            started = time.monotonic()
            with log.open("wb") as output:
                program = start(step.command, environment=own_environment(), stdout=output.fileno(), stderr=STDOUT)
            with program:
                status = program.wait()
            yield Done(step, time.monotonic() - started, status or 0, log)
            if status and step.needed:
                return


def _table(release: str, done: Iterable[Done]) -> Table:
    table = Table("step", "seconds", "exit", "last line", title=f"Apache Kafka {release}")
    for ended in done:
        lines = [line for line in ended.log.read_text(encoding="utf-8", errors="replace").splitlines() if line.strip()]
        table.add_row(
            ended.step.name, f"{ended.seconds:.0f}", str(ended.status), lines[-1].strip("= ")[:90] if lines else ""
        )
    return table
