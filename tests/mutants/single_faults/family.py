"""The families of frames, stored messages and wire types, with one wrong step of a small codec for each fault."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from conformance.judge.engine import violations
from conformance.vectors.tree.vector_paths import VectorFile
from reference import load_release
from tests.mutants.around import KINDS
from tests.mutants.single_faults.contents import INPUTS
from tests.mutants.single_faults.fault import Fault, Seen
from tests.mutants.single_faults.inputs import Made, damaged, first_difference, outcome
from tests.mutants.single_faults.judging import UNSEEN, seen_by
from tests.mutants.single_faults.places import faults_of
from tests.second_codec.frames import HEADERS
from tests.second_codec.steps import Input
from tests.second_codec.ways import SOUND, Misstep

if TYPE_CHECKING:
    from conformance.codec.session import Session
    from conformance.judge.case import Violation
    from tests.second_codec.codec import Codec

Given = tuple[Any, Any]
"""A message or a wire type, and a content or bytes of it."""


@dataclass(frozen=True)
class CodecFaults:
    """The faults of the codecs of one kind, each with one wrong step."""

    name: str

    def faults(self) -> Sequence[Fault]:
        """Return every fault and legal variant, ordered by place."""
        return _faults_of(self.name)

    def witness(self, fault: Fault) -> Given | None:
        """Return an input with different results of the codec and a sound one."""
        codec = codec_of(fault)
        inputs = sound(self.name, fault.release, fault.side, fault.place, fault.subject)
        return first_difference(inputs, lambda given: made(codec, fault.side, given), legal=fault.legal)

    def seen(self, fault: Fault) -> Seen:
        """Return the results of a fault, untried if it differs on no input."""
        if self.witness(fault) is None:
            return UNSEEN
        codec, kind = codec_of(fault), KINDS[self.name]
        subjects = kind.subjects(fault.release, fault.subject)

        def check(session: Session) -> Iterator[Violation]:
            for subject in subjects:
                yield from violations(session, kind.checks(session, subject))

        names = dict.fromkeys(str(getattr(each, "message", each)) for each in subjects)
        files = [VectorFile(fault.release, kind.folder, name) for name in names]
        headers = [VectorFile(fault.release, "headers", name) for name in HEADERS if self.name == "frames"]
        return seen_by(codec.adapter(fault.name), codec.release, check, [*files, *headers])


_faults_of = cache(faults_of)


def codec_of(fault: Fault) -> Codec:
    """Return the codec with one wrong step."""
    reads, writes = (fault.misstep, SOUND) if fault.side == "decode" else (SOUND, fault.misstep)
    return KINDS[fault.family].codec(load_release(fault.release), reads, writes)


@lru_cache(maxsize=2)
def sound(kind: str, release: str, side: str, place: str, selection: str) -> Sequence[tuple[Given, Made]]:
    """Return contents, or sound and damaged bytes, each with the result of a sound codec."""
    codec, inputs = KINDS[kind].codec(load_release(release)), INPUTS[kind]
    return [
        ((subject, given), made(codec, side, (subject, given)))
        for subject in KINDS[kind].subjects(release, selection)
        for given in (inputs.contents(place, subject) if side == "encode" else wires(kind, codec, place, subject))
    ]


def wires(kind: str, sound_codec: Codec, place: str, subject: Any) -> Iterator[bytes]:
    """Yield sound and damaged bytes of a message or a wire type."""
    codec, inputs = KINDS[kind].codec, INPUTS[kind]
    places = (place,) if place in inputs.places or not inputs.places else inputs.places

    def write(misstep: Misstep, content: Any) -> bytes:
        return codec(sound_codec.release, writes=misstep).write(subject, content)

    yield from damaged(write, inputs.contents(place, subject), *places)
    yield from inputs.others(sound_codec.release, subject)


def made(codec: Codec, side: str, given: Given) -> Made:
    """Return the result of a codec for a content or for bytes."""
    subject, content = given
    if side == "encode":
        return outcome(lambda: codec.write(subject, content))
    source = Input(content, codec.reads)
    return outcome(lambda: (repr_of(codec.read(subject, source)), source.at), source)


def repr_of(value: Any) -> Any:
    """Return a text of a value, equal only for the same type and bits."""
    return type(value), struct.pack(">d", value) if isinstance(value, float) else value
