"""What the suite says of mutants: whether its first cause names the property and the field that are changed."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from multiprocessing import get_context
from typing import TYPE_CHECKING, NamedTuple

from conformance.codec.driver import Implementation
from conformance.codec.session import Session
from conformance.judge.case import Violation
from conformance.judge.checks.check_list import BODIES, run_message
from conformance.judge.findings.causes import causes_of
from conformance.judge.findings.finding import Findings
from conformance.judge.subject import WAYS
from conformance.system.parents import end_with
from reference import load_release
from tests.mutants.definitions.pairs import MutantPair
from tests.mutants.definitions.suite import adapter_of, covering, drawn

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from conformance.codec.loaded_adapter import LoadedAdapter
    from conformance.judge.findings.causes import Cause
    from tests.mutants.definitions.mutants import DefinitionMutant
    from tests.mutants.definitions.suite import SuiteTrial

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
"""How the rules begin that are about a property of a field."""


class Naming(NamedTuple):
    """What the suite says of a mutant.

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


def sampled(trials: Iterable[SuiteTrial], count: int) -> list[SuiteTrial]:
    """Return so many trials of the covering sample, drawn by their names."""
    return drawn(covering(trials), count)


def named(trials: Sequence[SuiteTrial | MutantPair], workers: int) -> Iterator[Naming]:
    """Yield what the suite says of each mutant or pair, as it comes; the processes inherit the functions in them."""
    _INHERITED[:] = trials
    with get_context("fork").Pool(workers, end_with, (os.getpid(),)) as pool:
        yield from pool.imap_unordered(_naming_of_number, range(len(trials)))


_INHERITED: list[SuiteTrial | MutantPair] = []


def _naming_of_number(number: int) -> Naming:
    trial = _INHERITED[number]
    return naming_of_pair(trial) if isinstance(trial, MutantPair) else naming_of(trial)


def naming_of(trial: SuiteTrial) -> Naming:
    """Run all deterministic cases of bodies on a mutant."""
    causes = _causes(adapter_of(trial), trial.mutant)
    group = f"{trial.mutant.kind.property}, {trial.direction}"
    return Naming(str(trial), group, tuple(map(_head, causes)), bool(causes) and _is_named(trial, causes[0]))


def naming_of_pair(pair: MutantPair) -> Naming:
    """Run them on a codec with two mistakes; both are named if each is among the first three causes."""
    causes = _causes(pair.adapter(), pair.first.mutant)
    is_named = all(any(_is_named(trial, cause) for cause in causes[:FIRST]) for trial in pair)
    return Naming(str(pair), "pairs", tuple(map(_head, causes)), is_named)


FIRST = 3


def _causes(adapter: LoadedAdapter, mutant: DefinitionMutant) -> list[Cause]:
    session = Session(Implementation(adapter), load_release(mutant.release))
    findings = Findings()
    for event in run_message(session, mutant.schema, frozenset({BODIES})):
        if isinstance(event, Violation):
            findings.add(event)
    return causes_of(findings.ordered(), WAYS)


def _head(cause: Cause) -> str:
    return f"{cause.finding.key.kind} in {', '.join(list(cause.finding.totals)[:3]) or 'the message'}"


def _is_named(trial: SuiteTrial, cause: Cause) -> bool:
    path, fields = trial.mutant.place.path, [name.replace("[]", "") for name in cause.finding.totals]
    is_there = any(name == path or name.startswith(f"{path}.") for name in fields)
    return is_there and cause.finding.rule.startswith(RULES[trial.mutant.kind.property])


def rows(namings: Iterable[Naming]) -> Iterator[str]:
    """Yield a line for each property and direction, and one for all: how many are named, and are one cause."""
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for naming in namings:
        for group in (naming.group, "~ in all"):
            counts[group].update(tried=1, named=naming.is_named, one=len(naming.heads) == 1)
    for group, count in sorted(counts.items()):
        tried, named, one = (int(count[name]) for name in ("tried", "named", "one"))
        yield f"{group.removeprefix('~ ')}: {tried} mutants: {named} named, {one} one cause"
