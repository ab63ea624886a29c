"""A small tree of vectors that is sound, to be spoiled."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import pytest

from conformance.golden import documents, kernel
from conformance.golden.documents import Built
from conformance.golden.files import write_tree

if TYPE_CHECKING:
    from pathlib import Path

PAIRS = defaultdict(
    tuple,
    {
        "3.9.1": (("ControlledShutdownRequest", 0),),
        "4.3.0": (("ApiVersionsRequest", 3), ("RequestHeader", 2)),
        "kip-893": (("AssignmentExample", 0),),
    },
)
"""And none of the other proposals."""


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tree of four pairs, with all the rest that a tree has."""
    monkeypatch.setattr(documents, "identities", PAIRS.__getitem__)
    write_tree(tmp_path, built())
    return tmp_path


def built() -> list[Built]:
    """The groups of the small tree."""
    pairs = [(release, *pair) for release, them in PAIRS.items() for pair in them]
    return [Built(*pair, kernel.group(*pair)) for pair in pairs]
