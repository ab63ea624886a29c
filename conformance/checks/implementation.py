"""An adapter, driven: every call gives an outcome, whatever the adapter does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.adapter import AdapterError, Decoded, Direction, Unrepresentable, Unsupported
from conformance.checks.outcomes import Answered, Kind, Outcome
from conformance.foreign import PLAIN, NotPlain, describe, plain, short_repr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from conformance.adapter_loading import LoadedAdapter
    from reference import MessageSchema

UNKNOWN_TAGS = "unknown-tags"
ABSENT_FIELDS = "absent-fields"


class FrameRead(NamedTuple):
    """What an adapter read from a frame."""

    correlation_id: Any
    client_id: Any
    value: Any


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
        outcome = self._read("decode", self.adapter.decode, schema, wire)
        if outcome.kind is Kind.VALUE and not isinstance(outcome.value, dict):
            what = type(outcome.value).__name__
            return Outcome(Kind.PROTOCOL_ERROR, text=f"decode returned {what}, not a dict of fields")
        return outcome

    def size(self, schema: MessageSchema, value: dict[str, Any]) -> int | Outcome:
        """Ask it for the size of `value`; an outcome if it gives none."""
        return self._number("size", self.adapter.size, schema, copy_of(value))

    def encode_primitive(self, name: str, value: Any) -> Outcome:
        """Have it write one value of a wire type alone."""
        return self._bytes(self.adapter.encode_primitive, "encode_primitive", name, copy_of(value))

    def decode_primitive(self, name: str, wire: bytes) -> Outcome:
        """Have it read one value of a wire type alone."""
        if self.adapter.decode_primitive is None:
            return Outcome(Kind.UNSUPPORTED, text="decode_primitive")
        return self._read("decode_primitive", self.adapter.decode_primitive, name, wire)

    def header_version(self, api_key: int, api_version: int, direction: str) -> int | Outcome:
        """Ask it which header goes before a message; an outcome if it gives none."""
        return self._number("header_version", self.adapter.header_version, api_key, api_version, direction)

    def encode_frame(self, *arguments: Any) -> Outcome:
        """Have it write size, header and body."""
        return self._bytes(self.adapter.encode_frame, "encode_frame", *(copy_of(each) for each in arguments))

    def decode_frame(self, *arguments: Any) -> Outcome:
        """Have it read size, header and body."""
        if self.adapter.decode_frame is None:
            return Outcome(Kind.UNSUPPORTED, text="decode_frame")
        outcome = self._run(self.adapter.decode_frame, *arguments)
        if isinstance(outcome, Outcome):
            return outcome
        try:
            parts = [plain(getattr(outcome, name, None)) for name in FrameRead._fields]
        except (NotPlain, Exception) as error:  # noqa: BLE001  # an attribute may be foreign code
            return _not_plain("decode_frame", error)
        return Outcome(Kind.VALUE, value=FrameRead(*parts))

    def _read(self, name: str, function: Callable[..., Any], target: Any, wire: bytes) -> Outcome:
        """Call something that reads: a plain value, and a count that is one."""
        given = bytes(bytearray(wire))
        returned = self._run(function, target, given)
        if given != wire:
            return Outcome(Kind.PROTOCOL_ERROR, text=f"{name} changed the bytes that it was handed")
        if isinstance(returned, Outcome):
            return returned
        read = returned if isinstance(returned, Decoded) else Decoded(returned)
        consumed = read.consumed
        if consumed is not None and (type(consumed) is not int or consumed < 0):
            text = f"{name} returned Decoded(consumed={short_repr(consumed)}), not a number of bytes or None"
            return Outcome(Kind.PROTOCOL_ERROR, text=text)
        try:
            return Outcome(Kind.VALUE, value=plain(read.value), consumed=consumed)
        except NotPlain as error:
            return _not_plain(name, error)

    def _number(self, name: str, function: Callable[..., Any] | None, *arguments: Any) -> int | Outcome:
        """Call something that gives a number."""
        if function is None:
            return Outcome(Kind.UNSUPPORTED, text=name)
        returned = self._run(function, *arguments)
        if isinstance(returned, Outcome):
            return returned
        if isinstance(returned, int) and not isinstance(returned, bool):
            return int.__int__(returned)
        return Outcome(Kind.PROTOCOL_ERROR, text=f"{name} returned {type(returned).__name__}, not an int")

    def _bytes(self, function: Callable[..., Any] | None, name: str, *arguments: Any) -> Outcome:
        """Call something that writes."""
        if function is None:
            return Outcome(Kind.UNSUPPORTED, text=name)
        returned = self._run(function, *arguments)
        if isinstance(returned, Outcome):
            return returned
        if isinstance(returned, bytes | bytearray | memoryview):
            return Outcome(Kind.BYTES, wire=memoryview(returned).tobytes())
        return Outcome(Kind.PROTOCOL_ERROR, text=f"{name} returned {type(returned).__name__}, not bytes")

    def _run(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call the adapter; an outcome instead of an exception."""
        try:
            return function(*arguments)
        except (KeyboardInterrupt, AdapterError):
            raise
        except Answered as answer:
            return answer.outcome
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


def _not_plain(name: str, error: Exception) -> Outcome:
    """An answer that cannot be looked at."""
    what = error if isinstance(error, NotPlain) else describe(error)
    return Outcome(Kind.PROTOCOL_ERROR, text=f"{name} returned {what}; {PLAIN}")


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
