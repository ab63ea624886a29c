"""Signs of a wrong mapping in a harness, seen in several messages together.

The implementation itself could make the same mistake, so each sign is a note. The signs come first: until the mapping
is fixed, most findings of a run are about the harness.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from conformance.adapter import DIRECTIONS
from conformance.codec.bridge.form_probes import DISTINCT, Probe, whole_probes
from conformance.codec.bridge.json_forms import MISSING, value_differences
from conformance.codec.bridge.reply_check import collected, failure, merged, ranges
from conformance.codec.bridge.transcript import Diagnostic, note
from conformance.codec.corrections import HOW_TO_COUNT, Fault, wrong_counts
from conformance.targets import DECODE, ENCODE, Ask, Body
from conformance.targets.outcome import OF_THE_ADAPTER, REFUSALS, Kind, Outcome
from reference import CodecError, MessageSchema, UnknownMessage, decode, minimal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from conformance.codec.session import Session
    from conformance.targets import Claims
    from reference import Release

CUT = 5
"""The number of messages whose bytes are sent without the last one."""

LONGER = 3
"""The number of inputs that are sent once more with a further byte at the end."""

REPEATED = 60
"""The number of pairs with values written and read in turn."""

NEIGHBOURS = 8
"""The number of values sent in the form of another version."""

FEW = 2
"""The minimum number of messages and versions with the same mistake."""

REFUSED = "Answer rejected where the implementation refused: what it had read before is no value"

OF_VERSIONS = re.compile(r"version|not supported|unsupported|not implemented", re.IGNORECASE)
"""Words of a refusal of a version that an implementation does not have."""

_sign = partial(note, is_of_mapping=True)


def sure_signs(session: Session, schemas: Sequence[MessageSchema]) -> Iterator[Fault]:
    """Yield the mistakes of an adapter that no codec makes in every message, such as a wrong version or count."""

    def ask(asks: Sequence[Ask]) -> list[Outcome]:
        # the bytes may be invalid, since some are of another version
        read = iter(session.read_together([each._replace(isolated=True) for each in asks if each.what == DECODE]))
        return [next(read) if each.what == DECODE else session.ask(each) for each in asks]

    offered = {way: [each for each in schemas if session.offers(Body(each), way)] for way in DIRECTIONS}
    probes = [probe for way in DIRECTIONS for probe in whole_probes(offered[way], way)]
    outcomes = zip(probes, ask([probe.ask for probe in probes]), strict=True)
    check = MappingCheck(session.release, session.claims, list(outcomes), ask)
    for kind, signs in (("count", check.counts), ("mapping", check.other_versions)):
        for sign in signs():
            side = ENCODE if sign.problem.startswith(ENCODE) else DECODE
            yield Fault(kind, f"{sign.problem}; {sign.hint[:1].lower()}{sign.hint[1:]}", side)


@dataclass(frozen=True)
class MappingCheck:
    """The outcomes of the probes, and a function for further calls."""

    release: Release
    claims: Claims
    outcomes: Sequence[tuple[Probe, Outcome]]
    ask: Callable[[Sequence[Ask]], list[Outcome]]

    def diagnostics(self) -> Iterator[Diagnostic]:
        """Yield each sign, those of several messages first, or raise HarnessError if there is no new start."""
        yield from self._refusals_as_values()
        yield from self.counts()
        yield from self._kept()
        yield from self.other_versions()
        yield from self._in_front()
        yield from self._refused()
        yield from self._never_written()

    def _whole(self, way: str) -> list[tuple[Probe, Outcome]]:
        return [(probe, outcome) for probe, outcome in self.outcomes if probe.way == way and not probe.path]

    def _refusals_as_values(self) -> Iterator[Diagnostic]:
        """Yield the mistakes in values of bytes that are cut short, which a library refuses."""
        probes = [
            replace(probe, what="bytes cut short", wire=probe.wire[:-1])
            for probe, outcome in self._distinct(DECODE)
            if probe.wire and _has_value(outcome)
        ][:CUT]
        outcomes = self.ask([probe.ask for probe in probes])
        answers = list(zip(probes, outcomes, strict=False))
        yield from merged((probe, each) for probe, outcome in answers for each in self._judged_cut(probe, outcome))
        taken = [probe.shown(outcome.value) for probe, outcome in answers if _has_value(outcome)]
        if taken and len(taken) == len(probes):
            count = f"in {len(taken)} of {len(taken)} messages, as {taken[0]}"
            yield _sign(f"bytes without their last one are read, {count}", REFUSED)

    def _judged_cut(self, probe: Probe, outcome: Outcome) -> Iterator[Diagnostic]:
        missing = probe.target.missing(self.claims, outcome.value) if _has_value(outcome) else ""
        if missing:
            yield Diagnostic(f"{probe}: {missing}: {MISSING}, in {probe.shown(outcome.value)} of {probe.hex}", REFUSED)
        elif outcome.kind in OF_THE_ADAPTER:
            yield from failure(str(probe), outcome)

    def counts(self) -> Iterator[Diagnostic]:
        """Yield the sign of a `consumed` with the same mistake in every reply."""
        read = [(probe, len(probe.wire or b""), outcome.consumed) for probe, outcome in self._whole(DECODE)]
        counts = [(probe, length, count) for probe, length, count in read if count is not None]
        asks = [probe.ask._replace(content=(probe.wire or b"") + b"\0") for probe, _, _ in counts[:LONGER]]
        outcomes = [
            (ask, outcome) for ask, outcome in zip(asks, self.ask(asks), strict=True) if outcome.consumed is not None
        ]
        takes_all = all(length == count for _, length, count in counts)
        if takes_all and outcomes and all(outcome.consumed == len(ask.content) for ask, outcome in outcomes):
            yield _sign(
                f"consumed is always the length of the input, with a byte more behind {len(outcomes)} messages as well",
                "Answer how many bytes the implementation says that it read; null, if it does not say",
            )
        _, wrong = wrong_counts([(probe.target, length, count) for probe, length, count in counts])
        if wrong:
            yield _sign(wrong, HOW_TO_COUNT[:1].upper() + HOW_TO_COUNT[1:])

    def _kept(self) -> Iterator[Diagnostic]:
        """Yield the sign of fields with the content of the value before."""
        for way in DIRECTIONS:
            whole = [probe for probe, _ in self._whole(way)]
            pairs = [(small, large) for small, large in pairwise(whole) if small.target == large.target][:REPEATED]
            outcomes = self.ask([probe.ask for small, large in pairs for probe in (large, small)])
            kept = [
                (small, name)
                for (small, large), outcome in zip(pairs, outcomes[1::2], strict=True)
                for name in _kept_fields(small, large, _value_of(small, outcome))
            ]
            if kept:
                probe, name = kept[0]
                yield _sign(
                    f"{probe}: {name} has what it had in the value before, in {len(kept)} fields in all",
                    "Make a new object for each request; if that is so already, it is the implementation",
                )

    def other_versions(self) -> Iterator[Diagnostic]:
        """Yield the signs of values written or read in the form of the previous or next version."""
        hint = "See that the version of the request is the one that the implementation is called with"
        for step in (1, -1):
            words = f"version {'+' if step > 0 else '-'} 1"
            outcomes = self._distinct(ENCODE)
            written = [probe for probe, outcome in outcomes if outcome.wire != probe.wire]
            matching = [probe for probe, outcome in outcomes if self._is_written_as(probe, outcome, step)]
            if self._are_many(matching, ENCODE, written, step) and 2 * len(matching) >= len(written):
                count = f"{len(matching)} of {len(written)} values that differ, as {matching[0].target}"
                yield _sign(f"encode writes the form of {words}, in {count}", hint)
            misread = [probe for probe, outcome in self._distinct(DECODE) if _is_misread(probe, outcome)]
            matching = self._read_as(misread, step)
            if self._are_many(matching, DECODE, misread, step):
                place = f"in place of the one that is asked for, as {matching[0].target}"
                yield _sign(f"decode reads the form of {words} {place}", hint)

    def _are_many(self, matching: Sequence[Probe], way: str, wrong: Sequence[Probe], step: int) -> bool:
        """Return whether more values match a neighbouring version than are right with another form in it."""
        right = [probe.target.schema for probe, _ in self._distinct(way) if probe not in wrong]
        count = sum(
            (other.fields, other.flexible) != (schema.fields, schema.flexible)
            for schema in right
            for other in self._neighbours(schema, step)
        )
        return len(matching) >= max(FEW, count + 1)

    def _distinct(self, way: str) -> list[tuple[Probe, Outcome]]:
        return [(probe, outcome) for probe, outcome in self._whole(way) if probe.what == DISTINCT]

    def _is_written_as(self, probe: Probe, outcome: Outcome, step: int) -> bool:
        """Whether wrong bytes are those of the value in another version."""
        if outcome.wire is None or outcome.wire == probe.wire:
            return False
        others = self._neighbours(probe.target.schema, step)
        values = (value_read(schema, outcome.wire, is_whole=True) for schema in others)
        return any(value is not None and _are_equal(probe.target.schema, probe.content, value) for value in values)

    def _read_as(self, probes: Sequence[Probe], step: int) -> list[Probe]:
        """Return the probes for which the bytes of another version are read correctly."""
        tried = [
            (probe, other)
            for probe in probes[:NEIGHBOURS]
            for other in whole_probes(self._neighbours(probe.target.schema, step), DECODE)
            if other.what == DISTINCT and other.wire != probe.wire
        ]
        outcomes = self.ask([probe.ask._replace(content=other.wire) for probe, other in tried])
        return [
            probe
            for (probe, other), outcome in zip(tried, outcomes, strict=True)
            if isinstance(outcome.value, dict) and _are_equal(probe.target.schema, other.content, outcome.value)
        ]

    def _neighbours(self, schema: MessageSchema, step: int) -> list[MessageSchema]:
        with suppress(UnknownMessage):
            return [self.release.schema(schema.message, schema.version + step)]
        return []

    def _in_front(self) -> Iterator[Diagnostic]:
        """Yield the sign of an equal number of bytes before every body."""
        written = [(each.wire, outcome.wire, each) for each, outcome in self._whole(ENCODE) if outcome.wire is not None]
        fronts = [(probe, wire.removesuffix(due)) for due, wire, probe in written if due and wire.endswith(due)]
        by_size = collected((len(front), (probe, front)) for probe, front in fronts if front)
        size, those = max(by_size.items(), key=lambda item: len(item[1]), default=(0, []))
        if len(those) >= FEW and 2 * len(those) > len(written):
            probe, front = those[0]
            yield _sign(
                f"encode writes {size} bytes in front of the body, as {front.hex()} in {probe.target}: "
                f"in {len(those)} of {len(written)} values",
                '"wire" is a body alone, without size and header',
            )

    def _refused(self) -> Iterator[Diagnostic]:
        """Yield the sign of a message, or of versions that the refusal speaks of, without one accepted value."""
        valid = [(probe, outcome) for probe, outcome in self.outcomes if probe.wire is not None and not probe.is_text]
        for way, message, versions in by_version(valid):
            refused = [version for version, those in versions.items() if all(each.kind in REFUSALS for each in those)]
            reason = versions[refused[0]][0].text if refused else ""
            if len(refused) == len(versions):
                count = sum(map(len, versions.values()))
                problem = f"{way} of {message} refuses every value, {count} of {count}, as with {reason}"
                hint = "Answer harness-error where your own code refused; an implementation may want a header in front"
                yield _sign(problem, hint)
            elif refused and OF_VERSIONS.search(reason):
                problem = f"{way} of {message} v{ranges(refused)} refuses every value, as with {reason}"
                yield _sign(problem, f'Leave {message} v{ranges(refused)} out of "supports"')

    def _never_written(self) -> Iterator[Diagnostic]:
        """Yield the sign of fields that are always written as in the smallest value."""
        values = [(probe, _value_of(probe, outcome)) for probe, outcome in self._distinct(ENCODE)]
        are_lost = ((probe.target.message, _lost(probe, value)) for probe, value in values if isinstance(value, dict))
        for message, lost_fields in collected(are_lost).items():
            for name in sorted(set.intersection(*lost_fields) if len(lost_fields) >= FEW else ()):
                yield _sign(
                    f"encode of {message} writes {name} as if it had not been set, in {len(lost_fields)} versions",
                    "See that the field is looked up under its name in the definition",
                )


def by_version(
    outcomes: Iterable[tuple[Probe, Outcome]],
) -> Iterator[tuple[str, str, dict[int, list[Outcome]]]]:
    """Yield each direction and message, with the outcomes of each version."""
    of_message = collected(
        ((probe.way, probe.target.message), (probe.target.version, outcome)) for probe, outcome in outcomes
    )
    yield from ((*key, collected(those)) for key, those in of_message.items())


def value_read(schema: MessageSchema, wire: bytes, *, is_whole: bool = False) -> Any:
    """Return the value of some bytes, to the last one with `is_whole`, or None if they have none."""
    with suppress(CodecError):
        read = decode(schema, wire)
        return read.value if not is_whole or read.consumed == len(wire) else None
    return None


def _has_value(outcome: Outcome) -> bool:
    return outcome.kind is Kind.VALUE and outcome.value is not None


def _value_of(probe: Probe, outcome: Outcome) -> Any:
    return outcome.value if outcome.wire is None else value_read(probe.target.schema, outcome.wire)


def _kept_fields(small: Probe, large: Probe, value: Any) -> list[str]:
    """Return the fields with the content of the previous probe's value in place of their own."""
    if not isinstance(value, dict):
        return []
    differ = {name: item for name, item in large.content.items() if item != small.content.get(name)}
    return [name for name, item in differ.items() if not isinstance(item, bool) and value.get(name) == item]


def _lost(probe: Probe, value: dict[str, Any]) -> set[str]:
    small = minimal(probe.target.schema)
    return {name for name, item in probe.content.items() if item != small.get(name) == value.get(name)}


def _is_misread(probe: Probe, outcome: Outcome) -> bool:
    is_other = isinstance(outcome.value, dict) and not _are_equal(probe.target.schema, probe.content, outcome.value)
    return outcome.kind in REFUSALS or is_other


def _are_equal(schema: MessageSchema, one: dict[str, Any], other: Any) -> bool:
    return not any(value_differences(schema.body, one, other))
