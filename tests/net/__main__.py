"""Keeps what the deterministic checks find in every implementation, and compares two files of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from conformance import adapters
from conformance.adapters.harnesses.libraries import ForeignLibrary
from reference import newest_release, releases
from tests.helpers.releases import BASE
from tests.net.plugin import FOLDER, SEPARATOR

PYTHON = ("reference", *(file.parent.name for file in sorted(Path(adapters.__path__[0]).glob("*/known_failures.toml"))))
FOREIGN = tuple(name for name, each in vars(adapters).items() if isinstance(each, ForeignLibrary))
APACHE_KAFKA = "apache_kafka"
SHOWN = 12

OF_THE_RUN = frozenset(("run", "extent", "violation", "finding", "known-failure", "summary"))
"""The events of a report that are no counts."""


class Subject(NamedTuple):
    """An implementation, and a release that it is tested against."""

    name: str
    release: str

    @property
    def spec(self) -> str:
        """What `--impl` is given."""
        if self.name == APACHE_KAFKA:
            return f"stdio:{sys.executable} -m conformance.adapters.harnesses.apache_kafka {self.release}"
        return f"conformance.adapters.{self.name}"


def subjects(names: Sequence[str]) -> list[Subject]:
    """Return the runs of these implementations; of all if there are no names."""
    everywhere = [Subject(name, release) for name in (*PYTHON, APACHE_KAFKA) for release in reversed(releases())]
    found = everywhere + [Subject(name, newest_release()) for name in FOREIGN]
    return [each for each in found if not names or each.name in names or "-".join(each) in names]


def lines(subject: Subject, options: Sequence[str]) -> Iterator[str]:
    """Run the deterministic checks, and yield what they find."""
    with TemporaryDirectory() as folder:
        report = Path(folder, "report.jsonl")
        command = [sys.executable, "-m", "pytest", "conformance/", "-p", "tests.net.plugin", "-q"]
        command += [f"--impl={subject.spec}", f"--release={subject.release}", f"--report={report}", *options]
        notes = Path(folder, "notes")
        notes.mkdir()
        done = subprocess.run(  # noqa: S603  # the words are those of who calls this
            [*command, "-m", "not hypothesis"],
            env={**os.environ, FOLDER: str(notes)},
            capture_output=True,
            text=True,
            check=False,
        )
        if not report.exists():
            sys.exit(f"{subject}: no report: {done.stdout[-4000:]}{done.stderr[-2000:]}")
        for file in notes.iterdir():
            yield from ("violation" + SEPARATOR + line for line in file.read_text().splitlines())
        for line in report.read_text().splitlines():
            yield from _of_event(json.loads(line))


def _of_event(event: dict[str, Any]) -> Iterator[str]:
    """Yield the lines of one event of the report."""
    kind = event["event"]
    if kind == "finding":
        key = [event[name] for name in ("rule", "outcome", "cluster")]
        follows = event.get("follows", {})
        example = event["example"]
        shown = [example[name] for name in ("message", "version", "direction", "case", "expected", "actual")]
        told = [event["count"], event["impact"], [follows[name] for name in follows], shown, event["replay"]]
        yield SEPARATOR.join(["finding", *(json.dumps(each) for each in (*key, *told))])
    elif kind not in OF_THE_RUN:
        yield SEPARATOR.join(["count", json.dumps(event, sort_keys=True)])


def keep(arguments: Namespace) -> None:
    """Write the lines of all runs, sorted."""
    arguments.file.parent.mkdir(parents=True, exist_ok=True)
    with arguments.file.open("w", encoding="utf-8") as file:
        for subject in subjects(arguments.names):
            options = [f"-n{arguments.workers}", *(f"--messages={each}" for each in arguments.messages or ())]
            found = sorted(lines(subject, options))
            file.writelines(SEPARATOR.join([*subject, line]) + "\n" for line in found)
            print(f"{subject.name} {subject.release}: {len(found):,} lines", file=sys.stderr, flush=True)  # noqa: T201


def compare(arguments: Namespace) -> None:
    """Print the lines that only one of two files has, and fail if there are any; runs of one file are left out."""
    before, after = (file.read_text().splitlines() for file in (arguments.before, arguments.after))
    common = _runs(before) & _runs(after)
    one, other = (Counter(line for line in each if _run(line) in common) for each in (before, after))
    for sign, found in (("-", one - other), ("+", other - one)):
        for line, count in sorted(found.items())[: arguments.show]:
            print(f"{sign} {line[:1000]}" + (f"  ({count} times)" if count > 1 else ""))  # noqa: T201
    print(  # noqa: T201
        f"{len(common)} runs: {(one & other).total():,} lines equal, {(one - other).total():,} gone, "
        f"{(other - one).total():,} new"
    )
    sys.exit(one != other)


def _run(line: str) -> tuple[str, ...]:
    return tuple(line.split(SEPARATOR, 2)[:2])


def _runs(all_lines: Iterable[str]) -> set[tuple[str, ...]]:
    return {_run(line) for line in all_lines}


def main() -> None:
    """Run the command."""
    parser = ArgumentParser(prog="python -m tests.net", description=__doc__)
    commands = parser.add_subparsers(required=True)
    keeping = commands.add_parser("keep", help=keep.__doc__)
    keeping.add_argument("file", type=Path)
    keeping.add_argument("names", nargs="*", help=f"implementations, as kio or kio-{BASE}; all if none is given")
    keeping.add_argument("--messages", action="append", help="as --messages of the suite")
    keeping.add_argument("--workers", type=int, default=2)
    keeping.set_defaults(call=keep)
    comparing = commands.add_parser("compare", help=compare.__doc__)
    comparing.add_argument("before", type=Path)
    comparing.add_argument("after", type=Path)
    comparing.add_argument("--show", type=int, default=SHOWN)
    comparing.set_defaults(call=compare)
    arguments = parser.parse_args()
    arguments.call(arguments)


main()
