"""Every mutant: a row says which rule it breaks and on which pairs it shows; its class says how it lies.

The suite must kill each of them, and blame it on its rule before any other.
"""

from __future__ import annotations

from tests.mutants import nulls, primitives, robustness, tags, versions

MUTANTS = (*primitives.MUTANTS, *nulls.MUTANTS, *versions.MUTANTS, *tags.MUTANTS, *robustness.MUTANTS)
