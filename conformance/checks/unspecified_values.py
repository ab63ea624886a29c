"""What an implementation does with values of which the protocol does not say whether they are written.

Either is right, and belongs to its profile; but a crash is a failure on any value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.bridge.harness_adapter import PREFIX
from conformance.findings.violations import Violation
from conformance.generate.unencodable_values import open_cases
from conformance.implementation.outcome import ABSENT, FATAL, Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.findings.tally import Tally
    from conformance.implementation.driver import Implementation
    from reference import MessageSchema


def check_open_values(implementation: Implementation, schema: MessageSchema, tally: Tally) -> Iterator[Violation]:
    """Each such value is handed over, if the implementation says that it takes values of that form."""
    for rule, variation in open_cases(schema):
        if not _takes(implementation, rule):
            continue
        tally.case("open values")
        outcome = implementation.encode(schema, variation.value)
        if outcome.kind in FATAL:
            yield Violation(
                rule=rule,
                message=schema.message,
                version=schema.version,
                path=variation.path,
                outcome=str(outcome.kind),
                direction="encode",
                case=variation.name,
                expected="no crash",
                actual=str(outcome),
                wire="",
            )
        elif outcome.kind not in ABSENT:
            tally.profile((rule,), accepts=outcome.kind is Kind.BYTES)


def _takes(implementation: Implementation, rule: str) -> bool:
    """Whether values of this form may be handed over.

    Unknown tags and missing fields only to those that say so. Values that do not have the form of the definition only
    in this process: over the bridge everything has it.
    """
    if rule == "tag.unknown-writable":
        return implementation.keeps_unknown_tags
    if rule.startswith("value.") and implementation.adapter.spec.startswith(PREFIX):
        return False
    return rule != "value.complete" or implementation.takes_partial_values
