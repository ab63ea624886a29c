"""The mistakes of an adapter, learnt from valid values of every message.

A mistake of a type is the adapter's if it is in every value of several fields, or of the only field of the type. In one
field among others, or in some values only, it may be the library's and stays a finding.
"""

from __future__ import annotations

import re
from collections import Counter
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.codec.bridge.form_probes import distinct
from conformance.codec.bridge.json_forms import WORDS
from conformance.codec.bridge.reply_check import collected
from conformance.codec.corrections import HOW_TO_COUNT, Fault, Mistakes, wrong_counts
from conformance.codec.selection import newest
from conformance.targets import DECODE, ENCODE, Ask, Body
from conformance.targets.given_types import (
    NULL,
    NULL_FOR_EMPTY,
    OF_NULL,
    ValuePart,
    conversions,
    kind_of,
    meant,
    parts_of,
    renamed,
    word_of,
)
from conformance.targets.outcome import OF_THE_ADAPTER, REFUSALS, Kind
from reference import TAGS, MessageSchema, Unencodable, encode, minimal
from reference.definitions.defaults import IMPLICIT_DEFAULTS
from reference.definitions.model import INTEGER_RANGES, ranges_of
from reference.suggestions import suggestion
from reference.values.comparison import PYTHON_TYPES, UNKNOWN, same_value

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from conformance.codec.session import Session
    from conformance.targets.given_types import Convert, Key
    from conformance.targets.outcome import Outcome
    from reference import FieldSchema

FEW = 2
"""The number of fields with one mistake that no library makes in all, and of values that show a mistake."""

ADVICE = {"array": "a list", "struct": "a dict with the names of its fields", "uuid": "uuid.UUID"}
"""What to return in Python, for the types with another word than the name of the class."""

JSON = {
    "str": "a JSON string",
    "int": "a JSON number",
    "float": "a JSON number",
    "bool": "true or false",
    "list": "a JSON array",
    "dict": "a JSON object",
    NULL: "null",
}


def learnt(session: Session, schemas: Sequence[MessageSchema]) -> Mistakes:
    """Return the mistakes of an adapter that show in every value, in a session without corrections."""
    trials = tried(session, schemas)
    read = [each for each in trials.readings if each.outcome.value is not None]
    types = list(_types(read))
    names = list(_names(read))
    excess, counts = _counts(read)
    lacking = _lacking(trials)
    errors = list(_errors(read, trials))
    rejections = _rejections(session.claims.rejections)
    is_json = session.claims.is_over_bridge
    return Mistakes(
        (*_lack(lacking), *(each.fault(is_json=is_json) for each in types), *names, *counts, *errors, *rejections),
        types={each.key: each.convert for each in types},
        has_other_names=bool(names),
        excess=excess,
        counts_wrongly=bool(counts) and excess is None,
        lacking=frozenset(map(str, lacking)),
        hides_errors=bool(errors),
    )


class TypeMistake(NamedTuple):
    """A type that the adapter gives in place of another one."""

    key: Key
    example: ValuePart
    fields: int
    convert: Convert

    def fault(self, *, is_json: bool) -> Fault:
        """Return the mistake in a sentence, in words of JSON or of Python."""
        (kind, given), field = self.key, self.example.field
        returned, others = given.rpartition(" ")[2], self.fields - 1
        more = f" and {others} other field{'s' if others > 1 else ''}" if others else ""
        is_null = kind.startswith(OF_NULL)
        if is_json:
            returned, advice = JSON.get(returned, returned), f"its form is {'null' if is_null else WORDS[field.type]}"
        else:
            advice = f"return {'None' if is_null else ADVICE.get(kind, PYTHON_TYPES.get(kind, int).__name__)}"
        due = "null" if is_null else word_of(field)
        place = f"at {self.example.path}, where the definition has {due}: in {self.example.schema}{more}"
        lost = "; its content is lost, so that it is not compared" if self.convert is _unknown else ""
        text = f"decode returns {returned} {place}; {advice}{lost}"
        return Fault(f"type-{kind}-{given}".replace(" ", "-"), text, "decode")


def _types(read: Iterable[ReadValueTrial]) -> Iterator[TypeMistake]:
    seen = collected(
        (kind_of(part.field), part._replace(schema=each.schema))
        for each in read
        for part in parts_of(each.schema.body, each.value, each.outcome.value)
    )
    for parts in seen.values():
        keys = dict.fromkeys(each.key for each in parts if not each.has_type)
        found = {key: _type_mistake(key, parts) for key in keys}
        for (kind, given), mistake in found.items():
            if mistake is not None and (given != NULL_FOR_EMPTY or found.get((kind, NULL)) is not None):
                yield mistake


