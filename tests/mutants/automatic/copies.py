"""A copy of the reference with one file changed, as an adapter.

The reference itself stays unchanged, and judges. Only its encoders and decoders are copied. Definitions, schemas,
releases and errors are the reference's own, so that both understand the same objects.
"""

from __future__ import annotations

import builtins
from dataclasses import replace
from functools import cache
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING, Any

from conformance.adapter import Decoded, StoredMessage
from conformance.codec.python_codec import PythonCodec
from tests.helpers.adapters import load_adapter

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType

    from reference import Release
    from tests.mutants.automatic.mutations import Mutant

ADAPTER = "conformance.adapters.reference"
COPIED = frozenset(
    (
        *(ADAPTER, "reference", "reference.codec", "reference.frames", "reference.headers", "reference.layouts"),
        *("reference.prefixed", "reference.primitives", "reference.protocols", "reference.values.defaults"),
    )
)
"""And all modules of `reference.wire`."""
FUNCTIONS = (
    *("encode", "decode", "size", "encode_prefixed", "encode_record"),
    *("decode_prefixed", "decode_record", "header_version", "encode_frame", "decode_frame"),
    *("encode_primitive", "decode_primitive"),
)


def implementations_of(mutant: Mutant | None) -> tuple[PythonCodec, PythonCodec]:
    """Return two adapters over a copy, the reference's own and a reader as lenient as Apache Kafka.

    Args:
        mutant: the change; None: nothing.

    Raises:
        Exception: the changed file cannot be imported.
    """
    copy = _Copy(mutant)
    module: Any = copy.load(ADAPTER)
    strict = replace(_adapter(), rejections=module.rejections, **{name: getattr(module, name) for name in FUNCTIONS})
    lenient = replace(
        strict,
        supported={**strict.supported, "encode": {}},
        **{**dict.fromkeys(FUNCTIONS), **_lenient(copy.load("reference"))},
    )
    return PythonCodec(strict), PythonCodec(lenient)


def _lenient(reference: Any) -> dict[str, Callable[..., Any]]:
    def decode_record(release: Release, source: str, data: bytes) -> StoredMessage:
        found = reference.decode_record_leniently(release, data, source=source)
        return StoredMessage(found.schema.message, found.schema.version, found.value)

    def decode_primitive(name: str, data: bytes) -> Decoded:
        decoded = reference.primitive(name).decode_leniently(data)
        return Decoded(decoded.value, decoded.consumed)

    return {
        "decode": lambda schema, data: Decoded(*reference.decode_leniently(schema, data)),
        "decode_record": decode_record,
        "decode_primitive": decode_primitive,
    }


@cache
def _adapter() -> Any:
    return load_adapter(ADAPTER)


class _Copy:
    """The modules of one copy, which import each other, and all others as usual."""

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
