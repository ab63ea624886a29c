"""Reading bytes that may not be sound, with what is around the body: in the child process if there is one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from conformance.bridge.isolation import IsolatedDecoder
    from conformance.implementation.driver import Implementation
    from conformance.implementation.framed import Framed
    from conformance.implementation.outcome import Outcome


def read_many(
    implementation: Implementation, decoder: IsolatedDecoder | None, target: Framed, wires: Sequence[bytes]
) -> list[Outcome]:
    """One outcome for each of these frames, or messages as they are stored."""
    if decoder is not None:
        return decoder.decode_many([(target, wire) for wire in wires])
    return [implementation.decode_framed(target, wire) for wire in wires]
