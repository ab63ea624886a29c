"""The kernel: all vectors of one (message, version), from nothing but its name.

Pure, and the same in a process, in a pool of processes, and on Spark: nothing here knows of files, time or chance.
"""

from __future__ import annotations

from typing import Any

from conformance.golden.byte_cases import byte_cases
from conformance.golden.identities import depth_of
from conformance.golden.identities import identities as pairs_of
from conformance.golden.lines import vectors_of, with_unique_ids
from conformance.golden.value_cases import value_cases
from reference import load_release


def identities(release: str) -> list[tuple[str, int]]:
    """The (message, version) pairs that are built for a release, by name and version.

    Raises:
        UnknownRelease: there is no such release here.
    """
    return list(pairs_of(release))


def group(release: str, message: str, version: int) -> dict[str, Any]:
    """The vectors of one pair, JSON-ready: `{"version", "flexible", "vectors": [...]}`; see vectors/README.md.

    Raises:
        UnknownRelease: there is no such release here.
        UnknownMessage: the release has no such message, or the message no such version.
        AssertionError: two vectors would have the same id.
    """
    schema = load_release(release).schema(message, version)
    depth = depth_of(release, message, version)
    vectors = vectors_of(release, schema, (*value_cases(schema, depth), *byte_cases(schema, depth)))
    return {"version": version, "flexible": schema.flexible, "vectors": with_unique_ids(f"{release} {schema}", vectors)}
