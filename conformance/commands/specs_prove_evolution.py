"""`kafka-conformance specs prove-evolution`: what `specs diff` says, tried with bytes."""

from __future__ import annotations

import time

import click

from conformance.campaign.proof.evolution_trial import Trial, trial_of
from conformance.campaign.proof.evolution_witness import WITHOUT
from conformance.commands.common import COUNT, progress_bar, workers_option
from conformance.system.own_processes import worker_pool
from conformance.system.terminal import echo

PART = 100
"""How many changes a process tries at a time."""


@click.command("prove-evolution")
@click.option("--count", type=COUNT, default=20_000, show_default=True, help="The number of changed definitions.")
@workers_option
def prove_evolution(count: int, workers: int) -> None:
    """Try what `specs diff` says of changed definitions, in every dialect, with bytes that both sides write and read.

    Pairs of definitions are drawn, always the same ones. A version that is called compatible must be read and passed
    on by either side as the other wrote it. One that is called incompatible should have a witness; those without one
    are counted by their rules. The exit status is 1 if a compatible version is misread.
    """
    began, trial = time.perf_counter(), Trial()
    parts = [range(start, min(start + PART, count)) for start in range(0, count, PART)]
    with worker_pool(workers) as pool, progress_bar() as progress:
        for part in progress.track(pool.map(trial_of, parts), len(parts), description="Changes"):
            trial.add(part)
    for line in trial.misread:
        echo(f"misread: {line}")
    echo(f"{trial.changes:,} changes in {time.perf_counter() - began:.0f} s")
    echo(f"versions called compatible: {trial.compatible:,}, misread: {len(trial.misread)}")
    echo(f"versions called incompatible: {trial.incompatible:,} with a witness; without one:")
    for rules, times in sorted(trial.unwitnessed.items()):
        reasons = dict.fromkeys(WITHOUT.get(rule, "unknown") for rule in rules)
        echo(f"  {times:,} {', '.join(rules)}: {'; '.join(reasons)}")
    if trial.misread:
        raise SystemExit(1)
