"""The declared protocol and the wire types agree on a sample of `make check-declared`."""

from collections.abc import Callable, Iterator

import pytest

from conformance.generate.drawn_values import sample
from conformance.generate.hostile_bodies import hostile_cases
from conformance.targets import Body
from reference import proposals, releases
from tests.helpers.sweeps import swept
from tests.reference.declared.comparison import Asked, disagreements
from tests.reference.declared.questions import definitions, frames, records, unusual_values


def bodies() -> Iterator[Asked]:
    for schema in swept(*releases(), *proposals()):
        wires = [case.wire for case in hostile_cases(schema)][::8]
        yield Asked(Body(schema), [sample(schema, "sample", absent=True), *unusual_values(schema)], wires)


def one_in(step: int, asked: Iterator[Asked]) -> Iterator[Asked]:
    """Yield one of every few targets and of its questions."""
    for number, each in enumerate(asked):
        if number % step == 0:
            yield Asked(each.target, each.contents[::step], each.wires[::step])


AREAS: dict[str, Callable[[], Iterator[Asked]]] = {
    "bodies": bodies,
    "definitions": lambda: one_in(20, definitions()),
    "records": lambda: (each._replace(contents=each.contents[::20], wires=each.wires[::20]) for each in records()),
    "frames": lambda: one_in(20, frames()),
}


@pytest.mark.parametrize("area", AREAS)
def test_both_encodings_agree(area: str) -> None:
    found = [each for asked in AREAS[area]() for each in disagreements(asked)]
    assert len(found) > 100
    assert [str(each) for each in found if each is not None] == []
