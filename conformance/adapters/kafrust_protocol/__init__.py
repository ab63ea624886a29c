"""kafrust-protocol, a codec in Rust: its requests and responses, behind the program in `conformance/harnesses/rust`.

`--impl=conformance.adapters.kafrust_protocol`, with Rust installed. The README of that folder says how it is driven.
"""

from __future__ import annotations

from conformance.harnesses.rust_program import rust_command


def harness_command() -> tuple[str, ...]:
    """The command of the harness, built if need be.

    Raises:
        HarnessStartError: cargo is missing, or the build failed.
    """
    return rust_command("kafrust-protocol")
