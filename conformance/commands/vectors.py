"""The command `kafka-conformance vectors`, which builds, checks and runs the golden vectors."""

from __future__ import annotations

import sys
from collections import defaultdict
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from conformance.adapter import AdapterError
from conformance.campaign.pipeline.choice import Choice, on_spark
from conformance.campaign.pipeline.errors import SparkUnavailable
from conformance.campaign.vectors import spark_groups
from conformance.codec.bridge.opening import open_session
from conformance.codec.validation import NothingOffered
from conformance.commands import common
from conformance.commands.group import CommandGroup
from conformance.report.files.found_cases import read_form
from conformance.system.system_errors import text_of
from conformance.system.terminal import echo
from conformance.vectors.enumeration.enumerate import built_groups
from conformance.vectors.enumeration.pairs import pairs
from conformance.vectors.enumeration.promoted import add_promoted, promoted_of
from conformance.vectors.flags import flags
from conformance.vectors.tree.archive import write_archive
from conformance.vectors.tree.documents import INDEX
from conformance.vectors.tree.releases import RELEASES, groups_of_release
from conformance.vectors.tree.vector_files import read_file, read_tree, write_again, write_tree
from conformance.vectors.tree.vector_paths import (
    VectorFile,
    VectorGroup,
    chosen_groups,
    committed_vectors,
    groups_of,
)
from conformance.vectors.verification.runner import Failure, VectorResults, run_group
from conformance.vectors.verification.tree_check import check_tree
from reference import load_release

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from conformance.vectors.enumeration.enumerate import Built

FOLDER_OPTION = click.option(
    "--folder",
    type=common.FOLDER,
    default=committed_vectors,
    help="The folder of the vectors (default: the one of this checkout).",
)
RELEASE = click.option(
    "--release",
    "release_name",
    metavar="NAME|PATH",
    help="One release, proposal, or folder of definitions (default: all that are committed).",
)


@click.group(cls=CommandGroup)
def vectors() -> None:
    """Build, check and run the golden vectors, for codecs of any language."""


@vectors.command(short_help="Build every vector again.")
@common.output_option(
    "the vectors (default: the folder of this checkout)", common.OUTPUT_FOLDER, default=committed_vectors
)
@click.option("--in-process", is_flag=True, help="Build in processes of this machine, without Spark.")
@RELEASE
@common.workers_option
@common.master_option
@common.settings_option
@click.pass_context
def build(  # noqa: PLR0913, PLR0917  # one argument for each option
    context: click.Context,
    output: Path,
    release_name: str | None,
    workers: int,
    master: str | None,
    settings: Mapping[str, str],
    *,
    in_process: bool,
) -> None:
    """Build every vector again, on Spark or in process.

    The same definitions give the same bytes. With --release, those of one release, proposal or folder of definitions
    are built, in a folder of their own (--output).
    It is an error to remove an id that the folder has, unless its retired.json says why.
    """
    common.refuse_without_effect(context, in_process=in_process)
    if not in_process and context.get_parameter_source("workers") is not ParameterSource.DEFAULT:
        raise click.UsageError("--workers goes with --in-process")
    if release_name and context.get_parameter_source("output") is ParameterSource.DEFAULT:
        raise click.UsageError("--release needs --output: this checkout's folder has the vectors of all releases")
    names = _names(release_name)
    with common.errors_shown():
        groups = _shown(built_groups(workers, names), names) if in_process else _on_spark(master, settings, names)
        left = write_tree(output, groups, names)
    for path in left:
        echo(f"left: {output / path} has no vectors any more, and is not as the index said", err=True)
    echo(f"written to {output}")


def _names(release_name: str | None) -> tuple[str, ...]:
    return (common.release_named(release_name).name,) if release_name else ()


def _on_spark(master: str | None, settings: Mapping[str, str], names: tuple[str, ...]) -> list[Built]:
    try:
        with on_spark(Choice(master, settings, 0)) as engine:
            return spark_groups(engine, names)
    except SparkUnavailable as error:
        raise click.ClickException(f"{error} Or build without Spark: --in-process.") from error


@vectors.command(short_help="Make vectors of found cases.")
@click.argument("found", nargs=-1, required=True, metavar="FOUND...", type=common.FILE)
@FOLDER_OPTION
def promote(found: tuple[Path, ...], folder: Path) -> None:
    """Make vectors of found cases, the files that --found or a campaign wrote.

    The bytes of each become a vector with a verdict of its own, and an id that stays. They are added to the file
    promoted.json of this suite, so that every later build has them, and to the folder of the vectors. Do not promote
    bytes that end a released library before its makers know of them.
    """
    with common.errors_shown():
        entries = [promoted_of(read_form(file)) for file in found]
        new = add_promoted(entries)
        write_again(folder, sorted({VectorFile(each.release, "messages", each.message).path for each in new}))
    for entry in entries:
        known = "" if entry in new else ", which is there already"
        echo(f"{entry.release}/messages/{entry.message}/v{entry.version}/{entry.id}{known}")


@vectors.command(short_help="Check a folder of vectors.")
@FOLDER_OPTION
@RELEASE
@common.workers_option
def check(folder: Path, release_name: str | None, workers: int) -> None:
    """Check the hashes, schemas, flags, ids and verdicts of a folder of vectors, and that a new build is equal.

    Each problem is one line: file, line, id, problem. The exit status is 1 if there is any.
    """
    with common.errors_shown():
        problems = check_tree(folder, workers, _names(release_name))
    for problem in problems:
        echo(str(problem))
    if problems:
        echo(f"{len(problems)} problems in {folder}", err=True)
        sys.exit(1)
    echo(f"{folder}: no problems")


