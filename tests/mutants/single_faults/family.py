"""The families of frames, stored messages and wire types, with one wrong step of a small codec for each fault."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from conformance.judge.engine import violations
from conformance.vectors.tree.vector_paths import VectorFile
from reference import load_release
from tests.mutants.around import KINDS
from tests.mutants.single_faults.contents import INPUTS
from tests.mutants.single_faults.fault import Fault, Seen
from tests.mutants.single_faults.inputs import Made, damaged, first_difference, outcome
from tests.mutants.single_faults.judging import UNSEEN, seen_by
from tests.mutants.single_faults.places import Wrong, wrongs
from tests.second_codec.frames import HEADERS
from tests.second_codec.steps import SOUND, Input, Misstep

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

    @cached_property
    def steps(self) -> Mapping[Fault, Wrong]:
        """The wrong step of each fault."""
        return {self._fault(wrong): wrong for wrong in wrongs(self.name)}

    def _fault(self, wrong: Wrong) -> Fault:
        begins = f"{wrong.subject}/" if self.name == "wire types" else ""
        return Fault(self.name, begins + wrong.name, wrong.side, wrong.about, wrong.legal)

    def faults(self) -> Sequence[Fault]:
        """Return every fault and legal variant, ordered by place."""
        return tuple(self.steps)

    def witness(self, fault: Fault) -> Given | None:
        """Return an input with different results of the codec and a sound one."""
        wrong = self.steps[fault]
        codec, inputs = (
            codec_of(self.name, wrong),
            sound(self.name, wrong.release, wrong.side, wrong.place, wrong.subject),
        )
        return first_difference(inputs, lambda given: made(codec, wrong.side, given), legal=fault.legal)

    def seen(self, fault: Fault) -> Seen:
        """Return the results of a fault, untried if it differs on no input."""
        if self.witness(fault) is None:
            return UNSEEN
        wrong = self.steps[fault]
        codec, kind = codec_of(self.name, wrong), KINDS[self.name]
        subjects = kind.subjects(wrong.release, wrong.subject)

        def check(session: Session) -> Iterator[Violation]:
            for subject in subjects:
                yield from violations(session, kind.checks(session, subject))

        names = dict.fromkeys(str(getattr(each, "message", each)) for each in subjects)
        files = [VectorFile(wrong.release, kind.folder, name) for name in names]
        headers = [VectorFile(wrong.release, "headers", name) for name in HEADERS if self.name == "frames"]
        return seen_by(codec.adapter(fault.name), codec.release, check, [*files, *headers])


def codec_of(kind: str, wrong: Wrong) -> Codec:
    """Return the codec with one wrong step."""
    reads, writes = (wrong.misstep, SOUND) if wrong.side == "decode" else (SOUND, wrong.misstep)
    return KINDS[kind].codec(load_release(wrong.release), reads, writes)


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
