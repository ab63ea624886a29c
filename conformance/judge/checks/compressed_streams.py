"""Compressed streams that a reader must not follow blindly: out of which too much comes, or that say so."""

from __future__ import annotations

from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from conformance.codec.outcome import Kind
from conformance.generate.records.edges import CODECS
from conformance.generate.records.record_tampering import record_bases, tampered_records
from reference import judge_records
from reference.records.reading import default_limit

if TYPE_CHECKING:
    from conformance.codec.outcome import Outcome
    from reference import RecordsVerdict

COUNT_BOUND, DECLARED, BOMB = "record.count-bound", "codec.declared-size", "codec.bomb"


class DeadlyStream(NamedTuple):
    """The bytes of a field whose compressed stream says or holds too much, and the rule about that."""

    name: str
    base: str
    wire: bytes
    verdict: RecordsVerdict
    rule: str


def rule_of_stream(verdict: RecordsVerdict, wire: bytes) -> str:
    """Return the rule about a compressed stream that says or holds too much; empty for other streams."""
    if verdict.bound_reached:
        return BOMB
    return DECLARED if verdict.declared > default_limit(wire) else ""


@cache
def deadly_streams() -> tuple[DeadlyStream, ...]:
    """Return the fields of one batch whose compressed stream says or holds too much."""
    bases = [base for base in record_bases() if base.group in CODECS and not base.context_of]
    every = chain.from_iterable(tampered_records(base) for base in bases)
    judged = ((each, judge_records(each.wire)) for each in every if "/stream" in each.name)
    return tuple(
        DeadlyStream(each.name, each.base, each.wire, verdict, rule)
        for each, verdict in judged
        if (rule := rule_of_stream(verdict, each.wire))
    )


def rule_of_memory(verdict: RecordsVerdict, wire: bytes, outcome: Outcome, rule: str) -> str:
    """Return the rule about memory that is taken for what bytes claim; `rule` for another end."""
    return rule_of_stream(verdict, wire) or (COUNT_BOUND if outcome.kind is Kind.EXHAUSTED_MEMORY else rule)
