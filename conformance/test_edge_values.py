"""The values at which codecs have been wrong, one at a time, always the same ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.checks.valid import ValueCase, check_value
from conformance.generate.cases import edge_cases

if TYPE_CHECKING:
    from conformance.run import Run
    from reference import MessageSchema


def test_edge_values(kafka_run: Run, schema: MessageSchema) -> None:
    """Each edge of each field is written canonically and read back as it was."""
    for variation in edge_cases(schema):
        case = ValueCase(schema, variation.name, variation.path, variation.value)
        kafka_run.tally.case("edge values")
        kafka_run.judge(check_value(kafka_run.implementation, case, kafka_run.tally))
