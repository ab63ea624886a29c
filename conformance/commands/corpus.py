"""The command `kafka-conformance corpus`, for judged wire samples as Parquet, generated or from a capture."""

from __future__ import annotations

import time
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import click

from conformance.campaign.pipeline.choice import opened
from conformance.campaign.pipeline.corpus import build, import_bodies, problems_of
from conformance.campaign.pipeline.corpus_plan import CorpusPlan, parts
from conformance.campaign.pipeline.requirements import LOCAL_PACKAGES, require_packages
from conformance.campaign.pipeline.storage import Storage
from conformance.commands import common, packets
from conformance.commands.group import CommandGroup
from conformance.definitions.defining_releases import Definitions
from conformance.live.capture.conversation import samples
from conformance.live.capture.packet_files import open_traffic
from conformance.system.folders import alone
from conformance.system.terminal import echo

if TYPE_CHECKING:
    from conformance.campaign.pipeline.choice import Choice

SHOWN = 5
"""The number of problems shown by a check."""


@click.group(cls=CommandGroup)
def corpus() -> None:
    """Build and check corpora, millions of rows of wire bytes with the verdict on them, as Parquet."""


@corpus.command("build", short_help="Build a corpus.")
@click.option("--per-pair", type=common.COUNT, help="Rows of every (message, version).")
@click.option("--total", type=common.COUNT, help="Rows in all, shared out evenly.")
@common.output_option("the corpus", common.OUTPUT_PLACE)
@common.release_option
@common.seed_option
@common.engine_options
def build_command(  # noqa: PLR0913, PLR0917  # one argument for each option
    per_pair: int | None, total: int | None, output: str, release_name: str | None, seed: str, choice: Choice
) -> None:
    """Build a corpus, about half of it hostile bytes.

    If a build is interrupted, the same command resumes it: finished batches are kept. The rows depend only on
    --per-pair or --total, --release and --seed. On a cluster, --output is a folder that all machines share, or a URI.
    """
    if (per_pair is None) == (total is None):
        raise click.UsageError("Give either --per-pair or --total.")
    release = common.release_named(release_name)
    rows = total or (per_pair or 0) * len(list(release.schemas()))
    plan, folder = CorpusPlan(release.name, rows, seed, definitions=release.digest), Storage.named(output)
    began = time.monotonic()
    with (
        common.errors_shown(),
        alone(Path(output), "build") if folder.is_local else nullcontext(),
        opened(choice, [folder]) as engine,
        common.batches_watched(engine, len(parts(plan))) as shown,
    ):
        manifest = build(engine, plan, folder, shown)
    results = ", ".join(f"{count:,} {result}" for result, count in manifest["results"].items())
    echo(f"{manifest['rows']:,} rows in {output}: {results}; {time.monotonic() - began:.0f} s")
    echo(f"hash of the rows: {manifest['hash']}")


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
        require_packages(LOCAL_PACKAGES[:1], "local")
        traffic = open_traffic(capture, definitions, ports)
        manifest = import_bodies(samples(definitions, traffic.frames), capture.name, output)
    packets.show_troubles(traffic)
    messages = len({pair["message"] for pair in manifest["pairs"]})
    echo(f"{manifest['rows']:,} rows of {messages:,} messages in {output}")


@corpus.command("check", short_help="Compare a corpus with its manifest.")
@click.argument("folder", metavar=common.PLACE.name, type=common.PLACE)
@common.engine_options
def check_command(folder: str, choice: Choice) -> None:
    """Compare each row, hash and count of a corpus with its manifest, and look for files too many.

    The exit status is 0 if all is as the manifest says, 1 if not.
    """
    place = Storage.named(folder)
    with common.errors_shown(), opened(choice, [place]) as engine:
        problems = list(problems_of(engine, place))
    for problem in problems[:SHOWN]:
        echo(problem)
    if problems:
        raise click.ClickException(f"problems: {len(problems):,}, of which {min(SHOWN, len(problems))} are shown")
    echo("every row is as the manifest says")
