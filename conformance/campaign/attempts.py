"""Attempts at the tasks of a campaign.

An attempt writes the outcomes of its parts, except in a night, and then a record of them, under a name of its own. It
is finished when its record names a file of the recorded size. Two attempts at a part happen, for example, if a worker
was given up but continues. Then the earlier attempt counts, and the other one must have the same outcomes. The manifest
marks a finished campaign. After it, a late attempt writes nothing.
"""

from __future__ import annotations

import json
import time
import uuid
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote

import msgspec
from msgspec import Struct

from conformance.campaign.outcome_rows import row_hash
from conformance.campaign.spark.corpus_plan import RECORD
from conformance.campaign.spark.corpus_rows import root
from conformance.judge.events import Count, Hex  # noqa: TC001  # msgspec looks them up
from conformance.judge.findings.finding import Finding, PartFinding, ordered
from conformance.judge.forms import as_json
from reference.errors import ConformanceError
from reference.inputs.errors import BadInput
from reference.inputs.json_text import parse_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from conformance.campaign.kernel import PartResult
    from conformance.campaign.outcomes import OutcomesFile
    from conformance.campaign.plan import Parameters, Part, Task
    from conformance.campaign.spark.storage import Storage
    from conformance.judge.findings.finding import Findings

Json = dict[str, Any]

MANIFEST = "manifest.json"
OUTCOMES = "outcomes"
TASKS = "_tasks"
"""The folder of records. Readers of datasets ignore folders with this beginning."""

READERS = 16
"""Records to read in parallel, since an object store takes some time for each."""


class NotThisCampaign(ConformanceError):
    """A folder without the requested campaign, or without a finished one."""


def outcomes_folder(label: str) -> str:
    """Return the folder with the outcomes of an implementation."""
    return f"{OUTCOMES}/implementation={quote(label, safe='')}"


def outcomes_name(label: str, file: str) -> str:
    """Return the name of a file of outcomes, in the folder of a campaign."""
    return f"{outcomes_folder(label)}/{file}"


def outcomes_content(folder: Storage, name: str, digest: str, source: str) -> bytes:
    """Return the content of a file of outcomes.

    Args:
        folder: the campaign's folder.
        name: the name of the file in it.
        digest: the expected SHA-256 of the content.
        source: the file with that SHA-256, for errors.

    Raises:
        NotThisCampaign: the file is missing, or has another content.
    """
    content = folder.read(name)
    if content is None or sha256(content).hexdigest() != digest:
        raise NotThisCampaign(f"{folder.within(name)} is missing, or not as {source} says")
    return content


class Attempt(NamedTuple):
    """The results of an attempt at a task.

    Attributes:
        label: the implementation.
        record: the facts to keep besides the outcomes.
        outcomes: the content of the file of outcomes; None if they are not kept.
    """

    label: str
    record: Json
    outcomes: bytes | None

    def write(self, folder: Storage) -> None:
        """Write the outcomes, then the record.

        In a finished campaign nothing is written. Raises the errors of `Storage.write`.
        """
        if folder.read(MANIFEST) is not None:
            return
        if self.outcomes is not None:
            folder.write(outcomes_name(self.label, self.record["file"]), self.outcomes)
        # The record comes last, since it makes the attempt count.
        folder.write(f"{TASKS}/{self.record['name']}{RECORD}", (json.dumps(self.record) + "\n").encode())


def attempt(label: str, task: Task, results: Iterable[PartResult], *, has_rows: bool) -> Attempt:
    """Return the attempt at a task, with the results of its parts as they come."""
    file = _outcomes_file() if has_rows else None
    entries, findings = [], list[Finding]()
    for (number, part), result in zip(task, results, strict=True):
        if file is not None:
            file.add(result.rows)
        entries.append(_entry(number, part, result))
        findings = _merged(findings, result.findings)
    # The time is part of the name: the earlier of two attempts at a part counts, and names are sorted by it.
    name = f"{task[0][0]:06}-{time.time_ns():x}-{uuid.uuid4().hex[:8]}"
    content = None if file is None else file.content()
    record = {
        "name": name,
        "implementation": label,
        **facts_of_file(name, content),
        "parts": entries,
        "findings": [as_json(finding.found()) for finding in findings],
    }
    return Attempt(label, record, content)


def _merged(findings: Sequence[Finding], others: Findings) -> list[Finding]:
    """Return findings with those of one more part.

    Each finding keeps one example, because a large task has many violations.
    """
    merged = ordered([*findings, *others.ordered()])
    for finding in merged:
        finding.examples = [finding.example]
    return merged


def _outcomes_file() -> OutcomesFile:
    from conformance.campaign.outcomes import OutcomesFile  # noqa: PLC0415  # pyarrow is an extra

    return OutcomesFile()


def facts_of_file(name: str, content: bytes | None) -> Json:
    """Return a record's facts about its file of outcomes."""
    if content is None:
        return {"file": None, "bytes": None, "fileSha256": None}
    return {"file": f"{name}.parquet", "bytes": len(content), "fileSha256": sha256(content).hexdigest()}


def _entry(number: int, part: Part, result: PartResult) -> Json:
    """Return a record's facts about one part."""
    counts = Counter((row.direction, row.outcome) for row in result.rows)
    return {
        "number": number,
        "subject": part.subject,
        "digest": part.digest,
        "rows": len(result.rows),
        "cases": result.cases,
        "sha256": root(map(row_hash, result.rows)),
        "seconds": round(result.seconds, 3),
        "deaths": result.deaths,
        "outcomes": [[*key, count] for key, count in sorted(counts.items())],
        "faults": result.faults,
    }


