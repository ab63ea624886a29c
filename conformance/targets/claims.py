"""The claims of an implementation about itself, with the functions that it offers.

Answers are compared in the parts that an implementation claims to keep.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from conformance.adapter import CAPABILITIES, DIRECTIONS
from conformance.targets.declared_limits import UNLIMITED, DeclaredLimits
from conformance.targets.hidden import NOTHING_HIDDEN, HiddenFields
from conformance.targets.plain_values import without_tags
from conformance.targets.record_claims import EVERY_RECORD, RecordsClaims

if TYPE_CHECKING:
    from collections.abc import Mapping


STDIO = "stdio:"
"""The prefix of an `--impl` for a program: `stdio:COMMAND ARGS`."""


def is_over_stdio(spec: str) -> bool:
    """Return whether `--impl` names a program with the bridge protocol over standard input and output."""
    return spec.startswith(STDIO)


@dataclass(frozen=True)
class Claims:
    """The members of an adapter, or of a harness's reply to `hello`, after they were checked."""

    spec: str
    """The value of `--impl`, by which another process loads the implementation again."""
    name: str
    version: str
    supported: Mapping[str, Mapping[str, frozenset[int]]]
    """The messages with their versions, by direction."""
    functions: frozenset[str] = frozenset()
    """The names of the offered functions of the contract."""
    records: RecordsClaims = EVERY_RECORD
    hidden: HiddenFields = NOTHING_HIDDEN
    limits: DeclaredLimits = UNLIMITED
    rejections: tuple[type[Exception], ...] = ()
    capabilities: frozenset[str] = frozenset()
    representations: frozenset[str] = frozenset()
    notes: tuple[str, ...] = ()
    module: str = ""
    """The name of its module, if it is Python code."""

    @cached_property
    def keeps_unknown_tags(self) -> bool:
        """Whether unknown tagged fields count."""
        return "unknown-tags" in self.capabilities

    @cached_property
    def takes_absent_fields(self) -> bool:
        """Whether fields of other versions count."""
        return "absent-fields" in self.capabilities

    @cached_property
    def takes_partial_values(self) -> bool:
        """Whether it writes values without some fields."""
        return "partial-values" in self.capabilities

    @cached_property
    def is_over_bridge(self) -> bool:
        """Whether it is a program in another process, so that only the JSON form of a value reaches it."""
        return is_over_stdio(self.spec)

    def judged(self, value: Any) -> Any:
        """Return the judged part of a value.

        Unknown tags are judged only under the capability to keep them.
        """
        return value if self.keeps_unknown_tags else without_tags(value)

    def is_own_code(self, module: str) -> bool:
        """Whether a module is the adapter's, and not the codec's."""
        return bool(self.module) and (module == self.module or module.startswith(f"{self.module}."))

    def pairs(self) -> frozenset[tuple[str, int]]:
        """Every (message, version) offered in either direction."""
        return frozenset(
            (message, version)
            for direction in DIRECTIONS
            for message, versions in self.supported[direction].items()
            for version in versions
        )


EVERYTHING = Claims("", "", "", {}, capabilities=CAPABILITIES)
"""The claims of Apache Kafka's own classes, which keep everything."""
