"""Cases that earlier runs found in a server, before anything else: see `--found`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from conformance.live.broker.again import check_found_exchange
from conformance.live.broker.cases import ExchangeCase

if TYPE_CHECKING:
    from conformance.suite.found_cases import FoundCase
    from conformance.suite.run import Run


@pytest.mark.found_case
def test_server_found_cases(kafka_run: Run, found_case: FoundCase) -> None:
    """Frames that broke a rule once break none any more."""
    case = found_case.case
    if isinstance(case, ExchangeCase):
        kafka_run.judge_server(
            lambda black_box: check_found_exchange(black_box, kafka_run.tally, case), str(found_case)
        )
