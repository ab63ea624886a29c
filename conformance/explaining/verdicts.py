"""The verdicts of an explanation, in words: what the protocol asks of a reader, why, and what a writer would make."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from conformance.catalogue.rules import catalogue
from conformance.explaining.explanation import NOT_JUDGED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.explaining.explanation import Conclusion, Explanation

WRONG = "bold red"
RESULTS = {"valid": "bold green", "invalid": WRONG, "unspecified": "bold yellow", NOT_JUDGED: "bold yellow"}
MOST_BYTES = 64
"""How many of the bytes of a writer are shown."""


def verdict_lines(explanation: Explanation) -> Iterator[Text]:
    """Yield the verdict on what is explained, then those on the messages in it."""
    yield from _verdict("verdict", explanation.verdict)
    yield from _canonical(explanation)
    for inner in explanation.inside:
        where = f" in {inner.path}" if inner.start is not None else ""
        yield from _verdict(f"{inner.title}{where}", inner.verdict)


def _verdict(name: str, verdict: Conclusion) -> Iterator[Text]:
    text = Text(f"{name}: ").append(verdict.result, RESULTS[verdict.result])
    if verdict.offset is not None:
        text.append(f" at byte {verdict.offset}, in {verdict.path or 'the message'}: {verdict.reason}")
    text.append(f", {verdict.detail}" if verdict.detail else "")
    yield text
    for rule in dict.fromkeys(verdict.rules):
        yield Text(f"  rule {rule}: {catalogue()[rule].text}")
    for reader, deed in verdict.readers.items():
        yield Text(f"  {reader} {deed}")


def _canonical(explanation: Explanation) -> Iterator[Text]:
    """Yield what a writer makes of the value, if it is something else; trailing bytes are none of it."""
    canonical = explanation.verdict.canonical
    if canonical is None or explanation.wire.startswith(canonical):
        if canonical is not None:
            which = "these bytes" if canonical == explanation.wire else f"the first {len(canonical):,} bytes"
            yield Text(f"  canonical: a writer makes {which}")
        return
    shown = canonical[:MOST_BYTES].hex(" ") + (" …" if len(canonical) > MOST_BYTES else "")
    yield Text(f"  not canonical: a writer makes {len(canonical):,} bytes, {shown}")
