"""Corpora of rows, small enough to be built in the process of a test."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from conformance.campaign.pipeline.corpus import build
from conformance.campaign.pipeline.corpus_plan import CorpusPlan
from conformance.campaign.pipeline.engines import Engine
from conformance.campaign.pipeline.storage import Storage
from tests.helpers.engines import HERE
from tests.helpers.releases import BASE

TINY = CorpusPlan(BASE, 300, "1")
"""One part."""


def built(
    plan: CorpusPlan, folder: Path, engine: Engine = HERE, shown: Callable[[int], object] = lambda _: None
) -> dict[str, Any]:
    """Build a corpus in this process, and return its manifest."""
    return build(engine, plan, Storage(str(folder)), shown)
