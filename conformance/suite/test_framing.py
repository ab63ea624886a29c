"""Headers and frames."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.checks.frames import check_frames

if TYPE_CHECKING:
    from conformance.suite.run import Run
    from reference import MessageSchema


def test_framing(kafka_run: Run, schema: MessageSchema) -> None:
    """A message has the header of its version, a frame counts its bytes, and bytes that are no frame are rejected."""
    kafka_run.judge(check_frames(kafka_run.session, schema))
