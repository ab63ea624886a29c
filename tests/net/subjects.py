"""The subjects of the net, and the pairs of each, all of them or every fourth by a hash of its name."""

import sys
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import chain, zip_longest
from pathlib import Path
from typing import NamedTuple

from conformance import adapters
from conformance.adapters.harnesses.libraries import ForeignLibrary
from reference import newest_release
from tests.mutants import catalogue, records
from tests.mutants.around import FRAMES, STORED, WIRE_TYPES
from tests.mutants.evidence import AnyMutant

WHOLE = ("reference", "kio", "franz_go", "Careless")
"""The subjects with all pairs: they reach every check, blame and cause."""

RECORDED = ("franz_go", "kafkajs")
"""The harnesses whose requests are hashed, one with typed values and one with values in a text."""

FAULTY = (
    *("LittleEndian", "RefusesUnknownTags", "MixedEndianUuid", "WrongSize", "ReadsZero", "ReadsAnything"),
    *("WritesAnything", "CountsAll", "DropsUnknownTags", "HoldsNoZero", "FillsIn", "TellsOwnReasons"),
)
"""Fakes that end by themselves; what hangs or aborts depends on the load of the machine."""

FRAMING = ("Framing", "KnowsNoVersions", "OddFrame", "LosesHeaderTags")
MUTANTS_DRAWN = 100
ONE_IN = 4


class Subject(NamedTuple):
    """An implementation, by its name and its `--impl`."""

    name: str
    spec: str

    @property
    def is_whole(self) -> bool:
        """Whether all of its pairs are in the net by default, as for most fakes, which have two."""
        return self.name in WHOLE or self.spec.startswith("tests.")


def subjects() -> list[Subject]:
    """Return all subjects, those with all pairs first, since they take the longest."""
    python = sorted(file.parent.name for file in Path(adapters.__path__[0]).glob("*/known_failures.toml"))
    foreign = [name for name, each in vars(adapters).items() if isinstance(each, ForeignLibrary)]
    found = [Subject(name, f"conformance.adapters.{name}") for name in ("reference", *python, *foreign)]
    apache_kafka = f"stdio:{sys.executable} -m conformance.adapters.harnesses.apache_kafka {newest_release()}"
    found += [Subject("apache_kafka", apache_kafka)]
    found += [Subject(f"apache_kafka_{each}", f"{apache_kafka} --records {each}") for each in ("client", "broker")]
    for module, names in (
        ("fakes.faulty_codecs", FAULTY),
        ("fakes.faulty_framing", FRAMING),
        ("net.careless", ["Careless"]),
    ):
        found += [Subject(name, f"tests.{module}:{name}") for name in names]
    return sorted(found, key=lambda each: each.name not in WHOLE)


def is_drawn(name: str) -> bool:
    """Return whether a pair is one of every fourth."""
    return _hash(name) % ONE_IN == 0


def drawn_mutants() -> list[AnyMutant]:
    """Return mutants of all families in turn, each family in the order of a hash of its names."""
    families: tuple[Sequence[AnyMutant], ...] = (
        *(catalogue.MUTANTS, WIRE_TYPES, FRAMES, STORED, records.MUTANTS),
        *([each for each in catalogue.PROPOSED if each.release.startswith(kip)] for kip in ("kip-482", "kip-625")),
    )
    ordered = (sorted(family, key=lambda each: _hash(each.name)) for family in families)
    return list(_in_turn(zip_longest(*ordered)))[:MUTANTS_DRAWN]


def _in_turn(rows: Iterator[tuple[AnyMutant | None, ...]]) -> Iterator[AnyMutant]:
    return (each for each in chain.from_iterable(rows) if each is not None)


def _hash(text: str) -> int:
    return int.from_bytes(sha256(text.encode()).digest()[:4])
