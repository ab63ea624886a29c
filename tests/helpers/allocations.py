"""Measure the allocations of Apache Kafka's own readers for the suite's hostile bytes.

python -m tests.helpers.allocations > conformance/definitions/allocations.toml
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import click

from conformance.adapters.harnesses.apache_kafka import command
from conformance.codec.bridge.child_client import Client, Policy
from conformance.codec.bridge.transport import JsonLinesProcess, program
from conformance.generate.hostile_bodies import hostile_cases
from conformance.judge.checks.deadly_streams import rule_of_stream
from conformance.judge.checks.hostile_record_cases import hostile_records_cases
from conformance.targets import DECODE, RECORD_GROUPS, Ask, Body, RecordsField
from conformance.targets.outcome import Kind
from reference import Release, judge, judge_records, load_release, newest_release

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from conformance.codec.bridge.protocol import Message

MESSAGES = (
    *("ApiVersionsResponse", "FetchRequest", "FetchResponse", "JoinGroupResponse", "MetadataRequest"),
    *("MetadataResponse", "OffsetFetchResponse", "ProduceRequest"),
)
DEADLINE = 60.0
MEBIBYTE = 2**20
HEAD = """\
# What Apache Kafka's own readers allocate, at most, for the suite's hostile bytes: by the rule that these break, how
# many bytes were sent, and for how many MiB, rounded up. deadly: for others of them a heap of 1 GiB is too small.
# Written by `python -m tests.helpers.allocations`.
"""


@dataclass
class Row:
    """The largest allocation."""

    sent: int = 0
    mib: int = 0
    deadly: bool = False

    def __str__(self) -> str:
        deadly = ", deadly = true" if self.deadly else ""
        return f"{{ sent = {self.sent}, mib = {self.mib}{deadly} }}"


class Input(NamedTuple):
    """Hostile bytes, with the broken rule, their number, and the request for reading them."""

    rule: str
    sent: int
    request: Message


def of_records(release: str) -> Iterator[Input]:
    target = RecordsField(release)
    for case in (case for group in RECORD_GROUPS for case in hostile_records_cases(release, group)):
        verdict = judge_records(case.input)
        rule = rule_of_stream(verdict, case.input) or next(reversed(verdict.rules), "")
        yield Input(rule, len(case.input), Ask(DECODE, target, case.input).request)


def of_bodies(release: Release) -> Iterator[Input]:
    for message in MESSAGES:
        schema = release.schema(message, max(release.definition(message).valid_versions))
        for case in hostile_cases(schema):
            rule = next(reversed(judge(schema, case.wire).rules), "")
            yield Input(rule, len(case.wire), Ask(DECODE, Body(schema), case.wire).request)


def measured(release: str, inputs: Iterable[Input], *role: str) -> dict[str, Row]:
    """Return the row of each rule."""
    words = (*command(release, canonical=False), *role)
    client = Client(lambda _: JsonLinesProcess(program(words)), Policy.LOCK_STEP, deadline=DEADLINE)
    every = [each for each in inputs if each.rule]
    client.start()
    try:
        replies = client.ask_many([{**each.request, "measure": True} for each in every])
    finally:
        client.close()
    rows: defaultdict[str, Row] = defaultdict(Row)
    for each, reply in zip(every, replies, strict=True):
        row, mib = rows[each.rule], -(-reply.get("allocated", 0) // MEBIBYTE)
        if mib > row.mib:
            row.sent, row.mib = each.sent, mib
        row.deadly |= reply["outcome"] == Kind.EXHAUSTED_MEMORY
    return rows


def main() -> None:
    """Print the table."""
    release = newest_release()
    rows = measured(release, of_bodies(load_release(release)))
    rows |= measured(release, of_records(release), "--records", "client")
    click.echo(f'{HEAD}\nrelease = "{release}"\n\n[rules]')
    for rule, row in sorted(rows.items()):
        click.echo(f'"{rule}" = {row}')


if __name__ == "__main__":
    main()
