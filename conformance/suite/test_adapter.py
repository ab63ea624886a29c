"""The adapter itself, on a few pairs: its own mistakes would look like findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.checks.probe import Fault, probe

if TYPE_CHECKING:
    import pytest

    from conformance.suite.run import Run
    from reference import MessageSchema


def test_adapter(kafka_run: Run, probed_schema: MessageSchema, capfd: pytest.CaptureFixture[str]) -> None:
    """The adapter returns what it should, the same each time, for the right message, and prints nothing."""
    faults = list(probe(kafka_run.session.implementation, probed_schema, kafka_run.schemas))
    printed = capfd.readouterr().out.strip()
    if printed:
        text = f"it prints to standard output ({printed.splitlines()[0]!r:.80}), which the bridge needs for itself"
        faults.append(Fault("prints", f"{text}; print to standard error"))
    kafka_run.record.faults += faults
