"""The command `python -m tests.mutants`, the whole suite at depth quick against every mutant.

It prints a table of the results.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from time import monotonic
from typing import NamedTuple

import click
from rich.console import Console
from rich.table import Table

from conformance.commands.common import workers_option
from conformance.definitions.catalogue import catalogue
from conformance.system.whole_files import write_text
from tests.mutants import shown
from tests.mutants.evidence import MUTANTS, AnyMutant, table
from tests.mutants.kit.pool import followed, tried

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "build" / "mutants.md"
HEADINGS = ("rule", "level", "mutant", "killed", "blamed first", "findings", "seconds")


class Report(NamedTuple):
    """The report of the suite on one mutant."""

    findings: tuple[str, ...]
    """The rules of the findings, the blame first."""
    seconds: float
    error: str = ""
    """The last lines of the suite's output, if it wrote no report."""


@dataclass(frozen=True)
class Fate:
    """The result of the suite on one mutant."""

    mutant: AnyMutant
    report: Report

    @property
    def as_expected(self) -> bool:
        """Whether it was killed, and blamed on its rule."""
        return self.report.findings[:1] == (self.mutant.rule,)

    @property
    def cells(self) -> tuple[str, ...]:
        findings, seconds, error = self.report
        blamed = findings[0] if findings else error or "nothing"
        return (
            self.mutant.rule,
            catalogue()[self.mutant.rule].level,
            self.mutant.name,
            "yes" if findings else "no",
            "yes" if self.as_expected else f"no: {blamed}",
            str(len(findings)),
            f"{seconds:.0f}",
        )


def report_of(mutant: AnyMutant) -> Report:
    """Run the suite against one mutant, in a process of its own."""
    begin = monotonic()
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.jsonl"
        done = subprocess.run(  # noqa: S603  # our own interpreter, our own suite
            [
                *(sys.executable, "-m", "pytest", "conformance/", "-q", "-p", "no:cacheprovider"),
                *(f"--impl=tests.mutants.adapters:{mutant.name}", "--isolation=never", f"--report={report}"),
            ],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        lines = report.read_text(encoding="utf-8").splitlines() if report.exists() else []
    events = [json.loads(line) for line in lines]
    findings = tuple(event["rule"] for event in events if event["event"] == "finding")
    error = "" if events else " ".join((done.stdout + done.stderr).split())[-200:]
    return Report(findings, monotonic() - begin, error)


def as_markdown(fates: Iterable[Fate]) -> str:
    rows = (HEADINGS, ("---",) * len(HEADINGS), *(fate.cells for fate in fates))
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def as_table(fates: Iterable[Fate]) -> Table:
    shown = Table(*HEADINGS)
    for fate in fates:
        shown.add_row(*fate.cells, style=None if fate.as_expected else "red")
    return shown


def write_tables(workers: int, console: Console) -> None:
    """Run the checks and the vectors against every mutant, and write both tables."""
    rows = followed(console, tried(shown.row_of, shown.ALL, workers), len(shown.ALL), "mutants")
    write_text(shown.FILE, shown.text_of([*rows]))
    write_text(shown.FILE.with_suffix(".md"), table())


@click.command()
@click.option("--mutants", "pattern", default="*", help="Only those whose names match this glob.")
@workers_option
@click.option("--table", "only_table", is_flag=True, help="Write TABLE.md and TABLE.tsv anew, in minutes.")
def main(pattern: str, workers: int, *, only_table: bool) -> None:
    """Run the whole suite against every mutant, and check that each is found and blamed on its rule first."""
    if only_table:
        write_tables(workers, Console(stderr=True))
        return
    chosen = [mutant for mutant in MUTANTS if fnmatchcase(mutant.name, pattern)]
    if not chosen:
        raise click.UsageError(f"no mutant matches {pattern!r}; tests/mutants/TABLE.md has their names")
    RESULTS.parent.mkdir(exist_ok=True)
    console, fates = Console(), []
    reports = followed(console, tried(report_of, chosen, workers), len(chosen), "mutants")
    for report, mutant in zip(reports, chosen, strict=True):
        fates.append(Fate(mutant, report))
        fates.sort(key=lambda each: (each.mutant.rule, each.mutant.name))
        write_text(RESULTS, as_markdown(fates))
    console.print(as_table(fates))
    as_expected = sum(fate.as_expected for fate in fates)
    console.print(f"{as_expected} of {len(fates)} killed and blamed on their rule first; the table is in {RESULTS}")
    sys.exit(as_expected != len(fates))


if __name__ == "__main__":
    main()
