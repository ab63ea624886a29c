"""An adapter in the suite's own form, with every function of the contract or None.

The names of these functions, and their arguments, are read from the protocols of the contract.
"""

from __future__ import annotations

from dataclasses import dataclass
from inspect import Parameter, isfunction, signature
from typing import TYPE_CHECKING, Any

from conformance.adapter import (
    DIRECTIONS,
    Adapter,
    Declares,
    Decodes,
    Encodes,
    Frames,
    KnowsRecords,
    Primitives,
    Rejects,
    Sizes,
    StoresPrefixed,
    StoresRecords,
)
from conformance.codec.declared_limits import UNLIMITED, DeclaredLimits
from conformance.codec.hidden import NOTHING_HIDDEN, HiddenFields
from conformance.codec.record_claims import EVERY_RECORD, RecordsClaims

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from conformance.adapter import Decoded, Direction, Value
    from reference import MessageSchema, Release

STDIO = "stdio:"
"""The prefix of an `--impl` for a program: `stdio:COMMAND ARGS`."""


def is_over_stdio(spec: str) -> bool:
    """Return whether `--impl` names a program with the bridge protocol over standard input and output."""
    return spec.startswith(STDIO)


@dataclass(frozen=True)
class LoadedAdapter:
    """An adapter after it was found, checked and brought into one form."""

    spec: str
    """The value of `--impl`, by which another process loads the adapter again."""
    name: str
    version: str
    supported: Mapping[Direction, Mapping[str, frozenset[int]]]
    encode: Callable[[MessageSchema, Value], bytes] | None = None
    decode: Callable[[MessageSchema, bytes], Decoded] | None = None
    """The adapter's own, except that it always returns `Decoded`."""
    size: Callable[[MessageSchema, Value], int] | None = None
    classify: Callable[[Exception], str | None] | None = None
    header_version: Callable[[int, int, str], int] | None = None
    encode_frame: Callable[..., bytes] | None = None
    decode_frame: Callable[..., Any] | None = None
    encode_prefixed: Callable[[MessageSchema, Value], bytes] | None = None
    decode_prefixed: Callable[[Release, str, bytes], Any] | None = None
    encode_record: Callable[[MessageSchema, Value], bytes] | None = None
    decode_record: Callable[[Release, str, bytes], Any] | None = None
    encode_primitive: Callable[[str, Any], bytes] | None = None
    decode_primitive: Callable[[str, bytes], Any] | None = None
    encode_records: Callable[[Value], bytes] | None = None
    decode_records: Callable[[bytes], Any] | None = None
    records: RecordsClaims = EVERY_RECORD
    hidden: HiddenFields = NOTHING_HIDDEN
    limits: DeclaredLimits = UNLIMITED
    describe: Callable[[], Mapping[str, Any]] | None = None
    ask_ahead: Callable[[Sequence[dict[str, Any]]], None] | None = None
    """Sends requests of the bridge protocol many at a time, before they are made; None for Python code."""
    rejections: tuple[type[Exception], ...] = ()
    capabilities: frozenset[str] = frozenset()
    representations: frozenset[str] = frozenset()
    notes: tuple[str, ...] = ()
    module: str = ""
    """The name of its module, if it is Python code."""

    @property
    def is_over_stdio(self) -> bool:
        """Whether it is a program in a process of its own, and not Python code."""
        return is_over_stdio(self.spec)

    def offers(self, direction: Direction, message: str, version: int) -> bool:
        """Whether the implementation offers a message and version in a direction."""
        return version in self.supported[direction].get(message, ())

    def pairs(self) -> frozenset[tuple[str, int]]:
        """Every (message, version) offered in either direction."""
        return frozenset(
            (message, version)
            for direction in DIRECTIONS
            for message, versions in self.supported[direction].items()
            for version in versions
        )


CONTRACT = (
    Adapter,
    Declares,
    Encodes,
    Decodes,
    Sizes,
    Rejects,
    Frames,
    StoresPrefixed,
    StoresRecords,
    Primitives,
    KnowsRecords,
)
"""The protocols of the contract of an adapter."""

PARAMETERS = {
    name: tuple(
        parameter.name
        for parameter in signature(function).parameters.values()
        if parameter.name != "self" and parameter.kind is Parameter.POSITIONAL_OR_KEYWORD
    )
    for protocol in CONTRACT
    for name, function in vars(protocol).items()
    if isfunction(function) and not name.startswith("_")
}
"""The positional arguments of each function of the contract."""

OPTIONAL_FUNCTIONS = tuple(name for name in PARAMETERS if name not in {"supported", *DIRECTIONS})
