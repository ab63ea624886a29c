"""Messages as they are stored: behind a version or a type, and as records of the metadata log."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.checks.stored import check_stored

if TYPE_CHECKING:
    from conformance.suite.run import Run
    from reference import MessageSchema


def test_stored(kafka_run: Run, schema: MessageSchema) -> None:
    """A stored message stands behind what says what it is; a record in another kind of frame is refused."""
    decoder, release = kafka_run.decoder, kafka_run.release
    kafka_run.judge(check_stored(kafka_run.implementation, decoder, release, schema, kafka_run.tally))
