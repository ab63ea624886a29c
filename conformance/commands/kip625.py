"""The command `kafka-conformance kip625`, for the size of the MetadataResponse in the document KIP-625.

It has one topic of 100 partitions, each with two replicas. The document prints 1,170 bytes for the best case and 4,026
for the worst one, without the names, numbers and encodings behind them. Here every integer has the encoding upacked32
or upacked16, entries of arrays included, which a schema can say, but no definition (14.94). The version is 9, the first
flexible one, and the newest at the time of the document.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from rich.table import Table

from conformance.commands.common import progress_bar
from conformance.commands.group import CommandGroup
from conformance.generate.structure import struct_at
from conformance.system.terminal import echo, new_console
from reference import ArrayType, PrimitiveType, StructType, completed, encode_with_spans, load_release, newest_release
from reference.paths import without_indexes
from reference.proposals.kip625 import KIP_625, TYPES

if TYPE_CHECKING:
    from reference import FieldSchema, MessageSchema

DOCUMENT_BEST = 1170
DOCUMENT_WORST = 4026

VERSION = 9
PARTITIONS = 100
PORT = 9092
HOSTS = ("broker1", "broker2")
CLUSTER = "AAECAwQFBgcICQoLDA0ODw"
"""An id of a cluster; it always has 22 letters."""
TOPIC = "topic"
LETTERS = sum(map(len, (*HOSTS, CLUSTER, TOPIC)))
"""The number of letters of all names; with this number, the best case has the size in the document."""

TAG_SECTIONS = 1 + len(HOSTS) + 1 + PARTITIONS
"""The number of bytes of empty tag sections, those of the body, its brokers, its topic and its partitions."""
REST = "the rest of the body"
TAGS = "tag sections"


@click.group(cls=CommandGroup)
def kip625() -> None:
    """Measure KIP-625's encodings of integers on the document's own example."""


class SizedBody(NamedTuple):
    """One of the three bodies, with its sizes in bytes."""

    name: str
    document: int | None
    """The size in the document, or None for the released encoding."""
    parts: dict[str, int]

    @property
    def bytes(self) -> int:
        """The size without tag sections, as in the formulas of the document."""
        return self.whole - self.parts[TAGS]

    @property
    def whole(self) -> int:
        """The size of the whole body."""
        return sum(self.parts.values())

    @property
    def difference(self) -> int | None:
        """The size minus that in the document."""
        return None if self.document is None else self.bytes - self.document


@kip625.command(short_help="Compare the document's sizes with real ones.")
@click.option("--json", "in_json", is_flag=True, help="Print JSON.")
def size(*, in_json: bool) -> None:
    """Compare the sizes that the document prints with those of a real MetadataResponse.

    The response has one topic, 100 partitions and two brokers; every integer has an encoding, entries of arrays
    included. The document does not say all that its sizes depend on: what is chosen here is shown.
    """
    bodies = (
        ("fixed, today", None, released(), BEST),
        ("upacked, best case", DOCUMENT_BEST, with_encodings(), BEST),
        ("upacked, worst case", DOCUMENT_WORST, with_encodings(), WORST),
    )
    with progress_bar() as progress:
        cases = tuple(
            SizedBody(name, document, parts(schema, body))
            for name, document, schema, body in progress.track(bodies, description="counting bytes")
        )
    if in_json:
        echo(json.dumps([_as_json(case) for case in cases], indent=2))
        return
    new_console().print(_table(cases))
    echo(_note(cases[-1]))


def _table(cases: tuple[SizedBody, ...]) -> Table:
    table = Table("bytes of", box=None, pad_edge=False)
    for case in cases:
        table.add_column(case.name, justify="right")
    for part in cases[0].parts:
        if part != TAGS:
            table.add_row(part, *(f"{case.parts[part]:,}" for case in cases))
    table.add_row("all", *(f"{case.bytes:,}" for case in cases), style="bold")
    table.add_row("the document", *("-" if case.document is None else f"{case.document:,}" for case in cases))
    table.add_row("difference", *("-" if case.difference is None else f"{case.difference:+,}" for case in cases))
    table.add_row("with tag sections", *(f"{case.whole:,}" for case in cases))
    return table


def _note(worst: SizedBody) -> str:
    partitions, difference = worst.bytes - worst.parts[REST], worst.bytes - DOCUMENT_BEST
    return f"""
