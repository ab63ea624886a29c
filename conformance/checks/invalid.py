"""What an implementation owes for what is not sound: it refuses bytes that are invalid, and values without bytes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from conformance.checks.outcomes import ABSENT, REFUSALS, Outcome
from conformance.checks.violations import Violation
from reference import MessageSchema, to_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.bridge.isolation import IsolatedDecoder
    from conformance.checks.implementation import Implementation
    from conformance.checks.tally import Tally
    from conformance.generate.broken import BrokenCase
    from conformance.generate.cases import Variation


def check_broken(
    implementation: Implementation, decoder: IsolatedDecoder | None, cases: Sequence[BrokenCase], tally: Tally
) -> Iterator[Violation]:
    """Each of these bytes must be rejected; with `decoder` in a child process, else in this one."""
    if decoder is None:
        outcomes = [implementation.decode(case.schema, case.wire) for case in cases]
    else:
        outcomes = decoder.decode_many([(case.schema, case.wire) for case in cases])
    for case, outcome in zip(cases, outcomes, strict=True):
        tally.count("decode", case.schema, outcome)
        if outcome.kind not in REFUSALS and outcome.kind not in ABSENT:
            yield _accepted(case, outcome)


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
    yield Violation(
        rule=rule,
        message=schema.message,
        version=schema.version,
        path=variation.path,
        outcome=str(outcome.kind),
        direction="encode",
        case=variation.name,
        expected="refused",
        actual=str(outcome),
        wire="",
        value=json.dumps(to_json(schema, variation.value)),
    )
