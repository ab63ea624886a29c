"""Compressed streams that a reader must not follow blindly: out of which too much comes, or that say so."""

from __future__ import annotations

from functools import cache
from itertools import chain
from typing import TYPE_CHECKING

from conformance.generate.records.edges import CODECS
from conformance.generate.records.tampering import record_bases, tampered_records
from conformance.implementation.outcome import Kind
from reference import judge_records
from reference.records.reading import default_limit

if TYPE_CHECKING:
    from conformance.generate.records.tampering import TamperedRecords
    from conformance.implementation.outcome import Outcome
    from reference import RecordsVerdict

COUNT_BOUND, DECLARED, BOMB = "record.count-bound", "codec.declared-size", "codec.bomb"


def rule_of_stream(verdict: RecordsVerdict, wire: bytes) -> str:
    """Return the rule that a reader breaks to which a compressed stream is deadly; empty if none does that."""
    if verdict.bound_reached:
        return BOMB
    return DECLARED if verdict.declared > default_limit(wire) else ""


@cache
def deadly_streams() -> tuple[TamperedRecords, ...]:
    """Return the fields of one batch whose compressed stream says too much, or of which too much comes out."""
    bases = [base for base in record_bases() if base.group in CODECS and not base.context_of]
    every = chain.from_iterable(tampered_records(base) for base in bases)
    return tuple(
        each for each in every if "/stream" in each.name and rule_of_stream(judge_records(each.wire), each.wire)
    )


def rule_of_memory(verdict: RecordsVerdict, wire: bytes, outcome: Outcome, rule: str) -> str:
    """Return what a reader breaks to which a field is deadly: memory is taken for what the bytes claim; else `rule`."""
    return rule_of_stream(verdict, wire) or (COUNT_BOUND if outcome.kind is Kind.EXHAUSTED_MEMORY else rule)
