"""Values that no writer may write."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from conformance.checks.invalid import check_unwritable
from conformance.generate.refusals import unwritable_cases

if TYPE_CHECKING:
    from conformance.run import Run
    from reference import MessageSchema


def test_unwritable_values(kafka_run: Run, schema: MessageSchema) -> None:
    """Null where there may be none, texts that are too long and numbers out of range are refused."""
    if not kafka_run.implementation.offers("encode", schema):
        pytest.skip("the implementation does not encode this message and version")
    for rule, variation in unwritable_cases(schema):
        kafka_run.tally.case("unwritable values")
        kafka_run.judge(check_unwritable(kafka_run.implementation, schema, rule, variation, kafka_run.tally))
