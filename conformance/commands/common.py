"""Common parts of commands, like options, consoles, errors, and the implementation under test."""

from __future__ import annotations

import functools
import os
import time
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from conformance.campaign.pipeline.choice import Choice
from conformance.commands.project import ImplOption
from conformance.commands.suite_command import Value, suite_option
from conformance.definitions.checking import DIALECTS
from conformance.definitions.named import release_of, remarks
from conformance.suite.options import MOST_WORKERS, OPTIONS
from conformance.system.file_kinds import REPORT as REPORT_FILE
from conformance.system.folders import SCHEME
from conformance.system.outputs import try_file, try_folder
from conformance.system.system_errors import text_of
from conformance.system.terminal import echo, new_console
from conformance.system.whole_files import NotWritten
from reference import ConformanceError, Release, newest_release

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from rich.console import Console
    from rich.progress import ProgressColumn, Task

    from conformance.campaign.pipeline.engines import Engine
    from conformance.system.whole_files import FileKind

_Command = TypeVar("_Command", bound="Callable[..., Any]")


class _Output(click.Path):
    """An output file or folder, tried before any work, so that a long run does not end without its output."""

    def __init__(self, attempt: Callable[[Path], object], **attributes: bool) -> None:
        super().__init__(path_type=Path, **attributes)
        self._attempt = attempt

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        try:
            self._attempt(path)
        except NotWritten as error:
            self.fail(str(error), param, ctx)
        return path


FOLDER = click.Path(file_okay=False, path_type=Path)
FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
OUTPUT_FOLDER = _Output(try_folder, file_okay=False)
REPLACED_FOLDER = _Output(lambda path: try_folder(path.absolute().parent), file_okay=False)
"""A folder written under a temporary name beside it, then renamed."""
COUNT = click.IntRange(min=1, max=10**9)


def output_file(kind: FileKind) -> click.Path:
    """Return the type of an output file of a kind."""
    return _Output(lambda path: try_file(path, kind), dir_okay=False)


POLL = 0.5
"""Seconds between two counts of finished parts."""
SLOW_POLL = 5.0
"""The same without a terminal."""
MINUTE = 60.0


NUMBER = Value(OPTIONS["time_limit"])
"""The type of a finite number of more than 0."""


