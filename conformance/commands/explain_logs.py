"""The explanation of a log segment: a line for each batch, or the records that are asked for."""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from conformance.report.explain.explained_records import explain_records
from conformance.report.explain.log_contents import LogContents, RecordContents, topic_of, with_contents
from conformance.report.explain.segments import BATCH, LogEntry, Segment
from conformance.report.explain.shown_values import HIGHEST_DATE
from conformance.report.files.words import counted
from conformance.system.terminal import echo
from reference import judge_records
from reference.inputs.files import opened

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from conformance.report.explain.explanation import Explanation
    from reference import Release


@dataclass(frozen=True)
class LogChoice:
    """What is shown of a log.

    Attributes:
        offset: the offset of one record, whose batch is explained.
        batch: the number of one batch.
        key: the text of the keys of the records to list.
        contents: whether every record is listed.
        judges: whether the records of each batch are judged.
        topic: the topic, if the folder does not name it.
        secrets: whether secrets in metadata records are shown.
    """

    offset: int | None = None
    batch: int | None = None
    key: str | None = None
    contents: bool = False
    judges: bool = False
    topic: str | None = None
    secrets: bool = False

    def contents_of(self, release: Release, path: Path) -> LogContents:
        """Return the meaning of the records of a log by its topic."""
        topic = self.topic or topic_of(path.resolve().parent.name)
        return LogContents.of_topic(release, topic, shows_secrets=self.secrets)

    @property
    def is_of_batch(self) -> bool:
        """Whether a single batch is explained."""
        return self.offset is not None or self.batch is not None

    def takes(self, entry: LogEntry) -> bool:
        """Return whether a batch is the one to explain."""
        is_there = self.offset is None or entry.first <= self.offset <= entry.last
        return bool(entry.number) and is_there and self.batch in {None, entry.number}


class LogPrinter:
    """Prints what is chosen of a log segment.

    Args:
        path: the file.
        release: the release of the messages in it.
        choice: what is shown.
        form: `json` for JSON Lines.
    """

    def __init__(self, path: Path, release: Release, choice: LogChoice, form: str) -> None:
        self._path = path
        self._choice = choice
        self._is_json = form == "json"
        self._contents = choice.contents_of(release, path)
        self.bad = 0
        """The number of entries at which a reader fails."""

    def explanations(self) -> Iterator[Explanation]:
        """Yield the explanation of the chosen batch.

        Raises:
            click.ClickException: the log has no such batch.
        """
        with self._segment() as segment:
            for entry in filter(self._choice.takes, segment.entries()):
                data = segment.data(entry)
                contents = self._recognised(data)
                yield with_contents(explain_records(data), contents, is_control="control" in entry.flags)
                return
        raise click.ClickException(f"{self._path} has no batch with that offset or number")

    def print(self) -> None:
        """Print a line for each entry, with its records below it if they are asked for, and a line of sums."""
        sums = _Sums()
        with self._segment() as segment:
            if not self._is_json:
                echo(f"{self._path}: a log segment of {segment.size:,} bytes\n\n{HEADINGS}")
            for entry in segment.entries():
                sums.add(entry)
                self._print(segment, entry)
        self.bad = sums.bad
        if not self._is_json:
            echo(f"\n{sums}")

    def _print(self, segment: Segment, entry: LogEntry) -> None:
        if self._choice.key is None:
            echo(json.dumps(vars(entry)) if self._is_json else line_of(entry))
        if entry.number and (self._choice.contents or self._choice.key is not None):
            for record in self._records(segment.data(entry), entry):
                if self._choice.key is None or self._choice.key in {record["key"], record["key"].strip('"')}:
                    echo(json.dumps(record) if self._is_json else _record_line(record))

    def _records(self, data: bytes, entry: LogEntry) -> Iterator[dict[str, Any]]:
        contents, is_control = self._recognised(data), "control" in entry.flags
        for offset, timestamp, record in _records_of(data):
            key, value = contents.texts(record, is_control=is_control)
            yield {"offset": offset, "timestamp": timestamp, "key": key, "value": value}

    def _recognised(self, data: bytes) -> LogContents:
        """Return the meaning of the records; those of a log without a topic decide it by what they say."""
        if self._contents.source is None and self._choice.topic is None:
            records = [record for _, _, record in _records_of(data)]
            return self._contents.recognised(records)
        return self._contents

    @contextmanager
    def _segment(self) -> Iterator[Segment]:
        with opened(self._path) as file:
            yield Segment(file, judges=self._choice.judges)


