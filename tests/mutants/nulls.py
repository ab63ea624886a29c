"""Null strings, bytes and arrays, written or read wrong."""

from dataclasses import replace
from typing import Any

from reference import FieldSchema, Malformed
from reference.paths import Path
from reference.wire.base import WireType
from reference.wire.message import RELEASED
from reference.wire.stream import Reader
from tests.mutants.mutant import Converted, Lie, Lying, Mutant, read_as, same


def _empty_for_compact_null(field: FieldSchema, array: WireType) -> WireType:
    return Converted(array, lambda value: [] if value is None else value, same) if field.compact else array


def _empty_for_legacy_null(field: FieldSchema, blob: WireType) -> WireType:
    return blob if field.compact else Converted(blob, lambda value: b"" if value is None else value, same)


def _null_for_empty(field: FieldSchema, string: WireType) -> WireType:
    return Converted(string, same, lambda value: value or None) if field.nullable else string


NULL_ANYWHERE = Lying(
    string=lambda field, _: RELEASED.string(replace(field, nullable=True)),
    array=lambda field, array: RELEASED.array(replace(field, nullable=True), array.element),
)


class _OrNull(Lie):
    """Null is read, whatever the version; other negative lengths are not."""

    def read(self, stream: Reader, path: Path = "") -> Any:
        try:
            return super().read(stream, path)
        except Malformed as error:
            if error.rule != "null.not-allowed":
                raise
        return None


MUTANTS = (
    Mutant(
        "compact-null-array-written-as-empty",
        "null.compact",
        "MetadataRequest-v9..10",
        writes=Lying(array=_empty_for_compact_null),
    ),
    Mutant(
        "null-array-read-as-empty",
        "null.compact",
        "MetadataRequest-v9",
        reads=Lying(array=read_as(lambda value: value or [])),
    ),
    Mutant("empty-string-read-as-null", "string.empty", "JoinGroupRequest-v5", reads=Lying(string=_null_for_empty)),
    Mutant(
        "null-bytes-as-length-zero",
        "null.legacy",
        "JoinGroupRequest-v5,FetchResponse-v11,ConsumerProtocolSubscription-v1",
        writes=Lying(blob=_empty_for_legacy_null),
    ),
    Mutant(
        "null-read-where-not-allowed",
        "null.not-allowed",
        "MetadataResponse-v9,FindCoordinatorRequest-v2",
        reads=Lying(string=_OrNull.of, array=_OrNull.of),
    ),
    Mutant(
        "null-written-where-not-allowed",
        "null.not-written",
        "MetadataResponse-v9,FindCoordinatorRequest-v2",
        writes=NULL_ANYWHERE,
    ),
)
