"""Every mutant of messages: a row says which rule it breaks and on which pairs it shows; its class says how it lies.

The suite must kill each of them, and blame it on its rule before any other.
"""

from tests.mutants import (
    arrays,
    blobs,
    limits,
    messages,
    nulls,
    numbers,
    robustness,
    strings,
    structs,
    tag_reading,
    tags,
    texts,
    versions,
)

MUTANTS = (
    *numbers.MUTANTS,
    *strings.MUTANTS,
    *texts.MUTANTS,
    *blobs.MUTANTS,
    *arrays.MUTANTS,
    *structs.MUTANTS,
    *nulls.MUTANTS,
    *versions.MUTANTS,
    *tags.MUTANTS,
    *tag_reading.MUTANTS,
    *robustness.MUTANTS,
    *messages.MUTANTS,
    *limits.MUTANTS,
)
