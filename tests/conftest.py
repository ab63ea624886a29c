"""Settings of all tests: Hypothesis's, and which tests `make test` leaves to `make test-all`.

Hypothesis draws the same examples every time, and keeps none of them.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

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


SHARED = (
    "findings/report/test_report.py",
    "generate/definitions/test_changed.py",
    "generate/definitions/test_strategy.py",
    "generate/test_scalar_edges.py",
    "generate/test_structure.py",
    "golden/test_enumeration.py",
    "mutants/test_vectors.py",
    "proposals/test_kip625_any_definition.py",
    "reference/definitions/test_releases.py",
    "reference/evolution/test_bytes.py",
    "reference/test_generated_definitions.py",
)
"""The files whose tests share what was drawn or built once: one worker runs all tests of a file."""


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of slow files, and keep those of a shared file together."""
    for item in items:
        file = item.path.relative_to(HERE).as_posix() if item.path.is_relative_to(HERE) else ""
        if file in SLOW or f"{file}::{item.name}" in SLOW:
            item.add_marker(pytest.mark.slow)
        if file in SHARED:
            item.add_marker(pytest.mark.xdist_group(file))


def pytest_configure() -> None:
    """Refuse an entry for a file that is gone."""
    gone = [entry for entry in (*SLOW, *SHARED) if not (HERE / entry.partition("::")[0]).is_file()]
    if gone:
        raise pytest.UsageError(f"tests/conftest.py names files that are not there: {', '.join(gone)}")
