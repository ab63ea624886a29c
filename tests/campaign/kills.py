"""Kill processes of a campaign, run the same command again, and compare the results with those of an undisturbed one.

    python -m tests.campaign.kills --times 25 --seed 1 [KIND...]

A round ends one process, or a group of them, by SIGKILL at a moment drawn from the seed. Nothing may be lost, doubled
or accused by it.
"""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import click

from conformance.campaign.folder import manifest_of, outcomes_of
from conformance.campaign.pipeline.engines import Row
from conformance.campaign.pipeline.storage import Storage
from conformance.campaign.rows import OUTCOME_COLUMNS, UNHASHED
from tests.helpers.engines import HERE
from tests.helpers.releases import NEWEST
from tests.helpers.runs import ROOT
from tests.helpers.spark_cluster import cluster

IMPLS = [f"tests.fakes.faulty_codecs:{name}" for name in ("ReadsAnything", "Aborts", "WrongSize")]
CASES = ["--release", NEWEST, "--messages", "HeartbeatResponse-v0,ApiVersionsRequest-v3", "--generate", "600"]
BEGIN = """
import os, signal, sys
from conformance.campaign import plan
from conformance.campaign.pipeline import batches
plan.PART_COST, batches.MOST = 4_000, 2
left = [int(os.environ.get("KILLED_RENAME", "0"))]
def counted(rename):
    def once(*paths, **more):
        left[0] -= 1
        if left[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return rename(*paths, **more)
    return once
os.rename, os.replace = counted(os.rename), counted(os.replace)
from conformance.commands.main import main
if __name__ == "__main__":
    main(sys.argv[1:], prog_name="kafka-conformance")
"""
DEADLINE = 300.0
RENAMES = 12
"""About the number of renames of a campaign in processes."""

Processes = dict[int, tuple[int, str]]
"""The parent and the command line of each process."""


class Kind(NamedTuple):
    """A kind of processes to kill.

    Attributes:
        options: the options for the engine.
        words: a text in the command line of the process; empty for the driver.
        takes_all: whether all of them are killed together.
        moment: waits for the moment in the folder of the campaign, if it is not any.
    """

    options: Sequence[str]
    words: str
    takes_all: bool = False
    moment: Callable[[Path], bool] = lambda _: True


def is_committing(folder: Path) -> bool:
    """Return whether a writer has moved some files of a batch to their places, and not all."""
    batches = folder / "batches"
    temporary = any(batches.glob("batch=*/_temporary")) or (folder / "outcomes" / "_temporary").exists()
    return temporary and (any(batches.glob("batch=*/kind=*/*/*")) or any(folder.glob("outcomes/implementation=*/*")))


POOL, SPARK = ["--in-process", "-n", "2"], ["--master", "local[2]"]
VERSION = "spark.hadoop.mapreduce.fileoutputcommitter.algorithm.version"
KINDS = {
    "child": Kind(POOL, "codec.bridge"),
    "worker": Kind(POOL, "spawn_main"),
    "pool": Kind(POOL, "spawn_main", takes_all=True),
    "driver": Kind(POOL, ""),
    "commit": Kind(POOL, "rename"),
    "spark-child": Kind(SPARK, "codec.bridge"),
    "spark-worker": Kind(SPARK, "pyspark.daemon"),
    "spark-driver": Kind(SPARK, ""),
    "spark-java": Kind(SPARK, "SparkSubmit"),
    "spark-commit-1": Kind([*SPARK, "--conf", f"{VERSION}=1"], "", moment=is_committing),
    "spark-commit-2": Kind([*SPARK, "--conf", f"{VERSION}=2"], "", moment=is_committing),
    "executor": Kind(["--master", "cluster"], "CoarseGrainedExecutorBackend"),
}


def begin(folder: Path, options: Sequence[str], **variables: str) -> "subprocess.Popen[bytes]":
    impls = [word for impl in IMPLS for word in ("--impl", impl)]
    with (folder.parent / f"{folder.name}.log").open("ab") as log:
        return subprocess.Popen(  # noqa: S603  # words of this module
            [sys.executable, "-c", BEGIN, "campaign", "run", *impls, *CASES, "--output", str(folder), *options],
            cwd=ROOT,
            env={**os.environ, **variables, "PYTHONPATH": str(ROOT)},
            stdout=log,
            stderr=log,
        )


