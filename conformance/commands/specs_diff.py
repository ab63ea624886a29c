"""`kafka-conformance specs diff`: changes from one set of definitions to another, and their effects."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

import click
from rich.text import Text

from conformance.catalogue import history as records
from conformance.commands.common import dialect_option, errors_shown
from conformance.definitions.sets import definition_set
from conformance.differential.evolution.trial import breaks
from conformance.differential.evolution.witness import WITHOUT, Witness, witness_of
from conformance.terminal import echo, new_console
from reference import to_json
from reference.evolution import Change, DefinitionSet, Effect, counterpart, release_changes
from reference.evolution import changes as compare
from reference.resolution import resolve

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from reference import MessageSchema

STYLES = {
    Effect.INCOMPATIBLE: "bold red",
    Effect.DROPPED: "red",
    Effect.UNSTABLE: "yellow",
    Effect.REVIEW: "yellow",
    Effect.COMPATIBLE: "green",
}


@click.command()
@click.argument("old")
@click.argument("new")
@dialect_option
@click.option("--all", "show_all", is_flag=True, help="Show compatible changes one by one, too.")
@click.option("--json", "in_json", is_flag=True, help="Print JSON, as specs/changes.schema.json describes it.")
@click.option("--witness", "with_witness", is_flag=True, help="Show bytes that one side misreads or refuses.")
@click.option(
    "--fail-on",
    type=click.Choice([effect.value for effect in Effect]),
    default=Effect.INCOMPATIBLE.value,
    show_default=True,
    help="The least severe effect that makes the exit status 1.",
)
def diff(  # noqa: PLR0913  # one argument for each option
    old: str, new: str, fail_on: str, dialect: str | None, *, show_all: bool, in_json: bool, with_witness: bool
) -> None:
    """Compare the definitions OLD with the definitions NEW, message by message and version by version.

    Each is a release (fetched with Maven if need be), a proposal, a definition, or a folder or jar of them. The exit
    status is 1 if something is incompatible, and 2 if the definitions cannot be compared.
    """
    with errors_shown(NotDoneError):
        before, after = definition_set(old, dialect), definition_set(new, dialect)
        changes = _changes(before, after)
        witnesses = found_witnesses(before, after, changes) if with_witness else {}
    if in_json:
        echo(json.dumps(as_json(old, new, changes, witnesses), indent=2))
    else:
        console = new_console(highlight=False, soft_wrap=True)
        for line in lines(old, new, changes, witnesses, show_all=show_all):
            console.print(line)
    if any(change.effect.severity <= Effect(fail_on).severity for change in changes):
        raise SystemExit(1)


def _changes(old: DefinitionSet, new: DefinitionSet) -> tuple[Change, ...]:
    """What changed; two definitions alone are compared with one another, whatever they are called."""
    both = (*old.definitions.values(), *new.definitions.values())
    if len(old.definitions) == len(new.definitions) == 1 and both[0].name != both[1].name:
        return compare(both[0], both[1])
    return release_changes(old, new)


def as_json(old: str, new: str, changes: Sequence[Change], witnesses: Witnesses) -> dict[str, Any]:
    """The changes for a program."""
    return {
        "old": old,
        "new": new,
        "counts": counts(changes),
        "changes": [
            {
                "message": change.message,
                "versions": str(change.versions),
                "path": change.path,
                "rule": change.rule,
                "effect": change.effect.value,
                "what": change.what,
                "reason": entry and entry.reason,
                "sources": list(entry.sources) if entry else [],
                **({"witness": witness_as_json(witnesses[change])} if change in witnesses else {}),
            }
            for change in changes
            for entry in [records.history().explanation(old, new, change)]
        ],
    }


def counts(changes: Iterable[Change]) -> dict[str, int]:
    """Return the number of changes with each effect."""
    effects = [change.effect for change in changes]
    return {effect.value: effects.count(effect) for effect in Effect}


def lines(old: str, new: str, changes: Sequence[Change], witnesses: Witnesses, *, show_all: bool) -> Iterator[Text]:
    """Yield the changes as lines, the messages with the most severe ones first."""
    totals = counts(changes)
    yield Text(f"{old} -> {new}: {', '.join(f'{number} {effect}' for effect, number in totals.items())}")
    shown = [change for change in changes if show_all or change.effect is not Effect.COMPATIBLE]
    by_message: dict[str, list[Change]] = {}
    for change in sorted(shown, key=lambda change: (change.effect.severity, change.message)):
        by_message.setdefault(change.message, []).append(change)
    for message, group in by_message.items():
        yield Text(f"\n{message}", "bold")
        for change in group:
            yield from _change(old, new, change)
            yield from witness_lines(change, witnesses[change]) if change in witnesses else ()
    if totals[Effect.COMPATIBLE.value] and not show_all:
        yield Text("\nCompatible changes are not shown; --all shows them.")


def _change(old: str, new: str, change: Change) -> Iterator[Text]:
    where = ", ".join(part for part in ("" if change.versions.empty else f"v{change.versions}", change.path) if part)
    yield Text.assemble(
        "  ",
        (change.effect.value, STYLES[change.effect]),
        f" {where}: " if where else " ",
        change.what,
        f" [{change.rule}]",
    )
    if entry := records.history().explanation(old, new, change):
        yield Text(f"    {entry.reason} ({', '.join(entry.sources)})", "dim")


@click.command()
def history() -> None:
    """Compare every release in specs/history.toml with every later one.

    Releases that are not committed are fetched with Maven. The exit status is 1 if an incompatible change has no reason
    in that file, or if a reason there has no change.
    """
    known = records.history()
    with errors_shown(NotDoneError):
        members = {release: definition_set(release) for release in known.releases}
    found: dict[tuple[str, str], tuple[Change, ...]] = {}
    start = time.perf_counter()
    for old, new in known.pairs():
        changes = found[old, new] = release_changes(members[old], members[new])
        missing = len(known.unexplained(old, new, changes))
        numbers = ", ".join(f"{number} {effect}" for effect, number in counts(changes).items())
        echo(f"{old} -> {new}: {numbers}; without a reason: {missing}")
    echo(f"{len(found)} pairs in {time.perf_counter() - start:.1f} s")
    wrong = [
        *(
            f"without a reason, from {old} to {new}: {change}"
            for (old, new), changes in found.items()
            for change in known.unexplained(old, new, changes)
        ),
        *(f"no such change: {entry.rule} of {message} by {entry.by}" for entry, message in known.stale(found)),
    ]
    for line in wrong:
        echo(line)
    if wrong:
        raise SystemExit(1)


MAXIMUM_TEXT = 160
"""Characters of bytes and values of a witness that are shown."""


class NotDoneError(click.ClickException):
    """The definitions could not be read: exit status 2, because 1 is a result."""

    exit_code = 2


Witnesses = dict[Change, Witness | None]
"""By the change that may have one; None if it has none."""


def found_witnesses(old: DefinitionSet, new: DefinitionSet, changes: Iterable[Change]) -> Witnesses:
    """Look for bytes that show each change which is said to break something."""
    breaking = filter(breaks, changes)
    return {change: witness_of(change, _pairs(old, new, change.message)) for change in breaking}


def _pairs(old: DefinitionSet, new: DefinitionSet, message: str) -> Iterator[tuple[MessageSchema, MessageSchema]]:
    definition = old.definitions[message]
    if len(old.definitions) == len(new.definitions) == 1:
        new = DefinitionSet({message: next(iter(new.definitions.values()))})
    for version in definition.valid_versions:
        if other := counterpart(definition, version, old, new):
            yield resolve(definition, version), other


def witness_as_json(witness: Witness | None) -> dict[str, Any] | None:
    """Return a witness for a program."""
    if witness is None:
        return None
    writer, reader = witness.writer, witness.reader
    return {
        "version": writer.schema.version,
        "writer": writer.name,
        "wire": witness.wire.hex(),
        "written": to_json(writer.schema, witness.written),
        "read": None if witness.read is None else to_json(reader.schema, witness.read),
        "path": witness.path,
        "problem": witness.problem,
    }


def witness_lines(change: Change, witness: Witness | None) -> Iterator[Text]:
    """Yield the lines about the witness of a change."""
    if witness is None:
        yield Text(f"    no witness: {WITHOUT.get(change.rule, 'no bytes were found that show it')}", "dim")
        return
    writer, reader = witness.writer, witness.reader
    yield Text(f"    {writer.name} writes v{writer.schema.version}: {_cut(witness.wire.hex(' ')) or 'no bytes'}", "dim")
    yield Text(f"      {writer.name} means {_value_text(writer.schema, witness.written)}", "dim")
    if witness.read is not None:
        yield Text(f"      {reader.name} reads {_value_text(reader.schema, witness.read)}", "dim")
    yield Text(f"      {reader.name} {witness.problem}", "dim")


def _value_text(schema: MessageSchema, value: Any) -> str:
    return _cut(json.dumps(to_json(schema, value)))


def _cut(text: str) -> str:
    return text if len(text) <= MAXIMUM_TEXT else f"{text[:MAXIMUM_TEXT]}... ({len(text)} characters)"
