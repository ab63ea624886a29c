"""What an implementation owes for what is not sound: it refuses bytes that are invalid, and values without bytes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from conformance.checks.reasons import count_reason
from conformance.findings.violations import Violation
from conformance.generate.cases import populated
from conformance.implementation.outcome import ABSENT, FATAL, REFUSALS, Kind, Outcome
from reference import MessageSchema, encode, to_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.bridge.isolation import IsolatedDecoder
    from conformance.findings.tally import Tally
    from conformance.generate.cases import Variation
    from conformance.generate.invalid_bytes import BrokenCase
    from conformance.implementation.driver import Implementation

TRAILING = (b"\x00", b"\x00\x01\x02\x03", b"\xff" * 8)
"""What is put after a message: bytes that could begin another field, a tag section, a negative number."""


def check_broken(
    implementation: Implementation, decoder: IsolatedDecoder | None, cases: Sequence[BrokenCase], tally: Tally
) -> Iterator[Violation]:
    """Each of these bytes must be rejected; with `decoder` in a child process, else in this one."""
    outcomes = decode_all(implementation, decoder, [(case.schema, case.wire) for case in cases])
    for case, outcome in zip(cases, outcomes, strict=True):
        tally.count("decode", case.schema, outcome)
        count_reason(case.schema, case.wire, outcome, tally)
        if outcome.kind not in REFUSALS and outcome.kind not in ABSENT:
            yield _accepted(case, outcome)


def decode_all(
    implementation: Implementation, decoder: IsolatedDecoder | None, inputs: Sequence[tuple[MessageSchema, bytes]]
) -> list[Outcome]:
    """In the child process if there is one, else in this one."""
    if decoder is not None:
        return decoder.decode_many(inputs)
    return [implementation.decode(schema, wire) for schema, wire in inputs]


def check_trailing(
    implementation: Implementation, decoder: IsolatedDecoder | None, schema: MessageSchema, tally: Tally
) -> Iterator[Violation]:
    """Bytes after the message may be refused or left alone; they must not be counted as part of it."""
    wire = encode(schema, populated(schema))
    inputs = [(schema, wire + trailing) for trailing in TRAILING]
    for (_, given), outcome in zip(inputs, decode_all(implementation, decoder, inputs), strict=True):
        tally.count("decode", schema, outcome)
        if outcome.kind in FATAL:
            yield _trailing(schema, given, ("input.trailing-bytes", outcome.kind), ("no crash", str(outcome)))
        elif outcome.kind is Kind.VALUE and outcome.consumed not in {None, len(wire)}:
            expected, actual = f"{len(wire)} bytes consumed", f"{outcome.consumed} bytes consumed"
            yield _trailing(schema, given, ("codec.consumed", "consumed"), (expected, actual))


def _trailing(schema: MessageSchema, wire: bytes, key: tuple[str, str], texts: tuple[str, str]) -> Violation:
    return Violation(
        rule=key[0],
        message=schema.message,
        version=schema.version,
        path="",
        outcome=str(key[1]),
        direction="decode",
        case="trailing-bytes",
        expected=texts[0],
        actual=texts[1],
        wire=wire.hex(),
    )


def _accepted(case: BrokenCase, outcome: Outcome) -> Violation:
    return Violation(
        rule=case.rule,
        message=case.schema.message,
        version=case.schema.version,
        path=case.path,
        outcome=str(outcome.kind),
        direction="decode",
        case=case.name,
        expected="rejected",
        actual=str(outcome),
        wire=case.wire.hex(),
    )


def check_unwritable(
    implementation: Implementation, schema: MessageSchema, rule: str, variation: Variation, tally: Tally
) -> Iterator[Violation]:
    """This value must be refused."""
    outcome = implementation.encode(schema, variation.value)
    tally.count("encode", schema, outcome)
    if outcome.kind in REFUSALS or outcome.kind in ABSENT:
        return
    yield wrongly_encoded(schema, rule, variation, outcome)


def wrongly_encoded(
    schema: MessageSchema, rule: str, variation: Variation, outcome: Outcome, wire: bytes | None = None
) -> Violation:
    """What was done with a value that should have been written as `wire`; None: that should have been refused."""
    return Violation(
        rule=rule,
        message=schema.message,
        version=schema.version,
        path=variation.path,
        outcome=str(outcome.kind),
        direction="encode",
        case=variation.name,
        expected="refused" if wire is None else wire.hex(),
        actual=str(outcome),
        wire="" if wire is None else wire.hex(),
        value=json.dumps(to_json(schema, variation.value)),
    )
