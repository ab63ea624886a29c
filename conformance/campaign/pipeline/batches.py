"""The batches of a plan, each written as a whole to a folder of its own.

    batches/batch=0/kind=outcome/implementation=kio/….parquet

The parts of a batch follow from the plan alone. Each part has a row about itself, of kind `part`, with the number of
its other rows, the sum of their hashes, and the hash of the part in the plan. A batch counts if the sums of these rows
are those of the rows that are there. Every other batch is written anew: after an interruption, for example, or the loss
of a file.
"""

from __future__ import annotations

import fnmatch
import json
from collections import defaultdict
from functools import partial, reduce
from hashlib import sha256
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.campaign.pipeline.engines import BATCH, PART, Dataset, Work
from conformance.campaign.pipeline.errors import JobFailed

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from conformance.campaign.pipeline.engines import Columns, Engine, KeptRows, Row
    from conformance.campaign.pipeline.storage import Storage

BATCHES = "batches"
MOST = 500
"""The most parts of a batch. An interrupted batch is run again from its beginning."""

PLAN = "plan"
"""The column of a plan with the hash of the part."""

OF_PART = "part"
"""The kind of the row about a part."""

MODULUS = 1 << 64

FURTHER: Columns = {
    "kind": "string",
    "number": "bigint",
    "rows": "bigint",
    "hash": "bigint",
    "others": "bigint",
    "plan": "bigint",
    "problem": "string",
}
"""The columns of every batch. In a row about a part: its number, the count of its rows with a hash, the sum of their
hashes, the count of its rows without one, the hash of the part in the plan, and the reason why it has no rows."""

_SUMS = """
select $batch, kind, $keys, count(*) as number, max(problem) as problem, sum(rows) as rows, sum(others) as others,
       sum(cast(hash as decimal(20, 0))) as hash, sum(cast(plan as decimal(20, 0))) as plan $sums
from {batches} group by $group kind, $keys
"""


class PlannedPart(NamedTuple):
    """A part of a plan, without its number.

    Attributes:
        hash: a hash of the part and of all that its rows depend on, as a signed number of 64 bits.
    """

    hash: int
    blocks: Sequence[Row]


def planned(parameters: str, parts: Iterable[Sequence[Row]]) -> list[PlannedPart]:
    """Return the parts of a plan. The rows of each depend on its blocks and on the parameters."""
    texts = ((f"{parameters}{json.dumps([number, blocks])}", blocks) for number, blocks in enumerate(parts))
    return [PlannedPart(signed(sha256(text.encode()).digest()), blocks) for text, blocks in texts]


def signed(digest: bytes) -> int:
    """Return the first eight bytes of a digest as a signed number."""
    return int.from_bytes(digest[:8], "big", signed=True)


def summed(hashes: Iterable[int]) -> int:
    """Return the sum of hashes modulo 2^64, as a signed number."""
    total = sum(hashes) % MODULUS
    return total - MODULUS if total >= MODULUS // 2 else total


def hash_text(hashes: Iterable[int]) -> str:
    """Return the sum of hashes modulo 2^64, in 16 hexadecimal digits."""
    return f"{sum(hashes) % MODULUS:016x}"


def part_row(blocks: Sequence[Row], hashes: Collection[int], others: int = 0) -> Row:
    """Return the row about a part with these blocks, of rows with these hashes and so many others."""
    first = blocks[0]
    about = {"kind": OF_PART, "number": first[PART], PLAN: first[PLAN]}
    return {**about, "rows": len(hashes), "hash": summed(hashes), "others": others}


def kept_sums(engine: Engine, rows: Dataset, keys: Columns, hash_of: Callable[[Row], int]) -> list[Row]:
    """Return the sums of the rows of a dataset, as of `summed_by`, and none without files.

    Raises:
        JobFailed: a file is damaged.
    """
    if not fnmatch.filter(rows.place.names(), rows.pattern.partition("/")[0]):
        return []
    columns = {**keys, "number": "bigint", "hash": "bigint"}
    work = Work(partial(summed_by, tuple(keys), hash_of), columns, f"check of {rows.place}")
    return engine.reduced(work, "select * from {rows}", rows=rows)


def summed_by(names: Iterable[str], hash_of: Callable[[Row], int], rows: Iterable[Row]) -> Iterator[Row]:
    """Yield the number of rows with the same values in some columns, and the sum of their hashes."""
    sums: defaultdict[tuple[Any, ...], list[int]] = defaultdict(lambda: [0, 0])
    for row in rows:
        own = sums[tuple(row[name] for name in names)]
        own[0] += 1
        own[1] += hash_of(row)
    for key, (count, total) in sums.items():
        yield {**dict(zip(names, key, strict=True)), "number": count, "hash": summed([total])}


