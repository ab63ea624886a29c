"""Headers and frames: what stands around a message."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.checks.framing import check_framing

if TYPE_CHECKING:
    from conformance.suite.run import Run
    from reference import MessageSchema


def test_framing(kafka_run: Run, schema: MessageSchema) -> None:
    """A message has the header that goes with its version, a frame counts its bytes, and what is none is refused."""
    decoder, release = kafka_run.decoder, kafka_run.release
    kafka_run.judge(check_framing(kafka_run.implementation, decoder, release, schema, kafka_run.tally))
