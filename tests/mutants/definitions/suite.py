"""Mutants against the suite, its deterministic checks on the message, and the names of its first causes."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

from conformance.adapter import Decoded
from conformance.codec.loaded_adapter import LoadedAdapter
from conformance.codec.python_codec import PythonCodec
from conformance.codec.session import Session
from conformance.judge.case import Violation
from conformance.judge.checks.check_list import BODIES, run_message
from conformance.judge.findings.causes import causes_of
from conformance.judge.findings.finding import Findings
from conformance.judge.subject import WAYS
from reference import CodecError, completed, load_release
from reference.wire.stream import Reader
from tests.mutants.definitions.mutants import DefinitionMutant, changed_by, mutants_of
from tests.mutants.definitions.runner import SIDES
from tests.mutants.definitions.vectors import SchemaCodec, source_of
from tests.mutants.kit.samples import of_each, rank

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from conformance.judge.findings.causes import Cause
    from reference import MessageSchema
    from tests.mutants.definitions.table import Key

BOTH = "both"
DIRECTIONS = (*SIDES, BOTH)
EACH, DRAWN = 2, 2_000
"""The number of mutants of each class in the covering sample, and the number drawn from all."""


class SuiteTrial(NamedTuple):
    """A mutant, and the direction of its fault."""

    mutant: DefinitionMutant
    direction: str

    def __str__(self) -> str:
        return f"{self.mutant}, {self.direction}"


Trials = tuple[SuiteTrial, ...]
"""The mistakes of one codec, all of one message."""


def covering(trials: Iterable[SuiteTrial]) -> list[SuiteTrial]:
    """Return two trials of each class of change, type, compactness, depth and direction."""
    return [trial for those in of_each(trials, _class, str) for trial in those[:EACH]]


def _class(trial: SuiteTrial) -> tuple[object, ...]:
    place = trial.mutant.place
    form = place.field.type.startswith("["), place.is_flexible, place.depth
    return trial.mutant.kind, _type(trial.mutant), form, trial.direction


def _type(mutant: DefinitionMutant) -> str:
    element = mutant.place.field.element_type
    return "struct" if element[:1].isupper() else element


def trials_of(pairs: Iterable[tuple[str, MessageSchema]], equivalent: set[Key]) -> Iterator[SuiteTrial]:
    """Yield every mutant of those pairs in every direction with an effect, and equal codecs once."""
    seen: set[object] = set()
    for release, schema in pairs:
        source = source_of(schema, release)
        for mutant in mutants_of(release, schema.message, schema.version):
            key = source, mutant.key
            hidden = {side for side in SIDES if (mutant.kind, side) in equivalent}
            if key not in seen and len(hidden) < len(SIDES):
                seen.add(key)
                yield from (SuiteTrial(mutant, direction) for direction in DIRECTIONS if direction not in hidden)


def by_message(trials: Iterable[SuiteTrial]) -> list[SuiteTrial]:
    """Return trials in the order of messages, so that the expected results of a message are made once."""
    return sorted(trials, key=lambda each: (each.mutant.release, str(each.mutant.schema), str(each)))


def pairs_of(trials: Iterable[SuiteTrial], count: int) -> list[Trials]:
    """Return so many pairs of trials of one message, in two fields or in two directions, drawn by their names."""
    pairs = list[Trials]()
    for those in of_each(trials, lambda trial: (trial.mutant.release, str(trial.mutant.schema)), str):
        pairs += [pair for pair in zip(those[::2], those[1::2], strict=False) if _are_apart(*pair)]
    return sorted(pairs, key=lambda pair: rank(name_of(pair)))[:count]


def _are_apart(first: SuiteTrial, second: SuiteTrial) -> bool:
    one, other = f"{first.mutant.place.path}.", f"{second.mutant.place.path}."
    are_two_fields = not one.startswith(other) and not other.startswith(one)
    return are_two_fields or {first.direction, second.direction} == set(SIDES)


def name_of(trials: Trials) -> str:
    """Return the name of a codec with one mistake or more."""
    return " + ".join(map(str, trials))


def first_violation(*trials: SuiteTrial) -> str | None:
    """Return the case and the rule of the first violation, or None."""
    violation = next(violations_of(trials), None)
    return None if violation is None else f"{violation.case.name}: {violation.rule}"


def violations_of(trials: Trials) -> Iterator[Violation]:
    """Yield the violations of the deterministic checks of a message by a codec."""
    mutant = trials[0].mutant
    session = Session(PythonCodec(adapter_of(trials)), load_release(mutant.release))
    events = run_message(session, mutant.schema, frozenset({BODIES}))
    return (event for event in events if isinstance(event, Violation))


def adapter_of(trials: Trials) -> LoadedAdapter:
    """Return a strict adapter of the one message, with faults in the directions of the trials only."""
    schema, release = trials[0].mutant.schema, trials[0].mutant.release
    wrong = [[each.mutant for each in trials if each.direction in {side, BOTH}] for side in SIDES]
    reads, writes = (SchemaCodec.of(changed_by(release, schema, mutants)) for mutants in wrong)

    def decode(_schema: MessageSchema, data: bytes) -> Decoded:
        reader = Reader(data)
        return Decoded(reads.wire_type.read(reader), reader.end())

    pairs = {schema.message: frozenset({schema.version})}
    return LoadedAdapter(
        spec="",
        name=name_of(trials),
        version="0",
        supported={"encode": pairs, "decode": pairs},
        encode=lambda _schema, value: writes.wire_type.write(completed(writes.schema, value)),
        decode=decode,
        rejections=(CodecError,),
        capabilities=frozenset({"unknown-tags", "absent-fields", "partial-values"}),
    )


OF_LENGTHS = ("string.", "bytes.", "records.", "array.co")
RULES = {
    "compact": OF_LENGTHS,
    "default": ("default.", "tag.default-omitted", "tag.non-default-written", "ignorable."),
    "ignorable": ("ignorable.",),
    "map key": ("array.map-key",),
    "nullable": ("null.", "struct.marker", "struct.tagged-marker"),
    "order": ("struct.field-order",),
    "presence": ("version.field-presence", "tag.non-default-written", "tag.known-accepted"),
    "tag": ("tag.number",),
    "tagged": ("version.field-presence",),
    "type": (*OF_LENGTHS, "int.width-and-order", "bool.", "float64.", "uuid.", "value."),
}
"""The prefixes of rules about each property of a field."""
FIRST = 3


class Naming(NamedTuple):
    """The causes of the suite for a mutant.

    Attributes:
        trial: the mutant, and the direction in which it is wrong.
        group: property and direction.
        heads: of each cause: rule, outcome and fields, in one line.
        is_named: whether the first one has a rule of the property, at the field.
    """

    trial: str
    group: str
    heads: tuple[str, ...]
    is_named: bool


def naming_of(trials: Trials) -> Naming:
    """Run all deterministic cases of bodies on a codec, where two mistakes need the first three causes."""
    findings = Findings()
    for violation in violations_of(trials):
        findings.add(violation)
    causes = causes_of(findings.ordered(), WAYS)
    first = causes[: 1 if len(trials) == 1 else FIRST]
    group = f"{trials[0].mutant.kind.property}, {trials[0].direction}" if len(trials) == 1 else "pairs"
    is_named = all(any(_is_named(trial, cause) for cause in first) for trial in trials)
    return Naming(name_of(trials), group, tuple(map(_head, causes)), is_named)


def _head(cause: Cause) -> str:
    return f"{cause.finding.key.kind} in {', '.join(list(cause.finding.totals)[:3]) or 'the message'}"


def _is_named(trial: SuiteTrial, cause: Cause) -> bool:
    path, fields = trial.mutant.place.path, [name.replace("[]", "") for name in cause.finding.totals]
    is_there = any(name == path or name.startswith(f"{path}.") for name in fields)
    return is_there and cause.finding.rule.startswith(RULES[trial.mutant.kind.property])


def rows(namings: Iterable[Naming]) -> Iterator[str]:
    """Yield a line for each property and direction, and one for all, with the shares named and of one cause."""
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for naming in namings:
        for group in (naming.group, "~ in all"):
            counts[group].update(tried=1, named=naming.is_named, one=len(naming.heads) == 1)
    for group, count in sorted(counts.items()):
        tried, named, one = (int(count[name]) for name in ("tried", "named", "one"))
        yield f"{group.removeprefix('~ ')}: {tried} mutants: {named} named, {one} one cause"
