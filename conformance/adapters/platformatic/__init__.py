"""@platformatic/kafka, a client in JavaScript: its APIs behind the program in `conformance/harnesses/javascript`.

`--impl=conformance.adapters.platformatic`, with Node installed. The README of that folder says how it is driven.
"""

from __future__ import annotations

from conformance.harnesses.javascript_program import javascript_command


def harness_command() -> tuple[str, ...]:
    """The command of the harness, installed if need be.

    Raises:
        HarnessStartError: node or npm is missing, or the installation failed.
    """
    return javascript_command("platformatic")
