"""The command `kafka-conformance specs`, for message definitions."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from conformance.commands.common import (
    OUTPUT_FOLDER,
    dialect_option,
    errors_shown,
    output_option,
    release_named,
    release_option,
)
from conformance.commands.group import CommandGroup, LazyCommand
from conformance.commands.specs_diff import NotDoneError
from conformance.definitions.checking import Checked, check
from conformance.definitions.importer import import_release
from conformance.definitions.maven import ARTIFACTS
from conformance.definitions.published import committed_releases, import_target, published_sources
from conformance.definitions.sources import sources_at
from conformance.system.terminal import echo, new_console
from reference import Release, declaration, header_schema, load_release, newest_release, proposals, releases
from reference.declared_text import program
from reference.definitions.header_versions import APIS
from reference.kaitai import kaitai
from reference.release import read_manifest

if TYPE_CHECKING:
    from reference import MessageSchema
    from reference.definitions.errors import BrokenDefinition

THEME = "ansi_dark"
"""Colours of the terminal's own palette, readable on any background."""


MODULES = {
    "diff": LazyCommand("specs_diff:diff", "Compare two sets of definitions."),
    "history": LazyCommand("specs_diff:history", "Compare each release with every later one."),
    "prove": LazyCommand("prove:prove_specs", "Compare the rules with Kafka's generator."),
    "prove-evolution": LazyCommand("specs_witness:prove_evolution", "Try the verdicts of `diff` with bytes."),
    "releases": LazyCommand("specs_releases:releases", "Import every published release of Kafka."),
    "trunk": LazyCommand("specs_trunk:trunk", "Check a checkout of Kafka's sources."),
}
"""The commands of other modules."""

HEADINGS = {
    "Look": ("list", "show", "diff", "history"),
    "Check": ("validate", "trunk"),
    "Import": ("import", "releases"),
    "Develop the suite": ("prove", "prove-evolution"),
}


@click.group(cls=CommandGroup, modules=MODULES, headings=HEADINGS)
def specs() -> None:
    """Show, check, compare and import message definitions."""


@specs.command("list", short_help="List the releases and the proposals.")
def list_releases() -> None:
    """List the committed releases and the proposals, the names that --release takes, beside folders."""
    for release in releases():
        manifest = read_manifest(committed_releases() / release)
        echo(f"{release}: {_summary(manifest)}")
    for name in proposals():
        echo(f"{name}: {len(load_release(name).messages)} examples of a proposal")


@specs.command("import", short_help="Import the definitions of a release.")
@click.option("--release", required=True, help=f"The release, as {newest_release()}.")
@click.option(
    "--from",
    "origin",
    type=click.Path(exists=True, path_type=Path),
    help="A jar, a folder of jars or of definitions, or a checkout of Kafka's sources (default: ask Maven).",
)
@output_option(
    "the folder of the release (default: specs/releases of a checkout of this project, the user's cache where it is "
    "installed; --release finds it in both)",
    OUTPUT_FOLDER,
    default=import_target,
)
def import_(release: str, origin: Path | None, output: Path) -> None:
    """Import the definitions of a release.

    Descriptions and comments are dropped. The same release gives the same files, byte for byte.
    """
    with errors_shown():
        sources = sources_at(origin) if origin else published_sources(release)
        manifest = import_release(release, sources, output)
    lacking = [] if origin else [name for name in ARTIFACTS if name not in {source.name for source in sources}]
    if lacking:
        echo(f"without definitions, or not in this release: {', '.join(lacking)}", err=True)
    echo(f"{release}: {_summary(manifest)}")
    echo(f"written to {output / release}")


def _summary(manifest: dict[str, Any]) -> str:
    counts = manifest["counts"]
    return (
        f"{counts['definitions']} definitions, {counts['withVersions']} of them with versions; "
        f"{counts['pairs']} message versions, {counts['flexiblePairs']} of them flexible"
    )


FORMS = {"construct": declaration, "program": program, "kaitai": kaitai}


@specs.command(short_help="Print a message as a declaration.")
@click.argument("message")
@click.argument("version", type=int, required=False)
@click.option("--version", "chosen", type=int, help="The version, as the second argument.")
@click.option(
    "--as", "form", type=click.Choice([*FORMS]), default="construct", show_default=True, help="What to print."
)
@release_option
def show(message: str, version: int | None, chosen: int | None, form: str, release_name: str | None) -> None:
    """Print a version of MESSAGE as a declaration for the Python library construct.

    The version may also be part of the name, as in MetadataRequest-v12. Without one it is the newest version. With the
    names of reference.declared the text evaluates to a construct that reads and writes the message. `--as program`
    prints it after the definitions of these names, as a program that needs construct alone. A comment names the header
    before a request or response. `--as kaitai` prints a format of Kaitai Struct, for reading.
    """
    if chosen is not None:
        if version is not None:
            raise click.UsageError(f"there are two versions, {version} and {chosen}: leave out one")
        version = chosen
    if match := re.fullmatch(r"(\w+)-v([0-9]+)", message):
        if version is not None:
            raise click.UsageError(f"{message} has a version already: leave out {version}")
        message, version = match[1], int(match[2])
    with errors_shown():
        release = release_named(release_name)
        schema = release.schema(message, _newest(release, message) if version is None else version)
        header = "" if form == "kaitai" else _header_line(release, schema)
        _print(f"{header}{FORMS[form](schema)}", "json" if form == "kaitai" else "python")


def _header_line(release: Release, schema: MessageSchema) -> str:
    if schema.kind not in APIS or schema.api_key is None:
        return ""
    return f"# after {header_schema(release, schema.direction, schema.api_key, schema.version)}\n"


def _newest(release: Release, message: str) -> int:
    versions = release.definition(message).valid_versions
    if versions.empty:
        raise click.ClickException(f"{message} has no versions any more in {release.title}")
    return versions.highest


def _print(text: str, language: str) -> None:
    console = new_console()
    if console.is_terminal:
        from rich.syntax import Syntax  # noqa: PLC0415  # the other commands do without it

        console.print(Syntax(text, language, theme=THEME, background_color="default", word_wrap=True))
    else:
        echo(text)


@specs.command(short_help="Check definitions against every rule.")
@click.argument("path", type=click.Path(exists=True, path_type=Path))
@dialect_option
@click.option("--json", "in_json", is_flag=True, help="Print JSON, as specs/problems.schema.json describes it.")
def validate(path: Path, dialect: str | None, *, in_json: bool) -> None:
    """Check the definitions at PATH against every rule, and show every problem with file, line, rule and advice.

    PATH is a definition, a jar, a folder of a release or a proposal, a checkout of Kafka's sources, or any other folder
    with definitions in it. The exit status is 1 if there is a problem, and 2 if there are no definitions. Hints are
    probable mistakes that Apache Kafka accepts.
    """
    with errors_shown(NotDoneError):
        checked = check(path, dialect)
    if in_json:
        echo(json.dumps(_as_json(checked), indent=2))
    else:
        for problem in checked.problems:
            echo(f"{problem}\n")
        for hint in checked.hints:
            echo(f"hint: {hint}\n")
        numbers = f"problems: {len(checked.problems)}, hints: {len(checked.hints)}"
        echo(f"definitions: {checked.definitions}, {numbers}")
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
