"""The options of a conformance run, for pytest and `kafka-conformance run`, and the run made of them."""

from __future__ import annotations

from argparse import ArgumentError
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import pytest
from hypothesis import HealthCheck, Phase, settings

from conformance.codec.bridge.child_client import DEADLINE
from conformance.codec.bridge.isolation import MEMORY, DecodeLimits, IsolatedCodec
from conformance.codec.bridge.learning import learnt
from conformance.codec.bridge.loading import load_adapter
from conformance.codec.driver import Implementation
from conformance.codec.selection import (
    BadSelection,
    Selection,
    newest,
    offered,
    other_names,
    parse_selection,
    select,
    select_others,
    smoke,
)
from conformance.codec.session import Session
from conformance.definitions.named import release_of
from conformance.generate.drawn_values import RecordsProfile
from conformance.report.files.found_cases import FoundCase, load_found_cases
from conformance.suite.base_release import base_release_of, without_shared
from conformance.suite.option import IMPL, KNOWN_FAILURES, MEMORY_LIMIT, MESSAGES, RELEASE, REPORT, TIME_LIMIT, option
from conformance.suite.server_run import SERVER_OPTIONS
from conformance.suite.subjects import CodecSubject
from conformance.suite.suite_run import SuiteRun, known_failures_of
from conformance.system.file_kinds import REPORT as REPORT_FILE
from conformance.system.outputs import try_file, try_folder
from conformance.system.printable import for_terminal
from conformance.system.system_errors import text_of
from conformance.system.whole_files import NotWritten
from reference import Release, newest_release

if TYPE_CHECKING:
    from conformance.judge.case import CodecCase

EXAMPLES = {"quick": 20, "full": 100, "nightly": 1000}
"""The number of generated values per pair, by depth."""

AUTO, ALWAYS, NEVER = "auto", "always", "never"
"""What a child process does: the choices of --isolation."""

HANGS = "kafka_hangs"
"""Names the file in which the workers of a run count what hangs."""


CODEC_OPTIONS = (
    IMPL,
    RELEASE,
    option(
        "--base-release",
        "Leave what is the same in that other release to a run of the same implementation against it.",
        metavar="NAME|PATH",
    ),
    MESSAGES,
    option("--ignore-project", "Take no options from pyproject.toml.", action="store_true"),
    option("--depth", "The number of generated values.", choices=tuple(EXAMPLES), default="quick"),
    option(
        "--records",
        "The contents of records fields: any bytes (opaque), or record batches (real) as well.",
        choices=get_args(RecordsProfile),
        default="opaque",
    ),
    option(
        "--only",
        "Try invalid and deadly bytes alone, and measure how much memory and time each byte of them takes.",
        choices=("hostile",),
    ),
    option(
        "--smoke",
        "Check the adapter itself on every message, and run all checks on six: takes seconds.",
        action="store_true",
    ),
    option(
        "--isolation",
        "Have a child process read invalid bytes, and a fork do the rest (auto); or a child process do everything but "
        "load the adapter (always), or nothing (never).",
        choices=(AUTO, ALWAYS, NEVER),
        default=AUTO,
    ),
    MEMORY_LIMIT.with_default(MEMORY),
    TIME_LIMIT.with_default(DEADLINE),
    option(KNOWN_FAILURES.name, KNOWN_FAILURES.help, type=Path, metavar="FILE"),
    option(
        "--update-known-failures",
        "Rewrite that file: remove entries that no longer fail, add new findings without a reason.",
        action="store_true",
    ),
    option("--costs", "Show whose code takes the processor time.", action="store_true"),
    option(
        "--found",
        "A folder of found cases: they are tried first, and new findings are added.",
        type=Path,
        metavar="DIR",
    ),
    option(REPORT.name, REPORT.help, type=Path, metavar="FILE"),
    option(
        "--replace-report",
        "Let a partial run replace a report of more. Without it the partial one is FILE.partial.",
        action="store_true",
    ),
)
"""The options of runs against a codec."""

OPTIONS = (*CODEC_OPTIONS, *SERVER_OPTIONS)


def add_options(parser: pytest.Parser) -> None:
    """Add all options to pytest's, after those of all other plugins.

    Raises:
        pytest.UsageError: another plugin has one of them.
    """
    group = parser.getgroup("kafka", "conformance to the Kafka wire protocol")
    of_servers = parser.getgroup("kafka-server", "conformance of a server behind a port")
    try:
        for entry in OPTIONS:
            to = of_servers if entry in SERVER_OPTIONS else group
            to.addoption(entry.name, dest=entry.dest, help=entry.full_help, **entry.attributes)
        with suppress(pytest.UsageError):  # some plugin requires an option, which is for pytest to say
            parser.parse_known_args([])  # older versions of pytest look for clashes only when they parse
    except (ArgumentError, ValueError) as error:
        raise pytest.UsageError(
            f"{error}. Another pytest plugin or a conftest.py has this option of the conformance suite, too: leave it "
            f"out with -p no:NAME; of conftest.py files `kafka-conformance run` reads none"
        ) from error


