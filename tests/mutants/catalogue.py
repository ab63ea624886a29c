"""Every mutant of messages: a row says which rule it breaks and on which pairs it shows; its class says how it lies.

The suite must kill each of them, and blame it on its rule before any other.
"""

from tests.mutants import limits, messages, robustness, tags, values, versions

MUTANTS = (
    *values.MUTANTS,
    *versions.MUTANTS,
    *tags.MUTANTS,
    *robustness.MUTANTS,
    *messages.MUTANTS,
    *limits.MUTANTS,
)
