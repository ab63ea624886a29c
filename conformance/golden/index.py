"""index.json: which files there are, what they hash to, and what is in them."""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import TYPE_CHECKING, Any

from conformance.__about__ import __version__
from conformance.golden.text import FORMAT, GROUPS, VECTORS
from reference import Result, newest_release, proposals, releases

if TYPE_CHECKING:
    from collections.abc import Mapping

INDEX = "index.json"


def index_of(texts: Mapping[str, str], documents: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    """The index of a tree.

    Args:
        texts: every other file's text, by its path.
        documents: the same as documents.
    """
    hashes = {path: hashlib.sha256(text.encode()).hexdigest() for path, text in sorted(texts.items())}
    return {
        "format": FORMAT,
        "suite": __version__,
        "release": newest_release(),
        "releases": list(releases()),
        "proposals": list(proposals()),
        "counts": _counts(documents),
        "root": root_of(hashes),
        "files": hashes,
    }


def root_of(hashes: Mapping[str, str]) -> str:
    """One hash of all files: the SHA-256 of a line for each, its hash, two blanks and its path, sorted by path."""
    lines = "".join(f"{digest}  {path}\n" for path, digest in sorted(hashes.items()))
    return hashlib.sha256(lines.encode()).hexdigest()


def _counts(documents: Mapping[str, dict[str, Any]]) -> dict[str, int]:
    found = Counter(
        vector["result"]
        for document in documents.values()
        for group in document.get(GROUPS, ())
        for vector in group[VECTORS]
    )
    return {"vectors": found.total(), **{str(result): found[str(result)] for result in Result}}
