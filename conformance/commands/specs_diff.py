"""The command `kafka-conformance specs diff`, for changes from one set of definitions to another, and their effects."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click
from rich.text import Text

from conformance.commands.common import dialect_option, errors_shown
from conformance.definitions import release_history as records
from conformance.definitions.named import definition_set
from conformance.system.terminal import echo, new_console
from reference.evolution import Change, DefinitionSet, Effect, release_changes
from reference.evolution import changes as compare

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

Witnesses = Mapping[Change, Any]
"""The witnesses of changes for printing, as objects of JSON or as lines."""

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
        witnesses = _witnesses(before, after, changes, in_json=in_json) if with_witness else {}
    if in_json:
        echo(json.dumps(as_json(old, new, changes, witnesses), indent=2))
    else:
        console = new_console(highlight=False, soft_wrap=True)
        for line in lines(old, new, changes, witnesses, show_all=show_all):
            console.print(line)
    if any(change.effect.severity <= Effect(fail_on).severity for change in changes):
        raise SystemExit(1)


def _changes(old: DefinitionSet, new: DefinitionSet) -> tuple[Change, ...]:
    # Two single definitions are compared also under different names.
    both = (*old.definitions.values(), *new.definitions.values())
    if len(old.definitions) == len(new.definitions) == 1 and both[0].name != both[1].name:
        return compare(both[0], both[1])
    return release_changes(old, new)


def _witnesses(old: DefinitionSet, new: DefinitionSet, changes: Sequence[Change], *, in_json: bool) -> Witnesses:
    from conformance.commands import specs_witness  # noqa: PLC0415  # takes long to import, and few ask for it

    found = specs_witness.found_witnesses(old, new, changes)
    if in_json:
        return {change: specs_witness.witness_as_json(witness) for change, witness in found.items()}
    return {change: tuple(specs_witness.witness_lines(change, witness)) for change, witness in found.items()}


def as_json(old: str, new: str, changes: Sequence[Change], witnesses: Witnesses) -> dict[str, Any]:
    """Return the changes as JSON."""
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
                **({"witness": witnesses[change]} if change in witnesses else {}),
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
    """Yield the changes as lines, the messages with the most severe changes first."""
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
            yield from witnesses.get(change, ())
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


class NotDoneError(click.ClickException):
    """The definitions could not be read. The exit status is 2, since 1 is a result."""

    exit_code = 2
