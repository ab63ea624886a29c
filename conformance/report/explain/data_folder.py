"""The files beside the segments of a log, and those of a data folder: indexes, snapshots of producers, checkpoints.

None of them has bytes of the wire protocol, so there is no verdict. Indexes are compared with the log beside them.
"""

from __future__ import annotations

import json
import re
from enum import StrEnum
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING, NamedTuple

from conformance.report.explain.explained_targets import explain_target
from conformance.report.explain.rendering import tree
from conformance.report.explain.segments import LogSegment
from conformance.report.words import counted
from conformance.targets import StoredForm
from reference import CodecError, Result, decode_prefixed
from reference.inputs.errors import BadInput
from reference.inputs.files import opened, read_bytes
from reference.inputs.json_text import read_json
from reference.records.checksums import crc32c

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from reference import Release


class DataFile(StrEnum):
    """The kinds of files in a data folder."""

    SEGMENT = "a log segment"
    SNAPSHOT = "a snapshot of the metadata log"
    OFFSET_INDEX = "an offset index"
    TIME_INDEX = "a time index"
    TRANSACTION_INDEX = "an index of aborted transactions"
    PRODUCERS = "a snapshot of producers"
    CHECKPOINT = "a checkpoint"
    PROPERTIES = "properties of a data folder"
    QUORUM_STATE = "the state of a voter of the quorum"


LOGS = {DataFile.SEGMENT, DataFile.SNAPSHOT}
"""The kinds of files that are a log of batches."""

_NAMES = {
    r"\d{20}\.log(\.deleted)?": DataFile.SEGMENT,
    r"(\d{20}-\d{10}|bootstrap)\.checkpoint": DataFile.SNAPSHOT,
    r"\d{20}\.index(\.deleted)?": DataFile.OFFSET_INDEX,
    r"\d{20}\.timeindex(\.deleted)?": DataFile.TIME_INDEX,
    r"\d{20}\.txnindex(\.deleted)?": DataFile.TRANSACTION_INDEX,
    r"\d{20}\.snapshot(\.deleted)?": DataFile.PRODUCERS,
    r".*-checkpoint": DataFile.CHECKPOINT,
    r"meta\.properties|partition\.metadata|bootstrap\.properties": DataFile.PROPERTIES,
    r"quorum-state": DataFile.QUORUM_STATE,
}


def kind_of(name: str) -> DataFile | None:
    """Return the kind of a file by its name, or None if Kafka gives no such name."""
    return next((kind for pattern, kind in _NAMES.items() if re.fullmatch(pattern, name)), None)


class FileReport(NamedTuple):
    """The entries of a file, a text for each, and troubles with its form, or with the log beside it."""

    lines: list[str]
    troubles: list[str]


def report_of(path: Path, kind: DataFile, release: Release) -> FileReport:
    """Return the content of a file that is no log, or raise `BadInput` or `OSError`."""
    return _READERS[kind](path, release)


INDEX_ENTRY, TIME_ENTRY, ABORTED_ENTRY = 8, 12, 34
"""The number of bytes of an entry of each index."""
LARGEST = 2**31


def _entries(path: Path, size: int) -> tuple[list[bytes], list[str]]:
    """Return the entries of an index up to the zeros of its preallocated end, and what is wrong with their number."""
    data = read_bytes(path, LARGEST)
    rest = len(data) % size
    found = [data[at : at + size] for at in range(0, len(data) - rest, size)]
    while len(found) > 1 and not found[-1].strip(b"\0"):
        found.pop()
    if found == [bytes(size)] and len(data) > size:
        found = []
    return found, [f"{counted(rest, 'byte')} after the last entry"] if rest else []


def _int(data: bytes) -> int:
    return int.from_bytes(data, "big", signed=True)


def _base(path: Path) -> int:
    return int(path.name[:20])


def _offset_index(path: Path, release: Release) -> FileReport:  # noqa: ARG001  # as the other readers
    entries, troubles = _entries(path, INDEX_ENTRY)
    base = _base(path)
    found = [(base + _int(each[:4]), _int(each[4:])) for each in entries]
    batches = _batches(path)
    if batches is not None:
        troubles += _unfit(found, batches)
    troubles += _not_ascending([offset for offset, _ in found], "offset")
    return FileReport([f"offset {offset}: position {position}" for offset, position in found], troubles)


def _unfit(found: list[tuple[int, int]], batches: dict[int, tuple[int, int]]) -> Iterator[str]:
    end = _last(batches)
    for number, (offset, position) in enumerate(found):
        batch = batches.get(position)
        # Up to 3.9 an entry has the last offset of all batches of an append, and the place of the first one.
        following = batches.get(found[number + 1][1]) if number + 1 < len(found) else None
        last = end if following is None else following[0] - 1
        if batch is None:
            yield f"offset {offset}: no batch begins at position {position:,} of the log"
        elif not batch[0] <= offset <= last:
            yield f"offset {offset}: from {position:,} on the log has offsets {batch[0]} to {last}"


