"""The response that KIP-625 measures: MetadataResponse, one topic of 100 partitions, two replicas of each.

The document prints 1,170 bytes for the best case and 4,026 for the worst one, without the names, numbers and encodings
that lead there. Here every integer has the encoding upacked32 or upacked16, entries of arrays included, in version 9:
the first flexible one, and the newest when the document was written.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from conformance.campaign.kip625_advice import encoded, in_width_of_type
from conformance.generate.structure import struct_at
from reference import completed, encode_with_spans, load_release, newest_release

if TYPE_CHECKING:
    from reference import MessageSchema

VERSION = 9
PARTITIONS = 100
PORT = 9092
HOSTS = ("broker1", "broker2")
CLUSTER = "AAECAwQFBgcICQoLDA0ODw"
"""The id of a cluster always has 22 letters."""
TOPIC = "topic"
LETTERS = sum(map(len, (*HOSTS, CLUSTER, TOPIC)))
"""Of all names together; with so many, the best case has the document's size."""

TAG_SECTIONS = 1 + len(HOSTS) + 1 + PARTITIONS
"""Bytes of empty tag sections: of the body, its brokers, its topic and its partitions."""
REST = "the rest of the body"
TAGS = "tag sections"
_INDEX = re.compile(r"\[\d+\]")


@dataclass(frozen=True)
class BodyNumbers:
    """The numbers of one body."""

    first_broker: int
    error_code: int
    first_partition: int
    epoch: int


BEST = BodyNumbers(first_broker=1, error_code=0, first_partition=0, epoch=0)
WORST = BodyNumbers(first_broker=2**28, error_code=256, first_partition=2**28, epoch=2**28)
"""From 2^28 on, upacked32 takes five bytes; the error code is the document's."""


def released() -> MessageSchema:
    """Return the message as it is released."""
    return load_release(newest_release()).schema("MetadataResponse", VERSION)


@cache
def with_encodings(kind: str = "upacked") -> MessageSchema:
    """Return the message with an encoding of that kind for each integer, in the width of its type."""
    return encoded(released(), lambda _path, field: in_width_of_type(kind, field))


def value_of(body: BodyNumbers) -> dict[str, Any]:
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


def _partition(body: BodyNumbers, brokers: list[int], number: int) -> dict[str, Any]:
    return {
        "ErrorCode": body.error_code,
        "PartitionIndex": body.first_partition + number,
        "LeaderId": brokers[number % len(brokers)],
        "LeaderEpoch": body.epoch,
        "ReplicaNodes": brokers,
        "IsrNodes": brokers,
        "OfflineReplicas": [],
    }


def parts(schema: MessageSchema, body: BodyNumbers) -> dict[str, int]:
    """Return the bytes of each field of all partitions together, of the tag sections, and of the rest."""
    names = (field.name for field in struct_at(schema, "Topics[0].Partitions[0]").fields)
    sizes = dict.fromkeys((*names, REST, TAGS), 0)
    for span in encode_with_spans(schema, value_of(body)).spans:
        name = _INDEX.sub("", span.path).removeprefix("Topics.Partitions.")
        part = TAGS if span.role == "tag-count" else name if name in sizes else REST
        sizes[part] += span.end - span.start
    return sizes
