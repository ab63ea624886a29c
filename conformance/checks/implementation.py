"""An adapter, driven: every call gives an outcome, whatever the adapter does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.adapter import Decoded, Direction, Unrepresentable, Unsupported
from conformance.checks.outcomes import Kind, Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from conformance.adapter_loading import LoadedAdapter
    from reference import MessageSchema

UNKNOWN_TAGS = "unknown-tags"
ABSENT_FIELDS = "absent-fields"
MAXIMUM_TEXT = 300


class Implementation:
    """One implementation under test."""

    def __init__(self, adapter: LoadedAdapter) -> None:
        self.adapter = adapter
        self.isolated_decode: Callable[[MessageSchema, bytes], Outcome] | None = None
        """Decodes sound bytes elsewhere, if that is asked for (--isolation always)."""
        self.name = adapter.name
        self.version = adapter.version
        self.keeps_unknown_tags = UNKNOWN_TAGS in adapter.capabilities
        self.takes_absent_fields = ABSENT_FIELDS in adapter.capabilities

    def offers(self, direction: Direction, schema: MessageSchema) -> bool:
        """Whether it says that it has this message and version, in that direction (encode or decode)."""
        return self.adapter.offers(direction, schema.message, schema.version)

    def encode(self, schema: MessageSchema, value: dict[str, Any]) -> Outcome:
        """Have it write `value`; it gets a copy of its own."""
        return self._bytes(self.adapter.encode, "encode", schema, copy_of(value))

    def decode(self, schema: MessageSchema, wire: bytes) -> Outcome:
        """Have it read `wire`, in this process unless it is isolated."""
        if self.isolated_decode is not None:
            return self.isolated_decode(schema, wire)
        if self.adapter.decode is None:
            return Outcome(Kind.UNSUPPORTED, text="decode")
        outcome = self._run(self.adapter.decode, schema, wire)
        if isinstance(outcome, Outcome):
            return outcome
        if not isinstance(outcome.value, dict):
            what = type(outcome.value).__name__
            return Outcome(Kind.PROTOCOL_ERROR, text=f"decode returned {what}, not a dict of fields")
        return Outcome(Kind.VALUE, value=outcome.value, consumed=outcome.consumed)

    def size(self, schema: MessageSchema, value: dict[str, Any]) -> int | Outcome:
        """Ask it for the size of `value`; an outcome if it gives none."""
        if self.adapter.size is None:
            return Outcome(Kind.UNSUPPORTED, text="size")
        outcome = self._run(self.adapter.size, schema, copy_of(value))
        if isinstance(outcome, Outcome) or (isinstance(outcome, int) and not isinstance(outcome, bool)):
            return outcome
        return Outcome(Kind.PROTOCOL_ERROR, text=f"size returned {type(outcome).__name__}, not an int")

    def encode_primitive(self, name: str, value: Any) -> Outcome:
        """Have it write one value of a wire type alone."""
        return self._bytes(self.adapter.encode_primitive, "encode_primitive", name, copy_of(value))

    def decode_primitive(self, name: str, wire: bytes) -> Outcome:
        """Have it read one value of a wire type alone."""
        if self.adapter.decode_primitive is None:
            return Outcome(Kind.UNSUPPORTED, text="decode_primitive")
        outcome = self._run(self.adapter.decode_primitive, name, wire)
        if isinstance(outcome, Outcome):
            return outcome
        if isinstance(outcome, Decoded):
            return Outcome(Kind.VALUE, value=outcome.value, consumed=outcome.consumed)
        return Outcome(Kind.VALUE, value=outcome)

    def header_version(self, api_key: int, api_version: int, direction: str) -> int | Outcome:
        """Ask it which header goes before a message; an outcome if it gives none."""
        if self.adapter.header_version is None:
            return Outcome(Kind.UNSUPPORTED, text="header_version")
        outcome = self._run(self.adapter.header_version, api_key, api_version, direction)
        if isinstance(outcome, Outcome) or (isinstance(outcome, int) and not isinstance(outcome, bool)):
            return outcome
        return Outcome(Kind.PROTOCOL_ERROR, text=f"header_version returned {type(outcome).__name__}, not an int")

    def encode_frame(self, *arguments: Any) -> Outcome:
        """Have it write size, header and body."""
        return self._bytes(self.adapter.encode_frame, "encode_frame", *(copy_of(each) for each in arguments))

    def decode_frame(self, *arguments: Any) -> Outcome:
        """Have it read size, header and body."""
        if self.adapter.decode_frame is None:
            return Outcome(Kind.UNSUPPORTED, text="decode_frame")
        outcome = self._run(self.adapter.decode_frame, *arguments)
        return outcome if isinstance(outcome, Outcome) else Outcome(Kind.VALUE, value=outcome)

    def _bytes(self, function: Callable[..., Any] | None, name: str, *arguments: Any) -> Outcome:
        """Call something that writes."""
        if function is None:
            return Outcome(Kind.UNSUPPORTED, text=name)
        outcome = self._run(function, *arguments)
        if isinstance(outcome, Outcome):
            return outcome
        if isinstance(outcome, bytes | bytearray | memoryview):
            return Outcome(Kind.BYTES, wire=bytes(outcome))
        return Outcome(Kind.PROTOCOL_ERROR, text=f"{name} returned {type(outcome).__name__}, not bytes")

    def _run(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call the adapter; an outcome instead of an exception."""
        try:
            return function(*arguments)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001  # SystemExit and its like must not end the run
            return Outcome(self._kind_of(error), text=describe(error), raised_in=raised_in(error))

    def is_own_code(self, module: str) -> bool:
        """Whether a module is the adapter's, and not the codec's behind it."""
        own = self.adapter.spec.partition(":")[0]
        return bool(own) and (module == own or module.startswith(f"{own}."))

    def _kind_of(self, error: BaseException) -> Kind:
        """What an exception says; the first that fits."""
        kinds: tuple[tuple[type[BaseException] | tuple[type[BaseException], ...], Kind], ...] = (
            (Unsupported, Kind.UNSUPPORTED),
            (Unrepresentable, Kind.UNREPRESENTABLE),
            (MemoryError, Kind.EXHAUSTED_MEMORY),
            (RecursionError, Kind.CRASHED),
            (self.adapter.rejections, Kind.REJECTED),
            (Exception, Kind.UNCLASSIFIED),
        )
        return next((kind for classes, kind in kinds if isinstance(error, classes)), Kind.CRASHED)


def describe(error: BaseException) -> str:
    """An exception in one line, even one that cannot say what it is."""
    try:
        text = " ".join(str(error).split())
    except Exception as broken:  # noqa: BLE001  # whatever a foreign __str__ raises
        text = f"(its text raises {type(broken).__name__})"
    return f"{type(error).__name__}: {text}"[:MAXIMUM_TEXT] if text else type(error).__name__


def raised_in(error: BaseException) -> str:
    """The name of the module whose code raised an exception."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return "" if trace is None else str(trace.tb_frame.f_globals.get("__name__", ""))


def copy_of(value: Any) -> Any:
    """A copy of a value, dicts and lists anew, so that an adapter may do to it what it likes."""
    if isinstance(value, dict):
        return {key: copy_of(item) for key, item in value.items()}
    return [copy_of(item) for item in value] if isinstance(value, list) else value


def offered(implementation: Implementation, schemas: Iterable[MessageSchema]) -> list[MessageSchema]:
    """Those schemas that the implementation has, in at least one direction."""
    return [
        schema
        for schema in schemas
        if implementation.offers("encode", schema) or implementation.offers("decode", schema)
    ]
