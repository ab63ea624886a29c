"""A comparison of implementations on bytes that the protocol leaves open.

It shows the implementations that accept the bytes, the values that they read, and classes of implementations with the
same behaviour.

The answers of all implementations to the same bytes are a pattern. Patterns are few, even for many bytes. This process
counts them, and holds the answers to all open bytes for it; or Spark does.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import pyarrow as pa
from pyarrow import compute

from conformance.campaign.attempts import MANIFEST, NotThisCampaign, outcomes_content, outcomes_name
from conformance.campaign.folder import manifest_of
from conformance.campaign.kernel import AS_APACHE_KAFKA
from conformance.campaign.outcomes import read_outcomes
from conformance.campaign.spark.corpus_plan import TASKS_OF_A_SLOT, cut
from conformance.campaign.spark.engines import batches_on_spark
from conformance.campaign.spark.jobs import collect, parallelism
from conformance.codec.outcome import ABSENT, FATAL, REFUSALS, Kind
from conformance.codec.session import DECODE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from pyspark.sql import SparkSession

    from conformance.campaign.spark.storage import Storage

    Count = Callable[[Storage, Sequence["KeptFile"]], "Patterns"]
    """Counts the patterns in files of a campaign."""

COLUMNS = ("id", "direction", "outcome", "open", "reading")
REJECTS = "rejects"
ENDS = "ends"
ANOTHER = "reads another value"
KNOWN = frozenset((REJECTS, ENDS, AS_APACHE_KAFKA))
"""The answers besides hashes of values."""

Pattern = tuple[tuple[str, str | int], ...]
"""The answers to the same bytes, by implementation: one of `KNOWN`, or a number for each other value."""

Patterns = Counter[tuple[str, Pattern]]
"""The number of occurrences of each rule that leaves bytes open, with each pattern."""


@dataclass
class Open:
    """The behaviour of implementations on bytes left open by one rule."""

    rule: str
    patterns: Counter[Pattern]

    @property
    def implementations(self) -> list[str]:
        """The implementations with an answer, by name."""
        return sorted({name for pattern in self.patterns for name, _ in pattern})

    def counts(self, implementation: str) -> Counter[str]:
        """Return the number of each answer of an implementation.

        All values other than Apache Kafka's are counted as one answer.
        """
        found = Counter[str]()
        for pattern, count in self.patterns.items():
            for name, answer in pattern:
                if name == implementation:
                    found[answer if isinstance(answer, str) else ANOTHER] += count
        return found

    def classes(self) -> list[list[str]]:
        """Return the implementations in classes with the same behaviour.

        Members of a class agree on all bytes given to both. An implementation is in the first class with a first member
        that agrees with it.
        """
        found: list[list[str]] = []
        for name in self.implementations:
            for members in found:
                if self._agree(name, members[0]):
                    members.append(name)
                    break
            else:
                found.append([name])
        return found

    def _agree(self, one: str, other: str) -> bool:
        both = [answers for answers in map(dict, self.patterns) if one in answers and other in answers]
        return bool(both) and all(answers[one] == answers[other] for answers in both)


class KeptFile(NamedTuple):
    """The file of outcomes of a task.

    Attributes:
        implementation: the implementation.
        name: the name of the file in the folder of the campaign.
        bytes: its size.
        sha256: the SHA-256 of its content.
    """

    implementation: str
    name: str
    bytes: int
    sha256: str


def files_of(folder: Storage) -> list[KeptFile]:
    """Return the files of outcomes of a finished campaign.

    Raises:
        NotThisCampaign: there is none, or it is a night, without outcomes.
    """
    tasks = manifest_of(folder)["tasks"]
    if any(task["file"] is None for task in tasks):
        raise NotThisCampaign(f"{folder} is a night: it keeps findings, and no outcomes. Run a campaign.")
    return [
        KeptFile(name, outcomes_name(name, task["file"]), task["bytes"], task["fileSha256"])
        for task in tasks
        for name in [task["implementation"]]
    ]


def outcomes_of(folder: Storage, columns: Sequence[str] | None = None) -> Iterator[pa.Table]:
    """Yield the outcomes of each task of a finished campaign.

    Raises the errors of `files_of` and `outcomes_in`.
    """
    for file in files_of(folder):
        yield outcomes_in(folder, file, columns)


def outcomes_in(folder: Storage, file: KeptFile, columns: Sequence[str] | None = None) -> pa.Table:
    """Return the outcomes in a file.

    Raises:
        NotThisCampaign: the file is missing, or not as stated in the manifest.
    """
    content = outcomes_content(folder, file.name, file.sha256, MANIFEST)
    return read_outcomes(content, file.implementation, columns)


def answers_in(folder: Storage, file: KeptFile) -> pa.Table:
    """Return the answers in a file as a table of texts.

    The columns are rule, id, implementation and answer. An answer is one of `KNOWN`, or the hash of a value. Errors are
    those of `outcomes_in`.
    """
    table = outcomes_in(folder, file, COLUMNS)
    open_rows = table.filter(compute.and_(table["open"].is_valid(), compute.equal(table["direction"], DECODE)))
    answers = map(_answer, open_rows["outcome"].to_pylist(), open_rows["reading"].to_pylist())
    found = open_rows.select(["open", "id", "implementation"]).append_column("answer", pa.array(answers, pa.string()))
    return found.rename_columns(["rule", "id", "implementation", "answer"]).filter(found["answer"].is_valid())


def _answer(outcome: str, reading: str | None) -> str | None:
    """Return the answer of a row, or None if the implementation gave none."""
    kind = Kind(outcome)
    if kind in ABSENT:
        return None
    if kind in FATAL:
        return ENDS
    return REJECTS if kind in REFUSALS else reading


def pattern_of(answers: Iterable[tuple[str, str]]) -> Pattern:
    """Return the pattern of pairs of implementation and answer in any order."""
    numbers: dict[str, int] = {}
    return tuple(
        (name, answer if answer in KNOWN else numbers.setdefault(answer, len(numbers)))
        for name, answer in dict(sorted(answers)).items()
    )


def patterns_here(folder: Storage, files: Sequence[KeptFile]) -> Patterns:
    """Count the patterns in this process.

    Raises the errors of `outcomes_in`.
    """
    given = defaultdict[tuple[str, str], list[tuple[str, str]]](list)
    kept: dict[tuple[str, str], tuple[str, str]] = {}  # equal pairs are held once
    for file in files:
        columns = (column.to_pylist() for column in answers_in(folder, file).columns)
        for rule, case, name, answer in zip(*columns, strict=True):
            pair = (name, answer)
            given[rule, case].append(kept.setdefault(pair, pair))
    return Counter((rule, pattern_of(answers)) for (rule, _), answers in given.items())


def compared(folder: Storage, count: Count = patterns_here) -> list[Open]:
    """Return the behaviour of all implementations on unspecified bytes, by rule.

    Args:
        folder: the campaign's folder.
        count: counts the patterns.

    Raises:
        NotThisCampaign: see `files_of` and `outcomes_in`.
        JobFailed: they cannot be counted on Spark.
    """
    found = defaultdict[str, Counter[Pattern]](Counter)
    for (rule, pattern), times in count(folder, files_of(folder)).items():
        found[rule][pattern] = times
    return [Open(rule, found[rule]) for rule in sorted(found)]


ANSWERS = "rule string, id string, implementation string, answer string"
COUNTS = "rule string, pattern string, times long"
BATCH = 10_000
"""The rows of a batch for Spark, as by its own default."""


def patterns_on_spark(session: SparkSession, folder: Storage, files: Sequence[KeptFile]) -> Patterns:
    """Count the patterns on Spark.

    The workers must reach the folder.

    Raises:
        JobFailed: a file is missing, or not as stated in the manifest, or the job failed.
    """
    from pyspark.sql.functions import collect_list, struct  # noqa: PLC0415  # an extra

    if not files:
        return Counter()
    pieces = cut(files, [1 + file.bytes for file in files], TASKS_OF_A_SLOT * parallelism(session))
    answers = batches_on_spark(session, len(pieces), partial(_nth_answers, folder, pieces), ANSWERS)
    given = answers.groupBy("rule", "id").agg(collect_list(struct("implementation", "answer")).alias("answers"))
    counted = given.select("rule", "answers").mapInArrow(_counted, COUNTS).groupBy("rule", "pattern").sum("times")
    rows = collect(counted, f"comparison of {folder}")
    return Counter({(rule, tuple(map(tuple, json.loads(text)))): times for rule, text, times in rows})


def _nth_answers(folder: Storage, pieces: Sequence[Sequence[KeptFile]], number: int) -> Iterator[pa.RecordBatch]:
    for file in pieces[number]:
        yield from answers_in(folder, file).to_batches(BATCH)


def _counted(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Count the patterns of a partition.

    Each batch has rules, and lists of answers.
    """
    counts: Patterns = Counter()
    for batch in batches:
        for rule, answers in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            counts[rule, pattern_of((each["implementation"], each["answer"]) for each in answers)] += 1
    rows = [{"rule": rule, "pattern": json.dumps(pattern), "times": times} for (rule, pattern), times in counts.items()]
    if rows:
        yield pa.RecordBatch.from_pylist(rows)
