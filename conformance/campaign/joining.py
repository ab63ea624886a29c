"""Files of outcomes, joined to files of 64 to 256 MiB, which readers of datasets like, where there is so much.

A joined file is that of an attempt as well, whose record has the parts of all of them. Its time is before theirs: so it
counts as soon as its record is written, and they do not any more.
"""

from __future__ import annotations

import json
import uuid
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Any

from conformance.campaign.attempts import (
    TASKS,
    Attempt,
    Attempts,
    Json,
    NotThisCampaign,
    facts_of_file,
    outcomes_content,
    outcomes_name,
    readable,
)
from conformance.campaign.spark.corpus_plan import RECORD
from conformance.campaign.spark.engines import Job, map_on_spark
from conformance.campaign.spark.jobs import GO_ON
from conformance.campaign.spark.storage import Storage, patiently

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
    full, last, size = list[list[Json]](), list[Json](), 0
    for record in records:
        last.append(record)
        size += record["bytes"] or 0
        if size >= AIM:
            full.append(last)
            last, size = [], 0
    if size >= LEAST:
        full.append(last)
    elif full:
        full[-1] += last
    return full


def join_on_spark(session: SparkSession, folder: Storage, found: Attempts) -> Attempts:
    """Join files of a campaign that are small, a group in each task; return the attempts that count then.

    Raises:
        JobFailed: Spark failed, or a file is not as its record says.
    """
    wanted = groups(found.records)
    job = Job(partial(_join_nth, folder, wanted), "record string", "files of outcomes joined", GO_ON)
    return with_joined(found, wanted, (json.loads(row.record) for row in map_on_spark(session, len(wanted), job)))


def _join_nth(folder: Storage, wanted: Sequence[Group], index: int) -> dict[str, Any]:
    return {"record": json.dumps(patiently(lambda: join(folder, wanted[index])))}


def with_joined(found: Attempts, wanted: Iterable[Group], joined: Iterable[Json]) -> Attempts:
    """Return the attempts that count when the files of these groups are joined, to those of these records."""
    gone = {name for group in wanted for name in group}
    records = [record for record in found.records if record["name"] not in gone]
    return Attempts(found.parts, sorted([*records, *joined], key=lambda record: str(record["name"])))


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
    content, name, label = file.content(), _name(group), records[0]["implementation"]
    parts, findings = ([each for record in records for each in record[key]] for key in ("parts", "findings"))
    own = {"name": name, "implementation": label, **facts_of_file(name, content), "findings": findings}
    Attempt(label, {**own, "parts": parts}, content).write(folder)
    return own


def _record(folder: Storage, name: str) -> Json:
    record = readable(folder.read(f"{TASKS}/{name}{RECORD}"))
    if record is None:
        raise NotThisCampaign(f"{folder.within(TASKS)} lacks {name}{RECORD}. Run the campaign again.")
    return record


def _add(folder: Storage, record: Json, file: OutcomesFile) -> None:
    name = outcomes_name(record["implementation"], record["file"])
    file.add_file(outcomes_content(folder, name, record["fileSha256"], "its record"))


def _name(group: Group) -> str:
    """Return a name for what is joined: it begins with the first part, and its time is before that of the group."""
    number, *_ = group[0].split("-")
    before = min(int(name.split("-")[1], 16) for name in group) - 1
    return f"{number}-{before:x}-{uuid.uuid4().hex[:8]}"
