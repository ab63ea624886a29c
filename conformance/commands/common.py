"""Parts that several commands share: options, consoles, errors, and the implementation under test."""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from conformance.definitions.check import DIALECTS
from conformance.definitions.named import release_of, remarks
from conformance.files import SCHEME
from conformance.live.packets.importing import PORTS
from conformance.pipeline.session import LOCAL
from reference import ConformanceError, Release, newest_release

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from rich.progress import ProgressColumn

    from conformance.live.packets.importing import Traffic

FOLDER = click.Path(file_okay=False, path_type=Path)
FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
COUNT = click.IntRange(min=1)
PLACE = "PATH|URI"

POLL = 0.5
"""Seconds between two counts of finished parts."""


def no_file(_context: click.Context, _parameter: click.Parameter, place: str | None) -> str | None:
    """Refuse a file in the place of a folder, which need not exist, or of a URI."""
    if place is not None and SCHEME not in place and Path(place).is_file():
        raise click.BadParameter(f"{place} is a file; name a folder, or a URI such as s3://bucket/folder")
    return place


def _settings(_context: click.Context, _parameter: click.Parameter, texts: tuple[str, ...]) -> dict[str, str]:
    pairs = [setting.partition("=") for setting in texts]
    for key, equals, _ in pairs:
        if not key or not equals:
            raise click.BadParameter(f"{key!r} is not KEY=VALUE, as in spark.driver.memory=2g")
    return {key: value for key, _, value in pairs}


workers_option = click.option(
    "-n", "--workers", type=COUNT, default=os.cpu_count() or 1, show_default=True, help="Processes."
)
messages_option = click.option("--messages", multiple=True, metavar="GLOBS", help="As in pytest's --messages.")
master_option = click.option(
    "--master", default=LOCAL, show_default=True, metavar="URL", help="Spark's master: local[2], spark://host:7077, ..."
)
settings_option = click.option(
    "--conf", "settings", multiple=True, callback=_settings, metavar="KEY=VALUE", help="A setting of Spark; repeatable."
)
release_option = click.option(
    "--release",
    "release_name",
    metavar="NAME|PATH",
    help="Kafka release, proposal, or folder of definitions (default: the newest release).",
)
dialect_option = click.option(
    "--dialect",
    type=click.Choice(DIALECTS),
    help="The protocol of definitions in files (default: that of the release.json beside them).",
)
port_option = click.option(
    "--port",
    "ports",
    type=click.IntRange(1, 65535),
    multiple=True,
    default=PORTS,
    show_default=True,
    help="A port of servers, in a file of packets; repeatable.",
)
seed_option = click.option("--seed", default="1", show_default=True, help="Any text; other seeds give other rows.")


def release_named(name_or_path: str | None) -> Release:
    """Return the release that `--release` names; the newest without it.

    Raises:
        click.BadParameter: there is no such release, or its definitions are broken.
    """
    try:
        release = release_of(name_or_path or newest_release())
    except ConformanceError as error:
        raise click.BadParameter(str(error), param_hint="--release") from error
    for remark in remarks(release):
        click.echo(remark, err=True)
    return release


def plain_console() -> Console:
    """Return a console that prints text as it is: no markup, no line breaks of its own."""
    return Console(highlight=False, markup=False, emoji=False, soft_wrap=True)


def progress_bar(*columns: ProgressColumn) -> Progress:
    """Return a progress bar on standard error, which is shown on a terminal only and goes away at its end."""
    console = Console(stderr=True)
    return Progress(*columns, transient=True, console=console, disable=not console.is_terminal)


@contextmanager
def parts_watched(total: int, finished: Callable[[], int], text: object = "") -> Iterator[None]:
    """Show on a terminal how many parts are finished; Spark's driver reports nothing before all are.

    Args:
        total: how many there are.
        finished: how many are finished.
        text: what else is shown, as it is after each count.
    """
    shown = TextColumn("{task.completed} of {task.total} parts{task.description}")
    ended = Event()
    with progress_bar(shown, BarColumn(), TimeRemainingColumn()) as progress:
        if progress.disable:
            yield
            return
        task = progress.add_task("", total=total, completed=finished())

        def watch() -> None:
            while not ended.wait(POLL):
                progress.update(task, completed=finished(), description=str(text))

        watcher = Thread(target=watch, daemon=True)
        watcher.start()
        try:
            yield
        finally:
            ended.set()
            watcher.join()


def counts_text(counts: Mapping[str, int]) -> str:
    """Return counts on one line, by name: `5 accepted, 2 rejected`."""
    return ", ".join(f"{count:,} {name}" for name, count in sorted(counts.items()))


def show_troubles(traffic: Traffic) -> None:
    """Say on standard error what could not be read of a file of packets; its frames have been taken."""
    for trouble in traffic.troubles:
        click.echo(f"note: {trouble}", err=True)


@contextmanager
def errors_shown(shown_as: type[click.ClickException] = click.ClickException) -> Iterator[None]:
    """Show errors of files, and those of this project, as a message; end with the exit status of `shown_as`."""
    try:
        yield
    except (ConformanceError, OSError) as error:
        raise shown_as(str(error)) from error
