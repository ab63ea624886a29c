"""Notes of `bridge check` that are alike, as one: the same difference of a message in many values and versions."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.bridge.form_probes import Probe
    from conformance.bridge.transcript import Diagnostic

CONTENT = re.compile(r'"(?:[^"\\]|\\.)*"|\b[0-9][0-9a-f.]*\b')
"""Texts, numbers and bytes: what differs between notes that are alike."""


def grouped(notes: Sequence[tuple[Probe, Diagnostic]]) -> Iterator[Diagnostic]:
    """Yield the first note of each message, direction and difference, with how many are like it."""
    groups: dict[tuple[str, str, str], list[tuple[Probe, Diagnostic]]] = {}
    for probe, note in notes:
        text = CONTENT.sub("*", note.problem.removeprefix(str(probe)).partition(", of ")[0].partition(", in ")[0])
        groups.setdefault((probe.operation, probe.schema.message, text), []).append((probe, note))
    for alike in groups.values():
        _, first = alike[0]
        versions = {probe.schema.version for probe, _ in alike}
        where = f", in versions {ranges(versions)}" if len(versions) > 1 else ""
        more = f" (and {len(alike) - 1} more like this{where})" if len(alike) > 1 else ""
        yield replace(first, problem=first.problem + more)


def ranges(numbers: set[int]) -> str:
    """Return numbers as ranges: `0, 3-5`."""
    spans: list[list[int]] = []
    for number in sorted(numbers):
        if spans and number == spans[-1][1] + 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    return ", ".join(str(low) if low == high else f"{low}-{high}" for low, high in spans)
