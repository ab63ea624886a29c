"""Every mutant of messages, with its rule and its pairs in a row, and its fault in its class.

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
