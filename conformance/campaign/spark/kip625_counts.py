"""Counts of the integers of a message in a corpus, computed on Spark: see `conformance.campaign.kip625_advice`."""

from __future__ import annotations

import os
from collections import Counter
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from conformance.campaign.kip625_advice import Metric, tally
from conformance.campaign.spark.corpus import PARAMETERS
from conformance.campaign.spark.corpus_plan import FOLDER
from conformance.campaign.spark.jobs import collect
from conformance.campaign.spark.spark_errors import NotThisCorpus
from reference import load_release
from reference.definitions.errors import DefinitionError
from reference.release import FURTHER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

    from conformance.campaign.spark.storage import Storage

NEEDED = ("release", "message", "version", "wire")
"""The columns that are read."""

COUNTED = "counted string, path string, type string, negative boolean, bits long, count long"


def tally_on_spark(session: SparkSession, corpus: Storage, message: str, version: int | None = None) -> Counter[Metric]:
    """Count the numbers in the rows of a message, or of one version of it; each partition counts its own rows.

    Args:
        session: its file systems read the corpus, wherever it is.
        corpus: what `corpus build` wrote, or any folder or file with such columns.
        message: the name of the message.
        version: None for all.

    Raises:
        NotThisCorpus: there are no Parquet files with the columns of a corpus, no rows of that message and version, or
            rows of an unknown release.
        JobFailed: the numbers cannot be counted.
    """
    from py4j.protocol import Py4JError  # noqa: PLC0415  # an extra
    from pyspark.errors import PySparkException  # noqa: PLC0415  # an extra

    try:
        rows = _rows_of(_corpus(session, corpus), corpus, message, version)
        counted = rows.select("release", "version", "wire").mapInArrow(_kernel(message), COUNTED)
    except (PySparkException, Py4JError) as error:
        raise NotThisCorpus(f"{corpus} cannot be read: {_first_line(error)}") from error
    sums = collect(counted.groupBy(*Metric._fields).sum("count"), f"numbers of {message}")
    return Counter({Metric(*row[: len(Metric._fields)]): row[-1] for row in sums})


def _first_line(error: Exception) -> str:
    """Return the first line of an error; of Java's message, if the error has one."""
    java = getattr(error, "java_exception", None)
    return str(error if java is None else java.getMessage()).partition("\n")[0]


def _kernel(message: str) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """Return the function that counts the rows of a partition: it yields one row for each kind."""
    further = os.environ.get(FURTHER, "")

    def count(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa  # noqa: PLC0415  # this function is sent to the workers as code

        os.environ[FURTHER] = further
        counts = Counter[Metric]()
        for batch in batches:
            counts.update(tally(message, zip(*(column.to_pylist() for column in batch.columns), strict=True)))
        if counts:
            yield pa.RecordBatch.from_pylist([{**kind._asdict(), "count": count} for kind, count in counts.items()])

    return count


def is_generated(session: SparkSession, corpus: Storage) -> bool:
    """Return whether `corpus build` wrote a corpus that can be read: it has parameters."""
    from pyspark.errors import AnalysisException  # noqa: PLC0415  # an extra

    try:
        session.read.text(_place(corpus.within(PARAMETERS)))
    except AnalysisException:
        return False
    return True


def _corpus(session: SparkSession, corpus: Storage) -> DataFrame:
    rows = _rows_here(session, corpus) if corpus.is_local else _rows_there(session, corpus)
    missing = [name for name in NEEDED if name not in rows.columns]
    if missing:
        raise NotThisCorpus(f"{corpus} lacks the columns {', '.join(missing)}: it is not what `corpus build` writes.")
    return rows


def _rows_here(session: SparkSession, corpus: Storage) -> DataFrame:
    """Read a corpus, a file, or the Parquet files of a folder, whatever else that has."""
    path = Path(corpus.uri)
    folder = path / FOLDER if (path / FOLDER).is_dir() else path
    files = sorted(folder.glob("*.parquet")) if folder.is_dir() else [folder]
    if not files:
        raise NotThisCorpus(f"{corpus} holds no Parquet files. Name the folder that `corpus build` wrote.")
    return session.read.parquet(*(file.as_uri() for file in files))


def _rows_there(session: SparkSession, corpus: Storage) -> DataFrame:
    """Read a corpus at a URI, or else all that is there."""
    from pyspark.errors import AnalysisException  # noqa: PLC0415  # an extra

    try:
        return session.read.parquet(_place(corpus.within(FOLDER)))
    except AnalysisException:  # there is no such folder
        return session.read.parquet(_place(corpus))


def _place(place: Storage) -> str:
    """Return a place for Spark, whose settings have what pyarrow's file systems take from the query of a URI."""
    return Path(place.uri).as_uri() if place.is_local else place.uri.partition("?")[0]


def _rows_of(rows: DataFrame, corpus: Storage, message: str, version: int | None) -> DataFrame:
    """Return the rows of one message, each of a version that its release has."""
    found = rows.where(rows.message == message)
    pairs = sorted((row.release, row.version) for row in found.select("release", "version").distinct().collect())
    if not pairs:
        close = get_close_matches(message, [row.message for row in rows.select("message").distinct().collect()], n=3)
        hint = f" Did you mean {' or '.join(close)}?" if close else ""
        raise NotThisCorpus(f"{corpus} has no rows of {message}.{hint}")
    if version is not None and version not in {each for _, each in pairs}:
        versions = ", ".join(map(str, sorted({each for _, each in pairs})))
        raise NotThisCorpus(f"{corpus} has no rows of {message} version {version}: it has {versions}.")
    try:
        for release, each in pairs:
            load_release(release).schema(message, each)
    except DefinitionError as error:
        raise NotThisCorpus(f"{corpus} cannot be decoded: {error}") from error
    return found if version is None else found.where(found.version == version)
