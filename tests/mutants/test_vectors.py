from collections.abc import Iterator, Mapping
from functools import cache

import pytest

from conformance.codec.driver import Implementation
from conformance.codec.session import Session
from conformance.vectors.enumeration.record_vectors import RECORD_FILES
from conformance.vectors.tree.vector_files import read_tree
from conformance.vectors.tree.vector_paths import VectorGroup, committed_vectors, groups_of
from conformance.vectors.verification.runner import VectorResults, run_group
from reference import load_release, newest_release
from tests.mutants.evidence import MUTANTS, AnyMutant
from tests.mutants.framing import FramingMutant
from tests.mutants.mutant import Mutant
from tests.mutants.records_forms import RecordsMutant
from tests.mutants.stored import StoredMutant
from tests.mutants.wire_types import WireTypeMutant

NUMBERS = "numbers out of range are refused by the wire types and by messages that are thorough"
LONG = "takes a value of 16,384 bytes or more, which only primitives have"

NOT_KILLED = {
    "numbers-wrap": NUMBERS,
    "lz4-linked-blocks": "takes more than one block of 64 KiB, and a vector of records has 1,000 bytes at most",
    "string-limit-missing": LONG,
    "varint-wrong-from-third-byte": LONG,
    "bytes-up-to-65535": LONG,
    "buffer-cut-at-64-kib": LONG,
    "byte-lost-at-64-kib": LONG,
    "long-strings-read": LONG,
    **dict.fromkeys(("few-tags", "small-tags"), "takes more tags, or larger ones, than vectors have"),
    **dict.fromkeys(("count-as-int16", "compact-count-as-int16"), "takes 32,768 elements, which no vector has"),
    **dict.fromkeys(("all-of-a-gzip-bomb", "all-of-a-zstd-bomb"), "takes a bomb, and a vector has 1,000 bytes at most"),
    "tag-size-of-128-as-127-in-other-structs": "shows in contents of 128 bytes: vectors have one of each kind",
    "consumed-counts-what-follows": "bytes behind a message are left open: a vector asks nothing of them",
}
"""Mutants that no vector of their own pairs kills, and why."""

FEWEST_KILLED = 0.9


@cache
def vectors() -> Mapping[tuple[str, int], list[VectorGroup]]:
    """The committed vectors of each pair, by message and version; of others by the file's name and version 0."""
    groups: dict[tuple[str, int], list[VectorGroup]] = {}
    for group in groups_of(read_tree(committed_vectors())):
        groups.setdefault((group.message, group.version), []).append(group)
    return groups


def groups_for(mutant: AnyMutant) -> Iterator[VectorGroup]:
    """The vectors of the pairs, or of the wire types, on which a mutant shows."""
    if isinstance(mutant, RecordsMutant):
        pairs = [(name, 0) for name in RECORD_FILES]
    elif isinstance(mutant, WireTypeMutant):
        pairs = [(name, 0) for name in mutant.places]
    else:
        assert isinstance(mutant, Mutant | FramingMutant | StoredMutant)
        pairs = [(schema.message, schema.version) for schema in mutant.schemas()]
    for pair in pairs:
        yield from vectors().get(pair, ())


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda each: each.name)
def test_a_mutant_fails_a_vector_unless_it_is_said_why_not(mutant: AnyMutant) -> None:
    results, session = VectorResults(), Session(Implementation(mutant.adapter()), load_release(newest_release()))
    for group in groups_for(mutant):
        run_group(session, group, results)
        if results.failures:
            break
    assert results.counts.total() > 0
    assert bool(results.failures) == (mutant.name not in NOT_KILLED)


def test_nine_mutants_of_ten_are_killed() -> None:
    assert {mutant.name for mutant in MUTANTS} >= NOT_KILLED.keys()
    assert len(NOT_KILLED) <= (1 - FEWEST_KILLED) * len(MUTANTS)
