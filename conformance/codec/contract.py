"""The functions of the contract and their arguments, read from its protocols."""

from __future__ import annotations

from inspect import Parameter, isfunction, signature

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
"""The protocols that together are the contract of an adapter."""

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
