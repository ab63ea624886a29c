"""The annotated bytes of the book, in fenced blocks `hex TYPE` of a value, an empty line, and bytes with notes.

    ```hex compact-string
    "abc"

    04          the length plus one
    61 62 63    UTF-8
    ```

A note stands two spaces or more after its bytes.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from conformance.definitions.book import FencedBlock, bytes_of, form_of
from reference import MessageSchema, encode_with_spans, records_spans
from reference.definitions.model import Definition
from tests.specs.around import Framed, Stored
from tests.specs.notation import subject_of
from tests.specs.record_batches import Batches
from tests.specs.subjects import Body, Subject

_LINE = re.compile(r"((?:[0-9a-f]{2} )*[0-9a-f]{2})(?: {2,}(.*))?")
SIZE_OF_A_FRAME = 4


@dataclass(frozen=True)
class Annotated:
    """A block of annotated bytes."""

    subject: Subject
    form: str
    pieces: tuple[bytes, ...]
    """The bytes of each line."""
    notes: tuple[str, ...]
    """What each line says of its bytes."""

    @property
    def wire(self) -> bytes:
        return b"".join(self.pieces)

    @property
    def ends(self) -> set[int]:
        return {sum(map(len, self.pieces[: count + 1])) for count in range(len(self.pieces))}


def annotated(block: FencedBlock, definitions: Mapping[str, Definition]) -> Annotated:
    form, _, rest = block.text.partition("\n\n")
    matches = [_LINE.fullmatch(line) for line in rest.splitlines() if line]
    lines = [match for match in matches if match is not None]
    assert len(lines) == len(matches), f"{block}: a line that is not bytes and a note"
    return Annotated(
        subject_of(block.argument, definitions),
        form,
        tuple(bytes_of(line[1]) for line in lines),
        tuple(line[2] or "" for line in lines),
    )


def check_annotated(block: FencedBlock, definitions: Mapping[str, Definition]) -> None:
    """Check that value and bytes belong together, and that no line ends inside of an element of the encoding."""
    shown = annotated(block, definitions)
    value = shown.subject.value(form_of(shown.form))
    assert shown.subject.encode(value).hex(" ") == shown.wire.hex(" ")
    assert shown.subject.equal(shown.subject.judge(shown.wire).value, value)
    ends = element_ends(shown.subject, shown.wire)
    assert ends is None or shown.ends <= ends
    assert all(shown.notes)


def element_ends(subject: Subject, wire: bytes) -> set[int] | None:
    """Return the ends of the elements of an encoding, or None without spans in the reference."""
    match subject:
        case Body(schema) if not isinstance(subject, Stored):
            return _ends(schema, wire, 0)
        case Framed():
            value = subject.judge(wire).value
            body = len(wire) - len(Body(subject.schema).encode(value["body"]))
            head = _ends(subject.header, wire[SIZE_OF_A_FRAME:body], SIZE_OF_A_FRAME)
            return {SIZE_OF_A_FRAME, *head, *_ends(subject.schema, wire[body:], body)}
        case Batches():
            return {span.end for span in records_spans(wire)}
        case _:
            return None


def _ends(schema: MessageSchema, wire: bytes, start: int) -> set[int]:
    value = Body(schema).judge(wire).value
    return {span.end + start for span in encode_with_spans(schema, value).spans}
