"""Compressed streams of record batches that are a danger to a careless reader.

Their decompressed data is too long, or claims to be.
"""

from __future__ import annotations

from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from conformance.generate.origin import CasePart
from conformance.targets.listed import record_bases, tampered_records
from conformance.targets.outcome import Kind
from reference import judge_records
from reference.records.compression import CODECS
from reference.records.reading import default_limit

if TYPE_CHECKING:
    from conformance.targets.outcome import Outcome
    from reference import RecordsVerdict

COUNT_BOUND, DECLARED, BOMB = "record.count-bound", "codec.declared-size", "codec.bomb"


class DeadlyStream(NamedTuple):
    """A field with a compressed stream that claims or holds too much, and its rule."""

    name: str
    base: str
    wire: bytes
    verdict: RecordsVerdict
    rule: str


def rule_of_stream(verdict: RecordsVerdict, wire: bytes) -> str:
    """Return the rule on a compressed stream that claims or holds too much.

    Empty for other streams.
    """
    if verdict.bound_reached:
        return BOMB
    return DECLARED if verdict.declared > default_limit(wire) else ""


@cache
def deadly_streams() -> tuple[DeadlyStream, ...]:
    """Return the fields of one batch with a compressed stream that claims or holds too much."""
    bases = [base for base in record_bases() if base.group in CODECS and not base.context_of]
    every = chain.from_iterable(tampered_records(base) for base in bases)
    judged = ((each, judge_records(each.wire)) for each in every if each.origin.path == CasePart.STREAM)
    return tuple(
        DeadlyStream(each.name, each.base, each.wire, verdict, rule)
        for each, verdict in judged
        if (rule := rule_of_stream(verdict, each.wire))
    )


def rule_of_memory(verdict: RecordsVerdict, wire: bytes, outcome: Outcome, rule: str) -> str:
    """Return the rule on memory allocated for a claim of the bytes.

    It is `rule` for other outcomes.
    """
    return rule_of_stream(verdict, wire) or (COUNT_BOUND if outcome.kind is Kind.EXHAUSTED_MEMORY else rule)