def processes() -> Processes:
    found = {}
    for path in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, ValueError, IndexError):
            parent = int((path / "stat").read_text().rpartition(")")[2].split()[1])
            found[int(path.name)] = parent, (path / "cmdline").read_bytes().replace(b"\0", b" ").decode()
    return found


def victims(root: int, words: str) -> list[int]:
    """Return the processes below one with a text in their command lines."""
    everything, below = processes(), {root}
    for _ in range(12):
        below |= {pid for pid, (parent, _) in everything.items() if parent in below}
    return sorted(pid for pid in below - {root} if words in everything.get(pid, (0, ""))[1])


def kill(process: "subprocess.Popen[bytes]", kind: Kind, choice: random.Random, folder: Path, root: int) -> bool:
    """Kill at a moment of the choice, and return whether the campaign was hit."""
    until = time.monotonic() + DEADLINE
    while process.poll() is None and time.monotonic() < until:
        found = [process.pid] if not kind.words else victims(root, kind.words)
        if found and kind.moment(folder):
            break
        time.sleep(0.002)
    if kind.moment(folder) and "commit" not in " ".join(kind.options):
        time.sleep(choice.uniform(0, 6))
    found = [process.pid] if not kind.words else victims(root, kind.words)
    if process.poll() is not None or not found:
        return False
    for pid in found if kind.takes_all else [choice.choice(found)]:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return True


def results(folder: Path) -> tuple[Any, ...]:
    """Return everything determined in a finished campaign."""
    place = Storage(str(folder))
    names = [name for name in OUTCOME_COLUMNS if name not in UNHASHED]
    rows = HERE.query(f"select {', '.join(names)} from {{outcomes}}", outcomes=outcomes_of(place))  # noqa: S608  # own names
    manifest = manifest_of(place)
    sums = [{key: each[key] for key in ("rows", "hash", "cases", "faults")} for each in manifest["implementations"]]
    left = {path.name for path in folder.iterdir()} - {"batches"}
    return sorted(map(_text, rows)), manifest["hash"], sums, (folder / "findings.json").read_text(), left


def _text(row: Row) -> str:
    return json.dumps(row, sort_keys=True)


def round_of(name: str, folder: Path, choice: random.Random, expected: tuple[Any, ...]) -> tuple[bool, int]:
    """Run one round, and return whether it hit, and the number of further commands."""
    kind = KINDS[name]
    with ExitStack() as held:
        options, root, variables = list(kind.options), 0, {}
        if options[1] == "cluster":
            (folder.parent / "cluster").mkdir(exist_ok=True)
            running = held.enter_context(cluster(folder.parent / "cluster", 2))
            options[1], root = running.master, os.getpid()
        if kind.words == "rename":
            variables["KILLED_RENAME"] = str(choice.randint(1, RENAMES))
        process = begin(folder, options, **variables)
        hit = kind.words != "rename" and kill(process, kind, choice, folder, root or process.pid)
        status, further = process.wait(DEADLINE), 0
        hit = status == -signal.SIGKILL if kind.words == "rename" else hit
        while status and further < 3:
            further += 1
            status = begin(folder, options).wait(DEADLINE)
        log = (folder.parent / f"{folder.name}.log").read_text()[-3000:]
        assert status == 0, log
        assert (found := results(folder)) == expected, (found[1:], expected[1:], log)
    return hit, further


def rounds(name: str, times: int, seed: int) -> Iterator[tuple[bool, int]]:
    """Run rounds of a kind."""
    choice = random.Random(f"{name}/{seed}")  # noqa: S311  # no secret
    with TemporaryDirectory(prefix="kafka-conformance-kills-") as folder:
        undisturbed = Path(folder, "undisturbed")
        assert begin(undisturbed, POOL).wait(DEADLINE) == 0
        expected = results(undisturbed)
        for number in range(times):
            yield round_of(name, Path(folder, str(number)), choice, expected)


@click.command()
@click.argument("kinds", nargs=-1, type=click.Choice([*KINDS]))
@click.option("--times", default=25, show_default=True)
@click.option("--seed", default=1, show_default=True)
def main(kinds: tuple[str, ...], times: int, seed: int) -> None:
    """Kill processes of campaigns, and compare the results."""
    for name in kinds or KINDS:
        done = list(rounds(name, times, seed))
        hits, further = sum(hit for hit, _ in done), sum(count for _, count in done)
        click.echo(f"{name}: {len(done)} rounds, {hits} hit, {further} further commands; all results equal")


if __name__ == "__main__":
    main()