def _type_mistake(key: Key, parts: Sequence[ValuePart]) -> TypeMistake | None:
    wrong = [each for each in parts if each.key == key]
    groups = {each.group for each in wrong}
    is_nullable, is_null = key[1] == NULL_FOR_EMPTY, key[1] in {NULL, NULL_FOR_EMPTY}
    beside = [each for each in parts if each.group in groups and (not is_null or each.field.nullable == is_nullable)]
    always = _names_of(wrong) - _names_of(each for each in beside if each.key != key)
    others = _names_of(beside) - always
    if not always or (len(always) < FEW and others):
        return None
    has_right_content = any(each.group == "other" and each.has_type for each in parts)
    if not is_null and groups == {"empty"} and key[0] in OF_CONTENT and has_right_content:
        return None  # a mapping that gives the right type for content does so without any
    of_all = [each for each in wrong if each.field.name in always]
    return TypeMistake(key, of_all[0], len(always), _unknown if is_nullable else _conversion(key, of_all))


OF_CONTENT = frozenset(("string", "bytes", "records"))


def _names_of(parts: Iterable[ValuePart]) -> set[str]:
    return {each.field.name for each in parts}


def _conversion(key: Key, wrong: Sequence[ValuePart]) -> Convert:
    counts = Counter(each.group for each in wrong)
    for convert in conversions(*key):
        right = Counter(each.group for each in wrong if _is_right(convert, each))
        if all(2 * right[group] >= count for group, count in counts.items()):
            return convert
    return _unknown


def _is_right(convert: Convert, part: ValuePart) -> bool:
    with suppress(Exception):
        item = meant(convert, part.field, part.actual)
        # The parts of an array or of a struct are compared one by one.
        return same_value(part.expected, item) or isinstance(item, list | dict)
    return False


def _unknown(_: FieldSchema, __: Any) -> Any:
    return UNKNOWN


def _names(read: Iterable[ReadValueTrial]) -> Iterator[Fault]:
    """Yield the first wrong name of each message, if there is a right one beside it."""
    for reading in {each.schema: each for each in read}.values():
        for path, around in unknown_names(reading.schema.body, reading.outcome.value):
            names = [field.name for field in around.fields]
            advice = suggestion(path.rpartition(".")[2], names, "a value is keyed by the definition's own field names")
            yield Fault("wrong-names", f"decode of {reading.schema} returns {path}, which is no field of it; {advice}")
            break


def unknown_names(around: FieldSchema, read: Any, path: str = "") -> Iterator[tuple[str, FieldSchema]]:
    """Yield the path of each name of no version that stands for a field, with the struct around it."""
    if isinstance(read, list | tuple):
        for item in read if around.element is not None else ():
            yield from unknown_names(around.item, item, path)
    elif isinstance(read, dict) and around.element is None:
        fields = {field.name: field for field in (*around.fields, *around.absent_fields)}
        is_named = renamed(around, read) is not read
        for name in read:
            if name not in fields and name != TAGS and is_named:
                yield f"{path}{name}", around
        for name, item in renamed(around, read).items():
            if name in fields:
                yield from unknown_names(fields[name], item, f"{path}{name}.")


def _counts(read: Sequence[ReadValueTrial]) -> tuple[int | None, list[Fault]]:
    """Return by how much every count of bytes is too high, and the fault if every count is wrong in any way."""
    counts = [(each.schema, len(each.wire), each.outcome.consumed) for each in read]
    by, text = wrong_counts([(schema, length, count) for schema, length, count in counts if count is not None])
    return by, [Fault("count", f"{text}; {HOW_TO_COUNT}")] if text else []


def _errors(read: Sequence[ReadValueTrial], trials: Trials) -> Iterator[Fault]:
    given = [(schema, outcome) for schema, outcome in trials.refusals if outcome.kind is not Kind.NOT_RUN]
    are_many = len(given) >= max(1, min(FEW, len(read)))
    if (
        are_many
        and all(_hides_error(*each) for each in given)
        and any(_has_fields(each.schema, each.outcome) for each in read)
    ):
        schema, outcome = given[0]
        shown = "{}" if outcome.value == {} else outcome.text or "a value without fields"
        text = f"decode returns {shown} for bytes that end too early, in {len(given)} of {len(given)}, as of {schema}"
        yield Fault("hidden-errors", f"{text}; let the error of the library through")


def _hides_error(schema: MessageSchema, outcome: Outcome) -> bool:
    if outcome.value is None:
        return outcome.kind is Kind.PROTOCOL_ERROR
    return not _has_fields(schema, outcome)


def _has_fields(schema: MessageSchema, outcome: Outcome) -> bool:
    return not {field.name for field in schema.fields}.isdisjoint(outcome.value or ())


def _rejections(classes: Iterable[type[Exception]]) -> Iterator[Fault]:
    if Exception in classes:
        text = "rejections has Exception, so that a mistake of the adapter or of the library would count as a refusal"
        yield Fault("rejections", f"{text}; name the library's own exceptions")


MAXIMUM_NAMED = 5

ABOUT_LACK = re.compile(
    r"version|support|unknown|not implemented|no such|not found|no attribute|no module|not defined"
    r"|KeyError|IndexError|LookupError|NotImplementedError|AttributeError|ImportError",
    re.IGNORECASE,
)
"""The words of a refusal of a whole version, which is the same for every input."""


