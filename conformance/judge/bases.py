"""The valid base values of inputs, adapted to the implementation.

An input that must be rejected proves nothing if its valid base value is refused or misread already. So each base is
adapted first (`conformance.generate.adaptation`), separately for reading and for writing: a mistake of the writer does
not switch off a test of the reader. The edge values report a refused base, so these checks need not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.generate.adaptation import adapted, changes
from conformance.generate.edge_values import Bases
from conformance.generate.value_paths import item_at, with_field
from conformance.judge.count_lines import AdaptedBase
from conformance.targets import ENCODE, Ask, Body
from reference import MessageSchema, Unencodable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.adapter import Direction
    from conformance.codec.session import Session
    from conformance.targets import BodyTarget, Target

Value = dict[str, Any]


class TakenBases(NamedTuple):
    """The bases of one message that an implementation accepts.

    Attributes:
        bases: the values; a value without any accepted form is left as the definition gives it.
        refused: the fields of `Bases` without any accepted form.
        changed: the paths, without indices, of adapted values.
    """

    bases: Bases
    refused: frozenset[str]
    changed: tuple[str, ...]

    def events(self, schema: MessageSchema) -> Iterator[AdaptedBase]:
        """Yield an event for each adapted field."""
        return (AdaptedBase(str(schema), path) for path in self.changed)

    def mask(self, value: Value) -> Value:
        """Return a value with the refused fields set as in these bases."""
        for path in self.changed:
            value = with_field(value, path, item_at(self.bases.tagged or self.bases.populated, path))
        return value


def bases_of(session: Session, target: BodyTarget, direction: Direction = "decode") -> TakenBases:
    """Return the bases of a message accepted in a direction, computed once in a run."""
    return session.once(("bases", str(target), direction), lambda: _found(session, target, direction))


def _found(session: Session, target: BodyTarget, direction: Direction) -> TakenBases:
    usual = Bases.usual(target.schema)
    requested = {name: value for name, value in usual._asdict().items() if value is not None}
    are_taken = _are_taken(session, target, [*map(target.content_of, requested.values())], direction)
    values = {
        name: value if is_taken else taken_form(session, target, value, direction)
        for (name, value), is_taken in zip(requested.items(), are_taken, strict=True)
    }
    refused = frozenset(name for name, value in values.items() if value is None)
    bases = usual._replace(**{name: value for name, value in values.items() if value is not None})
    pairs = zip(usual, bases, strict=True)
    return TakenBases(bases, refused, tuple({path: None for before, after in pairs for path in changes(before, after)}))


def masked(session: Session, schema: MessageSchema, values: Sequence[Value]) -> list[Value | None]:
    """Return values with the adapted fields set as in the bases.

    A value that is not read even so is replaced by None.
    """
    taken = bases_of(session, Body(schema))
    changed = [taken.mask(value) for value in values]
    are_read = _are_read(session, Body(schema), changed)
    return [value if is_read else None for value, is_read in zip(changed, are_read, strict=True)]


def taken_form(session: Session, target: BodyTarget, value: Value, direction: Direction = "decode") -> Value | None:
    """Return the accepted value nearest to `value`, or None if none is found.

    Args:
        session: the session with the implementation.
        target: the body, or the target around it, to be read or written.
        value: the preferred value of the message.
        direction: whether it must be read or written.
    """
    return adapted(target.schema, value, lambda tried: is_taken(session, target, target.content_of(tried), direction))


def is_taken(session: Session, target: Target, content: Any, direction: Direction = "decode") -> bool:
    """Return whether a valid content is read without a difference, or written as its canonical bytes."""
    if direction == "decode":
        return _are_read(session, target, [content])[0]
    return _is_written(session, target, target.expected(session.claims, content))


def _are_taken(session: Session, target: Target, contents: Sequence[Any], direction: Direction) -> list[bool]:
    """Return for each valid content whether it is accepted.

    A harness gets all requests at once.
    """
    if direction == "decode":
        return _are_read(session, target, contents)
    expected = [target.expected(session.claims, content) for content in contents]
    session.send([Ask(ENCODE, target, each) for each in expected])
    return [_is_written(session, target, each) for each in expected]


def _is_written(session: Session, target: Target, expected: Any) -> bool:
    """Return whether the compared parts of a valid content are written as their canonical bytes."""
    wire = _wire(target, expected)
    return wire is not None and session.encode(target, expected).wire == wire


def _are_read(session: Session, target: Target, contents: Sequence[Any]) -> list[bool]:
    """Return for each valid content whether it is read without a difference."""
    wires = [_wire(target, content) for content in contents]
    outcomes = iter(session.decode_many(target, [wire for wire in wires if wire is not None]))
    return [
        wire is not None and target.is_read(session.claims, content, next(outcomes))
        for content, wire in zip(contents, wires, strict=True)
    ]


def _wire(target: Target, content: Any) -> bytes | None:
    """Return the canonical bytes of a content, or None if it has none."""
    try:
        return target.write(content)
    except Unencodable:
        return None
