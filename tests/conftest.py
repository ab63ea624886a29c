"""Settings of all tests: Hypothesis's, and which tests `make test` leaves to `make test-all`.

Hypothesis draws the same examples every time, and keeps none of them.
"""

from pathlib import Path, PurePosixPath
from typing import Any

import pytest
from hypothesis import settings
from xdist.scheduler import LoadScopeScheduling

settings.register_profile("the same every time", derandomize=True, database=None, deadline=None)
settings.load_profile("the same every time")

HERE = Path(__file__).parent

SLOW = {
    "benchmark/test_hostile.py": "runs of the suite in processes of their own, measured",
    "bridge/test_harness_adapter.py": "runs of the suite over the bridge, each with two child processes",
    "checks/test_crashing_codecs.py": "runs of the suite on codecs that end their process again and again",
    "findings/ratchet/test_whole_runs.py": "runs of the suite over all messages",
    "fuzzing/test_nightly_run.py": "whole nightly runs",
    "golden/test_committed.py::test_nothing_has_drifted": "builds all vectors, as make vectors-check does",
    "implementation/test_bad_adapters.py": "a run of the suite for each mistake of an adapter",
    "implementation/test_odd_answers.py": "a run of the suite for each answer that is no value",
    "installation/test_checkout.py": "environments of their own",
    "installation/test_other_plugins.py": "environments of their own",
    "installation/test_pyargs.py": "environments of their own",
    "installation/test_run.py": "environments of their own",
    "installation/test_two_copies.py": "environments of their own",
    "installation/test_wheel.py": "a wheel, and environments of their own",
    "suite/test_readme.py::test_the_readme_shows_what_a_run_prints": "a whole run on kio",
}
"""The files, or single tests, that are marked `slow`, and what takes the time."""


SHARED = {
    "consumers/test_go_and_javascript.py": "go and javascript",
    "consumers/test_rust_and_java.py": "rust and java",
    "catalogue/test_history.py": "older releases",
    "findings/report/test_report.py": "report",
    "generate/definitions/test_changed.py": "changed definitions",
    "generate/definitions/test_strategy.py": "definitions",
    "generate/test_scalar_edges.py": "values",
    "generate/test_structure.py": "values",
    "golden/test_enumeration.py": "vectors",
    "harnesses": "apache-kafka",
    "installation": "installation",
    "mutants/test_vectors.py": "vectors of mutants",
    "pipeline/test_spark.py": "spark",
    "proposals/test_kip625_any_definition.py": "definitions of KIP-625",
    "pipeline/test_kip625.py": "spark",
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


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        file = item.path.relative_to(HERE).as_posix() if item.path.is_relative_to(HERE) else ""
        if file in SLOW or f"{file}::{item.name}" in SLOW:
            item.add_marker(pytest.mark.slow)


def pytest_configure() -> None:
    gone = [entry for entry in (*SLOW, *SHARED) if not (HERE / entry.partition("::")[0]).exists()]
    if gone:
        raise pytest.UsageError(f"tests/conftest.py names files that are not there: {', '.join(gone)}")
