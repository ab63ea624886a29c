"""A codec that does what the second draft of KIP-482 leaves open: it has no limit of strings."""

from io import BytesIO
from typing import Any

from reference import FieldSchema
from reference.paths import Path
from reference.proposals import kip482_second_draft as second
from reference.wire.base import WireType
from reference.wire.lengths import length_of
from reference.wire.text import MAXIMUM_STRING_BYTES, utf8
from tests.mutants.dialects import DialectMutant


class _NoLimit(second.LongString):
    """A string of any length."""

    def write_to(self, obj: Any, stream: BytesIO, path: Path = "") -> None:
        data = utf8(obj, path) if isinstance(obj, str) else b""
        if len(data) <= MAXIMUM_STRING_BYTES:
            super().write_to(obj, stream, path)
            return
        self.length.write_to(len(data), stream, path)
        stream.write(data)


class NoLimit(second.SecondDraft):
    """Compact strings have no limit."""

    def string(self, field: FieldSchema) -> WireType:
        if not field.compact:
            return super().string(field)
        return _NoLimit(length_of("string", compact=True, nullable=field.nullable))


LENIENT = DialectMutant(
    "long-strings-written",
    second.LongString.limit_rule,
    "EverythingData-v2",
    writes=NoLimit(),
    reads=NoLimit(),
    release=second.NAME,
)
