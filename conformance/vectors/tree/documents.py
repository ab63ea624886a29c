"""The documents of a tree of golden vectors, by path.

They are files of vectors, registries, and the index. Two of them are the history of ids: an id may only disappear with
a reason, and is never used again. ids.json keeps eight hex digits of the SHA-256 of each whole id, sorted, by file: it
only grows. retired.json keeps the reason for each removed vector, by whole id. Both lie beside the vectors, so a check
does not need the history of git.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from itertools import chain, groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from conformance import __version__
from conformance.vectors.enumeration.enumerate import Built, group_of
from conformance.vectors.enumeration.frame_vectors import header_versions
from conformance.vectors.enumeration.pairs import base_release, pairs_of
from conformance.vectors.enumeration.record_vectors import record_cases
from conformance.vectors.enumeration.value_vectors import REFUSALS
from conformance.vectors.enumeration.vector import UNWRITABLE
from conformance.vectors.flags import CATEGORIES, flags
from conformance.vectors.tree.releases import RELEASES, releases_document
from conformance.vectors.tree.vector_paths import (
    GROUPS,
    HEAD,
    OF_NO_RELEASE,
    PRIMITIVES,
    RECORDS,
    VECTORS,
    VectorFile,
    file_at,
    files_of,
    has_headers,
    in_tree,
    primitive_files,
    record_files,
    vector_files,
    vectors_in,
)
from conformance.vectors.tree.vector_schemas import STORED, schemas
from reference import Reason, Result, load_release, proposals, releases

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from conformance.vectors.enumeration.pairs import Names

Json = dict[str, Any]
INDEX = "index.json"
HEADER_VERSIONS = "header-versions"
KINDS = {"frames": "frame", "stored": "stored", PRIMITIVES: "primitive", RECORDS: "records"}
"""The `kind` of documents without bodies, by folder; the others have the kind of the message."""

IDS = "ids.json"
RETIRED = "retired.json"
DIGITS = 8


def documents_of(groups: Iterable[Built], history: IdHistory, names: Names = ()) -> dict[str, Json]:
    """Return every document of a tree without the index, by path.

    `groups` are those of the bodies, in any order.
    """
    documents: dict[str, Json] = {}
    for (release, message), items in groupby(sorted(groups, key=itemgetter(0, 1, 2)), key=itemgetter(0, 1)):
        bodies = list(items)
        own, *others = files_of(release, message)
        documents[own.path] = _document(own, [built.group for built in bodies])
        for file in others:
            documents[file.path] = _built_document(file, [built.version for built in bodies])
    documents |= {file.path: _document_of_no_release(file) for file in (*primitive_files(), *record_files())}
    documents |= {**_registries(names), RELEASES: releases_document(names)}
    after = history.with_ids_of(documents)
    return documents | {IDS: after.ids_document(), RETIRED: after.retired_document()}


def document_at(path: str, names: Names = ()) -> Json:
    """Return the document of one path of a tree, built from the definitions.

    The index and the history of ids are not among them.

    Raises:
        KeyError: a tree has no such class of cases of record batches.
        UnknownPrimitive: there is no such wire type.
        ValueError: a tree has no such path.
    """
    if path == RELEASES:
        return releases_document(names)
    if path in _registries(names):
        return _registries(names)[path]
    file = file_at(path)
    if file.folder in OF_NO_RELEASE:
        return _document_of_no_release(file)
    versions = [version for message, version in pairs_of(file.release) if message == file.message]
    return _built_document(file, versions)


def paths(names: Names = ()) -> list[str]:
    """Return the paths of all documents of a tree, without the index and the history of ids."""
    return sorted((*(file.path for file in vector_files(names)), *_registries(names), RELEASES))


def _built_document(file: VectorFile, versions: Iterable[int]) -> Json:
    return _document(file, [group_of(file.release, file.target(version)) for version in versions])


def _document(file: VectorFile, groups: Sequence[Json]) -> Json:
    """Return the document of a message, with its head and its groups."""
    release = load_release(file.release)
    definition = release.definition(file.message)
    head: Json = {**HEAD, "message": file.message, "kind": KINDS.get(file.folder, definition.kind)}
    if head["kind"] == "stored":
        head["form"] = STORED[definition.kind]
    if definition.api_key is not None:
        head["apiKey"] = definition.api_key
    source = (release.folder / f"{file.message}.json").read_bytes()
    spec = {"release": file.release, "sha256": hashlib.sha256(source).hexdigest()}
    return {**head, "spec": spec, "count": count_of(groups), "groups": list(groups)}


def count_of(groups: Iterable[Json]) -> int:
    """Return the number of vectors of some groups."""
    return sum(len(group[VECTORS]) for group in groups)


@cache
def _document_of_no_release(file: VectorFile) -> Json:
    """Return the document of a wire type, or of a class of cases of record batches."""
    target = file.target(0)
    cases = record_cases(file.message) if file.folder == RECORDS else None
    groups = [group_of(file.release, target, cases)]
    head = {**HEAD, "message": target.message, "kind": KINDS[file.folder]}
    return {**head, "count": count_of(groups), "groups": groups}


@cache
def _registries(names: Names) -> dict[str, Json]:
    """Return the documents without vectors, for header versions, flags, reasons and schemas."""
    framed = [name for name in names or (*releases(), *proposals()) if has_headers(load_release(name))]
    documents: dict[str, Json] = {
        f"{in_tree(release)}/headers/versions.json": {"kind": HEADER_VERSIONS, "release": release, "apis": apis}
        for release in framed
        if (apis := header_versions(release))
    }
    documents["flags.json"] = {
        "categories": CATEGORIES,
        "flags": {name: asdict(flag) for name, flag in flags().items()},
    }
    texts: dict[str, Mapping[Any, str]] = {"reasons": REASONS, "refusals": REFUSALS}
    documents["reasons.json"] = {name: {str(key): text for key, text in each.items()} for name, each in texts.items()}
    headed = {path: {**HEAD, **document} for path, document in documents.items()}
    return headed | {f"schema/{name}.json": schema for name, schema in schemas().items()}


REASONS = {
    Reason.TRUNCATED: "The input ends where more is needed; the offset is its length.",
    Reason.LENGTH_EXCEEDS_INPUT: "A length, count or size is more than what remains.",
    Reason.NEGATIVE_LENGTH: "A negative length that does not stand for null.",
    Reason.NULL_NOT_ALLOWED: "Null in a field that is not nullable in this version.",
    Reason.STRING_TOO_LONG: "A string of more than 32,767 bytes.",
    Reason.VARINT_OVERFLOW: "A varint goes on after its last possible byte.",
    Reason.TAG_ORDER: "In a proposal only: a tag that is not above the one before it.",
    Reason.TAG_OUT_OF_RANGE: "In a proposal only: a tag that is negative, or too large to be one.",
    Reason.SIZE_MISMATCH: "In a proposal only: a tagged field that does not fill its size.",
    Reason.NOT_A_RECORD: "A stored record with a frame version, type or version that there is not, or bytes behind it.",
    Reason.BATCH_TOO_SHORT: "In records, as all that follow: a batch or message that is shorter than its own header.",
    Reason.UNKNOWN_MAGIC: "A magic that is not 0, 1 or 2.",
    Reason.CRC_MISMATCH: "The CRC of a batch or message is not that of its bytes.",
    Reason.UNKNOWN_CODEC: "A number of a codec that does not exist, or that the magic does not have.",
    Reason.COMPRESSION: "A compressed stream that is cut or damaged, or stands where none may be.",
    Reason.RECORD_COUNT: "A count of records that is negative, or more than there are.",
    Reason.RECORD_LENGTH: "A record is longer or shorter than its length says.",
    Reason.HEADER_COUNT: "A count of headers that is negative, or more than what remains.",
    Reason.TRAILING_BYTES: "Bytes behind the last record of a batch.",
    Reason.OFFSET_MISMATCH: "A wrapper whose offset is less than that of its last message.",
}


def index_of(texts: Mapping[str, str], documents: Mapping[str, Json], names: Names = ()) -> Json:
    """Return the document of index.json, with the files of a tree, their hashes, and the counts of their vectors.

    `texts` and `documents` are all other files, by path.
    """
    hashes = {path: hashlib.sha256(text.encode()).hexdigest() for path, text in sorted(texts.items())}
    return {
        **HEAD,
        "suite": __version__,
        "release": names[0] if names else base_release(),
        "releases": [name for name in names or releases() if not load_release(name).proposed],
        "proposals": [name for name in names or proposals() if load_release(name).proposed],
        "counts": _counts(documents),
        "root": root_of(hashes),
        "files": hashes,
    }


def root_of(hashes: Mapping[str, str]) -> str:
    """Return one hash of all files.

    It is the SHA-256 of a line for each, sorted by path: its hash, two blanks, its path.
    """
    lines = "".join(f"{digest}  {path}\n" for path, digest in sorted(hashes.items()))
    return hashlib.sha256(lines.encode()).hexdigest()


def _counts(documents: Mapping[str, Json]) -> dict[str, int]:
    results = Counter(vector["result"] for document in documents.values() for vector in vectors_in(document))
    return {"vectors": results.total(), **{str(result): results[str(result)] for result in (*Result, UNWRITABLE)}}


@dataclass(frozen=True)
class IdHistory:
    """The ids used so far."""

    ids: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """The digests of all ids, by file."""
    retired: Mapping[str, str] = field(default_factory=dict)
    """The reason for each removed vector, by whole id."""

    def with_ids_of(self, documents: Mapping[str, Json]) -> IdHistory:
        """Return the history with the ids of these documents added."""
        new = {path: frozenset(map(digest, whole_ids(path, document))) for path, document in documents.items()}
        paths = sorted({*self.ids, *(path for path, digests in new.items() if digests)})
        none: frozenset[str] = frozenset()
        return replace(self, ids={path: self.ids.get(path, none) | new.get(path, none) for path in paths})

    def vanished(self, documents: Mapping[str, Json]) -> Iterator[tuple[str, str]]:
        """Yield the file and the digest of each id missing from the documents and not retired."""
        retired = frozenset(map(digest, self.retired))
        for path, digests in self.ids.items():
            present = frozenset(map(digest, whole_ids(path, documents.get(path, {}))))
            yield from ((path, vanished) for vanished in sorted(digests - present - retired))

    def reused(self, documents: Mapping[str, Json]) -> Iterator[str]:
        """Yield the retired ids used in the documents."""
        present = chain.from_iterable(whole_ids(path, document) for path, document in documents.items())
        yield from (whole_id for whole_id in present if whole_id in self.retired)

    def ids_document(self) -> Json:
        """Return the document of ids.json."""
        return {**HEAD, "ids": {path: " ".join(sorted(digests)) for path, digests in self.ids.items()}}

    def retired_document(self) -> Json:
        """Return the document of retired.json."""
        entries = [{"id": name, "reason": reason} for name, reason in sorted(self.retired.items())]
        return {**HEAD, "retired": entries}


def id_history_of(ids: Json, retired: Json) -> IdHistory:
    """Return the history in the documents of ids.json and retired.json."""
    return IdHistory(
        {path: frozenset(digests.split()) for path, digests in ids.get("ids", {}).items()},
        {entry["id"]: entry["reason"] for entry in retired.get("retired", ())},
    )


def whole_ids(path: str, document: Json) -> Iterator[str]:
    """Yield the whole id of each vector of a document, like `4.3.0/messages/FetchRequest/v17/default`."""
    stem = path.removesuffix(".json")
    for group in document.get(GROUPS, ()):
        yield from (f"{stem}/v{group['version']}/{vector['id']}" for vector in group[VECTORS])


def digest(whole_id: str) -> str:
    """Return the digits of an id kept in ids.json."""
    return hashlib.sha256(whole_id.encode()).hexdigest()[:DIGITS]
