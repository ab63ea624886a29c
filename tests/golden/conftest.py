from collections import defaultdict
from pathlib import Path

import pytest

from conformance.golden.enumeration import enumerate as enumeration
from conformance.golden.enumeration.enumerate import Built
from conformance.golden.tree import documents, paths
from conformance.golden.tree.files import write_tree

PAIRS = defaultdict(
    tuple,
    {
        "3.9.1": (("ControlledShutdownRequest", 0),),
        "4.3.0": (("ApiVersionsRequest", 3), ("RequestHeader", 2)),
        "kip-893": (("AssignmentExample", 0),),
    },
)
"""The pairs of the small tree, by release; none of the other proposals."""


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    only_some_pairs(monkeypatch)
    write_tree(tmp_path, built())
    return tmp_path


def only_some_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (documents, paths):
        monkeypatch.setattr(module, "pairs_of", PAIRS.__getitem__)


def built() -> list[Built]:
    return [enumeration.built((release, *pair)) for release, pairs in PAIRS.items() for pair in pairs]
