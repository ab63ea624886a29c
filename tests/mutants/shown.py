"""The actual results of each mutant in TABLE.tsv, one line for each.

TABLE.md changes when a mutant comes or goes, but not when a mutant is blamed on another rule or in another field, or
shows in more cases. TABLE.tsv changes then. Tests compare cells of results they have anyway, so no mutant runs twice.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from reference import newest_release
from tests.mutants.around import AroundMutant
from tests.mutants.evidence import MUTANTS, PROPOSED, AnyMutant
from tests.mutants.kit.rows import rows_of
from tests.mutants.mutant import Mutant
from tests.mutants.run import Run, run_of, vectors_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from conformance.vectors.verification.runner import VectorResults

FILE = Path(__file__).with_name("TABLE.tsv")
COMMAND = "python -m tests.mutants --table"
FIRST_VECTORS, VECTORS = "first vectors", "vectors"
"""The failures of the first group with any, compared at every change, and of all groups, compared at night."""
COLUMNS = (
    *("name", "release", "rule", "first cause", "outcome", "field", "causes", "violations"),
    *(FIRST_VECTORS, VECTORS),
)
NOTHING = "-"
DIGITS = 12
"""The length of a hash, as more would only lengthen the lines."""

ALL = (*MUTANTS, *PROPOSED)
Cells = dict[str, str]
"""Some columns of a row, by their names."""


def row_of(mutant: AnyMutant) -> Cells:
    """Run a mutant, and return its row."""
    cells = cells_of_run(mutant, run_of(mutant))
    if mutant in PROPOSED:
        # No test runs the vectors of proposals on mutants.
        return {**cells, FIRST_VECTORS: NOTHING, VECTORS: NOTHING}
    return {**cells, **cells_of_vectors(vectors_of(mutant))}


def cells_of_vectors(runs: Iterable[VectorResults]) -> Cells:
    """Return the columns about vectors, of the results after each group."""
    first = whole = NOTHING
    for results in runs:
        whole = failures_cell(results)
        first = whole if first == NOTHING else first
    return {FIRST_VECTORS: first, VECTORS: whole}


def cells_of_run(mutant: AnyMutant, run: Run) -> Cells:
    """Return the columns about a run of the checks."""
    directions = [f"{direction}={count}" for direction, count in sorted(run.directions.items())]
    first = run.causes[0].finding if run.causes else None
    cause = (first.rule, first.outcome, first.example.field) if first else ("", "", "")
    cells = (mutant.name, _release_of(mutant), mutant.rule, *cause, str(len(run.causes)), " ".join(directions))
    return {column: cell or NOTHING for column, cell in zip(COLUMNS[: len(cells)], cells, strict=True)}


def _release_of(mutant: AnyMutant) -> str:
    match mutant:
        case Mutant(release=name):
            return name
        case AroundMutant(release=release):
            return release.name
        case _:
            return newest_release()


def failures_cell(results: VectorResults) -> str:
    """Return the number of failed vectors, a hash of their ids, and the first id."""
    ids = sorted(failure.id for failure in results.failures)
    if not ids:
        return NOTHING
    digest = sha256("\n".join(ids).encode()).hexdigest()
    return f"{len(ids)} {digest[:DIGITS]} {ids[0]}"


def text_of(rows: Iterable[Cells]) -> str:
    """Return the text of TABLE.tsv."""
    lines = [COLUMNS, *([row[column] for column in COLUMNS] for row in rows)]
    return "".join("\t".join(line) + "\n" for line in lines)


@cache
def committed() -> Mapping[str, Cells]:
    """Return the rows of TABLE.tsv by the names of the mutants, in their order."""
    return {row["name"]: row for row in rows_of(__file__, FILE.name)}


def check(mutant: AnyMutant, cells: Cells) -> None:
    """Fail the test if cells of a mutant differ from its row."""
    row = committed().get(mutant.name, {})
    differences = [
        f"  {column}: {cell!r}, not {row.get(column, 'in a row of its own')!r}"
        for column, cell in cells.items()
        if row.get(column) != cell
    ]
    if differences:
        head = f"{mutant.name} differs from {FILE.name}; if it should, write it anew: {COMMAND}"
        pytest.fail("\n".join([head, *differences]), pytrace=False)
