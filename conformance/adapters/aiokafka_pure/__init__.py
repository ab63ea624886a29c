"""The record batches of aiokafka in pure Python: what it runs where its C extension is not built.

`--impl=conformance.adapters.aiokafka_pure`. aiokafka chooses when it is imported, by AIOKAFKA_NO_EXTENSIONS; so a
second copy of it is imported here, and that of the process stays as it is. Messages are the same in both, and are left
to `conformance.adapters.aiokafka`.
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from importlib import import_module
from importlib.metadata import version as version_of
from typing import TYPE_CHECKING, Any

from conformance.adapters._records import RecordClasses, installed

if TYPE_CHECKING:
    from collections.abc import Iterator

SWITCH = "AIOKAFKA_NO_EXTENSIONS"


@contextmanager
def _pure_copy() -> Iterator[None]:
    """Within, aiokafka is imported anew, in pure Python; afterwards nobody else finds that copy."""
    loaded, switch = _taken(), os.environ.get(SWITCH, "")
    os.environ[SWITCH] = "1"
    try:
        yield
    finally:
        _taken()
        sys.modules.update(loaded)
        os.environ[SWITCH] = switch  # an empty one is as none


def _taken() -> dict[str, Any]:
    """Take aiokafka's modules out of those that are loaded."""
    names = [name for name in sys.modules if name.partition(".")[0] == "aiokafka"]
    return {name: sys.modules.pop(name) for name in names}


with _pure_copy():
    codec, errors = import_module("aiokafka.codec"), import_module("aiokafka.errors")
    default_records = import_module("aiokafka.record.default_records")
    legacy_records = import_module("aiokafka.record.legacy_records")
    memory_records = import_module("aiokafka.record.memory_records")

CLASSES = RecordClasses(
    memory_records=memory_records.MemoryRecords,
    message=legacy_records.LegacyRecordBatch,
    batch_builder=default_records.DefaultRecordBatchBuilder,
    message_builder=legacy_records.LegacyRecordBatchBuilder,
    corrupt=errors.CorruptRecordException,
    unsupported_codec=errors.UnsupportedCodecError,
    codecs=installed(codec),
    no_records=0,
)

name = "aiokafka (pure Python)"
version = version_of("aiokafka")
rejections = (errors.CorruptRecordException, errors.UnsupportedCodecError)
encode_records = CLASSES.encode_records
decode_records = CLASSES.decode_records
records = CLASSES.words(**{"partial-tail": "dropped", "hidden": ["attributes", "partitionLeaderEpoch"]})
"""As those of the C extension."""