def check_options(config: pytest.Config) -> None:
    """Check that options fit together, and that files and folders exist.

    Raises:
        pytest.UsageError: they do not; names the option.
    """
    if config.getoption("kafka_update_known_failures") and not config.getoption("kafka_known_failures"):
        raise pytest.UsageError("--update-known-failures rewrites the file of --known-failures=FILE: name one")
    for name in ("time_limit", "deadline"):
        if config.getoption(f"kafka_{name}") <= 0:
            raise pytest.UsageError(f"--{name.replace('_', '-')} is more than 0 seconds")
    for name in ("report", "found", "known_failures"):
        path = config.getoption(f"kafka_{name}")
        if path:
            _check_place(f"--{name.replace('_', '-')}", path, is_folder=name == "found")
    if not hasattr(config, "workerinput"):
        _try_outputs(config)


def _check_place(name: str, path: Path, *, is_folder: bool) -> None:
    try:
        has_parent, is_there, is_folder_there = path.absolute().parent.is_dir(), path.exists(), path.is_dir()
    except OSError as error:  # of a name that is too long, or a folder without permission
        raise pytest.UsageError(f"{name}={for_terminal(text_of(error))}; name another path") from error
    if not has_parent:
        raise pytest.UsageError(f"{name}={path}: there is no folder {path.parent}")
    if is_there and is_folder_there != is_folder:
        raise pytest.UsageError(f"{name}={path}: there is {'a file' if is_folder else 'a folder'} there")


def _try_outputs(config: pytest.Config) -> None:
    """See that what a run writes at its end can be written."""
    found, updated = config.getoption("kafka_found"), config.getoption("kafka_update_known_failures")
    report, known_failures = config.getoption("kafka_report"), config.getoption("kafka_known_failures")
    try:
        if report:
            try_file(report, REPORT_FILE)
        if updated:
            try_file(known_failures)  # `make_run` reads it, and refuses other content
        if found:
            try_folder(found)
    except NotWritten as error:
        raise pytest.UsageError(str(error)) from error


def limits_of(config: pytest.Config) -> DecodeLimits:
    """Return the limits of one decode.

    The workers of a run share the time for hangs.
    """
    shared = getattr(config, "workerinput", {}).get(HANGS, "")
    return DecodeLimits(config.getoption("kafka_memory_limit"), config.getoption("kafka_time_limit"), shared)


def make_run(config: pytest.Config) -> SuiteRun:
    """Load the adapter, the release, the selection and the known failures.

    Raises:
        ConformanceError: one of them cannot be used.
    """
    impl = config.getoption("kafka_impl")
    release = release_of(config.getoption("kafka_release") or newest_release())
    limits = limits_of(config)
    implementation = Implementation(load_adapter(impl, release, deadline=limits.deadline))
    base = base_release_of(config.getoption("kafka_base_release"), release)
    selection = without_shared(_selected(config, implementation, release), implementation, release, base)
    known = known_failures_of(config, release)
    isolated = config.getoption("kafka_isolation") != NEVER
    child = IsolatedCodec(implementation.adapter.spec, release.name, **limits._asdict()) if isolated else None
    isolate_all = config.getoption("kafka_isolation") == ALWAYS
    found_cases = _found_cases(config.getoption("kafka_found"), selection, release)
    real_records = config.getoption("kafka_records") == "real"
    learn = partial(learnt, schemas=selection.schemas)
    subject = CodecSubject(Session(implementation, release, child, isolate_all, real_records, learn))
    return SuiteRun(subject, selection, known, found_cases, known_failures_of(config, base) if base else ())


def _found_cases(folder: Path | None, selection: Selection, release: Release) -> list[FoundCase[CodecCase]]:
    """Return the found cases that are about a selected pair or wire type."""
    cases = load_found_cases(folder, release) if folder else ()
    pairs = {(schema.message, schema.version) for schema in selection.schemas}
    pairs |= {(name, 0) for name in selection.others}
    return [found for found in cases if (found.case.target.message, found.case.target.version) in pairs]


def _selected(config: pytest.Config, implementation: Implementation, release: Release) -> Selection:
    selectors = parse_selection(config.getoption("kafka_messages"))
    schemas = select(list(release.schemas()), selectors, other_names())
    pairs = offered(implementation, schemas)
    if schemas and not pairs and (implementation.adapter.encode or implementation.adapter.decode):
        raise BadSelection(
            f"{implementation.name} offers none of the {len(schemas)} selected pairs of {release.title}: "
            "look at what its supported() returns"
        )
    is_smoke = config.getoption("kafka_smoke")
    handful = smoke(pairs)
    return Selection(handful if is_smoke else pairs, select_others(selectors), newest(pairs) if is_smoke else handful)


def load_profile(depth: str) -> None:
    """Load Hypothesis's settings.

    Quick and full draw the same examples every time, nightly draws new ones. The search continues after a finding, so
    Hypothesis has no failure to keep; found cases are kept instead.
    """
    settings.register_profile(
        "kafka-conformance",
        max_examples=EXAMPLES[depth],
        derandomize=depth != "nightly",
        database=None,
        deadline=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
        print_blob=False,
    )
    settings.load_profile("kafka-conformance")


def hide_failures(config: pytest.Config) -> None:
    """Hide pytest's own list of failures.

    It would show each finding for every pair, and the summary shows it once.
    """
    arguments = {argument.partition("=")[0] for argument in config.invocation_params.args}
    config.addinivalue_line("filterwarnings", "ignore::hypothesis.errors.HypothesisWarning")
    if "--tb" not in arguments:
        config.option.tbstyle = "no"
    if not any(argument.startswith("-r") for argument in arguments):
        config.option.reportchars = ""
