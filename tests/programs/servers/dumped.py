"""Kafka's own dump of a log, in the form of explain's output."""

from __future__ import annotations

import base64
import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID

if TYPE_CHECKING:
    from collections.abc import Iterator

BATCH = re.compile(
    r"baseOffset: (?P<first>\d+) lastOffset: (?P<last>\d+) count: (?P<count>\d+) baseSequence: (?P<sequence>-?\d+) .*"
    r"producerId: (?P<producer>-?\d+) producerEpoch: (?P<epoch>-?\d+) partitionLeaderEpoch: (?P<leader>-?\d+) "
    r"isTransactional: (?P<transactional>\w+) isControl: (?P<control>\w+) .*position: (?P<position>\d+) "
    r"\w+: (?P<timestamp>-?\d+) size: (?P<size>\d+) magic: (?P<magic>\d) compresscodec: (?P<codec>\w+) "
    r"crc: \d+ isvalid: (?P<valid>\w+)"
)
RECORD = re.compile(
    r"\| offset: (?P<offset>\d+) \w+: (?P<timestamp>-?\d+) .*?headerKeys: \[.*?\] ?(?P<rest>.*)", re.DOTALL
)


class DumpedRecord(NamedTuple):
    """A record as the tool prints it.

    Attributes:
        offset, timestamp: of the record.
        rest: key and payload, as a text or as JSON.
    """

    offset: int
    timestamp: int
    rest: str


def batches(text: str) -> list[dict[str, str]]:
    """Return the heads of batches in an output of the tool."""
    return [match.groupdict() for line in text.splitlines() if (match := BATCH.match(line))]


def records(text: str) -> list[DumpedRecord]:
    """Return the records in an output of the tool."""
    lines = (match for line in text.splitlines() if (match := RECORD.match(line)))
    return [DumpedRecord(int(each["offset"]), int(each["timestamp"]), each["rest"]) for each in lines]


def leaves(document: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the values in a document by their paths, with the first letter of each name in lower case."""
    if isinstance(document, dict):
        for name, value in document.items():
            yield from leaves(value, f"{path}.{name[:1].lower()}{name[1:]}")
    elif isinstance(document, list):
        for index, value in enumerate(document):
            yield from leaves(value, f"{path}[{index}]")
    else:
        yield path, document


def data_of(text: str) -> dict[str, Any] | None:
    """Return the fields of a message printed by the tool as JSON, or None for another text."""
    try:
        document = json.loads(text)
    except ValueError:
        return None
    return document.get("data") if isinstance(document, dict) else None


def parts(rest: str) -> dict[str, str]:
    """Return key and payload of a record."""
    match = re.fullmatch(r"(?:key: (?P<key>.*?) ?)?(?:payload: (?P<payload>.*))?", rest, re.DOTALL)
    return {} if match is None else {name: text for name, text in match.groupdict().items() if text is not None}


def is_same(theirs: Any, ours: Any) -> bool:
    """Return whether the tool and explain print the same field.

    The tool prints ids and bytes in base64, and numbers of eight bytes as numbers. It prints names for the numbers of
    some states, and decodes bytes of consumers: of these nothing is compared.
    """
    if theirs == ours or str(theirs) == str(ours):
        return True
    if not isinstance(theirs, str) or not isinstance(ours, str):
        return isinstance(theirs, str | dict) or type(theirs) is not type(ours)
    return theirs in {_id(ours), _bytes(ours)}


def _id(text: str) -> str | None:
    try:
        return base64.urlsafe_b64encode(UUID(text).bytes).decode().rstrip("=")
    except ValueError:
        return None


def _bytes(text: str) -> str | None:
    try:
        return base64.b64encode(bytes.fromhex(text)).decode()
    except ValueError:
        return None
