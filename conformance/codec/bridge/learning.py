"""The mistakes of an adapter, learnt from valid values of every message.

A mistake of a type is the adapter's if it is in every value of several fields, or of the only field of the type. In one
field among others, or in some values only, it may be the library's and stays a finding.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.codec.bridge.json_forms import WORDS
from conformance.codec.bridge.trials import tried
from conformance.codec.corrections import Fault, Mistakes
from conformance.codec.given_types import (
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
from conformance.codec.outcome import OF_THE_ADAPTER, REFUSALS, Kind
from reference import TAGS
from reference.definitions.model import ranges_of
from reference.suggestions import suggestion
from reference.values.comparison import UNKNOWN, same_value

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from conformance.codec.bridge.trials import ReadValueTrial, Trials
    from conformance.codec.given_types import Convert, Key
    from conformance.codec.outcome import Outcome
    from conformance.codec.session import Session
    from reference import FieldSchema, MessageSchema

FEW = 2
"""The number of fields with one mistake that no library makes in all of them, and of values that show a mistake."""

ADVICE = {
    "array": "a list",
    "struct": "a dict with the names of its fields",
    "string": "str",
    "bytes": "bytes",
    "records": "bytes",
    "int": "int",
    "bool": "bool",
    "uuid": "uuid.UUID",
    "float64": "float",
}
"""What to return for each type of the definition, in Python."""

JSON = {
    "str": "a JSON string",
    "int": "a JSON number",
    "float": "a JSON number",
    "bool": "true or false",
    "list": "a JSON array",
    "dict": "a JSON object",
    NULL: "null",
}
"""The types that a harness gives, in the words of JSON."""


def learnt(session: Session, schemas: Sequence[MessageSchema]) -> Mistakes:
    """Return the mistakes of an adapter that show in every value.

    Args:
        session: a session without corrections.
        schemas: the messages in the adapter's list.
    """
    trials = tried(session, schemas)
    read = [each for each in trials.readings if each.outcome.value is not None]
    types = list(_types(read, is_json=session.implementation.is_over_bridge))
    names = list(_names(read))
    excess, counts_wrongly, counts = _counts(read)
    lacking = _lacking(trials)
    errors = _errors(read, trials)
    faults = (
        *lacking.faults(),
        *(each.fault for each in types),
        *names,
        *counts,
        *errors,
        *_rejections(session.implementation.adapter.rejections),
    )
    return Mistakes(
        faults,
        types={each.key: each.convert for each in types},
        has_other_names=bool(names),
        excess=excess,
        counts_wrongly=counts_wrongly,
        lacking=frozenset(map(str, lacking.schemas)),
        hides_errors=bool(errors),
    )


class SeenPart(NamedTuple):
    """A part of a read value, with its message."""

    schema: MessageSchema
    part: ValuePart

    @property
    def group(self) -> str:
        """The kind of its content: empty, one, or anything else."""
        if self.part.expected is None:
            return "null"
        return "empty" if self.part.is_empty else "one" if self.part.expected == 1 else "other"


class TypeMistake(NamedTuple):
    """A type that the adapter gives in place of another one."""

    key: Key
    example: SeenPart
    fields: int
    convert: Convert
    is_json: bool = False

    @property
    def fault(self) -> Fault:
        """The mistake in a sentence."""
        (kind, given), part = self.key, self.example.part
        returned = given.rpartition(" ")[2]
        others = self.fields - 1
        more = f" and {others} other field{'s' if others > 1 else ''}" if others else ""
        is_null = kind.startswith(OF_NULL)
        text = (
            f"decode returns {JSON.get(returned, returned) if self.is_json else returned} at {part.path}, "
            f"where the definition has {'null' if is_null else word_of(part.field)}: in {self.example.schema}{more}; "
            f"{self._advice(kind, is_null=is_null)}"
        )
        lost = "; its content is lost, so that it is not compared" if self.convert is _unknown else ""
        return Fault(f"type-{kind}-{given}".replace(" ", "-"), f"{text}{lost}", "decode")

    def _advice(self, kind: str, *, is_null: bool) -> str:
        if self.is_json:
            return f"its form is {'null' if is_null else WORDS[self.example.part.field.type]}"
        return f"return {'None' if is_null else ADVICE[kind]}"


def _types(read: Iterable[ReadValueTrial], *, is_json: bool) -> Iterator[TypeMistake]:
    """Yield each type given in place of another one in every value of several fields, or of the only field."""
    seen: defaultdict[str, list[SeenPart]] = defaultdict(list)
    for reading in read:
        for part in parts_of(reading.schema.body, reading.value, reading.outcome.value):
            seen[kind_of(part.field)].append(SeenPart(reading.schema, part))
    for parts in seen.values():
        keys = dict.fromkeys(each.part.key for each in parts if not each.part.has_type)
        found = {key: _type_mistake(key, parts) for key in keys}
        for (kind, given), mistake in found.items():
            if mistake is not None and (given != NULL_FOR_EMPTY or found.get((kind, NULL)) is not None):
                yield mistake._replace(is_json=is_json)


def _type_mistake(key: Key, parts: Sequence[SeenPart]) -> TypeMistake | None:
    """Return the mistake of a given type, if it is the adapter's."""
    wrong = [each for each in parts if each.part.key == key]
    groups = {each.group for each in wrong}
    is_nullable, is_null = key[1] == NULL_FOR_EMPTY, key[1] in {NULL, NULL_FOR_EMPTY}
    beside = [
        each for each in parts if each.group in groups and (not is_null or each.part.field.nullable == is_nullable)
    ]
    always = _names_of(wrong) - _names_of(each for each in beside if each.part.key != key)
    others = _names_of(beside) - always
    if not always or (len(always) < FEW and others):
        return None
    if not is_null and groups == {"empty"} and key[0] in OF_CONTENT and any(map(_is_right_content, parts)):
        return None  # a mapping that gives the right type for content does so without any
    of_all = [each for each in wrong if each.part.field.name in always]
    return TypeMistake(key, of_all[0], len(always), _unknown if is_nullable else _conversion(key, of_all))


