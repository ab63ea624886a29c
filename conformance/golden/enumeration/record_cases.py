"""The cases of record batches, file by file: edge values, in every codec too, and bytes that were tampered with.

Vectors are for readers of any language, so no case is longer than `LONGEST`, and none is beyond the bound of
decompression.
"""

from __future__ import annotations

from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.generate.records_edges import CODECS, records_edges
from conformance.golden.enumeration.vector import Case, slug
from reference import encode_records

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from conformance.generate.records_edges import RecordsEdge

MESSAGE_SETS = "message-sets"
LONGEST = 2_000
"""Bytes of a case; in the JSON form its value has several times as many."""


def record_cases(name: str) -> Iterator[Case]:
    """Yield the cases of one of `RECORD_FILES`; no bytes twice.

    Raises:
        KeyError: there is no such file.
        MissingLibrary: a codec needs a library that is not installed.
    """
    seen: set[bytes] = set()
    for case in RECORD_FILES[name]():
        if len(case.wire) <= LONGEST and case.wire not in seen:
            seen.add(case.wire)
            yield case


def _edges() -> Iterator[Case]:
    yield from (_of_edge(edge, "RecordBatch") for edge in records_edges() if edge.group == "batches")


def _message_sets() -> Iterator[Case]:
    yield from (_of_edge(edge, "MessageSet") for edge in records_edges() if edge.group == MESSAGE_SETS)


def _compressed() -> Iterator[Case]:
    """Yield the edges about codecs, and those about batches with their records compressed."""
    for edge in records_edges():
        if edge.group in CODECS:
            yield _of_edge(edge, "CompressedBatch")
    for edge in records_edges():
        if edge.group == "batches" and any(batch["records"] for batch in edge.value["batches"]):
            yield from _in_every_codec(edge)


def _in_every_codec(edge: RecordsEdge) -> Iterator[Case]:
    for codec in CODECS:
        batches = [{**batch, "compression": codec} if batch["records"] else batch for batch in edge.value["batches"]]
        wire = encode_records({"batches": batches}) + edge.value["partial"]
        yield Case(slug(codec, edge.name), wire, ("CompressedBatch",))


def _of_edge(edge: RecordsEdge, flag: str) -> Case:
    return Case(slug(edge.name), edge.wire, (flag,))


RECORD_FILES: dict[str, Callable[[], Iterator[Case]]] = {
    "batches": _edges,
    "compressed": _compressed,
    "message-sets": _message_sets,
}
"""The functions that yield the cases of each file, by its name."""
