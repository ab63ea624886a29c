"""Compressed streams that a reader must not follow blindly: out of which too much comes, or that say so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.implementation.outcome import Kind
from reference.records.reading import default_limit

if TYPE_CHECKING:
    from conformance.implementation.outcome import Outcome
    from reference import RecordsVerdict

COUNT_BOUND, DECLARED, BOMB = "record.count-bound", "codec.declared-size", "codec.bomb"


def rule_of_stream(verdict: RecordsVerdict, wire: bytes) -> str:
    """Return the rule that a reader breaks to which a compressed stream is deadly; empty if none does that."""
    if verdict.bound_reached:
        return BOMB
    return DECLARED if verdict.declared > default_limit(wire) else ""


def rule_of_memory(verdict: RecordsVerdict, wire: bytes, outcome: Outcome, rule: str) -> str:
    """Return what a reader breaks to which a field is deadly: memory is taken for what the bytes claim; else `rule`."""
    return rule_of_stream(verdict, wire) or (COUNT_BOUND if outcome.kind is Kind.EXHAUSTED_MEMORY else rule)
