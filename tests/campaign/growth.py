"""Measure how the pipeline grows with its data: python -m tests.campaign.growth plan|clusters|rows NUMBER.

plan 1000000000     plan so many cases on five implementations, and make the plan of each batch
clusters 1000000    find the findings among so many different texts of errors
rows 100000000      write so many outcomes as one dataset, on Spark
"""

import resource
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from conformance.campaign.distil import finding_rows
from conformance.campaign.folder import FOLDERS, batches_of, publish
from conformance.campaign.inputs import made_blocks
from conformance.campaign.pipeline.batches import MOST, Batches
from conformance.campaign.pipeline.choice import Choice, on_spark
from conformance.campaign.pipeline.engines import Dataset, Engine, Work
from conformance.campaign.pipeline.storage import Storage
from conformance.campaign.plan import CampaignSubject, Parameters, parts
from conformance.campaign.preparation import Campaign
from conformance.campaign.rows import COLUMNS, FINDING
from reference import load_release
from tests.helpers.engines import HERE
from tests.helpers.releases import NEWEST

TEXTS = """
select cast(0 as int) as batch, '{kind}' as kind, 'x' as implementation, 'int.width-and-order' as rule,
       'value' as outcome, concat('ValueError: ', cast(number as varchar(20))) as error, 'FetchRequest' as message,
       cast(1 as smallint) as version, 'Field' as place, cast(1 as bigint) as cases,
       concat('0 ', cast(number as varchar(20))) as example
"""
OUTCOMES = """
select cast(number % 50 as int) as batch, 'outcome' as kind, concat('codec ', cast(number % 3 as varchar(1)))
       as implementation, concat('release/messages/FetchRequest/v17/corpus-', cast(number as varchar(20))) as id,
       'FetchRequest' as message, cast(number % 17 as smallint) as version, 'decode' as direction,
       case when number % 2 = 0 then 'value' else 'rejected' end as outcome, 'valid' as result,
       cast(null as varchar(9)) as rule,
       cast(null as varchar(9)) as place, cast(null as varchar(9)) as reason, cast(null as varchar(9)) as open,
       cast(null as varchar(9)) as reading, cast(null as varchar(9)) as error,
       cast(number % 1000 as float) as milliseconds, number % 4096 as bytes
"""


def told(text: str, began: float) -> None:
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    click.echo(f"{text}: {time.monotonic() - began:.0f} s, {memory:,.0f} MiB at most here")


def plan(number: int) -> None:
    """Plan five implementations of every message and version."""
    began = time.monotonic()
    schemas = list(load_release(NEWEST).schemas())
    subjects = tuple(CampaignSubject(f"codec {name}", "x", "x", "1") for name in range(5))
    parameters = Parameters(NEWEST, subjects, number)
    everything = frozenset(map(str, schemas))
    planned = parts(parameters, [*made_blocks(schemas, number)], [everything] * len(subjects))
    batches = batches_of(Storage("nowhere"), Campaign(parameters, planned), "run")
    blocks = sum(len(part.blocks) for part in batches.parts)
    told(f"{len(batches.parts):,} parts, {-(-len(batches.parts) // MOST):,} batches, {blocks:,} blocks", began)


def written(engine: Engine, folder: Path, sql: str, number: int) -> Batches:
    names = {name: kind for name, kind in COLUMNS.items() if f" as {name}" in sql}
    numbers = f"select {'range' if engine is HERE else 'id'} as number from range({number})"  # noqa: S608  # own names
    target = Dataset(Storage(str(folder / "batches")), {"batch": "int", **names}, ("batch", *FOLDERS))
    engine.publish(f"{sql} from ({numbers}) n", target)  # own names
    return Batches(Storage(str(folder)), [], Work(iter, names, "growth"), FOLDERS, ())


def clusters(engine: Engine, number: int, folder: Path) -> None:
    batches = written(engine, folder, TEXTS.replace("{kind}", FINDING), number)
    began = time.monotonic()
    rows = list(finding_rows(engine, batches.dataset, [{"kind": FINDING, "number": number}]))
    told(
        f"{number:,} texts are {len(rows)} rows of {sum(row['cases'] for row in rows):,} cases on {engine.name}", began
    )


def rows(engine: Engine, number: int, folder: Path) -> None:
    batches = written(engine, folder, OUTCOMES, number)
    began = time.monotonic()
    publish(engine, batches)
    sizes = [path.stat().st_size for path in Path(folder, "outcomes").rglob("*.parquet")]
    told(f"{number:,} rows in {len(sizes)} files of {max(sizes) / 2**20:,.1f} MiB at most on {engine.name}", began)


@click.command()
@click.argument("what", type=click.Choice(["plan", "clusters", "rows"]))
@click.argument("number", type=int)
@click.option("--master", help="Measure on Spark, not in this process.")
def main(what: str, number: int, master: str | None) -> None:
    """Measure how the pipeline grows with its data."""
    if what == "plan":
        plan(number)
        return
    with TemporaryDirectory(prefix="kafka-conformance-growth-") as folder:
        measure = clusters if what == "clusters" else rows
        if master is None:
            measure(HERE, number, Path(folder))
            return
        with on_spark(Choice(master, {}, 1)) as engine:
            measure(engine, number, Path(folder))


if __name__ == "__main__":
    main()
