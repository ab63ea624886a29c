"""Every id that a tree of vectors ever had: an id may only go with a reason, and is never used again.

ids.json keeps eight hex digits of the SHA-256 of each whole id, sorted, by file: it only grows. retired.json keeps, by
whole id, why a vector was removed. Both lie beside the vectors, so that a check does not need the history of git.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING, Any

from conformance.golden.tree.serialise import FORMAT, GROUPS, VECTORS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Json = dict[str, Any]
IDS = "ids.json"
RETIRED = "retired.json"
DIGITS = 8


@dataclass(frozen=True)
class IdHistory:
    """The ids so far."""

    ids: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """The digests of all ids, by file."""
    retired: Mapping[str, str] = field(default_factory=dict)
    """Why a vector was removed, by whole id."""

    def with_ids_of(self, documents: Mapping[str, Json]) -> IdHistory:
        """Return the history with the ids of these documents added."""
        new = {path: frozenset(map(digest, whole_ids(path, document))) for path, document in documents.items()}
        paths = sorted({*self.ids, *(path for path, digests in new.items() if digests)})
        none: frozenset[str] = frozenset()
        return replace(self, ids={path: self.ids.get(path, none) | new.get(path, none) for path in paths})

    def vanished(self, documents: Mapping[str, Json]) -> Iterator[tuple[str, str]]:
        """Yield (file, digest) of each id that the documents no longer have, and that is not retired."""
        retired = frozenset(map(digest, self.retired))
        for path, digests in self.ids.items():
            present = frozenset(map(digest, whole_ids(path, documents.get(path, {}))))
            yield from ((path, vanished) for vanished in sorted(digests - present - retired))

    def reused(self, documents: Mapping[str, Json]) -> Iterator[str]:
        """Yield the retired ids that the documents have."""
        present = chain.from_iterable(whole_ids(path, document) for path, document in documents.items())
        yield from (whole_id for whole_id in present if whole_id in self.retired)

    def ids_document(self) -> Json:
        """Return the document of ids.json."""
        return {"format": FORMAT, "ids": {path: " ".join(sorted(digests)) for path, digests in self.ids.items()}}

    def retired_document(self) -> Json:
        """Return the document of retired.json."""
        entries = [{"id": name, "reason": reason} for name, reason in sorted(self.retired.items())]
        return {"format": FORMAT, "retired": entries}


def id_history_of(ids: Json, retired: Json) -> IdHistory:
    """Return the history that is in the documents of ids.json and retired.json."""
    return IdHistory(
        {path: frozenset(digests.split()) for path, digests in ids.get("ids", {}).items()},
        {entry["id"]: entry["reason"] for entry in retired.get("retired", ())},
    )


def whole_ids(path: str, document: Json) -> Iterator[str]:
    """Yield the whole id of each vector of a document: `4.3.0/messages/FetchRequest/v17/default`."""
    stem = path.removesuffix(".json")
    for group in document.get(GROUPS, ()):
        yield from (f"{stem}/v{group['version']}/{vector['id']}" for vector in group[VECTORS])


def digest(whole_id: str) -> str:
    """Return the digits of an id that ids.json keeps."""
    return hashlib.sha256(whole_id.encode()).hexdigest()[:DIGITS]
