"""The vectors of each release, in the document releases.json.

It lists the files and versions for a codec of each release. Releases share the vectors of a pair equal in both
(`pairs_of`). So a release takes most of its groups from the folder of the base release, and the others from its own.
A few vectors of a shared group have a number with another meaning in the release, such as the type of a newer record.
The document lists the ones with another verdict there, and the release goes without them. The `given` values of a
vector have fields of other versions by the definitions of its folder; another release may lack one of these fields.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from typing import TYPE_CHECKING, Any

from conformance.targets import Body, SchemaTarget, StoredForm
from conformance.vectors.enumeration.enumerate import group_of
from conformance.vectors.enumeration.pairs import releases_with_vectors, sources
from conformance.vectors.enumeration.vector import UNWRITABLE
from conformance.vectors.tree.vector_paths import (
    HEAD,
    OF_NO_RELEASE,
    TAKEN,
    VECTORS,
    WITHOUT,
    VectorGroup,
    file_at,
    files_of,
)
from reference import TAGS, load_release

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from conformance.targets import Target
    from conformance.vectors.enumeration.pairs import Names
    from reference import StructType

Json = dict[str, Any]
RELEASES = "releases.json"


@cache
def releases_document(names: Names = ()) -> Json:
    """Return the document of releases.json, in a tree of those sources.

    It has the vectors taken by each source, and the whole ids of those that it goes without.
    """
    tree = names or sources()
    taken = {release: _taken(release, tree) for release in tree}
    without = {release: sorted(_without(release, files)) for release, files in taken.items()}
    return {**HEAD, WITHOUT: {release: ids for release, ids in without.items() if ids}, TAKEN: taken}


def _taken(release: str, tree: Names) -> dict[str, list[int]]:
    """Return the versions taken of each file by a release, by path."""
    versions: dict[str, list[int]] = defaultdict(list)
    for schema in load_release(release).schemas():
        homes = releases_with_vectors(release, schema.message, schema.version)
        # A tree of a few sources may lack the one with the vectors of this pair.
        home = next((name for name in homes if name in tree), None)
        for file in files_of(home, schema.message) if home else ():
            versions[file.path].append(schema.version)
    return dict(sorted(versions.items()))


def _without(release: str, taken: Mapping[str, Iterable[int]]) -> Iterator[str]:
    """Yield the ids of vectors in shared groups whose bytes have another result in that release."""
    for path, versions in taken.items():
        file = file_at(path)
        for version in versions if file.release != release else ():
            own, other = file._replace(release=release).target(version), file.target(version)
            if _numbers_around(own) != _numbers_around(other):
                group = VectorGroup(file, group_of(file.release, other), release)
                yield from (
                    f"{group.prefix}/{vector['id']}" for vector in group.vectors if _is_judged_otherwise(own, vector)
                )


def _is_judged_otherwise(target: Target, vector: Json) -> bool:
    """Return whether the bytes of a vector have another result, reason or offset for that target."""
    if "wire" not in vector:
        return False
    verdict = target.judge(bytes.fromhex(vector["wire"]))
    reason = verdict.reason and str(verdict.reason)
    is_equal = (str(verdict.result), reason) == (vector["result"], vector.get("reason"))
    return not is_equal or ("offset" in vector and verdict.offset != vector["offset"])


def _numbers_around(target: Target) -> object:
    """Return the numbers of a release that are no part of a version and decide about its bytes.

    They are the tags of other versions, and the types and versions of stored records.
    """
    if isinstance(target, StoredForm):
        types = target.types_of_others if target.source else ()
        return target.release.definition(target.message).valid_versions, types
    if not isinstance(target, SchemaTarget):
        return ()
    structs = (target.schema.struct, *(field.struct for _, field in target.schema.body.within()))
    return tuple(struct.tags_elsewhere for struct in structs if struct is not None)


def groups_of_release(groups: Iterable[VectorGroup], document: Json, release: str) -> Iterator[VectorGroup]:
    """Yield the groups taken by a release according to the document of releases.json, and those of no release."""
    taken = document[TAKEN].get(release, {})
    without = frozenset(document.get(WITHOUT, {}).get(release, ()))
    for group in groups:
        if group.file.folder in OF_NO_RELEASE:
            yield group
        elif group.version in taken.get(group.file.path, ()):
            yield _read_by(group, release, without)


def _read_by(group: VectorGroup, release: str, without: frozenset[str]) -> VectorGroup:
    """Return a group as read by that release, less the vectors with one of these whole ids.

    A vector loses its `given` value if this has a field unknown to the release in all versions. An unwritable vector
    with one is left out.
    """
    vectors = [vector for vector in group.vectors if f"{group.prefix}/{vector['id']}" not in without]
    target = group._replace(release=release).target
    if release != group.file.release and isinstance(target, Body):
        vectors = list(_with_known_fields(target.schema.struct, vectors))
    return group._replace(release=release, content={**group.content, VECTORS: vectors})


def _with_known_fields(struct: StructType, vectors: Iterable[Json]) -> Iterator[Json]:
    for vector in vectors:
        key = "value" if vector["result"] == UNWRITABLE else "given"
        if key not in vector or _has_fields(struct, vector[key]):
            yield vector
        elif key == "given":
            yield {name: part for name, part in vector.items() if name != "given"}


def _has_fields(struct: StructType, form: Json) -> bool:
    """Return whether a struct has the fields of a JSON form, in this version or in others."""
    fields = {field.name: field for field in (*struct.fields, *struct.absent_fields)}
    for name, part in form.items():
        if name not in fields and name != TAGS:
            return False
        inner = fields[name].struct if name in fields else None
        items = part if isinstance(part, list) else [part]
        if inner and not all(_has_fields(inner, item) for item in items if item is not None):
            return False
    return True
