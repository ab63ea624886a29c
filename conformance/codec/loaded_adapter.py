"""A Python adapter in the suite's own form, with every function of the contract's protocols or None."""

from __future__ import annotations

from dataclasses import dataclass
from inspect import Parameter, isfunction, signature
from typing import TYPE_CHECKING, Any

from conformance import adapter
from conformance.adapter import DIRECTIONS
from conformance.targets.claims import Claims

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from conformance.adapter import Decoded, Value
    from reference import MessageSchema, Release


@dataclass(frozen=True)
class LoadedAdapter(Claims):
    """The claims of an adapter with its functions, after it was found and checked."""

    encode: Callable[[MessageSchema, Value], bytes] | None = None
    decode: Callable[[MessageSchema, bytes], Value | Decoded] | None = None
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
    describe: Callable[[], Mapping[str, Any]] | None = None

    def __post_init__(self) -> None:
        offered = frozenset(name for name in FUNCTIONS if getattr(self, name) is not None)
        object.__setattr__(self, "functions", offered)  # the dataclass is frozen


PARAMETERS = {
    name: tuple(
        parameter.name
        for parameter in signature(function).parameters.values()
        if parameter.name != "self" and parameter.kind is Parameter.POSITIONAL_OR_KEYWORD
    )
    for protocol in vars(adapter).values()
    if getattr(protocol, "_is_protocol", False)
    for name, function in vars(protocol).items()
    if isfunction(function) and not name.startswith("_")
}
"""The positional arguments of each function of the contract."""

FUNCTIONS = (*DIRECTIONS, *(name for name in PARAMETERS if name not in {"supported", *DIRECTIONS}))
"""The functions of an adapter, but for `supported`."""
