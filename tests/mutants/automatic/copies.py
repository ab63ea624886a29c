"""A copy of the reference with one file changed, as an adapter; the reference itself stays as it is and judges.

Only what encodes and decodes is copied. Definitions, schemas, releases and errors are the reference's own, so that both
understand the same objects.
"""

from __future__ import annotations

import builtins
from dataclasses import replace
from functools import cache
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING, Any

from conformance.bridge.loading import load_adapter
from conformance.implementation.driver import Implementation

if TYPE_CHECKING:
    from types import CodeType

    from tests.mutants.automatic.mutations import Mutant

ADAPTER = "conformance.adapters.reference"
COPIED = frozenset(
    (
        *(ADAPTER, "reference", "reference.codec", "reference.frames", "reference.headers", "reference.layouts"),
        *("reference.prefixed", "reference.primitives", "reference.protocols", "reference.vocabulary"),
        "reference.values.defaults",
    )
)
"""And all modules of `reference.wire`."""
FUNCTIONS = (
    *("encode", "decode", "size", "encode_prefixed", "encode_record"),
    *("decode_prefixed", "decode_record", "header_version", "encode_frame", "decode_frame"),
    *("encode_primitive", "decode_primitive"),
)


def implementation_of(mutant: Mutant | None) -> Implementation:
    """Return the adapter of the reference over a copy; None: a copy in which nothing is changed.

    Raises:
        Exception: the changed file cannot be imported.
    """
    module: Any = _Copy(mutant).load(ADAPTER)
    functions = {name: getattr(module, name) for name in FUNCTIONS}
    return Implementation(replace(_adapter(), rejections=module.rejections, **functions))


@cache
def _adapter() -> Any:
    return load_adapter(ADAPTER)


class _Copy:
    """The modules of one copy, which import each other, and all others as everybody does."""

    def __init__(self, mutant: Mutant | None) -> None:
        self.mutant = mutant
        self.modules: dict[str, ModuleType] = {}
        self.builtins = {**vars(builtins), "__import__": self._import}

    def load(self, name: str) -> ModuleType:
        """Return a module of the copy."""
        if name not in self.modules:
            module = self.modules[name] = ModuleType(name)
            vars(module)["__builtins__"] = self.builtins
            exec(self._code(name), vars(module))  # noqa: S102  # what an import does
        return self.modules[name]

    def _code(self, name: str) -> CodeType:
        mutant = self.mutant
        if mutant is not None and mutant.module == name:
            return compile(mutant.text, mutant.file, "exec")
        return _code(name)

    def _import(self, name: str, *arguments: Any) -> Any:
        if name in COPIED or name.startswith("reference.wire."):
            return self.load(name)
        return __import__(name, *arguments)


@cache
def _code(name: str) -> CodeType:
    spec: Any = find_spec(name)
    code: CodeType = spec.loader.get_code(name)
    return code