@vectors.command(short_help="Write the vectors of a release as one file.")
@common.output_option("the archives", common.OUTPUT_FOLDER, default=Path("build"), show_default=True)
@FOLDER_OPTION
@RELEASE
def archive(output: Path, folder: Path, release_name: str | None) -> None:
    """Write the vectors for a codec of one release as one file, such as vectors-4.3.0.tar.gz.

    Without --release there is one archive for each release. The SHA-256 of each is in a file beside it. The same
    vectors give the same bytes.
    """
    with common.errors_shown():
        documents = read_tree(folder)
        for name in _names(release_name) or read_file(folder / INDEX)["releases"]:
            done = write_archive(documents, name, output)
            echo(f"{done.path}: {done.vectors:,} vectors, {done.size:,} bytes")


def _shown(groups: Iterable[Built], names: tuple[str, ...]) -> Iterator[Built]:
    with common.progress_bar() as progress:
        yield from progress.track(groups, total=len(pairs(names)), description="Building vectors")


@vectors.command(short_help="Run the vectors on an implementation.")
@common.impl_option()
@FOLDER_OPTION
@RELEASE
@common.messages_option
@click.option("--ids", type=click.IntRange(min=0), default=5, show_default=True, help="Ids for each flag; 0: all.")
def run(impl: str, folder: Path, release_name: str | None, messages: tuple[str, ...], ids: int) -> None:
    """Run golden vectors on an implementation, and list those that fail by id, grouped by flag.

    An implementation in Python is called in a child process alone. A release or proposal that it has no message of is
    named first, and not run. The exit status is 1 if any vector fails.
    """
    names = _names(release_name)
    try:
        groups = offered_groups(impl, chosen_groups(_of(names, read_tree(folder)), messages))
        results = VectorResults()
        with common.progress_bar() as progress:
            for _ in progress.track(_run_all(impl, groups, results), total=len(groups), description="messages"):
                pass
    except OSError as error:
        problem = f"the vectors cannot be read ({text_of(error)}): name their folder with --folder, or build them"
        raise click.ClickException(f"{problem} with `kafka-conformance vectors build`") from error
    _print(results, ids)
    raise SystemExit(1 if results.failures else 0)


def _of(names: tuple[str, ...], documents: Mapping[str, Any]) -> Iterator[VectorGroup]:
    groups = groups_of(documents)
    return groups_of_release(groups, documents[RELEASES], *names) if names else groups


def offered_groups(impl: str, groups: Sequence[VectorGroup]) -> list[VectorGroup]:
    """Return the groups of the releases and proposals that an implementation has messages of, and name the others.

    One that cannot be loaded, or has no message of any, raises `AdapterError`.
    """
    problems = {name: _problem(impl, name) for name in dict.fromkeys(group.release for group in groups)}
    nothing = {name: problem for name, problem in problems.items() if problem is not None}
    for error in nothing.values() if len(nothing) == len(problems) else ():
        raise AdapterError(error.spec, f"{error.problem} of {', '.join(nothing)}", error.hint)
    if nothing:
        echo(
            f"not run: {', '.join(nothing)} (the implementation names no message of them; --release chooses)", err=True
        )
    return [group for group in groups if group.release not in nothing]


def _problem(impl: str, name: str) -> NothingOffered | None:
    """Return the error of an implementation without a message of a release, or None if it has any."""
    try:
        with open_session(impl, load_release(name)):
            return None
    except NothingOffered as error:
        return error
    except AdapterError as error:
        problem = f"{error.problem} (with {load_release(name).title})"
        raise AdapterError(error.spec, problem, error.hint) from error


def _run_all(impl: str, groups: Sequence[VectorGroup], results: VectorResults) -> Iterator[VectorGroup]:
    for name, own in groupby(groups, key=lambda group: group.release):
        with open_session(impl, load_release(name), isolate_all=True) as session:
            for group in own:
                run_group(session, group, results)
                yield group


def _print(results: VectorResults, ids: int) -> None:
    by_flag: dict[str, list[Failure]] = defaultdict(list)
    for failure in results.failures:
        by_flag[failure.flags[-1]].append(failure)
    for name, failures in sorted(by_flag.items(), key=lambda item: -len(item[1])):
        flag = flags().get(name)
        echo(f"{name}: {len(failures):,} fail. {flag.about if flag else ''}")
        for failure in failures[: ids or None]:
            echo(f"  {failure.id}\n    {failure.text}")
        if ids and len(failures) > ids:
            echo(f"  and {len(failures) - ids:,} more: --ids 0 shows them all")
    echo("unspecified, for information:")
    for name in sorted({flag for flag, _ in results.accepted}):
        echo(f"  {name}: accepts {results.accepted[name, True]:,}, rejects {results.accepted[name, False]:,}")
    total, failed = results.counts.total(), len(results.failures)
    echo(f"{total:,} vectors ({common.counts_text(results.counts)}): {failed:,} fail, {_not_tried(results)}")


def _not_tried(results: VectorResults) -> str:
    counts = +results.not_tried
    folders = ", ".join(f"{name} {count:,}" for name, count in counts.most_common())
    return f"{counts.total():,} not tried" + (f" ({folders})" if folders else "")
