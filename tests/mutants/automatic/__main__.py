"""`python -m tests.mutants.automatic`: the suite against copies of the reference, each with one thing changed."""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TimeElapsedColumn

from conformance.commands.common import workers_option
from tests.mutants.automatic.mutations import files, mutants_of
from tests.mutants.automatic.runner import Fate, fates_of
from tests.mutants.automatic.table import Survivor, compared, read_table, write_table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.mutants.automatic.mutations import Mutant
    from tests.mutants.automatic.table import Comparison


def run(mutants: list[Mutant], workers: int, console: Console) -> Iterator[Fate]:
    """Run all, and show how far it has come; no thread does so, for processes are forked."""
    columns = (*Progress.get_default_columns(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, auto_refresh=False) as progress:
        task = progress.add_task("mutants", total=len(mutants))
        for fate in fates_of(mutants, workers):
            yield fate
            progress.update(task, advance=1, refresh=True)


def print_result(console: Console, fates: list[Fate], result: Comparison) -> None:
    """Print what is new, what is stale, and the counts."""
    for fate in result.unexplained:
        mutant = fate.mutant
        console.print(f"survives: {mutant.file}:{mutant.line}: {mutant.before}  ->  {mutant.after}", markup=False)
    for survivor in result.stale:
        console.print(
            f"stale: {survivor.file}, {survivor.place}: {survivor.before}  ->  {survivor.after}", markup=False
        )
    verdicts = Counter(survivor.verdict for survivor in result.explained)
    seconds = sum(fate.seconds for fate in fates) / len(fates)
    killed = sum(fate.killed_by is not None for fate in fates)
    console.print(
        f"{len(fates)} mutants, {seconds:.2f} s each: {killed} killed, {verdicts['equivalent']} equivalent, "
        f"{verdicts['open']} open, {len(result.unexplained)} not in the table; {len(result.stale)} entries stale"
    )


@click.command()
@click.option("--file", "names", multiple=True, help="Only the mutants of that file; may be given again.")
@click.option("--line", type=int, help="Only those of that line.")
@workers_option
@click.option("--update", is_flag=True, help="Write survivors.toml anew: what is new is open, what is stale goes.")
def main(names: tuple[str, ...], line: int | None, workers: int, *, update: bool) -> None:
    """Run the suite's deterministic checks against every mutant: a survivor that the table does not explain fails."""
    unknown = sorted(set(names) - set(files()))
    if unknown:
        raise click.UsageError(f"not mutated: {', '.join(unknown)}; these are: {', '.join(files())}")
    mutants = [mutant for name in names or files() for mutant in mutants_of(name) if line in {None, mutant.line}]
    if not mutants:
        raise click.UsageError("there is nothing to mutate; tests/mutants/automatic/left_out.py says what is left out")
    console = Console(soft_wrap=True)
    fates = list(run(mutants, workers, console))
    table = read_table()
    result = compared(table, fates, names or files(), is_whole=line is None)
    print_result(console, fates, result)
    if update:
        new = [Survivor.of(fate.mutant) for fate in result.unexplained]
        write_table([*(survivor for survivor in table if survivor not in result.stale), *new])
    sys.exit(bool(result.unexplained or result.stale) and not update)


if __name__ == "__main__":
    main()
