"""The cases from examples of the book, with bytes of its tables, and values refused according to it."""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any

from conformance.definitions.book import TableRow, bytes_of, chapters, form_of, named_in, value_of
from conformance.definitions.catalogue import ENCODE, UNSPECIFIED, catalogue
from conformance.targets import StoredForm, WholeFrame, WireTypeTarget
from conformance.vectors.enumeration.pairs import base_release, releases_with_vectors
from conformance.vectors.enumeration.vector import UnwritableCase, VectorBytes, slug
from reference import Result, newest_release, primitives
from reference.primitives import VALUE
from reference.release import UnknownMessage

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.targets import Target
    from conformance.vectors.enumeration.vector import AnyCase

DIGITS = 8
FLAG = "BookExample"
BYTES = ("bytes", "valid bytes", "invalid bytes", "unspecified bytes")
"""Columns with the bytes of an example."""
REFUSED = "refused value"
Key = tuple[str, str, str, int]


def book_cases(release: str, target: Target) -> Iterator[AnyCase]:
    """Yield the examples about a target."""
    around = "frame of" if isinstance(target, WholeFrame) else "stored" if isinstance(target, StoredForm) else ""
    for row in _rows().get((release, around, target.message, target.version), ()):
        if REFUSED in row.columns:
            yield from _refused(target, row)
        for wire in (bytes_of(row[column]) for column in BYTES if column in row.columns):
            # Unspecified frames and stored forms have no vectors.
            if not around or target.judge(wire).result is not Result.UNSPECIFIED:
                yield VectorBytes(_id(row, wire), wire, (FLAG,))


def _refused(target: Any, row: TableRow) -> Iterator[UnwritableCase]:
    if catalogue()[row["rule"]].level_of(ENCODE) == UNSPECIFIED:
        return
    form = form_of(row[REFUSED])
    if not isinstance(target, WireTypeTarget):
        value = value_of(target.schema, form)
    elif target.primitive.schema is not None:
        value = value_of(target.primitive.schema, {VALUE: form})[VALUE]
    else:
        value = target.from_json(str(form) if target.primitive.decimal else form)
    yield UnwritableCase(_id(row, json.dumps(form).encode()), value, (FLAG,))


def _id(row: TableRow, content: bytes) -> str:
    return slug("book", row.statement, hashlib.sha256(content).hexdigest()[:DIGITS])


@cache
def _rows() -> dict[Key, list[TableRow]]:
    """Return the rows of examples by release, surrounding form, message and version of their target."""
    found: dict[Key, list[TableRow]] = {}
    for row in (row for chapter in chapters() for row in chapter.rows if row.columns[0] == "type"):
        key = _key(row["type"])
        if key is not None:
            found.setdefault(key, []).append(row)
    return found


def _key(cell: str) -> Key | None:
    """Return the key of a cell of the column `type`, or None for records, and for messages of the chapter's own."""
    named = named_in(cell)
    if named is None:
        return (base_release(), "", cell, 0) if cell in primitives() else None
    for release in (named.release,) if named.release else (base_release(), newest_release()):
        with suppress(UnknownMessage):
            home = next(releases_with_vectors(release, named.message, named.version))
            return home, named.around, named.message, named.version
    return None
