"""Corpora of rows, small enough to be built in the process of a test."""

from collections.abc import Sequence

from conformance.campaign.spark.corpus_parts import build_part
from conformance.campaign.spark.corpus_plan import CorpusPlan
from conformance.campaign.spark.storage import Storage
from tests.helpers.releases import BASE

SMALL = CorpusPlan(BASE, 30_000, "1")
"""Three parts."""

TINY = CorpusPlan(BASE, 300, "1")
"""One part."""


def in_order(parameters: CorpusPlan, folder: Storage, numbers: Sequence[int]) -> None:
    """Build parts one after the other."""
    for number in numbers:
        build_part(parameters, folder, number)
