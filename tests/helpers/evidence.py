"""Which checks of the suite name which rules: seen, not declared.

Codecs that are wrong go through the checks: one that takes everything, one that takes only what is canonical, one that
survives nothing; for each worked example, one that writes just the bytes that the example calls wrong; and, for the
rules that none of these breaks, the mutants.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from conformance.checks.deterministic import check_broken_input, check_edges, check_refusals

from conformance.adapter import Decoded, LoadedAdapter, StoredMessage
from conformance.catalogue.explain.search import bases, blamed, schemas
from conformance.catalogue.explain.values import sample
from conformance.catalogue.rules import rules_of
from conformance.checks.absent_fields import check_absent_fields
from conformance.checks.frames import check_framing
from conformance.checks.hostile_bytes import check_hostile, check_hostile_cases
from conformance.checks.partial_values import check_partial_values
from conformance.checks.primitives import check_primitive
from conformance.checks.stored import check_stored
from conformance.checks.values import ValueCase, check_value
from conformance.generate.hostile import HostileCase
from conformance.implementation.driver import Implementation
from conformance.implementation.tally import Tally
from reference import (
    Malformed,
    MessageSchema,
    Unencodable,
    decode,
    decode_leniently,
    decode_prefixed,
    decode_record,
    encode,
    load_release,
    minimal,
    newest_release,
    primitive,
    primitives,
)
from tests.mutants import framing, stored, wire_types
from tests.mutants.catalogue import MUTANTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from conformance.findings.violations import Violation
    from reference import Release, Stored
    from tests.mutants.mutant import Mutant

    Check = Callable[[Implementation, MessageSchema, Tally], Iterator[Violation]]

Seen = dict[str, set[str]]
"""The checks that named a rule, by the rule."""


def _broken(implementation: Implementation, schema: MessageSchema, tally: Tally) -> Iterator[Violation]:
    return check_broken_input(implementation, None, schema, tally)


def _hostile(implementation: Implementation, schema: MessageSchema, tally: Tally) -> Iterator[Violation]:
    return check_hostile(implementation, None, schema, tally)


CHECKS: dict[str, Check] = {
    "values": check_edges,
    "unwritable values": check_refusals,
    "broken inputs": _broken,
    "hostile inputs": _hostile,
    "absent fields": check_absent_fields,
    "partial values": check_partial_values,
}
"""Those of messages, by the name that is shown for them."""


@lru_cache(maxsize=1)
def evidence() -> Seen:
    """Every rule that was named, and by which checks."""
    seen: Seen = defaultdict(set)
    for witness in WITNESSES:
        for rule, check in witness():
            seen[rule].add(check)
    for rule, check in _mutants({mutant for mutant in MUTANTS if mutant.rule not in seen}):
        seen[rule].add(check)
    return seen


def _named(check: Check, implementation: Implementation, schema: MessageSchema) -> Iterator[str]:
    """The rules that a check names, in findings or in the profile."""
    tally = Tally()
    yield from (violation.rule for violation in check(implementation, schema, tally))
    yield from (rule for rule, _ in tally.profiles)


def _write_anything(schema: MessageSchema, value: dict[str, Any]) -> bytes:
    try:
        return encode(schema, value)
    except Unencodable:
        return b"\0"


def _read_anything(schema: MessageSchema, data: bytes) -> Decoded:
    try:
        value, consumed = decode_leniently(schema, data)
    except Malformed:
        return Decoded(minimal(schema), len(data))
    return Decoded(value, consumed)


def _codec(**members: Any) -> LoadedAdapter:
    """A codec of the messages that examples are taken from."""
    versions: dict[str, set[int]] = defaultdict(set)
    for schema in (*schemas(), sample()):
        versions[schema.message].add(schema.version)
    supported = {message: frozenset(those) for message, those in versions.items()}
    capabilities = frozenset({"unknown-tags", "absent-fields", "partial-values"})
    sound = {"supported": {"encode": supported, "decode": supported}, "capabilities": capabilities}
    return LoadedAdapter(spec="", name="witness", version="0", **{**sound, **members})


def _everything_taken() -> Iterator[tuple[str, str]]:
    """One that writes any value, and reads something from any bytes."""
    implementation = Implementation(_codec(encode=_write_anything, decode=_read_anything))
    for schema in schemas():
        for name, check in CHECKS.items():
            yield from ((rule, name) for rule in _named(check, implementation, schema))
    yield from ((rule, "hostile inputs") for rule in _named(_one_empty_element, implementation, sample()))


def _one_empty_element(implementation: Implementation, schema: MessageSchema, tally: Tally) -> Iterator[Violation]:
    """No released message has elements without bytes, so that no hostile case of a release has any."""
    return check_hostile_cases(implementation, None, schema, [HostileCase("one-element", "", b"\0\0\0\1")], tally)


def _nothing_survived() -> Iterator[tuple[str, str]]:
    """One that crashes on everything that is stored and is not sound."""

    def crashing(read: Callable[..., Any]) -> Callable[..., Any]:
        def reader(*arguments: Any, **named: Any) -> Any:
            try:
                found = read(*arguments, **named)
            except Malformed as error:
                raise MemoryError from error
            return StoredMessage(found.schema.message, found.schema.version, found.value)

        return reader

    members = {"decode_prefixed": crashing(decode_prefixed), "decode_record": crashing(_read_record)}
    implementation, release = Implementation(_codec(**members)), load_release(newest_release())
    for message in ("ConsumerGroupMetadataKey", "ConsumerGroupMetadataValue", "TopicRecord"):
        schema = release.schema(message, 0)
        for violation in check_stored(implementation, None, release, schema, Tally()):
            yield violation.rule, "stored messages"


def _canonical_only() -> Iterator[tuple[str, str]]:
    """One that refuses what no writer makes, and one that dies of it."""

    def refusing(schema: MessageSchema, data: bytes) -> Decoded:
        found = decode(schema, data)
        if encode(schema, found.value) != data:
            raise ValueError
        return Decoded(found.value, found.consumed)

    def dying(schema: MessageSchema, data: bytes) -> Decoded:
        try:
            return refusing(schema, data)
        except (Malformed, ValueError) as error:
            raise MemoryError from error

    for reader in (refusing, dying):
        implementation = Implementation(_codec(decode=reader))
        for schema in schemas():
            yield from ((rule, "hostile inputs") for rule in _named(_hostile, implementation, schema))


def _state_kept() -> Iterator[tuple[str, str]]:
    """One that reads the smallest value, whatever the bytes, after it has refused something."""
    refused: list[bytes] = []

    def reader(schema: MessageSchema, data: bytes) -> Decoded:
        if refused:
            refused.clear()
            return Decoded(minimal(schema), len(data))
        try:
            found = decode(schema, data)
        except Malformed:
            refused.append(data)
            raise
        return Decoded(found.value, found.consumed)

    implementation = Implementation(_codec(decode=reader))
    yield from ((rule, "broken inputs") for rule in _named(_broken, implementation, next(schemas())))


def _read_record(release: Release, source: str, wire: bytes) -> Stored:
    return decode_record(release, wire, source=source)


def _examples_written() -> Iterator[tuple[str, str]]:
    """For each rule of writers, one that writes the wrong bytes of its example, and reads its own bytes as nothing."""
    for rule in rules_of():
        worked = blamed(rule)
        if worked is None or worked.right is None or worked.wrong is None or worked.wrong.wire is None:
            continue
        base = next(base for base in bases() if base.title == worked.right.title)
        wire = worked.wrong.wire
        members = {"encode": lambda *_, wire=wire: wire, "decode": lambda schema, _: Decoded(minimal(schema), 0)}
        case = ValueCase(base.schema, base.name, "", base.value)
        for violation in check_value(Implementation(_codec(**members)), case, Tally()):
            yield violation.rule, "values"


def _mutants(mutants: Iterable[Mutant]) -> Iterator[tuple[str, str]]:
    """Codecs of messages that are wrong in one way: only the rule of each counts, and the first time that it shows."""
    for mutant in mutants:
        implementation = Implementation(mutant.adapter())
        for name, check in CHECKS.items():
            if any(mutant.rule in _named(check, implementation, schema) for schema in mutant.schemas()):
                yield mutant.rule, name


def _wire_types_reversed() -> Iterator[tuple[str, str]]:
    """A codec of wire types that writes bytes in reverse, and reads something from any."""

    def read(name: str, data: bytes) -> Decoded:
        each = primitive(name)
        try:
            found = each.decode_leniently(data)
        except Malformed:
            found = each.decode_leniently(bytes(16))
        return Decoded(found.value, found.consumed)

    def write(name: str, value: Any) -> bytes:
        try:
            return primitive(name).encode(value)[::-1]
        except Unencodable:
            return b""

    implementation = Implementation(_codec(encode_primitive=write, decode_primitive=read))
    for name in primitives():
        for violation in check_primitive(implementation, None, primitive(name), Tally()):
            yield violation.rule, "wire types"


def _other_mutants() -> Iterator[tuple[str, str]]:
    """Those of wire types alone, of frames, and of what is stored."""
    for wire_type in wire_types.MUTANTS:
        implementation = Implementation(wire_type.adapter())
        yield from ((each.rule, "wire types") for each in wire_type.check(implementation, Tally()))
    for frame in framing.MUTANTS:
        implementation = Implementation(frame.adapter())
        for schema in frame.schemas():
            found = check_framing(implementation, None, frame.release, schema, Tally())
            yield from ((each.rule, "frames") for each in found)
    for record in stored.MUTANTS:
        implementation = Implementation(record.adapter())
        for schema in record.schemas():
            found = check_stored(implementation, None, stored.RELEASE, schema, Tally())
            yield from ((each.rule, "stored messages") for each in found)


WITNESSES = (
    _everything_taken,
    _canonical_only,
    _nothing_survived,
    _state_kept,
    _examples_written,
    _wire_types_reversed,
    _other_mutants,
)
"""Codecs that are wrong, and what the checks say of them."""

HEAD = """\
# The checks that name each rule: as tests/helpers/evidence.py saw it (`python -m tests.helpers.evidence`), and a test
# sees again.

"""


def table() -> str:
    """The text of conformance/catalogue/explain/tested_by.toml."""
    rows = (f"{json.dumps(rule)} = {json.dumps(sorted(checks))}\n" for rule, checks in sorted(evidence().items()))
    return HEAD + "".join(rows)


if __name__ == "__main__":
    sys.stdout.write(table())
