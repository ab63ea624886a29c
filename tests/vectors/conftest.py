from collections import defaultdict
from pathlib import Path

import pytest

from conformance.vectors.enumeration import enumerate as enumeration
from conformance.vectors.enumeration.enumerate import Built
from conformance.vectors.tree import documents
from conformance.vectors.tree import vector_paths as paths
from conformance.vectors.tree.vector_files import write_tree

PAIRS = defaultdict(
    tuple,
    {
        "3.9.1": (("ControlledShutdownRequest", 0),),
        "4.3.0": (("ApiVersionsRequest", 3), ("RequestHeader", 2), ("HeartbeatResponse", 4)),
        "kip-893": (("AssignmentExample", 0),),
    },
)
"""The pairs of the small tree, by release; none of the other proposals."""

WIRE_TYPES, RECORD_CASES = ("tag-section", "unsigned-varint"), ("message-sets",)
"""Its files about no message. Those of all wire types and record batches would take ten times as long to check."""


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    only_some_files(monkeypatch)
    write_tree(tmp_path, built())
    return tmp_path


def only_some_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a whole tree be the small one."""
    wire_types = [each for each in paths.primitive_files() if each.message in WIRE_TYPES]
    record_cases = [each for each in paths.record_files() if each.message in RECORD_CASES]
    for module in (documents, paths):
        monkeypatch.setattr(module, "pairs_of", PAIRS.__getitem__)
        monkeypatch.setattr(module, "primitive_files", lambda: wire_types)
        monkeypatch.setattr(module, "record_files", lambda: record_cases)


def built() -> list[Built]:
    return [enumeration.built((release, *pair)) for release, pairs in PAIRS.items() for pair in pairs]
