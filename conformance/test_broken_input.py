"""Bytes that no reader may accept."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from conformance.checks.invalid import check_broken
from conformance.generate.broken import broken_cases

if TYPE_CHECKING:
    from conformance.run import Run
    from reference import MessageSchema


def test_broken_input(kafka_run: Run, schema: MessageSchema) -> None:
    """Input cut at any byte, and null where there may be none, are refused."""
    if not kafka_run.implementation.offers("decode", schema):
        pytest.skip("the implementation does not decode this message and version")
    cases = list(broken_cases(schema))
    kafka_run.tally.case("broken inputs", len(cases))
    kafka_run.judge(check_broken(kafka_run.implementation, kafka_run.decoder, cases, kafka_run.tally))
