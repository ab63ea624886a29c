"""Settings of all tests: Hypothesis's, and which tests `make test` leaves to `make test-all`.

Hypothesis draws the same examples every time, and keeps none of them. Its phase `explain` is left out, which takes most
of the time of a test that looks for the smallest example.
"""

import os
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
from hypothesis import Phase, settings
from xdist.scheduler import LoadScopeScheduling

from tests.helpers.durations import FOLDER, Recorder, slow_tests
from tests.helpers.sweeps import described_share, fix_share

PHASES = [phase for phase in Phase if phase is not Phase.explain]

settings.register_profile("the same every time", derandomize=True, database=None, deadline=None, phases=PHASES)
settings.load_profile("the same every time")

HERE = Path(__file__).parent

SLOW = slow_tests()
"""The files, or single test functions, that are marked `slow`, by tests/durations.toml."""

SHARED = {
    "consumers": "consumers",
    "definitions/test_release_history.py": "older releases",
    "report/terminal/test_report.py": "report",
    "generate/definitions/test_changed.py": "changed definitions",
    "generate/definitions/test_drawn_definitions.py": "definitions",
    "generate/test_edges.py": "values",
    "generate/test_structure.py": "values",
    "vectors/test_enumeration.py": "vectors",
    "vectors/test_releases.py": "vectors of releases",
    "adapters/harnesses": "apache-kafka",
    "installation": "installation",
    "programs/test_running.py": "servers and clients",
    "mutants/test_vectors.py": "vectors of mutants",
    "adapters/harnesses/test_rust.py": "rust harness",
    "campaign/test_cluster.py": "spark",
    "campaign/test_compare.py": "spark",
    "campaign/test_connect.py": "spark",
    "campaign/test_environment.py": "spark",
    "campaign/pipeline/test_batches.py": "spark",
    "campaign/pipeline/test_storage.py": "spark",
    "campaign/pipeline/test_session.py": "spark",
    "campaign/pipeline/test_spark.py": "spark",
    "reference/proposals/test_kip625_any_definition.py": "definitions of KIP-625",
    "report/browser": "browser",
    "reference/definitions/test_releases.py": "releases",
    "reference/evolution/test_bytes.py": "evolutions",
    "reference/test_generated_definitions.py": "generated definitions",
}
"""Files and folders whose tests share what is started, drawn or built once, by the name of the group."""


class GroupScheduling(LoadScopeScheduling):  # type: ignore[misc]  # xdist is not typed
    """Gives all tests of a group to one worker.

    pytest-xdist 3.8 passes the mark `xdist_group` on in the ids of tests, which pytest 9.2 no longer lets it change.
    """

    def _split_scope(self, nodeid: str) -> str:
        file = PurePosixPath(nodeid.partition("::")[0].removeprefix("tests/"))
        groups = (SHARED.get(path.as_posix()) for path in (file, *file.parents))
        return next((group for group in groups if group), nodeid)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> GroupScheduling | None:
    """Schedule by groups where `--dist loadgroup` asks for it."""
    return GroupScheduling(config, log) if config.getoption("dist") == "loadgroup" else None


def pytest_report_header() -> str:
    return f"sweeps: {described_share()}"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        file = item.path.relative_to(HERE).as_posix() if item.path.is_relative_to(HERE) else ""
        if file in SLOW or f"{file}::{item.name.partition('[')[0]}" in SLOW:
            item.add_marker(pytest.mark.slow)


def pytest_configure(config: pytest.Config) -> None:
    if FOLDER in os.environ:
        config.pluginmanager.register(Recorder(os.environ[FOLDER]))
    try:
        fix_share()
    except ValueError as error:
        raise pytest.UsageError(str(error)) from error
    gone = [entry for entry in (*SLOW, *SHARED) if not (HERE / entry.partition("::")[0]).exists()]
    if gone:
        raise pytest.UsageError(
            f"conftest.py or durations.toml of the tests names what is not there: {', '.join(gone)}"
        )
