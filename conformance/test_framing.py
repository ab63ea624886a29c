"""Headers and frames: what stands around a message."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.checks.framing import check_framing

if TYPE_CHECKING:
    from conformance.run import Run
    from reference import MessageSchema


def test_framing(kafka_run: Run, schema: MessageSchema) -> None:
    """A message has the header that goes with its version, and a frame that counts its bytes."""
    kafka_run.judge(check_framing(kafka_run.implementation, kafka_run.release, schema, kafka_run.tally))