class Batches(NamedTuple):
    """A plan in a folder.

    Attributes:
        parts: all parts; part `n` has the number `n`.
        work: the work on them; its columns begin with those of `FURTHER`.
        folders: the columns with folders of their own, besides the batch.
        keys: the columns by which the totals are grouped, besides the kind.
        sums: the columns that the totals add up, besides counts and hashes.
        given: kept rows for the blocks.
    """

    folder: Storage
    parts: Sequence[PlannedPart]
    work: Work
    folders: tuple[str, ...]
    keys: tuple[str, ...]
    sums: tuple[str, ...] = ()
    format: str = "parquet"
    given: KeptRows | None = None

    @property
    def dataset(self) -> Dataset:
        """All batches."""
        columns = {BATCH: "int", **self.work.columns}
        return Dataset(self.folder.within(BATCHES), columns, (BATCH, *self.folders), self.format)

    @property
    def size(self) -> int:
        """The number of batches."""
        return -(-len(self.parts) // MOST)

    def _one(self, number: int) -> Dataset:
        place = self.dataset.place.within(f"{BATCH}={number}")
        return Dataset(place, self.work.columns, self.folders, self.format)

    def write_missing(self, engine: Engine, shown: Callable[[int], object]) -> WrittenBatches:
        """Write the batches that do not count, and call `shown` with the number of finished parts before each.

        Raises:
            JobFailed: the work failed, or a new batch does not count.
        """
        sums, wrong = self._kept(engine), list[str]()
        for number in range(self.size):
            shown(number * MOST)
            problem = self._problem(number, sums.get(number, []))
            if problem is not None:
                wrong += [f"batch {number} {problem}"] if problem else []
                self._write(engine, number)
                sums[number] = self._sums_of_one(engine, number)
                self._require(number, sums[number])
        return WrittenBatches(wrong, [row for rows in sums.values() for row in rows])

    def _require(self, number: int, sums: Sequence[Row]) -> None:
        problem = self._problem(number, sums)
        if problem is not None:
            problem = problem or "is not there: all machines must share its folder"
            raise JobFailed(self.work.about, f"batch {number} {problem}", self.work.advice)

    def _write(self, engine: Engine, number: int) -> None:
        plan = [
            {PART: MOST * number + place, PLAN: part.hash, **block}
            for place, part in enumerate(self._of(number))
            for block in part.blocks
        ]
        engine.write(plan, self.work, self._one(number), self.given)

    def _of(self, number: int) -> Iterator[PlannedPart]:
        return islice(self.parts, MOST * number, MOST * (number + 1))

    def _kept(self, engine: Engine) -> dict[int, list[Row]]:
        found: defaultdict[int, list[Row]] = defaultdict(list)
        planned = {f"{BATCH}={number}": number for number in range(self.size)}
        there = planned.keys() & self.dataset.place.names()
        if not there:
            return found
        try:
            rows = engine.query(self._text("batch", "batch,"), batches=self.dataset)
        except JobFailed:  # a damaged file is that of one batch
            rows = [row for name in there for row in self._sums_of_one(engine, planned[name])]
        for row in rows:
            found[row["batch"]].append(row)
        return {number: found.get(number, [{"batch": number}]) for name, number in planned.items() if name in there}

    def _sums_of_one(self, engine: Engine, number: int) -> list[Row]:
        """Return a row without sums if the batch cannot be read."""
        one = self._one(number)
        try:
            return engine.query(self._text(f"{number} as batch", ""), batches=one) or [{"batch": number}]
        except JobFailed:
            return [{"batch": number}] if one.place.names() else []

    def _text(self, batch: str, group: str) -> str:
        sums = "".join(f", sum({name}) as {name}" for name in self.sums)
        texts = {"$batch": batch, "$group": group, "$keys": ", ".join(self.keys), "$sums": sums}
        return reduce(lambda text, name: text.replace(name, texts[name]), texts, _SUMS)

    def _problem(self, number: int, sums: Sequence[Row]) -> str | None:
        """Return what is wrong with a batch, None for nothing, and an empty text for a missing one."""
        if not sums:
            return ""
        about = [row for row in sums if row.get("kind") == OF_PART]
        if not about:
            return "cannot be read"
        problem = max((row["problem"] for row in about if row["problem"]), default=None)
        if problem:
            return str(problem)
        own = list(self._of(number))
        found = [row for row in sums if row["kind"] != OF_PART]
        hashed = [row for row in found if row["hash"] is not None]
        planned = sum(row["number"] for row in about), sum(int(row["plan"]) for row in about)
        if planned != (len(own), sum(part.hash for part in own)):
            return "is not of this plan"
        counted = sum(row["number"] for row in hashed), sum(row["number"] for row in found)
        rows, others = (sum(int(row[name] or 0) for row in about) for name in ("rows", "others"))
        differ = (sum(int(row["hash"]) for row in hashed) - sum(int(row["hash"]) for row in about)) % MODULUS
        return "has other rows than its parts had" if differ or counted != (rows, rows + others) else None


class WrittenBatches(NamedTuple):
    """Batches that count.

    Attributes:
        wrong: what was wrong with those that were written anew.
        sums: for each batch, kind and keys, the number of rows, the sum of their hashes, and further sums. Those of
            parts have the number of other rows and the sum of their hashes as `rows` and `hash`.
    """

    wrong: list[str]
    sums: list[Row]
