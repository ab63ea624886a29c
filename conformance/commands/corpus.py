"""The command `kafka-conformance corpus`.

It writes judged wire samples as Parquet, either millions of generated ones, or those of a capture.
"""

from __future__ import annotations

import time
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from conformance.campaign.spark.corpus import build, finished
from conformance.campaign.spark.corpus_plan import CorpusPlan, parts
from conformance.campaign.spark.spark_session import require_packages, spark_session, wants_spark
from conformance.commands import common, packets
from conformance.commands.group import CommandGroup
from conformance.definitions.defining_releases import Definitions
from conformance.live.capture.conversation import samples
from conformance.live.capture.packet_files import open_traffic
from conformance.system.folders import alone
from conformance.system.terminal import echo

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from conformance.campaign.spark.storage import Storage
    from conformance.campaign.spark.verification import Defect, Share

SHOWN = 5
"""The number of problems shown by a check."""


@click.group(cls=CommandGroup)
def corpus() -> None:
    """Build and check corpora, millions of rows of wire bytes with the verdict on them, as Parquet."""


@corpus.command("build", short_help="Build a corpus on Spark.")
@click.option("--per-pair", type=common.COUNT, help="Rows of every (message, version).")
@click.option("--total", type=common.COUNT, help="Rows in all, shared out evenly.")
@common.output_option("the corpus", common.OUTPUT_PLACE)
@common.release_option
@common.seed_option
@common.master_option
@common.settings_option
def build_command(  # noqa: PLR0913, PLR0917  # one argument for each option
    per_pair: int | None,
    total: int | None,
    output: str,
    release_name: str | None,
    seed: str,
    master: str | None,
    settings: Mapping[str, str],
) -> None:
    """Build a corpus on Spark, about half of it hostile bytes.

    If a build is interrupted, the same command resumes it: finished parts are kept. The rows depend only on
    --per-pair or --total, --release and --seed. On a cluster, --output is a folder that all machines share, or a URI.
    """
    if (per_pair is None) == (total is None):
        raise click.UsageError("Give either --per-pair or --total.")
    release = common.release_named(release_name)
    pairs = sum(1 for _ in release.schemas())
    rows = total if total is not None else (per_pair or 0) * pairs
    began = time.monotonic()
    with common.errors_shown():
        require_packages()
        from conformance.campaign.spark.storage import Storage  # noqa: PLC0415  # pyarrow is an extra

        parameters, folder = CorpusPlan(release.name, rows, seed, definitions=release.digest), Storage.named(output)
        with alone(Path(output), "build") if folder.is_local else nullcontext():
            manifest = build(parameters, folder, partial(_on_spark, master, settings))
    results = ", ".join(f"{count:,} {result}" for result, count in manifest["results"].items())
    echo(f"{manifest['rows']:,} rows in {output}: {results}; {time.monotonic() - began:.0f} s")
    echo(f"sha256 of the rows: {manifest['sha256']}")


@corpus.command("import", short_help="Make a corpus of a capture or a pcap.")
@click.argument("capture", type=common.FILE)
@common.output_option("the corpus", common.OUTPUT_FOLDER)
@packets.port_option
@common.release_option
def import_command(capture: Path, output: Path, ports: tuple[int, ...], release_name: str | None) -> None:
    """Make a corpus of the valid messages in a capture, or in a pcap.

    It needs no Java.
    """
    definitions = Definitions.beginning_with(common.release_named(release_name))
    with common.errors_shown():
        require_packages()
        from conformance.campaign.spark.imported import SeenBody, import_bodies  # noqa: PLC0415  # pyarrow is an extra

        traffic = open_traffic(capture, definitions, ports)
        seen = samples(definitions, traffic.frames)
        bodies = (SeenBody(one.release.name, one.schema, one.wire, f"{capture.name}/{one.frame}") for one in seen)
        manifest = import_bodies(bodies, output)
    packets.show_troubles(traffic)
    messages = len({block["message"] for block in manifest["blocks"]})
    echo(f"{manifest['rows']:,} rows of {messages:,} messages in {output}")


@corpus.command("check", short_help="Compare a corpus with its manifest.")
@click.argument("folder", metavar=common.PLACE.name, type=common.PLACE)
@common.optional_master_option
@common.settings_option
def check_command(folder: str, master: str | None, settings: Mapping[str, str]) -> None:
    """Compare each row, hash and count of a corpus with its manifest, and look for files too many.

    Without Spark it needs no Java. The exit status is 0 if all is as the manifest says, 1 if not.
    """
    with common.errors_shown():
        require_packages()
        from conformance.campaign.spark.storage import Storage  # noqa: PLC0415  # pyarrow is an extra
        from conformance.campaign.spark.verification import one_by_one, problems_of  # noqa: PLC0415  # pyarrow is an extra

        check = partial(_checked_on_spark, master, settings) if wants_spark(master, settings) else one_by_one
        problems = list(problems_of(Storage.named(folder), check))
    for problem in problems[:SHOWN]:
        echo(str(problem))
    if problems:
        raise click.ClickException(f"{len(problems):,} problems; the first {min(SHOWN, len(problems))} are shown")
    echo("every row is as the manifest says")


def _checked_on_spark(
    master: str | None, settings: Mapping[str, str], folder: Storage, shares: Sequence[Share], release: str | None
) -> list[Defect]:
    with spark_session(master, settings) as session:
        from conformance.campaign.spark.engines import check_on_spark  # noqa: PLC0415  # pyarrow is an extra

        return list(check_on_spark(session, folder, shares, release))


def _on_spark(
    master: str | None, settings: Mapping[str, str], parameters: CorpusPlan, folder: Storage, numbers: Sequence[int]
) -> None:
    count = len(parts(parameters))
    with spark_session(master, settings) as session, common.watched(count, lambda: finished(folder)):
        from conformance.campaign.spark.engines import run_on_spark  # noqa: PLC0415  # pyarrow is an extra

        run_on_spark(session, parameters, folder, numbers)
