"""The explanation of a log segment: a line for each batch, or the records that are asked for."""

from __future__ import annotations

import json
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from conformance.commands.common import steps_shown
from conformance.report.explain.data_folder import LOGS, kind_of
from conformance.report.explain.log_contents import LogContents, RecordContents, topic_of, with_contents
from conformance.report.explain.segments import BATCH, LogEntry, LogSegment
from conformance.report.words import counted
from conformance.system.terminal import echo
from reference import judge_records
from reference.explained.records import explain_records
from reference.explained.shown_values import HIGHEST_DATE
from reference.inputs.files import opened
from reference.records import attributes as bits

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from reference import Release
    from reference.explained.explanation import Explanation


@dataclass(frozen=True)
class LogChoice:
    """The shown part of a log.

    A batch is chosen by the `offset` of a record in it or by its number. `key` is the text of the keys of listed
    records, `contents` lists every one. `topic` is for a folder that does not name it. `judges` judges the records of
    each batch, and `only_bad` leaves out entries without an error. Secrets are those in metadata records.
    """

    offset: int | None = None
    batch: int | None = None
    key: str | None = None
    contents: bool = False
    judges: bool = False
    topic: str | None = None
    secrets: bool = False
    only_bad: bool = False

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


class ShownRecord(NamedTuple):
    """A record of a log, with key and value as texts."""

    offset: int
    timestamp: int
    key: str
    value: str


class LogPrinter:
    """Prints the chosen part of a log segment, with the form `json` as JSON Lines."""

    def __init__(self, path: Path, release: Release, choice: LogChoice, form: str, name: str) -> None:
        self._path = path
        self._name = name
        self._choice = choice
        self._is_json = form == "json"
        self._contents = choice.contents_of(release, path)
        self._is_recognised = False
        self.records = 0
        """The number of records shown."""
        self.bad = 0
        """The number of entries at which a reader fails."""

    def explanation(self) -> Explanation:
        """Return the explanation of the chosen batch, or raise `click.ClickException` if there is none."""
        with self._segment() as segment:
            for entry in filter(self._choice.takes, segment.entries()):
                data = segment.data(entry)
                is_control = "control" in entry.flags
                contents = self._recognised(data, is_control=is_control)
                return with_contents(_of_log(explain_records(data)), contents, is_control=is_control)
        raise click.ClickException(f"{self._name} has no batch with that offset or number")

    def show(self) -> None:
        """Print a line for each entry, with its records below it if they are asked for, and a line of sums."""
        sums = LogSums(self._choice.judges)
        with self._segment() as segment:
            if not self._is_json:
                echo(f"{self._name}: a log segment of {segment.size:,} bytes\n\n{HEADINGS}")
            for entry in segment.entries():
                sums.add(entry)
                if entry.is_bad or not self._choice.only_bad:
                    self._show_entry(segment, entry)
        self.bad = sums.bad
        if not self._is_json:
            echo(f"\n{sums}")
        if self._choice.key is not None and not self.records:
            raise click.ClickException(f"{self._name} has no record with the key {self._choice.key!r}")

    def _show_entry(self, segment: LogSegment, entry: LogEntry) -> None:
        if self._choice.key is None:
            echo(json.dumps(vars(entry)) if self._is_json else line_of(entry))
        if entry.number and (self._choice.contents or self._choice.key is not None):
            form = _record_json if self._is_json else _record_line
            # One call for a batch: each one locks and flushes.
            if lines := [form(record) for record in self._records(segment.data(entry), entry)]:
                echo("\n".join(lines))

    def _records(self, data: bytes, entry: LogEntry) -> Iterator[ShownRecord]:
        is_control = "control" in entry.flags
        contents = self._recognised(data, is_control=is_control)
        for offset, timestamp, record in _records_of(data):
            key, value = contents.texts(record, is_control=is_control)
            if self._choice.key is None or self._choice.key == key or _is_key(record.key, self._choice.key):
                self.records += 1
                yield ShownRecord(offset, timestamp, key, value)

    def _recognised(self, data: bytes, *, is_control: bool) -> LogContents:
        # The first batch of a log without a topic decides by its content.
        is_unknown = self._contents.source is None and self._choice.topic is None
        if is_unknown and not self._is_recognised and not is_control:
            self._is_recognised = True
            self._contents = self._contents.recognised([record for _, _, record in _records_of(data)])
        return self._contents

    @contextmanager
    def _segment(self) -> Iterator[LogSegment]:
        # The lines of batches show the progress where there are any.
        is_silent = self._choice.only_bad or self._choice.key is not None or self._choice.is_of_batch
        shown = steps_shown("bytes read") if is_silent else nullcontext(lambda _at, _size: None)
        with opened(self._path) as file, shown as progress:
            segment = LogSegment(file, judges=self._choice.judges)
            segment.report = lambda at: progress(at, segment.size)
            yield segment


