"""`python -m tests.ci`: runs the steps of CI, says which a change needs, and has the loops of the Makefile."""

from __future__ import annotations

import os
from pathlib import Path

import click

from conformance.system.terminal import echo
from tests.ci import codecs, programs, running, steps
from tests.ci.steps import UnknownGroup


def _words(_context: click.Context, _parameter: click.Parameter, texts: tuple[str, ...]) -> list[str] | None:
    """Return the words of an option, None without it: an empty list was meant to name something."""
    return " ".join(texts).split() if texts else None


GROUP = click.argument("group", required=False)
NAMES = click.option("--name", "names", multiple=True, callback=_words, help="Only these; words, or repeated.")
RELEASES = click.option("--release", "releases", multiple=True, callback=_words, help="Only these; `newest`.")
WORKERS = click.option("-n", "--workers", default=2, help="Processes at the same time.")
SINCE = click.option("--since", metavar="REV", help="Only the steps for what changed since this revision.")


@click.group()
def main() -> None:
    """Run the steps of CI, or one of their loops."""


@main.command()
@GROUP
@SINCE
def change(group: str | None, since: str | None) -> None:
    """Run the steps of a change, up to the first that fails."""
    _run(steps.needed(_steps("change", group), steps.changed_paths(since) if since else None), go_on=False)


@main.command()
@GROUP
def nightly(group: str | None) -> None:
    """Run the steps of the night, all of them, and fail at the end if one failed."""
    _run(_steps("nightly", group), go_on=True)


def _steps(when: steps.When, group: str | None) -> list[steps.Step]:
    try:
        return steps.steps_of(when, group)
    except UnknownGroup as error:
        raise click.UsageError(str(error)) from error


def _run(chosen: list[steps.Step], *, go_on: bool) -> None:
    os.environ["CI"] = "true"
    if not chosen:
        echo("nothing has changed: there is no step to run")
    failed = running.run_steps(chosen, go_on=go_on)
    if failed:
        raise click.ClickException("\n".join(f"failed: {command}" for command in failed))


@main.command()
@click.argument("paths", nargs=-1)
@SINCE
def plan(paths: tuple[str, ...], since: str | None) -> None:
    """Print the steps that a change of these paths runs, and the CPU seconds of each."""
    changed = steps.changed_paths(since) if since else list(paths)
    for line in running.plan(steps.needed(steps.steps_of("change"), changed if since or paths else None)):
        echo(line)


@main.command()
def table() -> None:
    """Print each step with its command."""
    echo(steps.table(), nl=False)


@main.command()
def durations() -> None:
    """Run every step of a change, and write tests/durations.toml."""
    running.measure()


@main.command("codecs")
@click.argument("kind", type=click.Choice(list(codecs.KINDS)))
@NAMES
@RELEASES
@WORKERS
def run_codecs(kind: str, names: list[str] | None, releases: list[str] | None, workers: int) -> None:
    """Run the suite on the codecs of a kind."""
    codecs.run_codecs(kind, names, releases, workers)


@main.command()
@NAMES
@RELEASES
@WORKERS
def known_failures(names: list[str] | None, releases: list[str] | None, workers: int) -> None:
    """Rewrite the known failures of codecs in Python."""
    codecs.update_known_failures(names, releases, workers)


@main.command()
@WORKERS
def published_releases(workers: int) -> None:
    """Import every published release, and run a part of the suite against each."""
    codecs.check_published_releases(workers)


@main.command()
@RELEASES
@click.option("--records", type=int, help="The number of drawn record batches.")
def prove(releases: list[str] | None, records: int | None) -> None:
    """Compare the reference with Apache Kafka."""
    codecs.prove(releases, records)


@main.command()
def harnesses() -> None:
    """Build every harness."""
    codecs.build_harnesses()


@main.command()
@NAMES
def bench_harnesses(names: list[str] | None) -> None:
    """Measure operations per second through each harness."""
    codecs.bench_harnesses(names)


@main.command()
@NAMES
@WORKERS
def servers(names: list[str] | None, workers: int) -> None:
    """Test servers."""
    programs.run_servers(names, workers)


@main.command()
@NAMES
@click.option("--cases", default=25, help="Cases of each kind of answers.")
@click.option("--minutes", default=5, help="Minutes for each kind of answers.")
@WORKERS
def clients(names: list[str] | None, cases: int, minutes: int, workers: int) -> None:
    """Test clients."""
    programs.run_clients(names, cases, minutes, workers)


@main.command()
@NAMES
def sessions(names: list[str] | None) -> None:
    """Judge recorded sessions of clients."""
    programs.run_sessions(names)


@main.command()
@NAMES
@click.option("--vectors", help="A folder of vectors, and releases of it.")
def consumers(names: list[str] | None, vectors: str | None) -> None:
    """Run the example consumers of the vectors."""
    programs.run_consumers(names, vectors or programs.default_vectors())


@main.command()
@click.option("--reports", type=click.Path(path_type=Path), help="A folder of reports to show, instead of new runs.")
@click.option("--docs", help="Where the documentation is.")
@RELEASES
@WORKERS
def site(reports: Path | None, docs: str | None, releases: list[str] | None, workers: int) -> None:
    """Write the site of reports, or of everything that can be run here."""
    if reports:
        programs.report_site(reports, docs)
    else:
        programs.run_site(releases, workers)


if __name__ == "__main__":
    main()
