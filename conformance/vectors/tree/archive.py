"""Archives of vectors, one file for a codec of one release.

The same vectors give the same bytes with the same zlib: entries are sorted, and have neither times nor owners. An
unpacked archive is a tree as well, with an index and releases.json of its own.
"""

from __future__ import annotations

import hashlib
import tarfile
from collections import defaultdict
from gzip import GzipFile
from io import BytesIO
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.system.file_kinds import ARCHIVE, HASH
from conformance.system.folders import made_folder
from conformance.system.whole_files import write_together
from conformance.vectors.tree.documents import IDS, INDEX, RETIRED, count_of, index_of
from conformance.vectors.tree.releases import RELEASES, groups_of_release
from conformance.vectors.tree.vector_paths import GROUPS, TAKEN, WITHOUT, committed_vectors, groups_of, text_of
from reference.errors import ConformanceError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

Json = dict[str, Any]
README = "README.md"
FOR_BUILDERS = {name for history in (IDS, RETIRED) for name in (history, f"schema/{history}")}
"""The history of ids, for builds and checks only."""


class NoVectors(ConformanceError):
    """A tree without vectors of a release."""


class Archive(NamedTuple):
    """A written archive."""

    path: Path
    vectors: int
    size: int
    """In bytes."""


def write_archive(documents: Mapping[str, Json], release: str, folder: Path) -> Archive:
    """Write the archive of one release of a tree into a folder, and its SHA-256 beside it.

    The SHA-256 has the form of `sha256sum -c`.

    Raises:
        NoVectors: the tree has none of that release.
        NotWritten: the folder is not writable, or has another file of such a name; an older archive is as it was.
    """
    own = archived(documents, release)
    texts = {path: text_of(document) for path, document in own.items()}
    index = index_of(texts, own, (release,))
    readme = (committed_vectors() / README).read_text(encoding="utf-8")
    name = f"vectors-{release}"
    data = packed(name, {**texts, INDEX: text_of(index), README: readme})
    path = folder / f"{name}.tar.gz"
    line = f"{hashlib.sha256(data).hexdigest()}  {path.name}\n"
    with made_folder(folder):
        write_together({path: (data, ARCHIVE), folder / f"{path.name}.sha256": (line.encode(), HASH)})
    return Archive(path, index["counts"]["vectors"], len(data))


def archived(documents: Mapping[str, Json], release: str) -> dict[str, Json]:
    """Return the documents of an archive without its index, by path.

    Files of vectors have the groups of the release only.

    Raises:
        NoVectors: the tree has none of that release.
    """
    releases = documents[RELEASES]
    if not releases[TAKEN].get(release):
        raise NoVectors(f"{RELEASES} names no file of {release}: build them with `kafka-conformance vectors build`")
    groups: dict[str, list[Json]] = defaultdict(list)
    for group in groups_of_release(groups_of(documents), releases, release):
        groups[group.file.path].append(group.content)
    files = {path: {**documents[path], "count": count_of(own), GROUPS: own} for path, own in groups.items()}
    shared = {**releases, WITHOUT: {}, TAKEN: {release: releases[TAKEN][release]}}
    others = {  # without the headers of other releases
        path: document
        for path, document in documents.items()
        if GROUPS not in document and path not in FOR_BUILDERS and document.get("release", release) == release
    }
    return files | others | {RELEASES: shared}


def packed(name: str, texts: Mapping[str, str]) -> bytes:
    """Return a compressed tar archive of these texts, by path, in a folder of that name."""
    buffer = BytesIO()
    with (  # by the class, since the function has other header bytes in other versions of Python
        GzipFile(filename="", fileobj=buffer, mode="wb", mtime=0) as compressed,
        tarfile.open(fileobj=compressed, mode="w", format=tarfile.USTAR_FORMAT) as archive,
    ):
        for path, text in sorted(texts.items()):
            data = text.encode()
            entry = tarfile.TarInfo(f"{name}/{path}")
            entry.size = len(data)
            archive.addfile(entry, BytesIO(data))
    return buffer.getvalue()
