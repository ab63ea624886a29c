"""Findings told in the same words: refusals of sound values, and ends of a process.

Words are those of the implementation, without values, plurals and names of fields.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from conformance.definitions.catalogue import SURVIVAL, catalogue
from conformance.generate.clean_faults import NULL_RULE
from conformance.generate.value_paths import fields_at
from conformance.judge.blame.wrong_codecs import NullReader
from conformance.judge.events import NOT_SOUND
from conformance.judge.findings.causes import Link, sides_of
from conformance.targets import DECODE, RECORD_BATCHES, Body
from conformance.targets.listed import record_bases, records_edges
from conformance.targets.outcome import FATAL, REFUSALS, Kind
from reference import Malformed
from reference.protocols import wire_type_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from conformance.judge.case import Case, Violation
    from conformance.judge.findings.finding import Finding
    from conformance.targets.listed import RecordsEdge

SOUND = "sound"


class Words(NamedTuple):
    """The words of a finding, and what they are about."""

    sides: tuple[str, ...]
    about: str
    """`sound` for a sound value; the rule of a value to be refused; empty for bytes."""
    text: str


MEMORY, OUT_OF_MEMORY = "memory", "out of memory"
STOPPED = "stopped after * steps"


def same_words(findings: Sequence[Finding]) -> Iterator[Link]:
    """Yield findings in the words of another one in the same direction."""
    groups: defaultdict[Words, list[Finding]] = defaultdict(list)
    for finding in findings:
        words = words_of(finding)
        if words is not None:
            groups[words].append(finding)
    _join_nulls(groups)
    _join_unsound(groups)
    for words, group in groups.items():
        cause = min(group, key=_plainness if group[0].outcome in REFUSALS else _plainness_of_end)
        yield from (Link(cause, each, _reason(words, cause)) for each in group if each is not cause)


def _reason(words: Words, cause: Finding) -> str:
    if cause.outcome in REFUSALS:
        return f"refused in the same words as by {cause.key.kind}"
    return f"other {'values' if words.about else 'bytes'}, the same end"


def _join_nulls(groups: dict[Words, list[Finding]]) -> None:
    """Add what a null ends to the most frequent of the groups that end as it does, as a null claims nothing."""
    for words in [each for each in groups if each.text == f"{MEMORY} "]:
        others = [group for each, group in groups.items() if each != words and each.text.startswith(MEMORY)]
        if others:
            max(others, key=lambda group: sum(each.count for each in group)).extend(groups.pop(words))


def _join_unsound(groups: dict[Words, list[Finding]]) -> None:
    """Add the ends on values to be refused to the same end on sound ones."""
    for words in list(groups):
        sound = words._replace(about=SOUND)
        if words.about not in {"", SOUND} and sound in groups:
            groups[sound].extend(groups.pop(words))


def words_of(finding: Finding) -> Words | None:
    """Return the words of a finding; none for an outcome without any."""
    sides, example = tuple(sorted(sides_of(finding))), finding.example
    is_sound = example.expectation.what not in NOT_SOUND
    if finding.outcome in FATAL:
        about = "" if example.side == DECODE else SOUND if is_sound else finding.rule
        return Words(sides, about, _end(finding))
    if finding.outcome in REFUSALS and finding.key.cluster and is_sound:
        return Words(sides, SOUND, plain(finding.key.cluster, example))
    return None


def plain(text: str, example: Violation) -> str:
    """Return a text without the plurals of its words and the names of fields of a message."""
    target = example.case.target
    fields = target.schema.body.within() if isinstance(target, Body) else ()
    names = frozenset(field.name.lower() for _, field in fields)
    return re.sub(r"[A-Za-z_]\w*", lambda word: _plain_word(word[0], names), text)


def _plain_word(word: str, names: frozenset[str]) -> str:
    if word.replace("_", "").lower() in names:
        return "*"
    return word.removesuffix("s") if word.islower() and not word.endswith("ss") else word


def _end(finding: Finding) -> str:
    """Return the words of an end.

    Where memory runs out, the claim of the bytes takes their place: the size of an allocation decides whether a process
    dies of it or survives. The clock decides where in a loop a reader is stopped.
    """
    if finding.outcome == Kind.EXHAUSTED_MEMORY or OUT_OF_MEMORY in finding.key.cluster:
        return f"{MEMORY} {_claimed(finding)}"
    return STOPPED if finding.key.cluster.startswith(STOPPED) else f"{finding.outcome} {finding.key.cluster}"


def _claimed(finding: Finding) -> str:
    """Return the claim behind an allocation.

    It is a stream of a codec, records or headers, another part of batches, an array, or bytes.
    """
    if finding.rule == NULL_RULE:
        claims = Counter(map(_claimed_after_null, finding.examples))
        return claims.most_common(1)[0][0]
    if finding.example.message == RECORD_BATCHES:
        part, codec = finding.rule.partition(".")[0], _compression(finding.example.case)
        if part == "codec":
            return finding.rule if codec == NO_CODEC or finding.rule == BOMB else codec
        return "records" if part in {"record", "header"} else part
    return "array" if _is_array(finding.example) else "bytes"


def _compression(case: Case) -> str:
    """Return the codec of the edge value that is a case, or of the base from which its bytes are made."""
    name = case.origin.base or case.name
    base = next((each.value for each in record_bases() if each.name == name), None)
    batches = [base] if base is not None else _edges()[name].value["batches"] if name in _edges() else []
    return next((each["compression"] for each in batches), NO_CODEC)


@cache
def _edges() -> Mapping[str, RecordsEdge]:
    return {edge.name: edge for edge in records_edges()}


NO_CODEC = "none"
BOMB = "codec.bomb"
"""The rule of a stream that claims no more than it has."""


def _claimed_after_null(example: Violation) -> str:
    """Return what claims too much where a null was read; empty if nothing does."""
    target = example.case.target
    if isinstance(target, Body):
        try:
            wire_type_of(target.schema).read(NullReader(example.case.wire or b""))
        except Malformed as error:
            return "array" if error.rule.startswith("count.") else "bytes"
    return ""


def _is_array(example: Violation) -> bool:
    """Return whether the mistake in an example is in an array itself."""
    schema, path = getattr(example.case.target, "schema", None), example.case.path
    if schema is None or not path or path.endswith("]"):
        return False
    try:
        return fields_at(schema, path)[-1].element is not None
    except LookupError:  # the path is of a header, or of unknown tags
        return False


OF_ANY_END = frozenset((SURVIVAL, "connection.survival"))
"""The rules of inputs that break several others, or none."""


def _plainness(finding: Finding) -> tuple[object, ...]:
    """Return a sort key of refusals: edges about one rule alone come first, and then those in most pairs."""
    case = finding.example.case
    is_vague = catalogue()[finding.rule].consequence
    return is_vague, not is_about_rule_alone(finding), not case.deterministic, -len(finding.fields), finding.order


def _plainness_of_end(finding: Finding) -> tuple[object, ...]:
    """Return a sort key of ends: those of sound values come first, and then the most frequent ones."""
    is_of_any = finding.rule in OF_ANY_END
    return (
        finding.example.expectation.what in NOT_SOUND,
        catalogue()[finding.rule].consequence and not is_of_any,
        is_of_any and _end(finding).startswith(MEMORY),
        -finding.count,
        finding.order,
    )


def is_about_rule_alone(finding: Finding) -> bool:
    """Return whether its case is an edge value about its rule alone."""
    edge = _edges().get(finding.example.case.name)
    return edge is not None and edge.is_rule_alone and edge.rule == finding.rule
