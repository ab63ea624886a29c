import os

import pytest

from conformance.vectors.verification.runner import VectorResults
from tests.helpers.sweeps import ALL, SWEEP
from tests.mutants.evidence import MUTANTS, AnyMutant
from tests.mutants.run import vectors_of
from tests.mutants.shown import FIRST_VECTORS, VECTORS, check, failures_cell

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


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda each: each.name)
def test_a_mutant_fails_a_vector_unless_it_is_said_why_not(mutant: AnyMutant) -> None:
    """The first failures, or all of them at night, are those of its row."""
    is_whole, results = os.environ[SWEEP] == ALL, VectorResults()
    for results in vectors_of(mutant):
        if results.failures and not is_whole:
            break
    assert results.counts.total() > 0
    assert bool(results.failures) == (mutant.name not in NOT_KILLED)
    check(mutant, {VECTORS if is_whole else FIRST_VECTORS: failures_cell(results)})


def test_nine_mutants_of_ten_are_killed() -> None:
    assert {mutant.name for mutant in MUTANTS} >= NOT_KILLED.keys()
    assert len(NOT_KILLED) <= (1 - FEWEST_KILLED) * len(MUTANTS)
