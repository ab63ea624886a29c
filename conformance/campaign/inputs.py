"""The cases of a campaign's blocks.

They are generated, or come from a corpus, or are the deterministic ones of every run of the suite.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from conformance.campaign.plan import FIXED, KEPT, MADE, MOVED, OTHER, TaskBlock
from conformance.campaign.spark.corpus import PARAMETERS, document, manifest_of
from conformance.campaign.spark.corpus_plan import FOLDER, shares
from conformance.campaign.spark.corpus_rows import made_wire, row_name
from conformance.campaign.spark.spark_errors import NotThisCorpus
from conformance.campaign.spark.storage import patiently
from conformance.generate.moves import moved_wire
from conformance.judge.checks.hostile_bytes import HostileBytesCase

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pyarrow as pa

    from conformance.campaign.plan import Parameters
    from conformance.campaign.spark.storage import Storage
    from reference import MessageSchema


class CorpusFacts(NamedTuple):
    """A campaign's facts about a corpus.

    They are its release, if it states one, its hash, its number of rows and its blocks.
    """

    release: str | None
    sha256: str
    rows: int
    blocks: tuple[TaskBlock, ...]


def corpus_facts(corpus: Storage) -> CorpusFacts:
    """Return the facts about a finished corpus.

    Commands `corpus build` and `corpus import` finish one.

    Raises:
        NotThisCorpus: there is none.
        StorageFailed: it cannot be read.
    """
    manifest, parameters = manifest_of(corpus), document(corpus, PARAMETERS) or {}
    seen: dict[tuple[str, str, int], int] = {}
    blocks = []
    for entry in manifest["blocks"]:
        place = entry["part"], entry["message"], entry["version"]
        first = seen.get(place, 0)
        seen[place] = first + entry["rows"]
        blocks.append(TaskBlock(KEPT, entry["message"], entry["version"], first, entry["rows"], entry["part"]))
    return CorpusFacts(parameters.get("release"), manifest["sha256"], manifest["rows"], tuple(blocks))


def made_blocks(schemas: Sequence[MessageSchema], cases: int, kind: str = MADE) -> Iterator[TaskBlock]:
    """Yield the blocks of a number of generated cases.

    Message versions have equal shares, as in a corpus.
    """
    for schema, first, rows in shares(schemas, cases) if schemas else ():
        yield TaskBlock(kind, schema.message, schema.version, first, rows)


def fixed_blocks(schemas: Sequence[MessageSchema], others: Sequence[str]) -> Iterator[TaskBlock]:
    """Yield the blocks of deterministic cases.

    There is a block for each message version, each wire type and each group of record batches.
    """
    for schema in schemas:
        yield TaskBlock(FIXED, schema.message, schema.version)
    yield from (TaskBlock(OTHER, name, 0) for name in others)


class Inputs:
    """The bytes of blocks.

    Successive blocks in one file of a corpus need one read of that file.
    """

    def __init__(self, parameters: Parameters, corpus: Storage | None) -> None:
        self._parameters = parameters
        self._corpus = corpus
        self._file = ""
        self._table: pa.Table | None = None

    def cases(self, schema: MessageSchema, block: TaskBlock) -> list[HostileBytesCase]:
        """Return the cases of a block of bytes.

        Raises:
            NotThisCorpus: the corpus has other rows than stated in its manifest.
        """
        named = self._kept(block) if block.kind == KEPT else self._made(schema, block)
        return [HostileBytesCase(schema, name, "", wire, deterministic=False) for name, wire in named]

    def _made(self, schema: MessageSchema, block: TaskBlock) -> Iterator[tuple[str, bytes]]:
        for index in range(block.first, block.first + block.rows):
            if block.kind == MOVED:
                yield f"{MOVED}-{index}", moved_wire(schema, index, self._parameters.seed)
            else:
                yield row_name(index), made_wire(schema, index, self._parameters.seed)

    def _kept(self, block: TaskBlock) -> Iterator[tuple[str, bytes]]:
        from pyarrow import compute  # noqa: PLC0415  # an extra

        table = self._rows_of(block.file)
        of_pair = compute.and_(
            compute.equal(table["message"], block.message), compute.equal(table["version"], block.version)
        )
        own = table.filter(of_pair).slice(block.first, block.rows)
        releases = compute.unique(own["release"]).to_pylist()
        if own.num_rows != block.rows or releases != [self._parameters.release]:
            where = f"{block.file} of the corpus, {block.message}-v{block.version}"
            problem = f"{own.num_rows} rows of releases {releases}"
            raise NotThisCorpus(f"{where}: {problem}, not {block.rows} of {self._parameters.release}; see --release")
        for row in own.select(["id", "wire"]).to_pylist():
            yield row["id"].rpartition("/")[2], row["wire"]

    def _rows_of(self, file: str) -> pa.Table:
        from pyarrow import BufferReader, parquet  # noqa: PLC0415  # an extra

        if self._table is None or self._file != file:
            corpus, name = self._corpus, f"{FOLDER}/{file}"
            content = None if corpus is None else patiently(lambda: corpus.read(name))
            if content is None:
                raise NotThisCorpus(f"{file} is missing in the corpus {self._corpus}")
            columns = ["id", "release", "message", "version", "wire"]
            self._file, self._table = file, parquet.read_table(BufferReader(content), columns=columns)
        return self._table
