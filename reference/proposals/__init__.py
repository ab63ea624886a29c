"""Proposed protocols that never shipped, as their differences from the released one.

A proposal is a *dialect*: a loader of definitions (a subclass of `reference.definitions.parse.Loader`) and a protocol
(a subclass of `reference.wire.message.Protocol`). The rest is as released. The definitions of a dialect are in
`specs/proposals/<dialect>`.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from reference.proposals.kip482_first_draft import FIRST_DRAFT
from reference.proposals.kip482_second_draft import SECOND_DRAFT
from reference.proposals.kip625 import KIP_625

if TYPE_CHECKING:
    from collections.abc import Mapping

    from reference.proposals.dialect import Dialect

_ALL: tuple[Dialect, ...] = (FIRST_DRAFT, SECOND_DRAFT, KIP_625)

PROPOSALS: Mapping[str, Dialect] = MappingProxyType({dialect.name: dialect for dialect in _ALL})
