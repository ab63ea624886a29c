"""`kafka-conformance specs validate`: all problems of definitions in a file, jar or folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from conformance.commands.specs_parts import NotDoneError, errors_shown
from conformance.definitions.check import Checked, check

if TYPE_CHECKING:
    from reference.definitions.errors import BrokenDefinition


@click.command()
@click.argument("path", type=click.Path(exists=True, path_type=Path))
@click.option("--json", "in_json", is_flag=True, help="Print JSON, as specs/problems.schema.json describes it.")
def validate(path: Path, *, in_json: bool) -> None:
    """Check the definitions at PATH against every rule, and show every problem with file, line, rule and advice.

    PATH is a definition, a jar, a folder of a release, a checkout of Kafka's sources, or any other folder with
    definitions in it. The exit status is 1 if there is a problem, and 2 if there are no definitions. Hints are
    probable mistakes that Apache Kafka accepts.
    """
    with errors_shown(NotDoneError):
        checked = check(path)
    if in_json:
        click.echo(json.dumps(_as_json(checked), indent=2))
    else:
        for problem in checked.problems:
            click.echo(f"{problem}\n")
        for hint in checked.hints:
            click.echo(f"hint: {hint}\n")
        numbers = f"problems: {len(checked.problems)}, hints: {len(checked.hints)}"
        click.echo(f"definitions: {checked.definitions}, {numbers}")
    if checked.problems:
        raise SystemExit(1)


def _as_json(checked: Checked) -> dict[str, Any]:
    return {
        "definitions": checked.definitions,
        "problems": [_problem(problem) for problem in checked.problems],
        "hints": [_problem(hint) for hint in checked.hints],
    }


def _problem(error: BrokenDefinition) -> dict[str, Any]:
    problem, position = error.problem, error.position
    return {
        "file": error.source,
        "line": position.line if position else None,
        "column": position.column if position else None,
        "place": str(problem.place),
        "rule": problem.rule,
        "number": problem.number,
        "what": problem.what,
        "advice": problem.advice,
    }
