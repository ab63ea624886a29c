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
    "implementation/test_bad_adapters.py": "a run of the suite for each mistake of an adapter",
    "implementation/test_odd_answers.py": "a run of the suite for each answer that is no value",
    "installation/test_checkout.py": "environments of their own",
    "installation/test_other_plugins.py": "environments of their own",
    "installation/test_pyargs.py": "environments of their own",
    "installation/test_run.py": "environments of their own",
    "installation/test_two_copies.py": "environments of their own",
    "installation/test_wheel.py": "a wheel, and environments of their own",
}
"""The files whose tests are marked `slow`, and what takes the time."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of slow files."""
    for item in items:
        if item.path.relative_to(HERE).as_posix() in SLOW:
            item.add_marker(pytest.mark.slow)


def pytest_configure() -> None:
    """Refuse an entry for a file that is gone."""
    gone = [file for file in SLOW if not (HERE / file).is_file()]
    if gone:
        raise pytest.UsageError(f"tests/conftest.py: SLOW names files that are not there: {', '.join(gone)}")