def _records_of(data: bytes) -> Iterator[tuple[int, int, RecordContents]]:
    """Yield offset, timestamp, key and value of the records of an entry, as far as they can be read."""
    value = judge_records(data, check_crc=False).value or {"batches": []}
    for batch in value["batches"]:
        for record in batch.get("records", ()):
            offset = batch["baseOffset"] + record["offsetDelta"]
            contents = RecordContents(record["key"], record["value"])
            yield offset, batch["baseTimestamp"] + record["timestampDelta"], contents
        for message in batch.get("messages", (batch,) if "key" in batch else ()):
            yield message["offset"], message.get("timestamp", -1), RecordContents(message["key"], message["value"])


HEADINGS = (
    f"{'batch':>7}  {'position':>12}  {'offsets':>23}  {'records':>7}  {'bytes':>9}  {'codec':<6}  "
    f"{'time (UTC)':<23}  producer:epoch:sequence  leader epoch  verdict"
)


def line_of(entry: LogEntry) -> str:
    """Return the line of an entry, under `HEADINGS`."""
    verdict = ", ".join((*entry.rules, *filter(None, (entry.detail,)))) or "sound"
    if not entry.number:
        return f"{entry.kind:>7}  {entry.position:>12}  {'':>23}  {'':>7}  {entry.size:>9}  {verdict}"
    offsets = f"{entry.first}" if entry.first == entry.last else f"{entry.first} to {entry.last}"
    producer = ":".join(map(str, entry.producer)) if entry.producer[0] >= 0 else "-"
    flags = f" ({', '.join(entry.flags)})" if entry.flags else ""
    kind = "" if entry.kind == BATCH else f" (magic {entry.magic})"
    return (
        f"{entry.number:>7}  {entry.position:>12}  {offsets:>23}  {entry.count:>7}  {entry.size:>9}  "
        f"{'-' if entry.codec == 'none' else entry.codec:<6}  {time_text(entry.timestamp):<23}  {producer:<23}  "
        f"{entry.leader_epoch:>12}  {verdict}{flags}{kind}"
    )


def time_text(milliseconds: int) -> str:
    """Return a timestamp as a date and time in UTC, or as its number if it is none."""
    if not 0 <= milliseconds < HIGHEST_DATE:
        return str(milliseconds)
    moment = datetime.fromtimestamp(milliseconds // 1000, UTC)
    return f"{moment:%Y-%m-%d %H:%M:%S}.{milliseconds % 1000:03}"


def _record_line(record: dict[str, Any]) -> str:
    return f"{'':>9}{record['offset']:>12}  {time_text(record['timestamp'])}  {record['key']}: {record['value']}"


@dataclass
class _Sums:
    """The sums over a log."""

    batches: int = 0
    records: int = 0
    bad: int = 0
    first: int | None = None
    last: int | None = None

    def add(self, entry: LogEntry) -> None:
        self.bad += entry.is_bad
        if entry.number:
            self.batches += 1
            self.records += entry.count
            self.first = entry.first if self.first is None else self.first
            self.last = entry.last

    def __str__(self) -> str:
        if not self.batches:
            return "no batch"
        what = f"{counted(self.batches, 'batch').replace('batchs', 'batches')}, {counted(self.records, 'record')}"
        bad = f"{self.bad:,} of them cannot be read" if self.bad else "all can be read"
        return f"{what}, offsets {self.first} to {self.last}; {bad}"


def explain_logs(paths: Iterable[Path], release: Release, choice: LogChoice, form: str) -> int:
    """Print the summary of some log segments, and return the number of bad entries in them."""
    bad = 0
    for path in paths:
        printer = LogPrinter(path, release, choice, form)
        printer.print()
        bad += printer.bad
    return bad