def _is_key(key: bytes | None, text: str) -> bool:
    return key is not None and key == text.encode()


def _of_log(explanation: Explanation) -> Explanation:
    """Leave out the broker's behaviour, which is about a Produce request."""
    readers = {name: does for name, does in explanation.verdict.readers.items() if "broker" not in name}
    return replace(explanation, verdict=replace(explanation.verdict, readers=readers))


def _records_of(data: bytes) -> Iterator[tuple[int, int, RecordContents]]:
    """Yield offset, timestamp, key and value of each readable record of an entry."""
    value = judge_records(data, check_crc=False).value or {"batches": []}
    for batch in value["batches"]:
        yield from _of_batch(batch) if "records" in batch else _of_message(batch)


def _of_batch(batch: dict[str, Any]) -> Iterator[tuple[int, int, RecordContents]]:
    # With the time of the append, all records have the time of the batch.
    appended = batch["maxTimestamp"] if batch["timestampType"] == bits.LOG_APPEND else None
    for record in batch["records"]:
        timestamp = batch["baseTimestamp"] + record["timestampDelta"] if appended is None else appended
        contents = RecordContents(record["key"], record["value"])
        yield batch["baseOffset"] + record["offsetDelta"], timestamp, contents


def _of_message(message: dict[str, Any]) -> Iterator[tuple[int, int, RecordContents]]:
    inner = message.get("messages")
    if inner is None:
        yield message["offset"], message.get("timestamp", -1), RecordContents(message["key"], message["value"])
        return
    # In magic 1, offsets count up to that of the wrapper.
    start = message["offset"] - inner[-1]["offset"] if inner and message["magic"] == 1 else 0
    for each in inner:
        yield start + each["offset"], each.get("timestamp", -1), RecordContents(each["key"], each["value"])


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
    return f"{_second_text(milliseconds // 1000)}.{milliseconds % 1000:03}"


@lru_cache(maxsize=64)
def _second_text(seconds: int) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M:%S}"


def _record_line(record: ShownRecord) -> str:
    return f"{'':>9}{record.offset:>12}  {time_text(record.timestamp)}  {record.key}: {record.value}"


def _record_json(record: ShownRecord) -> str:
    return json.dumps(record._asdict())


def batches_text(count: int) -> str:
    """Return a number of batches with its noun."""
    return f"{count:,} batch{'' if count == 1 else 'es'}"


@dataclass
class LogSums:
    """The sums over a log. `judges` says whether the records of batches were read."""

    judges: bool = False
    batches: int = 0
    records: int = 0
    bad: int = 0
    first: int | None = None
    last: int | None = None

    def add(self, entry: LogEntry) -> None:
        """Count an entry."""
        self.bad += entry.is_bad
        if entry.number:
            self.batches += 1
            self.records += entry.count
            self.first = entry.first if self.first is None else self.first
            self.last = entry.last

    def __str__(self) -> str:
        if not self.batches:
            return "no batch"
        what = f"{batches_text(self.batches)}, {counted(self.records, 'record')}"
        sound = "all can be read" if self.judges else "all CRCs are right"
        bad = f"{self.bad:,} that cannot be read" if self.bad else sound
        return f"{what}, offsets {self.first} to {self.last}; {bad}"


def of_unknown_log(explanation: Explanation, release: Release) -> Explanation:
    """Return the explanation of batches with the messages in their records, if they have some, without secrets."""
    records = [record for _, _, record in _records_of(explanation.wire)]
    return with_contents(explanation, LogContents(release, None).recognised(records), is_control=False)


def is_log(path: Path) -> bool:
    """Return whether a file is a log segment, by its name or a first batch with a right CRC, or raise `OSError`."""
    if kind_of(path.name) in LOGS:
        return True
    with opened(path) as file:
        return LogSegment(file).begins_soundly


def judge_log(path: Path, release: Release, *, verbose: bool) -> int:
    """Print the batches of a log segment at which a reader fails, or all, and return their number."""
    printer = LogPrinter(path, release, LogChoice(judges=True, only_bad=not verbose), "tree", str(path))
    printer.show()
    return printer.bad
