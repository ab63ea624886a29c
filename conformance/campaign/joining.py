"""Files of outcomes, joined to files of 64 to 256 MiB.

Readers of datasets are fast with files of this size. Smaller campaigns stay as they are.

A joined file is also the file of an attempt, and its record has the parts of all joined ones. Its time is before
theirs. So it counts as soon as its record is written, and the others count no longer.
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
    read_record,
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
"""The least bytes of a joined file, and the size to aim at. A smaller remainder goes to the last file."""

Group = tuple[str, ...]
"""The names of attempts of one implementation with files to join."""


def groups(records: Iterable[Json]) -> list[Group]:
    """Return the groups of files to join, among the attempts that count."""
    found = []
    for _, own in groupby(records, key=lambda record: record["implementation"]):
        found += [tuple(record["name"] for record in group) for group in _cut(list(own)) if len(group) > 1]
    return found


def _cut(records: Sequence[Json]) -> list[list[Json]]:
    """Return records of one implementation in groups for one file each.

    There is no group if all records together are too small.
    """
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
    """Join small files of a campaign on Spark, and return the attempts that count then.

    Each group is a task.

    Raises:
        JobFailed: Spark failed, or a file is not as stated in its record.
    """
    chosen = groups(found.records)
    job = Job(partial(_join_nth, folder, chosen), "record string", "files of outcomes joined", GO_ON)
    return with_joined(found, chosen, (json.loads(row.record) for row in map_on_spark(session, len(chosen), job)))


def _join_nth(folder: Storage, chosen: Sequence[Group], index: int) -> dict[str, Any]:
    return {"record": json.dumps(patiently(lambda: join(folder, chosen[index])))}


def with_joined(found: Attempts, chosen: Iterable[Group], joined: Iterable[Json]) -> Attempts:
    """Return the attempts that count after groups of files were joined.

    Args:
        found: the attempts that counted before.
        chosen: the groups.
        joined: the records of the joined files.
    """
    gone = {name for group in chosen for name in group}
    records = [record for record in found.records if record["name"] not in gone]
    return Attempts(found.parts, sorted([*records, *joined], key=lambda record: str(record["name"])))


def join(folder: Storage, group: Group) -> Json:
    """Join the files of a group, and return the record without parts.

    In a finished campaign nothing is written.

    Raises:
        NotThisCampaign: a file is missing, or not as stated in its record.
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
    record = read_record(folder.read(f"{TASKS}/{name}{RECORD}"))
    if record is None:
        raise NotThisCampaign(f"{folder.within(TASKS)} lacks {name}{RECORD}. Run the campaign again.")
    return record


def _add(folder: Storage, record: Json, file: OutcomesFile) -> None:
    name = outcomes_name(record["implementation"], record["file"])
    file.add_file(outcomes_content(folder, name, record["fileSha256"], "its record"))


def _name(group: Group) -> str:
    """Return the name of a joined file.

    It begins with the number of the first part, and its time is before those of the group.
    """
    number, *_ = group[0].split("-")
    before = min(int(name.split("-")[1], 16) for name in group) - 1
    return f"{number}-{before:x}-{uuid.uuid4().hex[:8]}"