def _is_right_content(seen: SeenPart) -> bool:
    return seen.group == "other" and seen.part.has_type


OF_CONTENT = frozenset(("string", "bytes", "records"))
"""The kinds of fields with content that has no types of its own."""


def _names_of(parts: Iterable[SeenPart]) -> set[str]:
    return {each.part.field.name for each in parts}


def _conversion(key: Key, wrong: Sequence[SeenPart]) -> Convert:
    """Return the conversion that gives the right values in most fields, whatever they hold."""
    counts = Counter(each.group for each in wrong)
    for convert in conversions(*key):
        right = Counter(each.group for each in wrong if _is_right(convert, each.part))
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


def _counts(read: Sequence[ReadValueTrial]) -> tuple[int | None, bool, list[Fault]]:
    """Return by how much every count of bytes is too high, whether all are wrong in another way, and the fault."""
    off = [(each, each.outcome.consumed - len(each.wire)) for each in read if each.outcome.consumed is not None]
    different = {number for _, number in off}
    if len({len(each.wire) for each, _ in off}) < FEW or 0 in different:
        return None, False, []
    if len(different) == 1:
        [by] = different
        words = (
            f"always {abs(by)} {'more' if by > 0 else 'fewer'} than the message has, in {len(off)} of {len(off)} values"
        )
    else:
        each, _ = off[-1]
        example = f"{each.outcome.consumed} of {each.schema}, which has {len(each.wire)}"
        words = f"wrong in {len(off)} of {len(off)} values, as {example}"
    fault = Fault("count", f"consumed is {words}; count the bytes of the body alone, from its first one")
    return (different.pop(), False, [fault]) if len(different) == 1 else (None, True, [fault])


