"""The mutants of bodies and the ways of records at the places of other targets, by `python -m tests.mutants.targets`.

Each row of target_places.tsv is a place, and the place of bodies read and written in the same way. `body` stands for
the body in a frame, in a stored message or in a control record. Every mutant of bodies with a step there is tried, and
targets.tsv has the survivors of the suite or of the vectors. A codec without a difference on any input is no mutant.
"""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, replace
from functools import cache, partial
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from conformance.codec.python_codec import PythonCodec
from conformance.commands.common import workers_option
from conformance.judge.case import Violation
from conformance.judge.checks.frame_cases import is_framed
from conformance.judge.checks.stored_cases import is_stored
from conformance.judge.engine import violations
from conformance.system.parents import end_with
from conformance.system.whole_files import write_text
from conformance.vectors.tree.vector_paths import VectorFile
from reference import MessageSchema, load_release
from tests.helpers.durations import now
from tests.helpers.releases import BASE
from tests.helpers.sessions import session_of
from tests.mutants.around import KINDS
from tests.mutants.catalogue import LEGAL, MUTANTS
from tests.mutants.kit.rows import rows_of
from tests.mutants.mutant import Mutant
from tests.mutants.single_faults.family import made, sound
from tests.mutants.single_faults.inputs import first_difference
from tests.mutants.single_faults.judging import failed_vector
from tests.mutants.single_faults.records.steps import READ, steps
from tests.second_codec.ways import SOUND, AnyWay, ContentWay, Misstep, VarintWay

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tests.second_codec.codec import Codec

FILE = Path(__file__).with_name("targets.tsv")
COLUMNS = ("kind", "place", "mutant", "survives")
SUITE, VECTORS, ACCUSED = "suite", "vectors", "accused"
BODY = "body"
VARINT = "varint"
MARKERS = ("marker", "tagged-marker")
PARTS = ("", "-count", "-tag", "-size")
"""The ends of the places in a tag section."""
OF_RECORDS = {
    "batch.producerEpoch": "number/int16",
    "batch.partitionLeaderEpoch": "number/int32",
    "batch.producerId": "number/int64",
    "header.key": "string/*",
    "record.value": "bytes/*",
    "record.headers": "array of */*",
}
"""The places of records, and those of bodies with the same kind of content."""


def of_records() -> Iterator[Mutant]:
    """Yield the ways of records as mutants of bodies without pairs, save those of signed varints and of headers."""
    for step in steps().values():
        excluded = (VarintWay, Misstep, *[ContentWay] * (step.place == "record.headers"))
        if step.place in OF_RECORDS and not (step.context or step.legal or isinstance(step.way, excluded)):
            misstep = Misstep(OF_RECORDS[step.place], step.way)
            reads, writes = (misstep, SOUND) if step.side == READ else (SOUND, misstep)
            yield Mutant(step.name, "", "", writes, reads)


WAYS = [
    *(each for each in (*MUTANTS, *LEGAL) if {each.writes, each.reads} != {SOUND}),
    *of_records(),
]
"""The mutants with a step that has a place."""


class Place(NamedTuple):
    """A row of the table of places."""

    kind: str
    place: str
    like: str
    """The equivalent place of bodies, empty for bodies, and `varint` for any of variable width."""
    subjects: str

    def translated(self, place: str) -> str:
        """Return the place of bodies for one of the target, or an empty text for another one."""
        if self.place == BODY:
            return place if place in {BODY, *MARKERS} or not {"/", "."}.isdisjoint(place) else ""
        return self.like + place.removeprefix(self.place) if place in self.places else ""

    @property
    def places(self) -> list[str]:
        """Return the place, and those of the parts of a section."""
        return [self.place + part for part in PARTS]


@dataclass(frozen=True)
class Elsewhere(Misstep):
    """A misstep of bodies at a place of another target."""

    of: Misstep = SOUND
    at_place: Place | None = None

    def at(self, place: str, sound: AnyWay) -> AnyWay:
        like = self._like(place)
        if like == VARINT:
            return self.of.way if type(self.of.way) is type(sound) else sound
        return self.of.at(like, sound) if like else sound

    def touches(self, place: str) -> bool:
        like = self._like(place)
        return isinstance(self.of.way, VarintWay) if like == VARINT else bool(like) and self.of.touches(like)

    def has(self, place: str) -> bool:
        return self.of.has(place)

    def _like(self, place: str) -> str:
        return self.at_place.translated(place) if self.at_place else ""


