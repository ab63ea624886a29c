"""Explanations for a terminal, as a table or as a dump of every byte.

The fields of a table are indented by their nesting:

offset  bytes        field              type    value         rule
0  00 03        RequestApiKey      int16   3 (Metadata)  int.width-and-order
"""

from __future__ import annotations

from functools import partial
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from rich.cells import cell_len
from rich.text import Text

from conformance.definitions.catalogue import catalogue
from conformance.report.words import counted
from reference.explained.explanation import CUT, MISSING, NOT_JUDGED, NOT_READ, TRAILING
from reference.paths import keys_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from reference.explained.explanation import BytesVerdict, Explanation, WirePart

WRONG = "bold red"

BYTES_IN_A_CELL = 8
BYTES_IN_A_LINE = 16
HEADINGS = ("offset", "bytes", "field", "type", "value", "rule")
NAME, VALUE = HEADINGS.index("field"), HEADINGS.index("value")

LENGTH = "cyan"
STYLES = {
    "number": "green",
    "varint": "green",
    "payload": "yellow",
    "tag": "magenta",
    "tag-count": "magenta",
    "tag-size": "magenta",
    "tag-header": "magenta",
    NOT_READ: "dim",
    TRAILING: "red",
    MISSING: WRONG,
    CUT: WRONG,
}
"""The colours of bytes by their roles. Other roles, for example lengths, have the colour `LENGTH`."""

RESULTS = {"valid": "bold green", "invalid": WRONG, "unspecified": "bold yellow", NOT_JUDGED: "bold yellow"}

PLAIN_ROLES = frozenset(("number", "varint", "payload", ""))
"""Roles not shown beside the type, since the type alone is clear."""

MOST_BYTES = 64
"""The number of canonical bytes shown."""

SECTION_ROLES = frozenset(("tag-count", "tag", "tag-header", "tag-end"))
"""Roles of parts in a tag section. Their path is that of the struct with the section."""


class _Line(NamedTuple):
    cells: tuple[str, ...]
    style: str = ""
    deviation: str = ""


def tree(explanation: Explanation, width: int | None = None) -> Iterator[Text]:
    """Yield a table of all parts, one of each stream, and the verdicts. One wider than `width` has no rules."""
    yield from _shown(explanation, partial(_table, width=width))


def dump(explanation: Explanation) -> Iterator[Text]:
    """Yield all bytes in lines of 16, each part with its name, then the verdicts."""
    yield from _shown(explanation, _dumped)


def _shown(explanation: Explanation, form: Callable[[Explanation], Iterator[Text]]) -> Iterator[Text]:
    for each in (explanation, *(inner for inner in explanation.inside if inner.start is None)):
        yield Text(f"{each.title}, {counted(len(each.wire), 'byte')}", "bold")
        yield from form(each)
        yield Text()
    yield from verdict_lines(explanation)


def _table(explanation: Explanation, width: int | None) -> Iterator[Text]:
    lines = [_Line(HEADINGS, "bold"), *(_line(row, explanation.wire) for row in rows(explanation.parts))]
    widths = [max(cell_len(line.cells[column]) for line in lines) for column in range(len(HEADINGS))]
    if width is not None and sum(widths) + 2 * len(widths) > width + 2:
        widths.pop()
    for line in lines:
        yield _aligned(line, widths)
        if line.deviation:
            yield Text(f"{' ' * (widths[0] + 2)}^ {line.deviation}", WRONG)


def _aligned(line: _Line, widths: Sequence[int]) -> Text:
    text = Text().append(line.cells[0].rjust(widths[0]), "bold" if line.style == "bold" else "dim")
    for column, (cell, width) in enumerate(zip(line.cells[1:], widths[1:], strict=False), start=1):
        style = "" if column == NAME and line.style != "bold" else line.style
        text.append("  ").append(cell + " " * (width - cell_len(cell)), style)
    text.rstrip()
    return text


def _line(row: RenderedRow, wire: bytes) -> _Line:
    name = "  " * row.depth + row.name
    part = row.part
    if part is None:
        return _Line(("", "", name, "", "", ""))
    cells = str(part.start), _cut(wire[part.start : part.end]), name, kind_of(part), part.value, part.rule
    return _Line(cells, WRONG if part.deviation else STYLES.get(part.role, LENGTH), part.deviation)


def kind_of(part: WirePart) -> str:
    """Return the type of a part, with its role if the type alone is not clear."""
    role = part.role.replace("-", " ")
    if part.role in PLAIN_ROLES:
        return part.type
    return f"{role} of {part.type}" if part.type and not role.startswith("tag") else role


