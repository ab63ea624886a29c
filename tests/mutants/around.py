"""Mutants of frames, stored messages and wire types, and the kinds of codecs with such targets.

The table of a kind has a row for each. The place of a row without a way is the name of the step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.judge.checks.frame_cases import frame_checks
from conformance.judge.checks.stored_cases import stored_checks
from conformance.judge.checks.wire_type_cases import primitive_cases
from conformance.judge.engine import run
from reference import MessageSchema, Release, load_release
from tests.helpers.releases import BASE, NEWEST
from tests.mutants.mutant import rows, selected
from tests.second_codec.control import ControlCodec
from tests.second_codec.frames import FrameCodec
from tests.second_codec.stored import StoredCodec
from tests.second_codec.ways import SOUND, Misstep
from tests.second_codec.wire_types import WireTypeCodec

if TYPE_CHECKING:
    from conformance.codec.loaded_adapter import LoadedAdapter
    from conformance.codec.session import Session
    from conformance.judge.case import Event
    from conformance.judge.kinds import CodecCase
    from tests.second_codec.codec import Codec


class CodecKind(NamedTuple):
    """The codecs of one kind of target, and the checks of the suite for them."""

    codec: type[Codec]
    checks: Callable[[Session, Any], Iterator[CodecCase | Event]]
    folder: str = ""
    """The folder of its vectors, empty if it has none."""
    is_named: bool = False
    """Whether its subjects are names instead of messages."""

    def subjects(self, release: str, selection: str) -> Sequence[Any]:
        """Return the messages of a selection, or names."""
        return selection.split(",") if self.is_named else selected(release, selection)


KINDS = {
    "frames": CodecKind(FrameCodec, frame_checks, "frames"),
    "stored": CodecKind(StoredCodec, stored_checks, "stored"),
    "wire types": CodecKind(WireTypeCodec, primitive_cases, "primitives", is_named=True),
    "control records": CodecKind(ControlCodec, lambda _session, _subject: iter(()), is_named=True),
}
"""The contract does not reach the meaning of control records, so the suite has no checks of them."""


@dataclass(frozen=True)
class AroundMutant:
    """A codec with one fault around its messages, or in wire types alone."""

    name: str
    rule: str
    pairs: str
    kind: str
    release: Release
    writes: Misstep = SOUND
    reads: Misstep = SOUND

    def schemas(self) -> Sequence[MessageSchema]:
        return KINDS[self.kind].subjects(self.release.name, self.pairs)

    @property
    def places(self) -> Sequence[tuple[str, int]]:
        """The messages and versions on which it shows, or wire types with version 0."""
        return [(each, 0) if isinstance(each, str) else (each.message, each.version) for each in self.schemas()]

    def check(self, session: Session) -> Iterator[Event]:
        """Yield the events of the deterministic checks on its pairs."""
        for subject in self.schemas():
            yield from run(session, KINDS[self.kind].checks(session, subject))

    def adapter(self) -> LoadedAdapter:
        """Return it as an adapter without bodies and headers."""
        codec = KINDS[self.kind].codec(self.release, self.reads, self.writes, is_strict=True)
        return replace(codec.adapter(self.name), supported={"encode": {}, "decode": {}}, encode=None, decode=None)


def _mutants(kind: str, table: str, release: str = BASE) -> Iterator[AroundMutant]:
    """Yield the mutants of a table, in `release` where a row has none."""
    for row in rows(table):
        yield AroundMutant(row.name, row.rule, row.pairs, kind, load_release(row.release or release), *row.missteps())


FRAMES = tuple(_mutants("frames", "frames.tsv"))
"""One codec of the field has no mutant, a broker that answers ApiVersions with the body of version 0 if there is an
error (rule 5.12). It chooses another version of the message, and the contract asks a codec for the bytes of a given
version.
"""
STORED = tuple(_mutants("stored", "stored.tsv"))
WIRE_TYPES = tuple(_mutants("wire types", "wire_types.tsv", NEWEST))
"""Mutants of wire types alone, without fields of such a type in any message."""
