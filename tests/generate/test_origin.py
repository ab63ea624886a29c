"""The origin of a case, its name, and the origin read from a name."""

from collections.abc import Iterator
from itertools import chain

import pytest

from conformance.generate.edge_values import edge_cases
from conformance.generate.hostile_bodies import hostile_cases
from conformance.generate.origin import CaseOrigin, origin_of
from conformance.generate.refused_bytes import invalid_bytes
from conformance.generate.unusual_values import absent_cases, unencodable_variations, unspecified_variations
from conformance.targets import WholeFrame
from conformance.targets.records.record_bases import record_bases
from conformance.targets.records.record_tampering import tampered_records
from reference import load_release, newest_release

RELEASE = load_release(newest_release())
SCHEMA = RELEASE.schema("MetadataRequest", 12)


def _of_bodies() -> Iterator[CaseOrigin]:
    pairs = chain(absent_cases(SCHEMA), unencodable_variations(SCHEMA), unspecified_variations(SCHEMA))
    variations = chain(edge_cases(SCHEMA), (variation for _, variation in pairs))
    yield from (variation.origin for variation in variations)
    yield from (case.origin for case in invalid_bytes(SCHEMA))
    yield from (case.origin for case in hostile_cases(SCHEMA))


def _of_frames() -> Iterator[CaseOrigin]:
    target = WholeFrame(SCHEMA, RELEASE)
    contents = list(target.contents())
    return (origin for origin, _ in chain(contents, target.refused(), target.damages(contents[0][1])))


def _of_records() -> Iterator[CaseOrigin]:
    return (case.origin for base in record_bases() for case in tampered_records(base))


@pytest.mark.parametrize("origins", [_of_bodies, _of_frames, _of_records])
def test_origin_read_from_a_name_is_that_of_its_case(origins) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001  # a generator
    """Only the rule of a span is not in a name; an unchanged base is read as a way, for nothing asks about it."""
    made = [origin for origin in origins() if origin.way or origin.path]
    assert len(made) > len({origin.kind for origin in made})
    assert [origin_of(origin.name) for origin in made] == [origin._replace(rule="") for origin in made]


@pytest.mark.parametrize(
    ("name", "origin"),
    [
        ("populated", CaseOrigin("populated")),
        ("Topics[0].Name=null", CaseOrigin("null", "Topics[0].Name")),
        ("populated/12/length-null", CaseOrigin("length-null", base="populated", place="12")),
        ("mutated-7", CaseOrigin("mutated", place="7")),
        ("plain/batches[0].attributes^bit3", CaseOrigin("bit3", "batches[0].attributes", "plain", sign="^")),
        ("in-gzip/twice", CaseOrigin("", "twice", "in-gzip")),
        ("after null.not-written", CaseOrigin("null.not-written", "after", sign=" ")),
        ("limit-tag-bytes-65", CaseOrigin("tag-bytes", "limit", place="65", sign="-")),
        ("a name\nof a file", CaseOrigin("a name\nof a file")),
    ],
)
def test_name_of_a_file_gives_the_origin_that_makes_it(name: str, origin: CaseOrigin) -> None:
    assert origin_of(name) == origin
    assert origin.name == name


def test_number_of_an_origin_takes_the_place_of_another_one() -> None:
    assert CaseOrigin("-5", "ThrottleTimeMs").number == -5
    assert CaseOrigin("5", "stream", sign="+").number is None
    assert CaseOrigin("5").number is None


def test_kind_of_an_origin_ends_before_its_first_number() -> None:
    assert CaseOrigin("chunk-of-256-mib").kind == "chunk-of-"
    assert CaseOrigin("length-32767-wide").size == 32767