def _cut(piece: bytes) -> str:
    shown = piece[:BYTES_IN_A_CELL].hex(" ")
    return shown if len(piece) <= BYTES_IN_A_CELL else f"{shown} …"


def _dumped(explanation: Explanation) -> Iterator[Text]:
    for part in explanation.parts:
        style = WRONG if part.deviation else STYLES.get(part.role, LENGTH)
        about = " ".join(filter(None, (part.path, f"({kind_of(part)})" if kind_of(part) else "", part.value)))
        # One line at least: a part without bytes stands for missing ones.
        for at in range(part.start, max(part.end, part.start + 1), BYTES_IN_A_LINE):
            piece = explanation.wire[at : min(at + BYTES_IN_A_LINE, part.end)]
            text = Text().append(f"{at:08x}  ", "dim")
            text.append(
                f"{piece.hex(' '):<{3 * BYTES_IN_A_LINE - 1}}  {_characters(piece):<{BYTES_IN_A_LINE}}  ", style
            )
            text.append(about if at == part.start else "")
            text.rstrip()
            yield text
        if part.deviation:
            yield Text(f"{' ' * 10}^ {part.deviation}", WRONG)


def _characters(piece: bytes) -> str:
    return "".join(chr(byte) if chr(byte).isascii() and chr(byte).isprintable() else "." for byte in piece)


def verdict_lines(explanation: Explanation) -> Iterator[Text]:
    """Yield the lines of the verdict, then of the verdicts on inner messages."""
    yield from _verdict("verdict", explanation.verdict)
    yield from _canonical(explanation)
    for inner in explanation.inside:
        where = f" in {inner.path}" if inner.start is not None else ""
        yield from _verdict(f"{inner.title}{where}", inner.verdict, inner.start or 0)


def _verdict(name: str, verdict: BytesVerdict, start: int = 0) -> Iterator[Text]:
    """Yield the lines of a verdict on bytes that begin at `start`, with offsets as in the table."""
    text = Text(f"{name}: ").append(verdict.result, RESULTS[verdict.result])
    if verdict.offset is not None:
        text.append(f" at byte {start + verdict.offset}, in {verdict.path or 'the message'}: {verdict.reason}")
    text.append(f", {verdict.detail}" if verdict.detail else "")
    yield text
    for rule in dict.fromkeys(verdict.rules):
        yield Text(f"  rule {rule}: {catalogue()[rule].text}")
    for reader, deed in verdict.readers.items():
        yield Text(f"  {reader} {deed}")


def _canonical(explanation: Explanation) -> Iterator[Text]:
    canonical = explanation.verdict.canonical
    # The canonical bytes have no trailing bytes.
    if canonical is None or explanation.wire.startswith(canonical):
        if canonical is not None:
            which = "these bytes" if canonical == explanation.wire else f"the first {len(canonical):,} bytes"
            yield Text(f"  canonical: a writer makes {which}")
        return
    shown = canonical[:MOST_BYTES].hex(" ") + (" …" if len(canonical) > MOST_BYTES else "")
    yield Text(f"  not canonical: a writer makes {len(canonical):,} bytes, {shown}")


class RenderedRow(NamedTuple):
    """A row for a part, or for a struct or element above its parts, with the last step of the path."""

    depth: int
    name: str
    part: WirePart | None


def rows(parts: Iterable[WirePart]) -> Iterator[RenderedRow]:
    """Yield a row for each part, after rows for all structs beginning with it."""
    before: list[str] = []
    for part in parts:
        parents, name = _place(part)
        for depth in range(_shared(before, parents), len(parents)):
            yield RenderedRow(depth, parents[depth], None)
        yield RenderedRow(len(parents), name, part)
        before = [*parents, name]


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _place(part: WirePart) -> tuple[list[str], str]:
    steps = _steps(part.path)
    if part.role in SECTION_ROLES:
        return steps, "tags" if part.role == "tag-count" else "tag"
    if part.role in {NOT_READ, TRAILING}:
        return [], ""
    return steps[:-1], steps[-1] if steps else ""


def _steps(path: str) -> list[str]:
    """Return the steps of a path, with an index in the step before it.

    >>> _steps("body.Topics[0].Name")
    ['body', 'Topics[0]', 'Name']
    """
    steps: list[str] = []
    for key in keys_of(path):
        if isinstance(key, int) and steps:
            steps[-1] += f"[{key}]"
        else:
            steps.append(str(key))
    return steps
