"""Valid answers of every shape in a version, with which a client continues as with plain ones.

A variation is made of pieces, each in one field of one response. All pieces of a kind are tried in one run. After a
failure, halves of them are tried, down to the refused pieces.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.generate.drawn_values import unknown_tags
from conformance.live.client.trial import AskedPair, ChangedBroker, response_schema
from reference import TAGS, encode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from conformance.definitions.defining_releases import Definitions
    from conformance.live.capture.frame_verdict import JudgedFrame
    from reference import FieldSchema, MessageSchema

CATEGORY = "sound answers"
HEADER = "header"
ACCEPTED, TAGGED = "message.accepted", "tag.unknown-accepted"
LONG = 10_000
"""The number of characters of a long text."""

UNKNOWN_KEYS = tuple({"ApiKey": key, "MinVersion": 0, "MaxVersion": 3} for key in (999, 2**15 - 1))

MEANT = frozenset((
    "Name", "ProtocolName", "ProtocolType", "Records", "MemberId", "Value", "Host", "Metadata", "NextCursor",
))  # fmt: skip
"""Nullable fields that a broker leaves neither null nor empty if it has something to report."""

ERROR_MESSAGE = "ErrorMessage"
"""A text, null in answers without an error."""


class ChangedField(NamedTuple):
    """A place for a change of answers, a field of a response."""

    pair: AskedPair
    path: str

    def __str__(self) -> str:
        return f"{self.pair}, {self.path or 'the message'}"


class VariationKind(NamedTuple):
    """One kind of variation.

    Attributes:
        rule: the rule that a client breaks if it does not continue.
        paths: the possible places in a response.
        changed: returns the changed value of a field; of the message itself if its path is empty.
    """

    name: str
    rule: str
    paths: Callable[[MessageSchema], Iterator[str]]
    changed: Callable[[FieldSchema, Any], Any]


@dataclass(frozen=True)
class SoundAnswers:
    """The answers of a run, with every piece in each response of its pair."""

    kind: VariationKind
    pieces: frozenset[ChangedField]

    def __call__(self, broker: ChangedBroker, judged: JudgedFrame, value: dict[str, Any]) -> bytes | None:
        """Return a response with its pieces."""
        pair = AskedPair(judged.name, judged.api_key, judged.version)
        paths = {piece.path for piece in self.pieces if piece.pair == pair}
        if not paths:
            return None
        schema = response_schema(broker.definitions, pair)
        places = [("", schema.body), *schema.body.within()]
        chosen = {id(field) for path, field in places if path in paths}

        def change(field: FieldSchema, item: Any) -> Any:
            return self.kind.changed(field, item) if id(field) in chosen else item

        changed = schema.body.mapped(value, change)
        return broker.framed(judged, encode(schema, changed), tagged=HEADER in paths)


def _tagged_structs(schema: MessageSchema) -> Iterator[str]:
    if schema.flexible:
        yield ""
        yield from (path for path, field in schema.body.within() if field.fields and field.flexible)


def _header(schema: MessageSchema) -> Iterator[str]:
    # This response's header never has tagged fields, as its client does not know the server's versions yet.
    if schema.flexible and schema.message != "ApiVersionsResponse":
        yield HEADER


def _with_tag(field: FieldSchema, value: Any) -> Any:
    return value if value is None else {**value, TAGS: [(unknown_tags(field)[0], b"\xca\xfe")]}


def _nullable(schema: MessageSchema) -> Iterator[str]:
    yield from (path for path, field in schema.body.within() if field.nullable and field.name not in MEANT)


def _texts(schema: MessageSchema) -> Iterator[str]:
    is_text = ((path, field) for path, field in schema.body.within() if field.type == "string" and field.nullable)
    yield from (path for path, field in is_text if field.name not in {*MEANT, ERROR_MESSAGE})


def _empty(field: FieldSchema, value: Any) -> Any:
    return {"string": "", "array": [], "bytes": b""}.get(field.type, value)


def _api_keys(schema: MessageSchema) -> Iterator[str]:
    if schema.message == "ApiVersionsResponse":
        yield "ApiKeys"


KINDS = (
    VariationKind("unknown tags in headers", TAGGED, _header, lambda _, value: value),
    VariationKind("unknown tags", TAGGED, _tagged_structs, _with_tag),
    VariationKind("null", ACCEPTED, _nullable, lambda _, __: None),
    VariationKind("empty", ACCEPTED, _nullable, _empty),
    VariationKind("long texts", ACCEPTED, _texts, lambda _, __: "x" * LONG),
    VariationKind("unknown APIs", ACCEPTED, _api_keys, lambda _, value: [*value, *UNKNOWN_KEYS]),
)


def pieces_of(definitions: Definitions, kind: VariationKind, pairs: Sequence[AskedPair]) -> list[ChangedField]:
    """Return the possible places of a kind of variation in the answers to these requests."""
    return [ChangedField(pair, path) for pair in pairs for path in kind.paths(response_schema(definitions, pair))]


def culprits(pieces: Sequence[ChangedField], fails: Callable[[Sequence[ChangedField]], bool]) -> Iterator[ChangedField]:
    """Yield the pieces at fault, by halving, or the first piece of a whole that always fails when neither half does."""
    if not pieces or not fails(pieces):
        return
    if len(pieces) == 1:
        yield pieces[0]
        return
    middle = len(pieces) // 2
    is_found = False
    for half in (pieces[:middle], pieces[middle:]):
        for piece in culprits(half, fails):
            is_found = True
            yield piece
    if not is_found and fails(pieces):
        yield pieces[0]
