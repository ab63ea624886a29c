"""The first cause of the suite for mutants, and whether it names the changed property and field."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

from conformance.judge.findings.causes import causes_of
from conformance.judge.findings.finding import Findings
from conformance.judge.subject import WAYS
from tests.mutants.definitions.suite import name_of, violations_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from conformance.judge.findings.causes import Cause
    from tests.mutants.definitions.suite import SuiteTrial, Trials

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
