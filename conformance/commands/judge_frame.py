"""What each byte of one frame of a capture means, and what is wrong with it, for `kafka-conformance judge --frame`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from conformance.commands.explain_output import show
from conformance.findings.report.texts import comparison_lines, place_line, rule_lines
from conformance.live.traffic.conversation import explanation_of
from conformance.live.traffic.judgement import violations_of

if TYPE_CHECKING:
    from conformance.live.traffic.conversation import Seen


def show_frame(seen: Seen) -> None:
    """Print the bytes of a frame, each with its meaning, and every rule that is broken."""
    show(explanation_of(seen), "dump")
    for violation in violations_of(seen):
        click.echo(f"{violation.rule}")
        for line in (*rule_lines(violation.rule), place_line(violation), *comparison_lines(violation)):
            click.echo(f"    {line}")