class FolderOrUri(click.Path):
    """A folder, existing or not, or a URI. An output folder is tried before any work."""

    def __init__(self, *, is_output: bool = False) -> None:
        super().__init__()
        self.name = "PATH|URI"
        self._is_output = is_output

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the place, or fail if it is a file."""
        place = str(value)
        try:
            is_file = SCHEME not in place and Path(place).is_file()
        except OSError as error:  # of a name that is too long
            self.fail(f"{text_of(error)}; name another folder", param, ctx)
        if is_file:
            self.fail(f"{place} is a file; name a folder, or a URI such as s3a://bucket/folder", param, ctx)
        if SCHEME not in place and self._is_output:
            OUTPUT_FOLDER.convert(place, param, ctx)
        return place


PLACE = FolderOrUri()
OUTPUT_PLACE = FolderOrUri(is_output=True)


def _settings(_context: click.Context, _parameter: click.Parameter, texts: tuple[str, ...]) -> dict[str, str]:
    pairs = [setting.partition("=") for setting in texts]
    for key, equals, _ in pairs:
        if not key or not equals:
            raise click.BadParameter(f"{key!r} is not KEY=VALUE, as in spark.driver.memory=2g")
    return {key: value for key, _, value in pairs}


def impl_option(*, multiple: bool = False, **attributes: Any) -> Callable[[_Command], _Command]:
    """Return the option for an implementation, or several ones with `multiple`. It is required without a default."""
    given = {"required": "default" not in attributes, "show_default": True, **attributes}
    return suite_option("impl", "impls" if multiple else "impl", multiple=multiple, cls=ImplOption, **given)


def output_option(what: str, kind: click.ParamType[Any], **attributes: Any) -> Callable[[_Command], _Command]:
    """Return the option for the output `what`, a noun. It is required without a default."""
    given = {"required": "default" not in attributes, **attributes}
    return click.option("--output", type=kind, help=f"Where to write {what}.", **given)


workers_option = suite_option(
    "workers",
    "--workers",
    type=click.IntRange(1, MOST_WORKERS),
    default=os.cpu_count() or 1,
    show_default=True,
)
messages_option = suite_option("messages")
release_option = suite_option("release", "release_name")
known_failures_option = suite_option("known_failures", type=FILE)
report_option = suite_option("report", type=output_file(REPORT_FILE))
memory_limit_option = suite_option("memory_limit")
time_limit_option = suite_option("time_limit")
master_option = click.option(
    "--master",
    metavar="URL",
    help="Spark's master: local[2], spark://host:7077, sc://host, ... (default: that of the active session, of "
    "spark-submit, SPARK_REMOTE or spark-defaults.conf; else local[*]).",
)
in_process_option = click.option(
    "--in-process", is_flag=True, help="Work in processes of this machine, without Spark (the extra local)."
)
settings_option = click.option(
    "--conf", "settings", multiple=True, callback=_settings, metavar="KEY=VALUE", help="A setting of Spark. Repeatable."
)


def engine_options(command: _Command) -> _Command:
    """Add the options for the choice of an engine, which the command takes as one argument, `choice`."""

    @functools.wraps(command)
    def chosen(
        *words: Any, master: str | None, settings: Mapping[str, str], workers: int, in_process: bool, **options: Any
    ) -> Any:
        context = click.get_current_context()
        refuse_without_effect(context, in_process=in_process)
        has_workers = context.get_parameter_source("workers") is not click.core.ParameterSource.DEFAULT
        choice = Choice(master, settings, workers, in_process)
        if has_workers and choice.wants_spark:
            raise click.UsageError("--workers goes with --in-process; Spark has its own: --master 'local[4]'")
        return command(*words, choice=choice._replace(in_process=in_process or has_workers), **options)

    for option in (settings_option, master_option, workers_option, in_process_option):
        chosen = option(chosen)
    return cast("_Command", chosen)


def refuse_without_effect(context: click.Context, *, in_process: bool) -> None:
    """Refuse options of Spark without Spark."""
    for name, option in (("master", "--master"), ("settings", "--conf")) if in_process else ():
        if context.get_parameter_source(name) is not click.core.ParameterSource.DEFAULT:
            raise click.UsageError(f"{option} goes without --in-process")


dialect_option = click.option(
    "--dialect",
    type=click.Choice(DIALECTS),
    help="The protocol of definitions in files (default: that of the release.json beside them).",
)
seed_option = click.option("--seed", default="1", show_default=True, help="Any text; other seeds give other rows.")


def release_named(name_or_path: str | None) -> Release:
    """Return the release of `--release`, or the newest, or raise `click.BadParameter` if it is unknown or broken."""
    try:
        release = release_of(name_or_path or newest_release())
    except ConformanceError as error:
        raise click.BadParameter(str(error), param_hint="--release") from error
    for remark in remarks(release):
        echo(remark, err=True)
    return release


def plain_console() -> Console:
    """Return a console without markup and line breaks of its own."""
    return new_console(highlight=False, markup=False, emoji=False, soft_wrap=True)


def progress_bar(*columns: ProgressColumn) -> Progress:
    """Return a progress bar on standard error, shown on a terminal only, and gone at its end."""
    console = new_console(stderr=True)
    return Progress(*columns, transient=True, console=console, disable=not console.is_terminal)


@contextmanager
def steps_shown(text: str) -> Iterator[Callable[[int, int], None]]:
    """Show the progress of work on a terminal, and yield a function for the numbers of finished and of all steps."""
    with progress_bar() as progress:
        task = progress.add_task(text, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)


class _ProgressLines:
    """The lines of progress without a terminal."""

    def __init__(self, shown: str) -> None:
        self._shown = shown
        self._tenths = 0
        self._time = time.monotonic()

    def show(self, task: Task) -> None:
        tenths, now = int(task.percentage // 10), time.monotonic()
        if tenths > self._tenths or now - self._time >= MINUTE:
            echo(f"{task.percentage:.0f} %: {self._shown.format(task=task)}", err=True)
            self._tenths, self._time = tenths, now


PARTS = "{task.completed} of {task.total} parts{task.description}"


@contextmanager
def watched(total: float, done: Callable[[], int], text: object = "", shown: str = PARTS) -> Iterator[None]:
    """Show the progress of work without its own reports, for example that of Spark's driver.

    On a terminal this is a bar, elsewhere a line on standard error after each 10 % and each minute. `done` counts the
    finished ones of `total` parts or seconds. `text` is read again after each call of it.
    """
    ended = Event()
    with progress_bar(TextColumn(shown), BarColumn(), TimeRemainingColumn()) as progress:
        task = progress.add_task("", total=total, completed=done())
        lines = _ProgressLines(shown) if progress.disable else None

        def watch() -> None:
            while not ended.wait(POLL if lines is None else SLOW_POLL):
                progress.update(task, completed=done(), description=str(text))
                if lines is not None:
                    lines.show(progress.tasks[0])

        watcher = Thread(target=watch, daemon=True)
        watcher.start()
        try:
            yield
        finally:
            ended.set()
            watcher.join()


@contextmanager
def batches_watched(engine: Engine, parts: int) -> Iterator[Callable[[int], None]]:
    """Show the progress of parts, and yield a function for the number of those of finished batches."""
    before = [0]
    with watched(parts, lambda: before[0] + engine.done()):
        yield lambda done: before.__setitem__(0, done)


def counts_text(counts: Mapping[str, int]) -> str:
    """Return counts on one line, by name, like `5 accepted, 2 rejected`."""
    return ", ".join(f"{count:,} {name}" for name, count in sorted(counts.items()))


class UnwrittenError(click.ClickException):
    """An output could not be written. The text says where its content is kept, if it is."""

    exit_code = 4


class NothingTestedError(click.ClickException):
    """Nothing was tested, so nothing is known about the implementation."""

    exit_code = 5


@contextmanager
def errors_shown(shown_as: type[click.ClickException] = click.ClickException) -> Iterator[None]:
    """Show errors of files and of this project as messages, with the exit status of `shown_as`.

    An unwritable output has a status of its own, since it says nothing about the implementation.
    """
    try:
        yield
    except NotWritten as error:
        raise UnwrittenError(str(error)) from error
    except OSError as error:
        raise shown_as(text_of(error)) from error
    except ConformanceError as error:
        raise shown_as(str(error)) from error
