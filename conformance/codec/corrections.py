"""The mistakes of an adapter, and its answers without them."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import structs

from conformance.targets.given_types import (
    NULL_FOR_EMPTY,
    OF_NULL,
    given_type,
    has_other_form,
    has_type,
    kind_of,
    meant,
    renamed,
)
from conformance.targets.outcome import OF_THE_ADAPTER, REFUSALS, Kind, Outcome
from reference.values.comparison import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from conformance.targets import Target
    from conformance.targets.given_types import Convert
    from reference import FieldSchema

HOW_TO_COUNT = "count the bytes of the body alone, from its first one"
IN_PLACE_OF_AN_ERROR = "decode returned a value without fields, in place of an error"


class Fault(NamedTuple):
    """A mistake of the adapter, with one example in a sentence or two, and the direction that shows it."""

    kind: str
    text: str
    side: str = ""


def wrong_counts(counts: Sequence[tuple[object, int, int]]) -> tuple[int | None, str]:
    """Return by how much every count of bytes is too high, and a sentence if every count is wrong in any way.

    Args:
        counts: what was read, with the number of its bytes, and the count of them.
    """
    different = {count - length for _, length, count in counts}
    if len({length for _, length, _ in counts}) <= 1 or 0 in different:
        return None, ""
    of_all = f"in {len(counts)} of {len(counts)} values"
    if len(different) == 1:
        [by] = different
        more = f"{abs(by)} {'more' if by > 0 else 'fewer'} than the message has"
        return by, f"consumed is always {more}, {of_all}"
    name, length, count = counts[-1]
    return None, f"consumed is wrong {of_all}, as {count} of {name}, which has {length}"


@dataclass(frozen=True)
class Mistakes:
    """The mistakes of an adapter that show in every value.

    Attributes:
        faults: a sentence for each.
        types: the right value of an item, by the type in the definition and the given type.
        has_other_names: whether fields have names other than those of the definition.
        excess: the number of bytes by which every count is too high, or None.
        counts_wrongly: whether no count is right, and none can be corrected.
        lacking: the pairs that the library lacks, though the adapter names them.
        hides_errors: whether a value without fields stands for an error.
    """

    faults: tuple[Fault, ...] = ()
    types: Mapping[tuple[str, str], Convert] = field(default_factory=dict)
    has_other_names: bool = False
    excess: int | None = None
    counts_wrongly: bool = False
    lacking: frozenset[str] = frozenset()
    hides_errors: bool = False

    def written(self, target: Target, outcome: Outcome) -> Outcome:
        """Return the outcome of a call to write, without the mistakes."""
        is_lacking = target.pair in self.lacking and outcome.kind in REFUSALS | OF_THE_ADAPTER
        return Outcome(Kind.UNSUPPORTED, text=outcome.text) if is_lacking else outcome

    def read(self, target: Target, outcome: Outcome) -> Outcome:
        """Return the outcome of a call to read, without the mistakes."""
        if not self.faults:
            return outcome
        if outcome.kind is not Kind.VALUE:
            return self._refused(target, outcome)
        if self.hides_errors and not target.has_any_field(outcome.value):
            return Outcome(Kind.REJECTED, text=IN_PLACE_OF_AN_ERROR)
        value = outcome.value
        if self.types or self.has_other_names:
            value = target.corrected(value, self.value)
        return structs.replace(outcome, value=value, consumed=self._consumed(outcome.consumed))

    def _refused(self, target: Target, outcome: Outcome) -> Outcome:
        if outcome.kind is Kind.PROTOCOL_ERROR and outcome.value is not None:
            value = target.corrected(outcome.value, self.value)
            is_whole = not has_other_form(value)
            return Outcome(Kind.VALUE, None, value, self._consumed(outcome.consumed)) if is_whole else outcome
        if self.hides_errors and outcome.kind is Kind.PROTOCOL_ERROR:
            return Outcome(Kind.REJECTED, text=outcome.text)
        return self.written(target, outcome)

    def _consumed(self, count: int | None) -> int | None:
        if count is None or self.counts_wrongly:
            return None
        return count - (self.excess or 0)

    def value(self, schema: FieldSchema, item: Any) -> Any:
        """Return a read item in the types of the definition, as far as its own types are mistakes of the adapter."""
        item = self._in_type(schema, item)
        if schema.element is not None and type(item) is list:
            return [self.value(schema.element, each) for each in item]
        if schema.type != "struct" or type(item) is not dict:
            return item
        members = renamed(schema, item) if self.has_other_names else item
        inner = {each.name: each for each in schema.fields}
        return {name: self.value(inner[name], each) if name in inner else each for name, each in members.items()}

    def _in_type(self, schema: FieldSchema, item: Any) -> Any:
        if has_type(schema, item) or item is UNKNOWN:
            return item
        given = NULL_FOR_EMPTY if item is None and schema.nullable else given_type(item)
        kind = kind_of(schema)
        convert = self.types.get((kind, given)) or self.types.get((f"{OF_NULL}{kind}", given))
        if convert is None:
            return item
        with suppress(Exception):
            return meant(convert, schema, item)
        return UNKNOWN


NO_MISTAKES = Mistakes()