def _errors(read: Sequence[ReadValueTrial], trials: Trials) -> list[Fault]:
    """Return the fault of a value without fields, or of none, in place of every error."""
    given = [(schema, outcome) for schema, outcome in trials.refusals if outcome.kind is not Kind.NOT_RUN]
    hidden = [(schema, outcome) for schema, outcome in given if _hides_error(schema, outcome)]
    if (
        len(hidden) < max(1, len(given))
        or len(given) < min(FEW, len(read))
        or not any(_has_fields(each) for each in read)
    ):
        return []
    schema, outcome = hidden[0]
    shown = "{}" if outcome.value == {} else outcome.text or "a value without fields"
    text = f"decode returns {shown} for bytes that end too early, in {len(hidden)} of {len(given)}, as of {schema}"
    return [Fault("hidden-errors", f"{text}; let the error of the library through")]


def _hides_error(schema: MessageSchema, outcome: Outcome) -> bool:
    if outcome.value is not None:
        return not _fields_in(schema, outcome)
    return outcome.kind is Kind.PROTOCOL_ERROR


def _has_fields(reading: ReadValueTrial) -> bool:
    return bool(_fields_in(reading.schema, reading.outcome))


def _fields_in(schema: MessageSchema, outcome: Outcome) -> set[str]:
    return {field.name for field in schema.fields} & set(outcome.value or ())


def _rejections(classes: Iterable[type[Exception]]) -> Iterator[Fault]:
    """Yield the fault of a list of refusals that has every mistake as well."""
    if Exception in classes:
        text = "rejections has Exception, so that a mistake of the adapter or of the library would count as a refusal"
        yield Fault("rejections", f"{text}; name the library's own exceptions")


class Lacking(NamedTuple):
    """The pairs that an adapter names and its library lacks, with the text of a refusal."""

    schemas: Sequence[MessageSchema]
    text: str

    def faults(self) -> Iterator[Fault]:
        """Yield one sentence for all of them."""
        versions: defaultdict[str, set[int]] = defaultdict(set)
        for each in self.schemas:
            versions[each.message].add(each.version)
        named = [f"{message} v{'+'.join(map(str, ranges_of(those)))}" for message, those in versions.items()]
        more = f" and {len(named) - MAXIMUM_NAMED} more messages" if len(named) > MAXIMUM_NAMED else ""
        if named:
            text = f"leave {', '.join(named[:MAXIMUM_NAMED])}{more} out of supported()"
            yield Fault("lacking", f"{text}: every value is refused, as with {self.text}")


MAXIMUM_NAMED = 5

ABOUT_LACK = re.compile(
    r"version|support|unknown|not implemented|no such|not found|no attribute|no module|not defined"
    r"|KeyError|IndexError|LookupError|NotImplementedError|AttributeError|ImportError",
    re.IGNORECASE,
)
"""The words of a refusal of a whole version, which is the same for every input."""


def _lacking(trials: Trials) -> Lacking:
    """Return the pairs of which every call is refused in the same words, whatever it is given."""
    outcomes: defaultdict[MessageSchema, list[list[Outcome]]] = defaultdict(lambda: [[], []])
    for reading in trials.readings:
        outcomes[reading.schema][0].append(reading.outcome)
    for schema, outcome in trials.nonsense:
        outcomes[schema][0].append(outcome)
    for schema, outcome in trials.writings:
        outcomes[schema][1].append(outcome)
    found = [schema for schema, directions in outcomes.items() if all(map(_is_lacking, filter(None, directions)))]
    if not found or len(found) == len(outcomes):
        return Lacking((), "")
    return Lacking(found, next(filter(None, outcomes[found[0]]))[0].text)


def _is_lacking(outcomes: Sequence[Outcome]) -> bool:
    """Return whether every call of a direction is refused in the words of a lack, whatever it is given."""
    kinds, texts = {each.kind for each in outcomes}, {each.text for each in outcomes}
    if kinds == {Kind.UNSUPPORTED}:
        return True
    return kinds <= REFUSALS | OF_THE_ADAPTER and len(texts) == 1 and ABOUT_LACK.search(texts.pop()) is not None