class Trial(NamedTuple):
    """A mutant of bodies at a place of another target."""

    place: Place
    mutant: Mutant

    @property
    def key(self) -> tuple[str, ...]:
        """Return its name in the table."""
        place, has_many = self.place.place, KINDS[self.place.kind].is_named and self.place.place != BODY
        return self.place.kind, f"{self.place.subjects}/{place}" if has_many else place, self.mutant.name

    @property
    def is_there(self) -> bool:
        """Return whether the mutant has a step at the place."""
        if self.mutant in LEGAL and self.place.like == VARINT:
            return False  # how a number may be refused depends on its meaning
        codec = self.codec
        sides = codec.reads, codec.writes
        if self.place.place == BODY:
            return self.mutant.pairs != ""
        return any(each.touches(place) for each in sides for place in self.place.places)

    @property
    def subjects(self) -> Sequence[Any]:
        """Return the messages of the mutant with such a target, or those of the place."""
        kind = KINDS[self.place.kind]
        has = {"frames": is_framed, "stored": is_stored}.get(self.place.kind) if self.place.place == BODY else None
        own = [schema for schema in self.mutant.schemas() if has(schema)] if has else []
        return own or kind.subjects(BASE, self.place.subjects)

    @property
    def codec(self) -> Codec:
        """Return the codec with the fault at the place."""
        reads, writes = (Elsewhere(of=each, at_place=self.place) for each in (self.mutant.reads, self.mutant.writes))
        return KINDS[self.place.kind].codec(load_release(BASE), reads, writes)

    @property
    def differs(self) -> bool:
        """Return whether an input shows it, or, for a body, whether the checks of bodies find anything."""
        if self.place.place == BODY:
            pairs = [each if isinstance(each, MessageSchema) else f"{each}-v0" for each in self.subjects]
            alone = replace(self.mutant, pairs=",".join(map(str, pairs)))
            return any(isinstance(event, Violation) for event in alone.check(session_of(PythonCodec(alone.adapter()))))
        inputs = partial(sound, self.place.kind, BASE, place=self.place.place, selection=self.place.subjects)
        try:
            return any(
                first_difference(inputs(side=side), partial(made, self.codec, side), legal=False)
                for side in ("encode", "decode")
            )
        except (MemoryError, TypeError):  # a sound codec refuses in one way
            return True

    def shown(self) -> tuple[bool, bool]:
        """Return whether the suite shows it, and whether the vectors do."""
        kind, adapter, release = KINDS[self.place.kind], self.codec.adapter(self.mutant.name), load_release(BASE)
        session = session_of(PythonCodec(adapter), release)
        found = (each for subject in self.subjects for each in violations(session, kind.checks(session, subject)))
        names = dict.fromkeys(str(getattr(each, "message", each)) for each in self.subjects)
        files = [VectorFile(BASE, kind.folder, name) for name in names if kind.folder]
        return next(found, None) is not None, failed_vector(adapter, release, files) != ""

    def survives(self) -> str:
        """Return the suite or the vectors if they miss it, or a word for an accused legal codec."""
        if self.mutant in LEGAL:
            return ACCUSED if any(self.shown()) else ""
        if not self.differs:
            return ""
        return " ".join(name for name, is_shown in zip((SUITE, VECTORS), self.shown(), strict=True) if not is_shown)


@cache
def trials() -> tuple[Trial, ...]:
    """Return every mutant at every place of its step."""
    places = [Place(**row) for row in rows_of(__file__, "target_places.tsv")]
    return tuple(trial for place in places for mutant in WAYS if (trial := Trial(place, mutant)).is_there)


def row_of(number: int) -> str:
    """Return the result of a trial by its number."""
    return trials()[number].survives()


def committed() -> Mapping[tuple[str, ...], str]:
    """Return the results in the table by the keys of the trials."""
    return {tuple(row.values())[:-1]: row["survives"] for row in rows_of(__file__, FILE.name)}


def text_of(results: Iterable[str]) -> str:
    """Return the text of targets.tsv."""
    found = (("\t".join((*trial.key, result))) for trial, result in zip(trials(), results, strict=True) if result)
    return "".join(f"{line}\n" for line in ("\t".join(COLUMNS), *found))


@click.command()
@workers_option
def main(workers: int) -> None:
    """Write targets.tsv anew, in minutes."""
    with get_context("fork").Pool(workers, end_with, (os.getpid(),)) as pool:
        results = pool.map(row_of, range(len(trials())))
    write_text(FILE, text_of(results))
    for (kind, survives), count in sorted(Counter(zip((t.place.kind for t in trials()), results, strict=True)).items()):
        click.echo(f"{count:6} {kind}: {survives or 'none'}")
    click.echo(f"{now().cpu:.0f} CPU seconds")


if __name__ == "__main__":
    main()
