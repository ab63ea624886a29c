"""Files of outcomes, joined to files of 64 to 256 MiB, which readers of datasets like, where there is so much.

A joined file is that of an attempt as well, whose record has the parts of all of them. Its time is before theirs: so it
counts as soon as its record is written, and they do not any more.
"""

from __future__ import annotations

import json
import uuid
from functools import partial
from hashlib import sha256
from itertools import groupby
from typing import TYPE_CHECKING, Any

from conformance.campaign.attempts import MANIFEST, TASKS, Json, Kept, NotThisCampaign, outcomes_name, readable
from conformance.pipeline.engines import Job, map_on_spark
from conformance.pipeline.jobs import GO_ON
from conformance.pipeline.plan import RECORD
from conformance.pipeline.storage import Storage, patiently

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pyspark.sql import SparkSession

    from conformance.campaign.outcomes import OutcomesFile

MEBIBYTE = 2**20
LEAST, AIM = 64 * MEBIBYTE, 128 * MEBIBYTE
"""Bytes of a joined file, at least, and when no further one is added: what is left at the end goes to the last one."""

Group = tuple[str, ...]
"""The names of attempts of one implementation whose files are to be joined."""


def groups(records: Iterable[Json]) -> list[Group]:
    """Return which files are to be joined, of the attempts that count."""
    found = []
    for _, own in groupby(records, key=lambda record: record["implementation"]):
        found += [tuple(record["name"] for record in group) for group in _cut(list(own)) if len(group) > 1]
    return found


def _cut(records: Sequence[Json]) -> list[list[Json]]:
    """Return records of one implementation in groups of as much as a file holds; none if all are less."""
    full, last = list[list[Json]](), list[Json]()
    for record in records:
        last.append(record)
        if _size(last) >= AIM:
            full.append(last)
            last = []
    if _size(last) >= LEAST:
        full.append(last)
    elif full:
        full[-1] += last
    return full


def _size(records: Iterable[Json]) -> int:
    return sum(record["bytes"] or 0 for record in records)


def join_on_spark(session: SparkSession, folder: Storage, found: Kept) -> Kept:
    """Join files of a campaign that are small, a group in each task; return the attempts that count then.

    Raises:
        JobFailed: Spark failed, or a file is not as its record says.
    """
    wanted = groups(found.records)
    job = Job(partial(_join_nth, folder, wanted), "record string", "files of outcomes joined", GO_ON)
    return with_joined(found, wanted, (json.loads(row.record) for row in map_on_spark(session, len(wanted), job)))


def _join_nth(folder: Storage, wanted: Sequence[Group], index: int) -> dict[str, Any]:
    return {"record": json.dumps(patiently(lambda: join(folder, wanted[index])))}


def with_joined(found: Kept, wanted: Iterable[Group], joined: Iterable[Json]) -> Kept:
    """Return the attempts that count when the files of these groups are joined, to those of these records."""
    gone = {name for group in wanted for name in group}
    records = [record for record in found.records if record["name"] not in gone]
    return Kept(found.parts, sorted([*records, *joined], key=lambda record: str(record["name"])))


def join(folder: Storage, group: Group) -> Json:
    """Join the files of a group, and return the record, without parts; nothing is written to a finished campaign.

    Raises:
        NotThisCampaign: a file is missing, or not as its record says.
        StorageFailed: the folder cannot be read or written.
    """
    from conformance.campaign.outcomes import OutcomesFile  # noqa: PLC0415  # pyarrow is an extra

    records, file = [_record(folder, name) for name in group], OutcomesFile()
    for record in records:
        _add(folder, record, file)
    content, name = file.content(), _name(group)
    own = {
        "name": name,
        "implementation": records[0]["implementation"],
        "file": f"{name}.parquet",
        "bytes": len(content),
        "fileSha256": sha256(content).hexdigest(),
        "findings": [each for record in records for each in record["findings"]],
    }
    if folder.read(MANIFEST) is None:
        parts = [entry for record in records for entry in record["parts"]]
        folder.write(outcomes_name(own["implementation"], own["file"]), content)
        folder.write(f"{TASKS}/{name}{RECORD}", (json.dumps({**own, "parts": parts}) + "\n").encode())
    return own


def _record(folder: Storage, name: str) -> Json:
    record = readable(folder.read(f"{TASKS}/{name}{RECORD}"))
    if record is None:
        raise NotThisCampaign(f"{folder.within(TASKS)} lacks {name}{RECORD}. Run the campaign again.")
    return record


def _add(folder: Storage, record: Json, file: OutcomesFile) -> None:
    name = outcomes_name(record["implementation"], record["file"])
    content = folder.read(name)
    if content is None or sha256(content).hexdigest() != record["fileSha256"]:
        raise NotThisCampaign(f"{folder.within(name)} is missing, or not as its record says. Run the campaign again.")
    file.add_file(content)


def _name(group: Group) -> str:
    """Return a name for what is joined: it begins with the first part, and its time is before that of the group."""
    number, *_ = group[0].split("-")
    before = min(int(name.split("-")[1], 16) for name in group) - 1
    return f"{number}-{before:x}-{uuid.uuid4().hex[:8]}"
