"""The command `python -m tests.mutants.automatic`, the suite against copies of the reference with one change each."""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING

import click
from rich.console import Console

from conformance.commands.common import workers_option
from tests.mutants.automatic.mutations import files, mutants_of
from tests.mutants.automatic.survivors import TABLE, Survivor, survivors_of
from tests.mutants.automatic.trial import answers_of
from tests.mutants.kit.pool import followed

if TYPE_CHECKING:
    from tests.mutants.automatic.mutations import Mutant
    from tests.mutants.kit.known import Comparison
    from tests.mutants.kit.pool import Answer


def print_result(console: Console, answers: list[Answer], result: Comparison[Survivor]) -> None:
    """Print the new and the stale survivors, and the counts."""
    new = {entry.key for entry in result.new}
    for mutant in (answer.item for answer in answers if Survivor.of(answer.item).key in new):
        console.print(f"survives: {mutant.file}:{mutant.line}: {mutant.before}  ->  {mutant.after}", markup=False)
    for survivor in result.stale:
        console.print(f"stale: {survivor}", markup=False)
    verdicts = Counter(survivor.verdict for survivor in result.known)
    seconds = sum(answer.seconds for answer in answers) / len(answers)
    killed = sum(answer.result is not None for answer in answers)
    console.print(
        f"{len(answers)} mutants, {seconds:.2f} s each: {killed} killed, {verdicts['equivalent']} equivalent, "
        f"{verdicts['open']} open, {len(result.new)} not in the table; {len(result.stale)} entries stale"
    )


@click.command()
@click.option("--file", "names", multiple=True, help="Only the mutants of that file; may be given again.")
@click.option("--line", type=int, help="Only those of that line.")
@workers_option
@click.option("--update", is_flag=True, help="Write survivors.toml anew: what is new is open, what is stale goes.")
def main(names: tuple[str, ...], line: int | None, workers: int, *, update: bool) -> None:
    """Run the suite's deterministic checks against every mutant, and fail on a survivor without an explanation."""
    unknown = sorted(set(names) - set(files()))
    if unknown:
        raise click.UsageError(f"not mutated: {', '.join(unknown)}; these are: {', '.join(files())}")
    mutants: list[Mutant] = [
        mutant for name in names or files() for mutant in mutants_of(name) if line in {None, mutant.line}
    ]
    if not mutants:
        raise click.UsageError("there is nothing to mutate; tests/mutants/automatic/left_out.py says what is left out")
    console = Console(soft_wrap=True)
    answers = list(followed(console, answers_of(mutants, workers), len(mutants), "mutants"))
    killed_by = {answer.item: answer.result for answer in answers}
    result = survivors_of(TABLE.read(), killed_by, names or files(), is_whole=line is None)
    print_result(console, answers, result)
    if update:
        TABLE.write(result.updated)
    sys.exit(bool(result.new or result.stale) and not update)


if __name__ == "__main__":
    main()
