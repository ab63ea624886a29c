"""Each wire type alone, for adapters that can reach it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.checks.primitives import check_primitive
from reference import primitive

if TYPE_CHECKING:
    from conformance.suite.run import Run


def test_primitives(kafka_run: Run, wire_type: str) -> None:
    """A wire type is written canonically and read back as it was; invalid bytes are rejected."""
    kafka_run.judge(check_primitive(kafka_run.session, primitive(wire_type)))
