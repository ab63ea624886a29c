"""The engine of processes of this machine, with DuckDB for queries."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from glob import escape
from itertools import chain, count, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from conformance.campaign.pipeline.engines import AGAIN, PIECE, Dataset, Row, Work, parts_of
from conformance.campaign.pipeline.errors import JobFailed, PartLost
from conformance.system.folders import replacing_folder
from conformance.system.own_processes import worker_pool
from conformance.system.whole_files import explained

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    import pyarrow as pa
    from duckdb import DuckDBPyConnection

    from conformance.campaign.pipeline.engines import KeptRows

LOSSES = 3
"""The number of pools to lose before it is an error. The machine has ended a process of each."""

_Part = list[Row]


class ProcessEngine:
    """An engine of processes. Without queries it needs no package."""

    formats: Sequence[str] = ("parquet",)

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._done = 0
        self.name = f"{workers} processes of this machine"

    def rows(self, plan: Iterable[Row], work: Work) -> Iterator[list[Row]]:
        """Yield the rows of each part, as `Engine.rows`."""
        self._done = 0
        waiting = parts_of(plan)
        lost = ""
        for _ in range(LOSSES + 1):
            begun = list[_Part]()
            try:
                yield from self._rows_of_pool(waiting, work, begun)
            except (BrokenProcessPool, PartLost) as error:  # all running parts begin again, in another pool
                lost = str(error)
                waiting = chain(begun, waiting)
            else:
                return
        problem = f"processes were ended from outside, {LOSSES + 1} times: {lost}. Is there enough memory?"
        raise JobFailed(work.about, problem, work.advice)

    def _rows_of_pool(self, waiting: Iterator[_Part], work: Work, begun: list[_Part]) -> Iterator[list[Row]]:
        """Keep unfinished parts in `begun`."""
        running = dict[Future[list[Row]], _Part]()
        with worker_pool(self._workers) as pool:
            try:
                while True:
                    for part in islice(waiting, self._workers - len(running)):
                        begun.append(part)
                        running[pool.submit(_made, work, part)] = part
                    if not running:
                        return
                    for future in wait(running, return_when=FIRST_COMPLETED).done:
                        rows = future.result()
                        begun.remove(running.pop(future))
                        self._done += 1
                        yield rows
            except BaseException:  # the pool would wait for the running parts to end
                for process in multiprocessing.active_children():
                    process.kill()
                raise

    def write(self, plan: Sequence[Row], work: Work, target: Dataset, given: KeptRows | None = None) -> None:
        """Write the rows of a plan, as `Engine.write`."""
        from conformance.campaign.pipeline.tables import pieces_of, rows_of  # noqa: PLC0415  # an extra

        blocks: Iterable[Row] = plan if given is None else rows_of(self._given(plan, given))
        made = (row for rows in self.rows(blocks, work) for row in rows)
        self._replace(target, pieces_of(made, work.columns))

    def query(self, sql: str, **datasets: Dataset) -> list[Row]:
        """Return the rows of a query, as `Engine.query`."""
        with _connected() as database:
            found = database.execute(_text(sql, datasets))
            names = [column[0] for column in found.description or ()]
            return [dict(zip(names, row, strict=True)) for row in found.fetchall()]

    def publish(self, sql: str, target: Dataset, **datasets: Dataset) -> None:
        """Write the rows of a query, as `Engine.publish`."""
        with _connected() as database:
            self._replace(target, database.sql(_text(sql, datasets)).to_arrow_reader(PIECE))

    def reduced(self, work: Work, sql: str, **datasets: Dataset) -> list[Row]:
        """Return the rows made of those of a query, as `Engine.reduced`."""
        from conformance.campaign.pipeline.tables import rows_of  # noqa: PLC0415  # an extra

        with _connected() as database:
            return list(work.kernel(rows_of(database.sql(_text(sql, datasets)).to_arrow_reader(PIECE))))

    def done(self) -> int:
        """Return the number of finished parts, as `Engine.done`."""
        return self._done

    @staticmethod
    def _given(plan: Sequence[Row], given: KeptRows) -> Iterator[pa.RecordBatch]:
        from pyarrow import Table  # noqa: PLC0415  # an extra

        with _connected() as database:
            database.register("blocks_of_plan", Table.from_pylist([*plan]))
            sql = given.sql.replace("{plan}", "blocks_of_plan")
            joined = _text(sql, {"given": given.dataset})
            ordered = f"select * from ({joined}) order by part, block, position"  # noqa: S608  # own names
            yield from database.sql(ordered).to_arrow_reader(PIECE)

    @staticmethod
    def _replace(target: Dataset, pieces: Iterable[pa.RecordBatch]) -> None:
        place = Path(str(target.place))
        with explained(place):
            place.parent.mkdir(parents=True, exist_ok=True)
        with replacing_folder(place, lambda: None) as new:
            waiting, number = list[Any](), count()
            for piece in pieces:
                waiting.append(piece)
                if sum(each.num_rows for each in waiting) >= min(MOST, target.most):
                    _write(waiting, target, new, next(number))
                    waiting = []
            _write(waiting, target, new, next(number))


def _write(pieces: Sequence[pa.RecordBatch], target: Dataset, folder: Path, number: int) -> None:
    from pyarrow import Table, dataset  # noqa: PLC0415  # an extra

    from conformance.campaign.pipeline.tables import schema_of  # noqa: PLC0415  # an extra

    schema, folders = schema_of(target.columns), schema_of({name: target.columns[name] for name in target.folders})
    dataset.write_dataset(
        Table.from_batches([piece.select(schema.names).cast(schema) for piece in pieces], schema),
        folder,
        format="parquet",
        partitioning=dataset.partitioning(folders, flavor="hive"),
        file_options=dataset.ParquetFileFormat().make_write_options(compression="zstd"),
        max_rows_per_file=target.most,
        max_rows_per_group=min(GROUP, target.most),
        basename_template=f"part-{number:05}-{{i}}.parquet",
        existing_data_behavior="overwrite_or_ignore",
    )


MOST = 1_000_000
"""The most rows in memory before they are written."""

GROUP = 1 << 17
"""The rows to write together. Smaller groups compress less and are slower to read."""


def _made(work: Work, part: _Part) -> list[Row]:
    return list(work.kernel(part))


@contextmanager
def _connected() -> Iterator[DuckDBPyConnection]:
    """Yield a new database, whose errors are failures of a job: files are missing, damaged, or of another form."""
    import duckdb  # noqa: PLC0415  # an extra

    try:
        with TemporaryDirectory(prefix="kafka-conformance-") as folder, duckdb.connect() as database:
            database.execute(f"set temp_directory = {_quoted(folder)}")
            yield database
    except duckdb.Error as error:
        raise JobFailed("query", str(error).partition("\n")[0], AGAIN) from error


def _text(sql: str, datasets: Mapping[str, Dataset]) -> str:
    for name, dataset in datasets.items():
        sql = sql.replace(f"{{{name}}}", f"({_read(dataset)})")
    return sql


def _read(dataset: Dataset) -> str:
    """Return a query for the rows of a dataset, with its columns in its types, whatever the files have."""
    for path in Path(str(dataset.place)).glob(dataset.pattern):
        if not path.is_file():  # DuckDB would wait for a pipe
            raise JobFailed("query", f"{path} is no file", AGAIN)
    # DuckDB has Spark's names of types, but for arrays.
    kinds = {name: kind.replace("array<string>", "string[]") for name, kind in dataset.columns.items()}
    types = ", ".join(f"{_quoted(name)}: {kinds[name]}" for name in dataset.folders)
    options = f", hive_partitioning=true, hive_types={{{types}}}" if types else ""
    files = f"{escape(str(dataset.place))}/{dataset.pattern}"
    columns = ", ".join(f'cast("{name}" as {kind}) as "{name}"' for name, kind in kinds.items())
    return f"select {columns} from read_parquet({_quoted(files)}{options})"  # noqa: S608  # own names


def _quoted(text: str) -> str:
    doubled = text.replace("'", "''")
    return f"'{doubled}'"
