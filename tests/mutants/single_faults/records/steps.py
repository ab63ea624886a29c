"""The steps of a codec of records done in another way, and the codec as an adapter."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from conformance.codec.driver import Implementation
from conformance.codec.loaded_adapter import LoadedAdapter
from tests.mutants.single_faults.records import read_ways, write_ways
from tests.second_codec.records import read_field, write_field
from tests.second_codec.steps import SOUND, Input, Misstep, NotTaken, Output

READ, WRITE = "read", "write"
Value = dict[str, Any]


@dataclass(frozen=True)
class Step:
    """A step, and its way instead of the book's."""

    kind: str
    place: str
    deviation: str
    side: str
    way: Any = field(default=None, compare=False)
    context: str = ""
    """Its context, as `second-batch`, or empty for all."""
    legal: bool = False

    @property
    def name(self) -> str:
        """The identity of the fault."""
        return "/".join(filter(None, (self.kind, self.side, self.place, self.deviation, self.context)))

    @property
    def about(self) -> str:
        where = f" in the context {self.context}" if self.context else ""
        return f"{self.place}: {self.deviation.replace('-', ' ')}{where}"

    @property
    def misstep(self) -> Misstep:
        return placed(self.place, self.way, self.context) if self.place else SOUND


SOUND_STEP = Step("", "", "", "")


def placed(place: str, way: Any, context: str = "") -> Misstep:
    """Return the misstep of a way, or of a misstep, in one context alone."""
    if not isinstance(way, Misstep):
        return Misstep(place, way, context=context)
    also = way.also and placed(place, way.also, context)
    return replace(way, context=context or way.context, also=also)


@cache
def steps() -> dict[str, Step]:
    """Return every step with another way, by its name."""
    return {step.name: step for side in (READ, WRITE) for step in _of_side(side)}


def _of_side(side: str) -> Iterator[Step]:
    ways: Any = read_ways if side == READ else write_ways
    for kind, table in {**ways.KINDS, "legal": ways.LEGAL}.items():
        for place, those in table.items():
            for name, way in those.items():
                yield Step(kind, place, name, side, way, legal=kind == "legal")
    for (kind, place, name), contexts in ways.IN_CONTEXTS.items():
        for context in contexts:
            yield Step("contexts", place, name, side, ways.KINDS[kind][place][name], context)


def decode(data: bytes, step: Step = SOUND_STEP) -> Value:
    """Return the value of a field.

    Raises:
        NotTaken: the bytes are invalid.
    """
    return read_field(Input(data, step.misstep if step.side == READ else SOUND))


def encode(value: Value, step: Step = SOUND_STEP) -> bytes:
    """Return the bytes of a field.

    Raises:
        NotTaken: no writer may write the value.
    """
    return write_field(Output(step.misstep if step.side == WRITE else SOUND), value)


def implementation(step: Step = SOUND_STEP) -> Implementation:
    """Return the codec for the suite, with the step done otherwise on its side or on both."""
    return Implementation(
        LoadedAdapter(
            spec="",
            name=step.name or "sound",
            version="0",
            supported={"encode": {}, "decode": {}},
            encode_records=(lambda value: encode(value, step)) if step.side != READ else None,
            decode_records=(lambda data: decode(data, step)) if step.side != WRITE else None,
            rejections=(NotTaken,),
        )
    )
