"""The steps of CI, and the choice of those that a change of some files needs.

Each row of `STEPS` has a name, the time at which it runs, its group, a command, and the paths that it is about. The
table of steps is printed from here, and tests/durations.toml has a row for each step of a change.

`python -m tests.ci.steps NAME [REV]` prints whether a change since a revision needs a step. It imports nothing but
Python's own library, so that a workflow can ask before it installs anything.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

ROOT = Path(__file__).parents[2]

When = Literal["change", "nightly", "always"]
Group = Literal["tests", "codecs", "live", "proofs", "docs", "site"]


class Step(NamedTuple):
    """A command of CI.

    Attributes:
        name: of the line in the table; a step of a change and one of the night may share it.
        when: at every change, each night, or both.
        group: what a job of the nightly workflow runs.
        command: for a shell, in the root of the repository.
        paths: what a step of a change is about; a folder ends in a slash, and `*` stays within one.
        part_of: a step that includes this one, which is left out wherever the other runs.
    """

    name: str
    when: When
    group: Group
    command: str
    paths: tuple[str, ...] = ()
    part_of: str = ""


EVERYTHING = (
    *("reference/", "specs/", "pyproject.toml", "constraints.txt", "Makefile", ".ci/", ".github/"),
    *("conformance/*.py", "conformance/codec/", "conformance/commands/", "conformance/definitions/"),
    *("conformance/generate/", "conformance/judge/", "conformance/system/"),
    *("tests/*.py", "tests/ci/", "tests/helpers/"),
)
"""The paths that every step depends on; any path that no row names counts as one of them."""

PAGES = ("docs/", "*.md")
ROOMS = tuple(f"conformance/{room}/" for room in ("adapters", "campaign", "live", "report", "suite", "vectors"))
TESTED = (*ROOMS, "tests/", "vectors/")
ENDS_OF_RUNS = ("conformance/report/", "conformance/suite/")
HARNESSES = "conformance/adapters/harnesses/*.py"
KAFKA = (HARNESSES, "conformance/adapters/harnesses/java/")
ADAPTERS = ("conformance/adapters/*.py", "conformance/suite/")
KIO = (*ADAPTERS, "conformance/report/", "conformance/adapters/kio/")
FRANZ_GO = (*ADAPTERS, HARNESSES, "conformance/adapters/harnesses/go/", "conformance/adapters/known_failures/")
VECTORS = ("vectors/", "conformance/vectors/")
SERVERS = ("conformance/live/", *ENDS_OF_RUNS, "tests/programs/", HARNESSES)
SESSIONS = ("conformance/live/", "conformance/report/", "tests/programs/", "tests/live/")

# A change tries one library of another language, since `test-rest` tries the harness of each. The suite on Apache Kafka
# is left to the night: `prove` compares the same jars with the reference, and shows a wrong byte or verdict of either.
STEPS = (
    Step("lint", "change", "tests", "make lint", (*TESTED, *PAGES)),
    Step("browser", "always", "tests", "make browser", TESTED),
    Step("test", "change", "tests", "make test", TESTED),
    Step("test-docs", "change", "tests", "make test-docs", PAGES, part_of="test"),
    Step("test-rest", "change", "tests", "make test-rest", TESTED),
    Step("coverage", "nightly", "tests", "make coverage SWEEP=all"),
    Step("vectors-check", "always", "tests", "make vectors-check", VECTORS),
    Step("consumers", "always", "tests", "make consumers", (*VECTORS, HARNESSES, "tests/consumers/")),
    Step("check-reference", "change", "codecs", "make check-reference RELEASES=newest", ADAPTERS),
    Step("implementations", "change", "codecs", "make implementations PYTHON_CODECS=kio RELEASES=newest", KIO),
    Step("foreign", "change", "codecs", "make foreign FOREIGN=franz_go RELEASES=newest", FRANZ_GO),
    Step(
        *("apache-kafka-records", "change", "codecs", "make apache-kafka-records RELEASES=newest"),
        (*KAFKA, "conformance/suite/", "conformance/adapters/known_failures/"),
    ),
    Step("check-reference", "nightly", "codecs", "make check-reference"),
    Step("check-releases", "nightly", "codecs", "make check-releases"),
    Step("trunk", "nightly", "proofs", "make trunk"),
    Step("implementations", "nightly", "codecs", "make implementations"),
    Step("foreign", "nightly", "codecs", "make foreign"),
    Step("apache-kafka", "nightly", "codecs", "make apache-kafka"),
    Step("apache-kafka-records", "nightly", "codecs", "make apache-kafka-records"),
    Step("readme-check", "always", "codecs", "make readme-check", KIO),
    Step("servers", "change", "live", 'make servers-test SERVERS="kafka-newest kfake librdkafka-mock"', SERVERS),
    Step("servers", "nightly", "live", "make servers"),
    Step("clients", "nightly", "live", "make clients"),
    Step("sessions", "always", "live", "make sessions", SESSIONS),
    Step("prove", "change", "proofs", "make prove RELEASES=newest RECORDS=500", ("conformance/campaign/", *KAFKA)),
    Step("prove", "nightly", "proofs", "make prove RECORDS=3000"),
    Step("prove-definitions", "nightly", "proofs", "make prove-definitions"),
    Step("prove-evolution", "nightly", "proofs", "make prove-evolution"),
    Step("check-declared", "nightly", "proofs", "make check-declared"),
    Step("one-fault", "nightly", "proofs", "make one-fault"),
    Step("definition-mutants", "nightly", "proofs", "make definition-mutants"),
    Step("single-faults", "nightly", "proofs", "make single-faults"),
    Step("second-faults", "nightly", "proofs", "make second-faults"),
    Step("docs", "change", "docs", "make docs", (*ROOMS, *PAGES)),
    Step("docs-links", "nightly", "docs", "make docs-links"),
    # It shows the reports of the steps before it, so that it runs where one of these runs.
    Step("site", "change", "site", "make site REPORTS=build/reports", (*KIO, *FRANZ_GO, *SERVERS, *SESSIONS)),
)


class UnknownGroup(ValueError):
    """No step of that time is in the group."""


def steps_of(when: When, group: str | None = None) -> list[Step]:
    """Return the steps of a change or of the night, in their order.

    Raises:
        UnknownGroup: there would be none.
    """
    of_time = [step for step in STEPS if step.when in {when, "always"}]
    found = [step for step in of_time if group in {None, step.group}]
    if not found:
        groups = ", ".join(sorted({step.group for step in of_time}))
        raise UnknownGroup(f"no step of {when} is in the group {group!r}; there are: {groups}")
    return found


def without_parts(steps: Iterable[Step]) -> list[Step]:
    """Return the steps without those that are a part of another one among them."""
    steps = list(steps)
    names = {step.name for step in steps}
    return [step for step in steps if step.part_of not in names]


def needed(steps: Iterable[Step], paths: Collection[str] | None) -> list[Step]:
    """Return the steps that a change of these paths needs; None stands for any change."""
    steps = list(steps)
    if paths is None or any(_means_everything(path) for path in paths):
        return without_parts(steps)
    return without_parts(step for step in steps if any(_is_about(step.paths, path) for path in paths))


def _means_everything(path: str) -> bool:
    return _is_about(EVERYTHING, path) or not any(_is_about(step.paths, path) for step in STEPS)


def _is_about(patterns: Iterable[str], path: str) -> bool:
    return any(_matches(path, pattern) for pattern in patterns)


def _matches(path: str, pattern: str) -> bool:
    return path.startswith(pattern) if pattern.endswith("/") else PurePosixPath(path).match(pattern)


def changed_paths(revision: str) -> list[str] | None:
    """Return what changed since the last commit in common with a revision, with both names of a moved file.

    Returns:
        None for a revision that git does not know, such as that of a branch just made.
    """
    listed = ["git", "-c", "core.quotePath=off", "diff", "--name-only", "--no-renames", f"{revision}...HEAD", "--"]
    done = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603  # git
    return done.stdout.splitlines() if done.returncode == 0 else None


def table() -> str:
    """Return the table of steps, a line for each name, in the order of the steps."""
    names = dict.fromkeys(step.name for step in STEPS)
    rows = [f"| {name} | {_commands(name, 'change')} | {_commands(name, 'nightly')} |" for name in names]
    return "\n".join(["| step | at every change | each night |", "|---|---|---|", *rows, ""])


def _commands(name: str, when: When) -> str:
    return ", ".join(f"`{step.command}`" for step in STEPS if step.name == name and step.when in {when, "always"})


def is_needed(name: str, revision: str) -> bool:
    """Return whether what changed since a revision needs a step; without a revision, anything may have changed."""
    paths = changed_paths(revision) if revision else None
    return name in {step.name for step in needed(steps_of("change"), paths)}


if __name__ == "__main__":
    sys.stdout.write(f"{is_needed(sys.argv[1], ''.join(sys.argv[2:]))}\n")
