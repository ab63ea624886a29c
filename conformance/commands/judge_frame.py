"""What each byte of one frame of a capture means, for `kafka-conformance judge --frame`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from conformance.catalogue.annotated_bytes import plain_hex, rows_of, table
from conformance.findings.report.texts import comparison_lines, place_line, rule_lines
from conformance.live.traffic.judgement import violations_of
from reference import judge
from reference.codec import spans_up_to_fault

if TYPE_CHECKING:
    from conformance.live.judging.definitions import Definitions
    from conformance.live.traffic.conversation import Seen


def show_frame(definitions: Definitions, seen: Seen) -> None:
    """Print the bytes of a frame, each with its meaning, and every rule that is broken."""
    judged, payload = seen.judged, seen.frame.payload
    header = definitions.header(judged.direction, judged.api_key, judged.version) if judged else None
    if judged is None or judged.schema is None or header is None:
        for line in plain_hex(payload, 0):
            click.echo(f"    {line}")
    else:
        end = judge(header, payload).consumed or 0
        parts = [
            *rows_of(payload[:end], spans_up_to_fault(header, payload[:end]), prefix="header"),
            *rows_of(payload[end:], spans_up_to_fault(judged.schema, payload[end:]), offset=end, prefix="body"),
        ]
        for line in table(parts):
            click.echo(line)
    for violation in violations_of(seen):
        click.echo(f"{violation.rule}")
        for line in (*rule_lines(violation.rule), place_line(violation), *comparison_lines(violation)):
            click.echo(f"    {line}")