The body of MetadataResponse v{VERSION}: {PARTITIONS} partitions, two replicas of each, both in sync.
Names of {LETTERS} letters in all.
Best case: brokers 1 and 2, partitions from 0 on, error code and epoch 0.
Worst case: brokers, partitions and epoch from {WORST.epoch:,} on, error code {WORST.error_code}.

The best case has the document's size with these names. The worst case has not: its partitions alone take {partitions:,}
bytes, which leaves {DOCUMENT_WORST - partitions} of the document's for the rest, which takes {worst.parts[REST]}.
With any names the document's sizes are {DOCUMENT_WORST - DOCUMENT_BEST:,} bytes apart, and these {difference:,}."""


def _as_json(case: SizedBody) -> dict[str, object]:
    sizes = {"document": case.document, "bytes": case.bytes, "difference": case.difference}
    return {"name": case.name, **sizes, "withTagSections": case.whole, "parts": case.parts}


@dataclass(frozen=True)
class MetadataBody:
    """The numbers of one body."""

    first_broker: int
    error_code: int
    first_partition: int
    epoch: int


BEST = MetadataBody(first_broker=1, error_code=0, first_partition=0, epoch=0)
WORST = MetadataBody(first_broker=2**28, error_code=256, first_partition=2**28, epoch=2**28)
"""From 2^28 on, upacked32 takes five bytes; the error code is the document's."""


def released() -> MessageSchema:
    """Return the released schema of the message."""
    return load_release(newest_release()).schema("MetadataResponse", VERSION)


@cache
def with_encodings(kind: str = "upacked") -> MessageSchema:
    """Return the schema with an encoding of a kind for each integer, in the width of its type."""
    return encoded(released(), kind)


def value_of(body: MetadataBody) -> dict[str, Any]:
    """Return the value of a body."""
    brokers = [body.first_broker + number for number in range(len(HOSTS))]
    topic = {
        "ErrorCode": body.error_code,
        "Name": TOPIC,
        "Partitions": [_partition(body, brokers, number) for number in range(PARTITIONS)],
    }
    given = {
        "Brokers": [{"NodeId": node, "Host": host, "Port": PORT} for node, host in zip(brokers, HOSTS, strict=True)],
        "ClusterId": CLUSTER,
        "ControllerId": brokers[0],
        "Topics": [topic],
    }
    return completed(released(), given)


def _partition(body: MetadataBody, brokers: list[int], number: int) -> dict[str, Any]:
    return {
        "ErrorCode": body.error_code,
        "PartitionIndex": body.first_partition + number,
        "LeaderId": brokers[number % len(brokers)],
        "LeaderEpoch": body.epoch,
        "ReplicaNodes": brokers,
        "IsrNodes": brokers,
        "OfflineReplicas": [],
    }


def parts(schema: MessageSchema, body: MetadataBody) -> dict[str, int]:
    """Return the number of bytes of each field in all partitions, of the tag sections, and of the rest."""
    names = (field.name for field in struct_at(schema, "Topics[0].Partitions[0]").fields)
    sizes = dict.fromkeys((*names, REST, TAGS), 0)
    for span in encode_with_spans(schema, value_of(body)).spans:
        name = without_indexes(span.path).replace("[]", "").removeprefix("Topics.Partitions.")
        part = TAGS if span.role == "tag-count" else name if name in sizes else REST
        sizes[part] += span.end - span.start
    return sizes


def encoded(schema: MessageSchema, kind: str) -> MessageSchema:
    """Return a schema with an encoding of a kind for each integer, in the width of its type."""
    fields = tuple(_encoded(field, kind) for field in schema.fields)
    return replace(schema, fields=fields, dialect=KIP_625.name)


def _encoded(field: FieldSchema, kind: str) -> FieldSchema:
    match field.data_type:
        case ArrayType(element):
            return replace(field, data_type=ArrayType(_encoded(element, kind)))
        case StructType() as struct:
            return field.with_struct(replace(struct, fields=tuple(_encoded(each, kind) for each in struct.fields)))
        case PrimitiveType(name) if name in TYPES:
            return replace(field, data_type=PrimitiveType(name, kind + name.removeprefix("int")))
        case _:
            return field