def _lacking(trials: Trials) -> dict[MessageSchema, str]:
    """Return the pairs of which every call is refused in the same words, whatever it is given, with those words."""
    read = [(each.schema, each.outcome) for each in trials.readings]
    by_way = [collected(outcomes) for outcomes in ([*read, *trials.nonsense], trials.writings)]
    outcomes = {schema: [way[schema] for way in by_way if schema in way] for schema in {**by_way[0], **by_way[1]}}
    found = {schema: ways[0][0].text for schema, ways in outcomes.items() if all(map(_is_lacking, ways))}
    return found if len(found) < len(outcomes) else {}


def _lack(lacking: Mapping[MessageSchema, str]) -> Iterator[Fault]:
    versions = collected((each.message, each.version) for each in lacking)
    named = [f"{message} v{'+'.join(map(str, ranges_of(those)))}" for message, those in versions.items()]
    more = f" and {len(named) - MAXIMUM_NAMED} more messages" if len(named) > MAXIMUM_NAMED else ""
    for refusal in islice(lacking.values(), 1):
        text = f"leave {', '.join(named[:MAXIMUM_NAMED])}{more} out of supported()"
        yield Fault("lacking", f"{text}: every value is refused, as with {refusal}")


def _is_lacking(outcomes: Sequence[Outcome]) -> bool:
    """Return whether every call of a direction is refused in the words of a lack, whatever it is given."""
    kinds, texts = {each.kind for each in outcomes}, {each.text for each in outcomes}
    if kinds == {Kind.UNSUPPORTED}:
        return True
    return kinds <= REFUSALS | OF_THE_ADAPTER and len(texts) == 1 and ABOUT_LACK.search(texts.pop()) is not None


PROBE = "probe of the adapter"
"""The hang group of the calls: after one that ends the library, those of its message are skipped."""


class ReadValueTrial(NamedTuple):
    """A valid value, its bytes, and what was read from them."""

    schema: MessageSchema
    value: dict[str, Any]
    wire: bytes
    outcome: Outcome


class Trials(NamedTuple):
    """The outcomes of the calls.

    Attributes:
        readings: of valid values.
        writings: of the smallest value of each pair.
        refusals: of reading bytes that end too early, with their messages.
        nonsense: of reading other bytes, in the pairs whose smallest value is not read.
    """

    readings: Sequence[ReadValueTrial]
    writings: Sequence[tuple[MessageSchema, Outcome]]
    refusals: Sequence[tuple[MessageSchema, Outcome]]
    nonsense: Sequence[tuple[MessageSchema, Outcome]]


def tried(session: Session, schemas: Sequence[MessageSchema]) -> Trials:
    """Return the outcomes of the calls. Bytes are read in the child, so that an end of the library costs one."""
    written, read = ([each for each in schemas if session.offers(Body(each), way)] for way in (ENCODE, DECODE))
    values = [(each, minimal(each)) for each in read]
    values += [(each, value) for each in newest(read) for value in _values_with_content(each)]
    wires = [(schema, encode(schema, value)) for schema, value in values]
    readings = [
        ReadValueTrial(schema, value, wire, outcome)
        for (schema, value), (_, wire), (_, outcome) in zip(values, wires, _read(session, wires), strict=True)
    ]
    full = [(each, encode(each, distinct(each))) for each in newest(read)]
    refused = {each.schema: each.wire for each in readings if each.outcome.kind is not Kind.VALUE}
    nonsense = [(schema, NONSENSE if wire == b"" else b"") for schema, wire in refused.items()]
    return Trials(
        readings,
        [(each, session.apart(Ask(ENCODE, Body(each), minimal(each)))) for each in written],
        _read(session, [(schema, wire[:-1]) for schema, wire in full if wire]),
        _read(session, nonsense),
    )


NONSENSE = b"\xff"


def _read(session: Session, inputs: Sequence[tuple[MessageSchema, bytes]]) -> list[tuple[MessageSchema, Outcome]]:
    asks = [
        Ask(DECODE, Body(schema), wire, isolated=True, hang_group=f"{PROBE} {schema.message}")
        for schema, wire in inputs
    ]
    return list(zip((schema for schema, _ in inputs), session.read_together(asks), strict=True))


def _values_with_content(schema: MessageSchema) -> Iterator[dict[str, Any]]:
    """Yield values of which each field has content, is empty, or is one."""
    for value in (distinct(schema), _filling(schema.body, 0), _filling(schema.body, 1)):
        with suppress(Unencodable):
            encode(schema, value)
            yield value


def _filling(field: FieldSchema, number: int) -> Any:
    """Return a value with a number in each integer, and with 1 null where it may be. Texts and bytes are empty."""
    if field.nullable and number:
        return None
    if field.element is not None:
        return [_filling(field.element, number)]
    if field.type == "struct":
        return {each.name: _filling(each, number) for each in field.fields}
    if field.type in INTEGER_RANGES:
        return 0 if field.name.endswith("ErrorCode") else number
    return bool(number) if field.type == "bool" else IMPLICIT_DEFAULTS[field.type]
