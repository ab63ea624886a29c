"""How xdist spreads the suite's tests over its workers: all tests of a (message, version) pair go to one of them.

A codec loads the classes of a message when it first meets it, in the worker and in the child that decodes there. With
pytest-xdist's own scheduling every worker meets nearly every pair.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from xdist.scheduler import LoadScopeScheduling

if TYPE_CHECKING:
    import pytest


class PairScheduling(LoadScopeScheduling):  # type: ignore[misc]  # xdist is not typed
    """Schedules the tests of a pair as one unit of work, in the order of collection: found cases come first."""

    def __init__(self, config: pytest.Config, log: Any) -> None:
        super().__init__(config, log)
        config.option.loadscopereorder = False

    def _split_scope(self, nodeid: str) -> str:  # the hook that xdist documents for subclasses
        return unit_of(nodeid)


def unit_of(nodeid: str) -> str:
    """Return the pair that a test is about: what stands in brackets; for a test without them, its id."""
    return nodeid.rpartition("[")[2].removesuffix("]")
