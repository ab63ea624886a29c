"""Every id that a tree of vectors ever had: an id that goes without a word is an error, and none comes back.

ids.json keeps, for each file, eight hex digits of the SHA-256 of each whole id, sorted: it only grows. retired.json
says, by whole id, what went and why. Both live beside the vectors, so that the check needs no history.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING, Any

from conformance.golden.text import FORMAT, GROUPS, VECTORS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Json = dict[str, Any]
IDS = "ids.json"
RETIRED = "retired.json"
DIGITS = 8


@dataclass(frozen=True)
class Ledger:
    """The ids so far."""

    ids: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """By file: the digests of its ids."""
    retired: Mapping[str, str] = field(default_factory=dict)
    """By whole id: why it went."""

    def with_ids_of(self, documents: Mapping[str, Json]) -> Ledger:
        """The ledger with the ids that these documents have beside the old ones."""
        found = {path: frozenset(map(digest, whole_ids(path, each))) for path, each in documents.items()}
        paths = sorted({*self.ids, *(path for path, digests in found.items() if digests)})
        none: frozenset[str] = frozenset()
        return replace(self, ids={path: self.ids.get(path, none) | found.get(path, none) for path in paths})

    def vanished(self, documents: Mapping[str, Json]) -> Iterator[tuple[str, str]]:
        """The digests, each with its file, of ids that were there, are not, and are not retired."""
        retired = frozenset(map(digest, self.retired))
        for path, digests in self.ids.items():
            present = frozenset(map(digest, whole_ids(path, documents.get(path, {}))))
            yield from ((path, each) for each in sorted(digests - present - retired))

    def reused(self, documents: Mapping[str, Json]) -> Iterator[str]:
        """Retired ids that are there."""
        present = chain.from_iterable(whole_ids(path, each) for path, each in documents.items())
        yield from (each for each in present if each in self.retired)

    def ids_document(self) -> Json:
        """The document of ids.json."""
        return {"format": FORMAT, "ids": {path: " ".join(sorted(digests)) for path, digests in self.ids.items()}}

    def retired_document(self) -> Json:
        """The document of retired.json."""
        entries = [{"id": name, "reason": reason} for name, reason in sorted(self.retired.items())]
        return {"format": FORMAT, "retired": entries}


def ledger_of(ids: Json, retired: Json) -> Ledger:
    """The ledger that is in the documents of ids.json and retired.json."""
    return Ledger(
        {path: frozenset(digests.split()) for path, digests in ids.get("ids", {}).items()},
        {entry["id"]: entry["reason"] for entry in retired.get("retired", ())},
    )


def whole_ids(path: str, document: Json) -> Iterator[str]:
    """The whole id of each vector of a document: `4.3.0/messages/FetchRequest/v17/default`."""
    stem = path.removesuffix(".json")
    for group in document.get(GROUPS, ()):
        yield from (f"{stem}/v{group['version']}/{vector['id']}" for vector in group[VECTORS])


def digest(whole_id: str) -> str:
    """What ids.json keeps of an id."""
    return hashlib.sha256(whole_id.encode()).hexdigest()[:DIGITS]