def _time_index(path: Path, release: Release) -> FileReport:  # noqa: ARG001  # as the other readers
    entries, troubles = _entries(path, TIME_ENTRY)
    base, batches = _base(path), _batches(path)
    found = [(_int(each[:8]), base + _int(each[8:])) for each in entries]
    if batches is not None:
        last = _last(batches)
        troubles += [f"offset {offset}: the log ends at {last}" for _, offset in found if offset > last]
    troubles += _not_ascending([timestamp for timestamp, _ in found], "timestamp")
    troubles += _not_ascending([offset for _, offset in found], "offset")
    return FileReport([f"timestamp {timestamp}: offset {offset}" for timestamp, offset in found], troubles)


def _not_ascending(numbers: list[int], what: str) -> Iterator[str]:
    return (f"{what} {other} follows {one}" for one, other in pairwise(numbers) if other <= one)


def _last(batches: dict[int, tuple[int, int]]) -> int:
    return max((end for _, end in batches.values()), default=-1)


DELETED = ".deleted"
"""The end of the names of files that are to be deleted, as after the compaction of their log."""


def _batches(path: Path) -> dict[int, tuple[int, int]] | None:
    """Return first and last offset of the batches of the log beside an index, by position; None without a log."""
    log = path.with_name(f"{path.name[:20]}.log{DELETED if path.name.endswith(DELETED) else ''}")
    if not log.is_file():
        return None
    with opened(log) as file:
        return {each.position: (each.first, each.last) for each in LogSegment(file).entries() if each.number}


def _transaction_index(path: Path, release: Release) -> FileReport:
    entries, troubles = _entries(path, ABORTED_ENTRY)
    lines, batches = [], _batches(path)
    last = None if batches is None else _last(batches)
    for entry in entries:
        try:
            value = decode_prefixed(release, "AbortedTxn", entry).value
        except CodecError as error:
            troubles.append(str(error))
            continue
        lines.append(", ".join(f"{name} {number}" for name, number in value.items()))
        if last is not None and not _base(path) <= value["LastOffset"] <= last:
            troubles.append(f"offset {value['LastOffset']}: the log ends at {last}")
    return FileReport(lines, troubles)


def _producers(path: Path, release: Release) -> FileReport:
    wire = read_bytes(path)
    version = max(_int(wire[:2]), 1)
    versions = release.definition("ProducerSnapshot").valid_versions
    schema = release.schema("ProducerSnapshot", versions.nearest(version))
    explanation = explain_target(StoredForm(schema, release), wire)
    lines = list(takewhile(lambda line: not line.startswith("verdict"), map(str, tree(explanation))))
    stored, computed = wire[CRC_AT:COVERED_FROM], crc32c(wire[COVERED_FROM:])
    troubles = [] if stored == computed else [f"CRC {stored.hex()}, computed {computed.hex()}"]
    if explanation.verdict.result != Result.VALID:
        troubles.append(f"it cannot be read, at byte {explanation.verdict.offset}: {explanation.verdict.reason}")
    return FileReport(lines, troubles)


CRC_AT, COVERED_FROM = 2, 6
"""Where the CRC of a snapshot of producers is, and from where on it covers the bytes."""


def _checkpoint(path: Path, release: Release) -> FileReport:  # noqa: ARG001  # as the other readers
    lines = _text(path).split("\n")
    rows = [line for line in lines[2:] if line]
    troubles = []
    if not lines[0].isdecimal() or len(lines) < 2 or not lines[1].isdecimal():  # noqa: PLR2004  # version and count
        troubles.append("its first two lines are not a version and a number of entries")
    elif int(lines[1]) != len(rows):
        troubles.append(f"it says {lines[1]} entries, and has {len(rows)}")
    return FileReport(rows, troubles)


def _properties(path: Path, release: Release) -> FileReport:  # noqa: ARG001  # as the other readers
    rows = [line for line in _text(path).splitlines() if line and not line.startswith("#")]
    return FileReport(rows, [f"{line!r} is no property" for line in rows if not re.search("[=:]", line)])


def _quorum_state(path: Path, release: Release) -> FileReport:  # noqa: ARG001  # as the other readers
    try:
        document = read_json(path)
    except BadInput as error:
        return FileReport([], [error.within])
    return FileReport([f"{name}: {json.dumps(value)}" for name, value in document.items()], [])


def _text(path: Path) -> str:
    return read_bytes(path).decode(errors="replace")


_READERS: dict[DataFile, Callable[[Path, Release], FileReport]] = {
    DataFile.OFFSET_INDEX: _offset_index,
    DataFile.TIME_INDEX: _time_index,
    DataFile.TRANSACTION_INDEX: _transaction_index,
    DataFile.PRODUCERS: _producers,
    DataFile.CHECKPOINT: _checkpoint,
    DataFile.PROPERTIES: _properties,
    DataFile.QUORUM_STATE: _quorum_state,
}
