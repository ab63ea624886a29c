"""The output of `kafka-conformance replay`: annotated bytes, what the implementation does, the rules that it breaks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.console import Console

from conformance.catalogue.annotated_bytes import plain_hex, rows_of, table
from conformance.findings.report.texts import comparison_lines, place_line, rule_lines
from conformance.implementation.targets import Body
from reference import CodecError, Malformed, decode_leniently, to_json

if TYPE_CHECKING:
    from conformance.findings.violations import Case, Violation
    from conformance.implementation.outcome import Outcome
    from conformance.implementation.session import Session
    from conformance.implementation.targets import Target
    from reference import MessageSchema

WIDTH = 200
"""Enough for every row: a narrower terminal wraps lines, but what they say must not be cut."""


class Output:
    """Runs cases and prints what comes of them."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._console = Console(width=WIDTH, soft_wrap=True, highlight=False, markup=False, emoji=False)

    def replay(self, case: Case) -> bool:
        """Run a case; return whether no rule is broken."""
        violations = list(case.run(self._session))
        content = self._reference(case)
        self._implementation(case, content)
        for violation in violations:
            self._violation(violation)
        if not violations:
            self._line("as expected")
        return not violations

    def _line(self, text: str) -> None:
        self._console.print(text)

    def _reference(self, case: Case) -> Any:
        """Show what the reference makes of the case; return the content that is written, if there is one."""
        content = getattr(case, "content", None)
        if case.wire is None:
            if content is not None:
                self._refused(case, content)
            return content
        try:
            read = case.target.read(case.wire)
        except Malformed as error:
            self._line(f"reference   does not accept: {error}")
            for line in plain_hex(case.wire, error.offset):
                self._line(f"    {line}")
            if isinstance(case.target, Body) and error.reason is None:
                self._lenient(case.target.schema, case.wire)
            return content
        self._bytes(case.target, case.wire)
        return read if content is None else content

    def _refused(self, case: Case, content: Any) -> None:
        try:
            case.target.write(content)
        except CodecError as error:
            self._line(f"reference   refuses to encode: {error}")

    def _lenient(self, schema: MessageSchema, wire: bytes) -> None:
        """Show what Apache Kafka makes of unspecified bytes."""
        try:
            value, consumed = decode_leniently(schema, wire)
        except CodecError as rejected:
            self._line(f"Apache Kafka rejects it: {rejected}")
        else:
            self._line(f"Apache Kafka accepts it: {consumed} bytes, {to_json(schema, value)}")

    def _bytes(self, target: Target, wire: bytes) -> None:
        """Show the bytes, one line for each span."""
        for line in table(rows_of(wire, target.spans(wire))):
            self._line(line)

    def _implementation(self, case: Case, content: Any) -> None:
        """Show what the implementation does with the case, in each direction that it offers."""
        session, target = self._session, case.target
        name = session.implementation.name
        if case.kind == "header":
            return
        if content is not None and target.is_offered(session.implementation, "encode"):
            self._line(f"{name} encodes   {session.encode(target, self._judged(content))}")
        if (
            case.wire is not None
            and "decode" in case.directions
            and target.is_offered(session.implementation, "decode")
        ):
            [outcome] = session.decode_many(target, [case.wire])
            self._line(f"{name} decodes   {outcome}{self._consumed(case, outcome)}")

    def _judged(self, content: Any) -> Any:
        return self._session.implementation.judged(content) if isinstance(content, dict) else content

    def _consumed(self, case: Case, outcome: Outcome) -> str:
        consumed = case.target.consumed(outcome)
        return "" if consumed is None else f" ({consumed} bytes consumed)"

    def _violation(self, violation: Violation) -> None:
        self._line(f"{violation.rule}, outcome {violation.outcome}")
        for line in (*rule_lines(violation.rule), place_line(violation), *comparison_lines(violation)):
            self._line(f"    {line}")
