"""The response that KIP-625 measures: MetadataResponse, one topic of 100 partitions, two replicas of each.

The document gives 1,170 bytes for the best and 4,026 for the worst case, and neither the version nor the names, numbers
and encodings that lead there. A `Reading` is one way to fill that in.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from conformance.generate.sections import struct_at
from conformance.proposals.kip625_schemas import encoded, in_width_of_type
from reference import completed, encode, encode_with_spans, load_release

if TYPE_CHECKING:
    from reference import FieldSchema, MessageSchema

RELEASE = "4.3.0"
MESSAGE = "MetadataResponse"
PARTITION = "Topics[].Partitions[]."
PARTITIONS = 100
BROKERS = 2
PORT = 9092
"""Two bytes of upacked32, three of packed32."""

HOSTS = ("broker1", "broker2")
CLUSTER = "AAECAwQFBgcICQoLDA0ODw"
TOPIC = "topic"
"""A cluster's id has always 22 letters; with these names the plain reading's best case has the document's size."""

NAMES = sum(len(name) for name in (*HOSTS, CLUSTER, TOPIC))


TAG_SECTIONS = 1 + BROKERS + 1 + PARTITIONS
"""Of the body, its brokers, its topic and its partitions: a byte each, for they are all empty."""

REST = "the rest of the body"
TAGS = "tag sections"
_INDEX = re.compile(r"\[\d+\]")


@dataclass(frozen=True)
class Reading:
    """What the document leaves open; as it stands here, the plain reading."""

    version: int = 9
    """The first flexible version, and the newest when the document was written."""
    kind: str = "upacked"
    whole_message: bool = True
    """Whether all integers have the encoding, or only those of partitions."""
    counts_tags: bool = False
    """Whether the byte of each empty tag section is counted; the document's formulas leave it out."""
    in_sync: int = 2
    """Of the two replicas."""
    offline: int = 0
    identifier: int = 2**28
    """The first broker in the worst case: from 2^27 on packed32 takes five bytes, from 2^28 on upacked32 too."""
    error_code: int = 256
    """In the worst case."""
    high_partitions: bool = True
    """Whether partitions are numbered from `identifier` on in the worst case, or from 0 as in the best."""
    high_epoch: bool = True
    """Whether the leader's epoch is `identifier` in the worst case, or 0 as in the best."""


@dataclass(frozen=True)
class Body:
    """The numbers of one body."""

    first_broker: int
    error_code: int
    first_partition: int
    epoch: int


BEST = Body(first_broker=1, error_code=0, first_partition=0, epoch=0)


def worst(reading: Reading) -> Body:
    """The body of the worst case."""
    return Body(
        first_broker=reading.identifier,
        error_code=reading.error_code,
        first_partition=reading.identifier if reading.high_partitions else 0,
        epoch=reading.identifier if reading.high_epoch else 0,
    )


def schema_of(reading: Reading) -> MessageSchema:
    """The real message with the reading's encodings, entries of arrays included."""
    return _schema(reading.version, reading.kind, reading.whole_message)


def released(reading: Reading) -> MessageSchema:
    """The real message as it is."""
    return load_release(RELEASE).schema(MESSAGE, reading.version)


@cache
def _schema(version: int, kind: str, whole_message: bool) -> MessageSchema:  # noqa: FBT001  # a cache's key
    def choose(path: str, field: FieldSchema) -> str | None:
        return in_width_of_type(kind, field) if whole_message or path.startswith(PARTITION) else None

    return encoded(load_release(RELEASE).schema(MESSAGE, version), choose)


def value_of(reading: Reading, body: Body) -> dict[str, Any]:
    """The value of a body."""
    brokers = [body.first_broker + number for number in range(BROKERS)]
    topic = {
        "ErrorCode": body.error_code,
        "Name": TOPIC,
        "Partitions": [_partition(reading, body, brokers, number) for number in range(PARTITIONS)],
    }
    given = {
        "Brokers": [{"NodeId": node, "Host": host, "Port": PORT} for node, host in zip(brokers, HOSTS, strict=True)],
        "ClusterId": CLUSTER,
        "ControllerId": brokers[0],
        "Topics": [topic],
    }
    return completed(schema_of(reading), given)


def _partition(reading: Reading, body: Body, brokers: list[int], number: int) -> dict[str, Any]:
    leader = number % BROKERS
    return {
        "ErrorCode": body.error_code,
        "PartitionIndex": body.first_partition + number,
        "LeaderId": brokers[leader],
        "LeaderEpoch": body.epoch,
        "ReplicaNodes": brokers,
        "IsrNodes": brokers[: reading.in_sync],
        "OfflineReplicas": brokers[BROKERS - reading.offline :],
    }


def size(reading: Reading, schema: MessageSchema, body: Body) -> int:
    """How many bytes a body takes, by the reference; tag sections are counted as the reading has it."""
    wire = encode(schema, value_of(reading, body))
    return len(wire) if reading.counts_tags else len(wire) - TAG_SECTIONS


def parts(reading: Reading, schema: MessageSchema, body: Body) -> dict[str, int]:
    """The bytes of each field of the partitions, all of them together; of the tag sections; and of the rest."""
    found = dict.fromkeys((*_names(schema), REST, TAGS), 0)
    for span in encode_with_spans(schema, value_of(reading, body)).spans:
        name = _INDEX.sub("", span.path).removeprefix("Topics.Partitions.")
        part = TAGS if span.role == "tag-count" else name if name in found else REST
        found[part] += span.end - span.start
    return found


def _names(schema: MessageSchema) -> tuple[str, ...]:
    """The fields of a partition."""
    return tuple(field.name for field in struct_at(schema, "Topics[0].Partitions[0]").fields)
