"""The record batches of aiokafka in pure Python, as it runs without its C extension.

`--impl=conformance.adapters.aiokafka_pure`. aiokafka chooses at its import, by AIOKAFKA_NO_EXTENSIONS. So a second copy
of it is imported here, and that of the process stays unchanged. Messages are the same in both, and are left to
`conformance.adapters.aiokafka`.
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
    """Import aiokafka anew, in pure Python, within the context, and afterwards out of reach of other modules."""
    loaded, switch = _taken(), os.environ.get(SWITCH, "")
    os.environ[SWITCH] = "1"
    try:
        yield
    finally:
        _taken()
        sys.modules.update(loaded)
        os.environ[SWITCH] = switch  # aiokafka takes an empty one for unset


def _taken() -> dict[str, Any]:
    """Remove aiokafka's modules from the loaded ones, and return them."""
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
"""The same as for the C extension."""
