"""Cases that earlier runs found, before anything else: see `--found`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from conformance.suite.found_cases import FoundCase, check_found

if TYPE_CHECKING:
    from conformance.suite.run import Run


@pytest.mark.found_case
def test_found_cases(kafka_run: Run, found_case: FoundCase) -> None:
    """A case that broke a rule once breaks none any more."""
    kafka_run.judge(check_found(kafka_run.session, found_case))
