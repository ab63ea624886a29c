"""The documents of a tree of golden vectors, each by its path in the folder; the index apart."""

from __future__ import annotations

import hashlib
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.golden import kernel
from conformance.golden.flags import CATEGORIES, flags
from conformance.golden.frames import frame_group, header_versions
from conformance.golden.identities import identities, sources
from conformance.golden.ledger import IDS, RETIRED, Ledger
from conformance.golden.location import Home, home_of
from conformance.golden.primitives import primitive_group
from conformance.golden.schemas import schemas
from conformance.golden.stored import stored_group
from conformance.golden.text import FORMAT, VECTORS
from reference import Reason, load_release, primitives, releases
from reference.schema import STORED_FORMS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

Json = dict[str, Any]
HEADER = "header"
FRAME = "frame"
PRIMITIVE = "primitive"
STORED = "stored"
HEADER_VERSIONS = "header-versions"


class Built(NamedTuple):
    """One group of vectors, and whose it is."""

    release: str
    message: str
    version: int
    group: Json
    """What `conformance.golden.kernel.group` gives."""


def documents_of(groups: Iterable[Built], ledger: Ledger) -> dict[str, Json]:
    """Every document but the index.

    Args:
        groups: of messages, in any order.
        ledger: the ids that the tree had so far.
    """
    built = sorted(groups, key=lambda each: each[:3])
    found = {
        path_of(release, message): _document(release, message, [each.group for each in them])
        for (release, message), them in groupby(built, key=lambda each: each[:2])
    }
    found |= _framed(built) | _primitives() | _registries()
    after = ledger.with_ids_of(found)
    return found | {IDS: after.ids_document(), RETIRED: after.retired_document()}


def document_at(path: str) -> Json:
    """The document of one path of a tree, built from nothing; the index and the ledger apart.

    Raises:
        KeyError: a tree has no such path.
    """
    if path in _registries():
        return _registries()[path]
    if path.startswith("primitives/"):
        return _primitives()[path]
    release, section, message = home_of(path)
    groups = [Built(release, *pair, {}) for pair in identities(release) if pair[0] == message]
    if section in AROUND:
        return _framed(groups)[path]
    return _document(release, message, [kernel.group(*each[:3]) for each in groups])


def paths() -> list[str]:
    """The paths of all documents of a tree; the index and the ledger apart."""
    found = {path_of(source, message) for source in sources() for message, _ in identities(source)}
    around = {
        Home(release, section, message).path
        for release in releases()
        for message, _ in identities(release)
        for section, around in AROUND.items()
        if load_release(release).definition(message).kind in around.kinds
    }
    return sorted((*found, *around, *_primitives(), *_registries()))


def definition_hash(release: str, message: str) -> str:
    """The SHA-256 of a definition's file."""
    return hashlib.sha256((load_release(release).folder / f"{message}.json").read_bytes()).hexdigest()


def path_of(release: str, message: str) -> str:
    """Where the vectors of a message are: `4.3.0/messages/FetchRequest.json`."""
    kind = load_release(release).definition(message).kind
    return Home(release, "headers" if kind == HEADER else "messages", message).path


def _document(release: str, message: str, groups: Sequence[Json], kind: str | None = None) -> Json:
    """The document of a message, or of its frames."""
    definition = load_release(release).definition(message)
    head: Json = {"format": FORMAT, "message": message, "kind": kind or definition.kind}
    if definition.api_key is not None:
        head["apiKey"] = definition.api_key
    spec = {"release": release, "sha256": definition_hash(release, message)}
    return {**head, "spec": spec, "count": _count(groups), "groups": list(groups)}


def _count(groups: Iterable[Json]) -> int:
    return sum(len(group[VECTORS]) for group in groups)


def _framed(built: Iterable[Built]) -> dict[str, Json]:
    """The documents of what stands around messages, where it does: frames, and stored messages."""
    found = {}
    released = (each for each in built if not load_release(each.release).proposed)
    for (release, message), them in groupby(released, key=lambda each: each[:2]):
        versions = [each.version for each in them]
        for section, around in AROUND.items():
            groups = [group for version in versions if (group := around.group(release, message, version)) is not None]
            if groups:
                found[Home(release, section, message).path] = _document(release, message, groups, around.kind)
    return found


class Around(NamedTuple):
    """Something that stands around messages."""

    kind: str
    kinds: frozenset[str]
    """Of the messages that it stands around."""
    group: Callable[[str, str, int], Json | None]


AROUND = {
    "frames": Around(FRAME, frozenset(("request", "response")), frame_group),
    "stored": Around(STORED, frozenset(STORED_FORMS), stored_group),
}
"""By folder."""


@cache
def _primitives() -> dict[str, Json]:
    groups = {name: [primitive_group(name)] for name in primitives()}
    return {
        f"primitives/{name}.json": {
            "format": FORMAT,
            "message": name,
            "kind": PRIMITIVE,
            "count": _count(group),
            "groups": group,
        }
        for name, group in groups.items()
    }


@cache
def _registries() -> dict[str, Json]:
    """What has no vectors: header versions, flags, reasons, schemas."""
    return {
        **{f"{release}/headers/versions.json": _header_versions(release) for release in releases()},
        "flags.json": {"format": FORMAT, "categories": CATEGORIES, "flags": dict(_flags())},
        "reasons.json": {"format": FORMAT, "reasons": {str(reason): REASONS[reason] for reason in Reason}},
        **{f"schema/{name}.json": schema for name, schema in schemas().items()},
    }


def _header_versions(release: str) -> Json:
    return {"format": FORMAT, "kind": HEADER_VERSIONS, "release": release, "apis": header_versions(release)}


def _flags() -> Iterator[tuple[str, Json]]:
    for name, flag in flags().items():
        about = {"category": flag.category, "level": flag.level, "about": flag.about, "effect": flag.effect}
        yield name, {**about, "rules": list(flag.rules)}


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
}
