"""kafka-go of Segment, a client in Go: its package `protocol` behind the program in `conformance/harnesses/go`.

`--impl=conformance.adapters.kafka_go`, with Go installed. The README of that folder says how it is driven.
"""

from __future__ import annotations

from conformance.harnesses.go_program import go_command


def harness_command() -> tuple[str, ...]:
    """The command of the harness, built if need be.

    Raises:
        HarnessStartError: go is missing, or the build failed.
    """
    return go_command("kafka-go")
