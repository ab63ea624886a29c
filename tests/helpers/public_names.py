"""List the public names, namely names to import, commands with their options, and file formats.

`python -m tests.helpers.public_names > tests/public_names.json` writes the list after an intended change.
"""

import ast
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

import reference
from conformance import adapter
from conformance.codec.bridge.protocol import PROTOCOL
from conformance.commands.main import main
from conformance.judge.findings.known_failures import OPTIONAL, REQUIRED
from conformance.report.files.found_cases import FORMAT
from conformance.report.report_reading import KINDS

ROOT = Path(__file__).parents[2]


def public_names() -> dict[str, Any]:
    return {
        "conformance.adapter": sorted(_names_of(Path(adapter.__file__))),
        "reference": sorted(reference.__all__),
        "commands": dict(sorted(_commands(main, ()))),
        "file formats": {
            "known failures": sorted({*REQUIRED, *OPTIONAL}),
            "report": list(KINDS),
            "found case": FORMAT,
            "bridge protocol": PROTOCOL,
            "vectors": json.loads((ROOT / "vectors" / "index.json").read_text(encoding="utf-8"))["format"],
        },
    }


def _names_of(module: Path) -> Iterator[str]:
    """Yield the names defined by a module, without its imports."""
    for statement in ast.parse(module.read_text(encoding="utf-8")).body:
        if isinstance(statement, ast.ClassDef | ast.FunctionDef):
            yield from [] if statement.name.startswith("_") else [statement.name]
        targets = statement.targets if isinstance(statement, ast.Assign) else []
        targets = [statement.target] if isinstance(statement, ast.AnnAssign) else targets
        names = [target.id for target in targets if isinstance(target, ast.Name)]
        yield from (name for name in names if not name.startswith("_"))


def _commands(group: click.Group, words: tuple[str, ...]) -> Iterator[tuple[str, list[str]]]:
    """Yield each command as typed, with its arguments and long options."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command, path = group.get_command(context, name), (*words, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from _commands(command, path)
            if not command.invoke_without_command:
                continue
        named = [name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)]
        yield " ".join(path), sorted({name for name in named if not _is_short(name)})


def _is_short(name: str) -> bool:
    return name.startswith("-") and not name.startswith("--")


if __name__ == "__main__":
    sys.stdout.write(json.dumps(public_names(), indent=2) + "\n")
