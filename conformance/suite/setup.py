"""Makes a run of its options: the session, the selection, the known failures, the found cases."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.database import DirectoryBasedExampleDatabase

from conformance.bridge.isolation import IsolatedDecoder
from conformance.bridge.loading import load_adapter
from conformance.findings.known_failures import load_known_failures
from conformance.implementation.driver import Implementation, offered
from conformance.implementation.selection import (
    BadSelection,
    Selection,
    parse_selection,
    select,
    select_primitives,
    smoke,
)
from conformance.implementation.session import Session
from conformance.suite.found_cases import FoundCase, load_found_cases
from conformance.suite.options import EXAMPLES
from conformance.suite.run import Run
from reference import Release, load_release, newest_release, primitives

if TYPE_CHECKING:
    from pathlib import Path


def check_options(config: pytest.Config) -> None:
    """Check that options fit together, and that files and folders exist.

    Raises:
        pytest.UsageError: they do not; names the option.
    """
    if config.getoption("kafka_update_known_failures") and not config.getoption("kafka_known_failures"):
        raise pytest.UsageError("--update-known-failures rewrites the file of --known-failures=FILE: name one")
    for option in ("report", "found", "known_failures"):
        path = config.getoption(f"kafka_{option}")
        argument = f"--{option.replace('_', '-')}={path}"
        if path and not path.absolute().parent.is_dir():
            raise pytest.UsageError(f"{argument}: there is no folder {path.parent}")
        if path and path.exists() and path.is_dir() != (option == "found"):
            raise pytest.UsageError(f"{argument}: there is {'a file' if option == 'found' else 'a folder'} there")


def make_run(config: pytest.Config) -> Run:
    """Load the adapter, the release, the selection and the known failures.

    Raises:
        ConformanceError: one of them cannot be used.
    """
    impl = config.getoption("kafka_impl")
    release = load_release(config.getoption("kafka_release") or newest_release())
    implementation = Implementation(load_adapter(impl, release))
    selection = _selected(config, implementation, release)
    path = config.getoption("kafka_known_failures")
    is_new = path and config.getoption("kafka_update_known_failures") and not path.exists()
    entries = load_known_failures(path) if path and not is_new else []
    known = [entry for entry in entries if entry.is_about(release.name)]
    isolated = config.getoption("kafka_isolation") != "never" and not implementation.adapter.is_over_stdio
    decoder = IsolatedDecoder(impl, release.name) if isolated else None
    isolate_all = config.getoption("kafka_isolation") == "always"
    found_cases = _found_cases(config.getoption("kafka_found"), selection, release)
    return Run(Session(implementation, release, decoder, isolate_all), selection, known, found_cases)


def _found_cases(folder: Path | None, selection: Selection, release: Release) -> list[FoundCase]:
    """Return the found cases that are about a selected pair or wire type."""
    cases = load_found_cases(folder, release) if folder else ()
    pairs = {(schema.message, schema.version) for schema in selection.schemas}
    pairs |= {(name, 0) for name in selection.wire_types}
    return [found for found in cases if (found.case.target.message, found.case.target.version) in pairs]


def _selected(config: pytest.Config, implementation: Implementation, release: Release) -> Selection:
    selectors = parse_selection(config.getoption("kafka_messages"))
    schemas = select(list(release.schemas()), selectors, primitives())
    pairs = offered(implementation, schemas)
    if schemas and not pairs:
        raise BadSelection(
            f"{implementation.name} offers none of the {len(schemas)} selected pairs of {release.title}: "
            "look at what its supported() returns"
        )
    if config.getoption("kafka_smoke"):
        pairs = smoke(pairs)
    return Selection(pairs, select_primitives(primitives(), selectors))


def load_profile(depth: str, database: Path) -> None:
    """Load Hypothesis's settings: quick and full draw the same examples every time, nightly draws new ones.

    Hypothesis would turn its database off where CI is set, so nightly names one itself.
    """
    is_nightly = depth == "nightly"
    settings.register_profile(
        "kafka-conformance",
        max_examples=EXAMPLES[depth],
        derandomize=not is_nightly,
        database=DirectoryBasedExampleDatabase(database) if is_nightly else None,
        deadline=None,
        phases=(*((Phase.reuse,) if is_nightly else ()), Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
        print_blob=False,
    )
    settings.load_profile("kafka-conformance")


def hide_failures(config: pytest.Config) -> None:
    """Hide pytest's own list of failures: it would show each finding for every pair, and the summary shows it once."""
    arguments = {argument.partition("=")[0] for argument in config.invocation_params.args}
    config.addinivalue_line("filterwarnings", "ignore::hypothesis.errors.HypothesisWarning")
    if "--tb" not in arguments:
        config.option.tbstyle = "no"
    if not any(argument.startswith("-r") for argument in arguments):
        config.option.reportchars = ""
