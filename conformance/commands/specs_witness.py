"""Bytes as witnesses of changed definitions, for `specs diff --witness` and `specs prove-evolution`."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click
from rich.text import Text

from conformance.campaign.proof.evolution_trial import Trial, breaks, trial_of
from conformance.campaign.proof.evolution_witness import WITHOUT, Witness, framed, witness_of
from conformance.commands.common import COUNT, progress_bar, workers_option
from conformance.system.own_processes import worker_pool
from conformance.system.terminal import echo
from reference import CodecError, to_json
from reference.evolution import Change, DefinitionSet, counterpart
from reference.resolution import resolve

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from reference import MessageSchema
    from reference.definitions.model import Definition

MAXIMUM_TEXT = 160
"""The number of characters shown of the bytes and values of a witness."""

OF_HEADER = "evolution.header-version"
"""The rule of witnesses with a header before the body."""

Witnesses = dict[Change, Witness | None]
"""The witnesses by their changes, None for a change without one."""


def found_witnesses(old: DefinitionSet, new: DefinitionSet, changes: Iterable[Change]) -> Witnesses:
    """Return bytes as a witness of each incompatible change."""
    breaking = filter(breaks, changes)
    return {change: _sent(witness_of(change, _pairs(old, new, change)), old, change) for change in breaking}


def _sent(witness: Witness | None, old: DefinitionSet, change: Change) -> Witness | None:
    """Return a witness with the API key and version of its message in its header, if it still shows the change."""
    header = witness.written.get("Header", {}) if witness and change.rule == OF_HEADER else {}
    if witness is None or witness.read is None or "RequestApiKey" not in header:
        return witness
    api = {
        "RequestApiKey": old.definitions[change.message].api_key,
        "RequestApiVersion": witness.writer.schema.version,
    }
    written = {**witness.written, "Header": {**header, **api}}
    try:
        wire = witness.writer.write(written)
        sent = replace(witness, wire=wire, written=written, read=witness.reader.read(wire))
    except CodecError:
        return witness
    return sent if sent.shows else witness


def _pairs(old: DefinitionSet, new: DefinitionSet, change: Change) -> Iterator[tuple[MessageSchema, MessageSchema]]:
    definition = old.definitions[change.message]
    if len(old.definitions) == len(new.definitions) == 1:
        new = DefinitionSet({change.message: next(iter(new.definitions.values()))})
    for version in definition.valid_versions:
        if other := counterpart(definition, version, old, new):
            if change.rule != OF_HEADER:
                yield resolve(definition, version), other
            elif (before := framed(definition, version, old)) and (after := framed(_named(new, other), version, new)):
                yield before, after


def _named(members: DefinitionSet, schema: MessageSchema) -> Definition:
    return next(each for each in members.definitions.values() if each.name == schema.message)


def witness_as_json(witness: Witness | None) -> dict[str, Any] | None:
    """Return a witness as JSON."""
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


PART = 100
"""The number of changes in one task of a process."""


@click.command("prove-evolution")
@click.option("--count", type=COUNT, default=20_000, show_default=True, help="The number of changed definitions.")
@workers_option
def prove_evolution(count: int, workers: int) -> None:
    """Try what `specs diff` says of changed definitions, in every dialect, with bytes that both sides write and read.

    Pairs of definitions are drawn, always the same ones. A version that is called compatible must be read and passed
    on by either side as the other wrote it. One that is called incompatible should have a witness; those without one
    are counted by their rules. The exit status is 1 if a compatible version is misread.
    """
    began, trial = time.perf_counter(), Trial()
    parts = [range(start, min(start + PART, count)) for start in range(0, count, PART)]
    with worker_pool(workers) as pool, progress_bar() as progress:
        for part in progress.track(pool.map(trial_of, parts), len(parts), description="Changes"):
            trial.add(part)
    for line in trial.misread:
        echo(f"misread: {line}")
    echo(f"{trial.changes:,} changes in {time.perf_counter() - began:.0f} s")
    echo(f"versions called compatible: {trial.compatible:,}, misread: {len(trial.misread)}")
    echo(f"versions called incompatible: {trial.incompatible:,} with a witness; without one:")
    for rules, times in sorted(trial.unwitnessed.items()):
        reasons = dict.fromkeys(WITHOUT.get(rule, "unknown") for rule in rules)
        echo(f"  {times:,} {', '.join(rules)}: {'; '.join(reasons)}")
    if trial.misread:
        raise SystemExit(1)
