"""The project's own reference as an implementation: the suite must find nothing wrong with it.

`--impl=conformance.adapters.reference`
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import reference
from conformance.__about__ import __version__
from conformance.adapter import Decoded, Value

if TYPE_CHECKING:
    from collections.abc import Mapping

    from reference import MessageSchema

name = "reference"
version = __version__
rejections = (reference.Malformed, reference.Unencodable)
capabilities = frozenset({"unknown-tags", "absent-fields"})


def supported() -> Mapping[str, frozenset[int]]:
    """Every message and version of every committed release."""
    versions: dict[str, set[int]] = defaultdict(set)
    for each in reference.releases():
        release = reference.load_release(each)
        for message in release.messages:
            versions[message].update(release.definition(message).valid_versions)
    return {message: frozenset(those) for message, those in versions.items() if those}


def encode(schema: MessageSchema, value: Value) -> bytes:
    """The canonical bytes."""
    return reference.encode(schema, value)


def decode(schema: MessageSchema, data: bytes) -> Decoded:
    """The value, read strictly: what the protocol leaves open is rejected."""
    decoded = reference.decode(schema, data)
    return Decoded(decoded.value, decoded.consumed)


def size(schema: MessageSchema, value: Value) -> int:
    """The number of canonical bytes."""
    return len(reference.encode(schema, value))


def classify(exception: Exception) -> str | None:
    """The reason that the reference gives itself; None where the protocol leaves the bytes open."""
    reason = getattr(exception, "reason", None) if isinstance(exception, reference.Malformed) else None
    return None if reason is None else str(reason)