class PartForm(Struct):
    """The form of a record's facts about one part, as `_entry`."""

    number: Count
    subject: Count
    digest: str
    rows: Count
    cases: Count
    sha256: Hex
    seconds: float
    deaths: Count
    outcomes: list[tuple[str, str, Count]]
    faults: list[str]


class RecordForm(Struct, rename="camel"):
    """The form of a record."""

    name: str
    implementation: str
    file: str | None
    bytes: Count | None
    file_sha256: Hex | None
    parts: list[PartForm]
    findings: list[PartFinding]


class Attempts(NamedTuple):
    """The attempts that count.

    Attributes:
        parts: the records' entry for each part, by number, in order.
        records: the records without these entries, in the order of the parts.
    """

    parts: dict[int, Json]
    records: list[Json]


def kept(folder: Storage, parameters: Parameters, planned: Mapping[int, Part]) -> Attempts:
    """Return the attempts that count, among those at planned parts.

    Raises:
        NotThisCampaign: two attempts at a part have different outcomes.
        StorageFailed: the folder cannot be read.
    """
    sizes = {subject.label: folder.sizes(outcomes_folder(subject.label)) for subject in parameters.subjects}
    parts, records = dict[int, Json](), list[Json]()
    for record in _records(folder, _names(folder)):
        own = {entry["number"]: entry for entry in record.pop("parts")}
        if not _is_whole(record, sizes) or not all(_is_as_planned(entry, planned) for entry in own.values()):
            continue
        known = own.keys() & parts.keys()
        for number in known:
            _compare(folder, number, parts[number], own[number])
        # One known part is enough: a record counts as a whole, since its file of outcomes does.
        if not known:
            parts |= own
            records.append(record)
    return Attempts(dict(sorted(parts.items())), sorted(records, key=lambda record: str(record["name"])))


def _names(folder: Storage) -> list[str]:
    """Return the names of the records, the earliest first."""
    names = [name for name in folder.sizes(TASKS) if name.endswith(RECORD)]
    return sorted(names, key=lambda name: name.split("-")[1:])


def _records(folder: Storage, names: list[str]) -> Iterator[Json]:
    """Yield the json_object records with these names."""
    with ThreadPoolExecutor(READERS) as readers:
        for content in readers.map(lambda name: folder.read(f"{TASKS}/{name}"), names):
            record = read_record(content)
            if record is not None:
                yield record


def read_record(content: bytes | None) -> Json | None:
    """Return the record in some bytes, or None if they have no whole one."""
    record = json_object(content)
    try:
        msgspec.convert(record, RecordForm)
    except msgspec.ValidationError:
        return None
    return record


def json_object(content: bytes | None) -> Json | None:
    """Return the JSON object in some bytes, or None if they have no whole one."""
    try:
        return None if content is None else dict(parse_json(content, "the record"))
    except (TypeError, ValueError, BadInput):
        return None


def _is_whole(record: Json, sizes: Mapping[str, Mapping[str, int]]) -> bool:
    files = sizes.get(record["implementation"], {})
    return record["file"] is None or files.get(record["file"]) == record["bytes"]


def _is_as_planned(entry: Json, planned: Mapping[int, Part]) -> bool:
    part = planned.get(entry["number"])
    return part is not None and bool(entry["digest"] == part.digest)


def _compare(folder: Storage, number: int, first: Json, second: Json) -> None:
    if first["sha256"] != second["sha256"]:
        raise NotThisCampaign(
            f"{folder}: part {number} came out differently in two attempts. The implementation does not do the same "
            "twice, or it hangs: run the campaign again in another folder."
        )


def numbers_of(folder: Storage) -> list[int]:
    """Return the numbers of the first parts of tasks with a record, in order."""
    return sorted({int(name.partition("-")[0]) for name in _names(folder)})


def clear_records(folder: Storage) -> None:
    """Delete the records of a finished night.

    Its manifest has their sums.
    """
    for name in _names(folder):
        folder.remove(f"{TASKS}/{name}")


def remove_others(folder: Storage, parameters: Parameters, records: Iterable[Json]) -> None:
    """Delete the outcomes and records of attempts that do not count."""
    counting = {record["name"] for record in records}
    for place in (TASKS, *(outcomes_folder(subject.label) for subject in parameters.subjects)):
        for name in folder.sizes(place):
            if name.rpartition(".")[0] not in counting:
                folder.remove(f"{place}/{name}")


class Watch:
    """The progress of a running campaign, as its records come.

    Each record is read once.
    """

    def __init__(self, folder: Storage) -> None:
        self._folder = folder
        self._seen: set[str] = set()
        self._findings: set[tuple[str, Any]] = set()
        self._parts: set[int] = set()
        self._rows = 0
        self._deaths = 0

    def finished(self) -> int:
        """Return the number of parts with a record."""
        new = [name for name in _names(self._folder) if name not in self._seen]
        self._seen.update(new)
        for record in _records(self._folder, new):
            for entry in record["parts"]:
                self._take(entry)
            self._findings |= {(record["implementation"], tuple(event["key"])) for event in record.get("findings", ())}
        return len(self._parts)

    def _take(self, entry: Json) -> None:
        if entry["number"] in self._parts:  # another attempt at it was counted, or a joined file has it too
            return
        self._parts.add(entry["number"])
        self._rows += entry.get("rows", 0)
        self._deaths += entry.get("deaths", 0)

    def __str__(self) -> str:
        """Return the counts so far, for a line of progress."""
        return f": {self._rows:,} outcomes, {len(self._findings):,} findings, {self._deaths:,} deaths"
