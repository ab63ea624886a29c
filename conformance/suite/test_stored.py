"""Messages as they are stored."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.checks.stored import check_stored

if TYPE_CHECKING:
    from conformance.suite.run import Run
    from reference import MessageSchema


def test_stored(kafka_run: Run, schema: MessageSchema) -> None:
    """A stored message follows the numbers that name it; a record in another kind of frame is rejected."""
    kafka_run.judge(check_stored(kafka_run.session, schema))
