"""Settings of all tests: Hypothesis's, and which tests `make test` leaves to `make test-all`.

Hypothesis draws the same examples every time, and keeps none of them. Its phase `explain` is left out, which takes most
of the time of a test that looks for the smallest example.
"""

from pathlib import Path, PurePosixPath
from typing import Any

import pytest
from hypothesis import Phase, settings
from xdist.scheduler import LoadScopeScheduling

from tests.helpers.sweeps import described_share, fix_share

PHASES = [phase for phase in Phase if phase is not Phase.explain]

settings.register_profile("the same every time", derandomize=True, database=None, deadline=None, phases=PHASES)
settings.load_profile("the same every time")

HERE = Path(__file__).parent

RUNS = "runs of the suite in processes of their own"
CHILDREN = "child processes that fail and are started again"
MANY = "thousands of random values, looked at for what is rare"
ENVIRONMENTS = "environments of their own"

SLOW = {
    "benchmark/test_hostile.py": RUNS,
    "bridge/test_framed_isolation.py": CHILDREN,
    "bridge/test_harness_adapter.py": RUNS,
    "bridge/test_harness_check.py": CHILDREN,
    "bridge/test_isolation.py": CHILDREN,
    "campaign/test_distil.py": CHILDREN,
    "campaign/test_folder.py": CHILDREN,
    "campaign/test_guard.py": CHILDREN,
    "campaign/test_kernel.py": CHILDREN,
    "checks/test_crashing_codecs.py": RUNS,
    "checks/test_reasons_and_partial_values.py": RUNS,
    "commands/test_matrix.py": RUNS,
    "findings/ratchet/test_whole_runs.py": RUNS,
    "findings/report/test_progress.py": RUNS,
    "findings/report/test_report.py": RUNS,
    "fuzzing/test_nightly_run.py": "whole nightly runs",
    "generate/definitions/test_changed.py": MANY,
    "generate/definitions/test_damaged.py::test_a_damaged_definition_shrinks_to_the_damage": MANY,
    "generate/definitions/test_strategy.py": MANY,
    "generate/test_hostile_bytes.py::test_chance_departs_from_every_rule": MANY,
    "generate/test_scalar_edges.py": MANY,
    "generate/test_structure.py::test_every_shape_appears": MANY,
    "implementation/test_bad_adapters.py": RUNS,
    "implementation/test_odd_answers.py": RUNS,
    "installation/test_checkout.py": ENVIRONMENTS,
    "installation/test_other_plugins.py": ENVIRONMENTS,
    "installation/test_pyargs.py": ENVIRONMENTS,
    "installation/test_run.py": ENVIRONMENTS,
    "installation/test_two_copies.py": ENVIRONMENTS,
    "installation/test_wheel.py": "a wheel, and environments of their own",
    "live/programs/test_running.py": "servers and clients of others, fetched, built and started",
    "mutants/automatic/test_run.py": "the suite on each mutant of a file",
    "mutants/test_proposals.py": "every value of two drafts is blamed",
    "pipeline/test_corpus.py": "corpora of thousands of rows",
    "reference/definitions/test_right_form.py": MANY,
    "reference/records/test_hostile_bytes.py::test_many_damaged_fields_have_a_verdict": "25,000 fields",
    "reference/records/test_hostile_bytes.py::test_random_bytes_have_a_verdict": "25,000 fields",
    "suite/test_folders.py": RUNS,
    "suite/test_found_cases.py::test_a_folder_that_cannot_be_used_is_a_usage_error": RUNS,
    "suite/test_found_cases.py::test_a_run_with_nothing_found_makes_no_folder": RUNS,
    "suite/test_found_cases.py::test_runs_write_found_cases_and_begin_with_them": RUNS,
    "suite/test_found_cases.py::test_what_is_mended_passes_and_stays_a_case": RUNS,
    "suite/test_plugin.py": RUNS,
    "suite/test_readme.py::test_the_adapter_of_ten_minutes_is_sound": RUNS,
    "suite/test_readme.py::test_the_readme_shows_a_finding_as_it_is_printed": RUNS,
}
"""The files, or single test functions, that are marked `slow`, and what takes the time."""


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
    "live/programs/test_running.py": "servers and clients",
    "mutants/test_vectors.py": "vectors of mutants",
    "harnesses/test_rust.py": "rust harness",
    "campaign/test_cluster.py": "spark",
    "pipeline/test_spark.py": "spark",
    "proposals/test_kip625_any_definition.py": "definitions of KIP-625",
    "pipeline/test_kip625.py": "spark",
    "reports/browser": "browser",
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


def pytest_configure() -> None:
    try:
        fix_share()
    except ValueError as error:
        raise pytest.UsageError(str(error)) from error
    gone = [entry for entry in (*SLOW, *SHARED) if not (HERE / entry.partition("::")[0]).exists()]
    if gone:
        raise pytest.UsageError(f"tests/conftest.py names files that are not there: {', '.join(gone)}")
