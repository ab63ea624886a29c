"""An adapter, driven: every call gives an outcome, whatever the adapter does."""

from __future__ import annotations

import sys
from dataclasses import MISSING, Field, fields
from functools import partial
from traceback import walk_tb
from typing import TYPE_CHECKING, Any

from conformance.adapter import (
    AdapterError,
    Decoded,
    Direction,
    FrameContent,
    StoredMessage,
    Unrepresentable,
    Unsupported,
)
from conformance.codec.outcome import REFUSALS, Kind, Outcome, ReportedOutcome
from conformance.codec.plain_values import (
    PLAIN,
    UnsupportedType,
    copy_of,
    describe,
    plain,
    short_repr,
    without_tags,
)
from reference import Reason

if TYPE_CHECKING:
    from collections.abc import Callable

    from conformance.codec.loaded_adapter import LoadedAdapter
    from reference import MessageSchema, Release

OF_MAPPING = "raise Unrepresentable for a value that the codec's types cannot hold"
REASONS = tuple(str(reason) for reason in Reason)


class Implementation:
    """One implementation under test."""

    def __init__(self, adapter: LoadedAdapter) -> None:
        self.adapter = adapter
        self.name = adapter.name
        self.version = adapter.version
        self.keeps_unknown_tags = "unknown-tags" in adapter.capabilities
        self.takes_absent_fields = "absent-fields" in adapter.capabilities
        self.takes_partial_values = "partial-values" in adapter.capabilities
        self.records = adapter.records
        self.hidden = adapter.hidden
        self.limits = adapter.limits
        self._handed_over = _as_it_is if adapter.is_over_stdio else copy_of
        self._taken_back = _as_it_is if adapter.is_over_stdio else plain

    @property
    def is_over_bridge(self) -> bool:
        """Whether it is a program in another process: values reach it in their JSON form alone."""
        return self.adapter.is_over_stdio

    def judged(self, value: Any) -> Any:
        """The part of a value that counts: unknown tags do only if it says that it keeps them."""
        return value if self.keeps_unknown_tags else without_tags(value)

    def offers(self, direction: Direction, schema: MessageSchema) -> bool:
        """Whether it says that it has this message and version, in that direction (encode or decode)."""
        return self.adapter.offers(direction, schema.message, schema.version)

    def encode(self, schema: MessageSchema, value: dict[str, Any]) -> Outcome:
        """Have it write `value`; a Python adapter gets a copy of its own."""
        return self._bytes(self.adapter.encode, "encode", schema, self._handed_over(value))

    def decode(self, schema: MessageSchema, wire: bytes) -> Outcome:
        """Have it read `wire`."""
        if self.adapter.decode is None:
            return Outcome(Kind.UNSUPPORTED, text="decode")
        outcome = self._read("decode", partial(self.adapter.decode, schema), wire)
        if outcome.kind is Kind.VALUE and not isinstance(outcome.value, dict):
            what = outcome.text or f"decode returned {type(outcome.value).__name__}, not a dict of fields"
            return Outcome(Kind.PROTOCOL_ERROR, text=what)
        return outcome

    def size(self, schema: MessageSchema, value: dict[str, Any]) -> int | Outcome:
        """Ask it for the size of `value`; an outcome if it gives none."""
        return self._number("size", self.adapter.size, schema, self._handed_over(value))

    def encode_primitive(self, name: str, value: Any) -> Outcome:
        """Have it write one value of a wire type alone."""
        return self._bytes(self.adapter.encode_primitive, "encode_primitive", name, self._handed_over(value))

    def decode_primitive(self, name: str, wire: bytes) -> Outcome:
        """Have it read one value of a wire type alone."""
        if self.adapter.decode_primitive is None:
            return Outcome(Kind.UNSUPPORTED, text="decode_primitive")
        return self._read("decode_primitive", partial(self.adapter.decode_primitive, name), wire)

    def encode_records(self, value: dict[str, Any]) -> Outcome:
        """Have it write the batches of a `records` field."""
        return self._bytes(self.adapter.encode_records, "encode_records", self._handed_over(value))

    def decode_records(self, wire: bytes) -> Outcome:
        """Have it read a whole `records` field."""
        if self.adapter.decode_records is None:
            return Outcome(Kind.UNSUPPORTED, text="decode_records")
        return self._read("decode_records", self.adapter.decode_records, wire)

    def header_version(self, api_key: int, api_version: int, direction: str) -> int | Outcome:
        """Ask it which header goes before a message; an outcome if it gives none."""
        return self._number("header_version", self.adapter.header_version, api_key, api_version, direction)

    def encode_frame(self, release: Release, schema: MessageSchema, content: FrameContent) -> Outcome:
        """Have it write size, header and body; tagged fields of the header only if it says that it can."""
        function = self.adapter.encode_frame
        if content.header_tags and not self.keeps_unknown_tags:
            return Outcome(Kind.UNSUPPORTED, text="header tags")
        if content.header_tags and function is not None:
            function = partial(function, header_tags=list(content.header_tags))
        message = (release, schema.kind, schema.api_key, schema.version)
        parts = (content.correlation_id, content.client_id, self._handed_over(content.value))
        return self._bytes(function, "encode_frame", *message, *parts)

    def decode_frame(self, release: Release, schema: MessageSchema, wire: bytes) -> Outcome:
        """Have it read size, header and body; the value of the outcome is a `FrameContent`."""
        what = (release, schema.kind, schema.api_key, schema.version)
        return self._content("decode_frame", FrameContent, *what, wire)

    def encode_stored(self, schema: MessageSchema, value: dict[str, Any]) -> Outcome:
        """Have it write a message as it is stored: a metadata record, or any other behind its prefix."""
        name = f"encode_{schema.stored_form}"
        return self._bytes(getattr(self.adapter, name), name, schema, self._handed_over(value))

    def decode_prefixed(self, release: Release, message: str, wire: bytes) -> Outcome:
        """Have it read a message behind its prefix; the value of the outcome is a `StoredMessage`."""
        return self._content("decode_prefixed", StoredMessage, release, message, wire)

    def decode_record(self, release: Release, source: str, wire: bytes) -> Outcome:
        """Have it read a record of the log of `source`; the value of the outcome is a `StoredMessage`."""
        return self._content("decode_record", StoredMessage, release, source, wire)

    def _content(self, name: str, form: type[Any], *arguments: Any) -> Outcome:
        """Call something that reads what is around a message: its answer in the contract's own class, plain."""
        function = getattr(self.adapter, name)
        if function is None:
            return Outcome(Kind.UNSUPPORTED, text=name)
        returned = self._run(function, *arguments)
        if isinstance(returned, Outcome):
            return returned
        try:
            return Outcome(Kind.VALUE, value=form(**_plain_parts(returned, form)))
        except (UnsupportedType, Exception) as error:  # noqa: BLE001  # an attribute may be foreign code
            return _not_plain(name, error)

    def _read(self, name: str, function: Callable[[bytes], Any], wire: bytes) -> Outcome:
        """Call something that reads: a plain value, and a count that is one."""
        given = bytes(bytearray(wire))
        returned = self._run(function, given, reads=True)
        if given != wire:
            return Outcome(Kind.PROTOCOL_ERROR, text=f"{name} changed the bytes that it was handed")
        if isinstance(returned, Outcome):
            return returned
        read = returned if isinstance(returned, Decoded) else Decoded(returned)
        consumed = read.consumed
        if consumed is not None and type(consumed) is not int:
            text = f"{name} returned Decoded(consumed={short_repr(consumed)}), not a number of bytes or None"
            return Outcome(Kind.PROTOCOL_ERROR, text=text)
        try:
            return Outcome(Kind.VALUE, value=self._taken_back(read.value), consumed=consumed)
        except UnsupportedType as error:
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

    def _run(self, function: Callable[..., Any], *arguments: Any, reads: bool = False) -> Any:
        """Call the adapter; an outcome instead of an exception, with a reason if it `reads`."""
        try:
            return function(*arguments)
        except (KeyboardInterrupt, AdapterError):
            raise
        except ReportedOutcome as answer:
            return answer.outcome
        except BaseException as error:  # noqa: BLE001  # SystemExit and its like must not end the run
            return self._refusal(error, reads=reads)

    def _refusal(self, error: BaseException, *, reads: bool) -> Outcome:
        """What an exception says, with the reason why bytes were rejected if the adapter tells one."""
        kind, reason = self._kind_of(error), ""
        if kind in REFUSALS and _is_of_standard(error) and self.is_own_code(raised_in(error)):
            text = f"the adapter's own code ({raised_in(error)}) raises {describe(error)}: {OF_MAPPING}"
            return Outcome(Kind.HARNESS_ERROR, text=text, raised_in=raised_in(error))
        if reads and kind in REFUSALS and isinstance(error, Exception):
            try:
                reason = self._reason(error)
            except UnsupportedType as problem:
                return Outcome(Kind.PROTOCOL_ERROR, text=str(problem))
        return Outcome(kind, text=describe(error), reason=reason, raised_in=raised_in(error))

    def _reason(self, error: Exception) -> str:
        """What the adapter's `classify` says of an exception; empty if it says nothing."""
        if self.adapter.classify is None:
            return ""
        try:
            reason = plain(self.adapter.classify(error))
        except (Exception, SystemExit) as broken:
            raise UnsupportedType(f"classify failed on {describe(error)}: {describe(broken)}") from broken
        if reason is None:
            return ""
        if reason not in REASONS:
            known = ", ".join(REASONS)
            raise UnsupportedType(
                f"classify returned {short_repr(reason)} for {describe(error)}; the reasons are {known}"
            )
        return str(reason)

    def is_own_code(self, module: str) -> bool:
        """Whether a module is the adapter's, and not the codec's behind it."""
        own = self.adapter.module
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
    what = error if isinstance(error, UnsupportedType) else describe(error)
    return Outcome(Kind.PROTOCOL_ERROR, text=f"{name} returned {what}; {PLAIN}")


def _plain_parts(returned: Any, form: type[Any]) -> dict[str, Any]:
    """The attributes that a class of the contract has; those with a default there may be missing."""
    return {field.name: plain(_attribute(returned, field)) for field in fields(form)}


def _attribute(returned: Any, field: Field[Any]) -> Any:
    """The attribute; a property that fails is not one that is missing."""
    try:
        return getattr(returned, field.name)
    except AttributeError as error:
        if field.default is MISSING or error.obj is not returned:
            raise
        return field.default


def raised_in(error: BaseException) -> str:
    """The name of the module whose code raised an exception, or called the standard library, which did."""
    modules = _modules_of(error)
    others = [name for name in modules if not _is_standard(name)]
    return (others or modules)[-1]


def _modules_of(error: BaseException) -> list[str]:
    """Return the modules of the frames of an exception, the innermost last; one without a name if it has none."""
    return [str(frame.f_globals.get("__name__", "")) for frame, _ in walk_tb(error.__traceback__)] or [""]


def _is_standard(module: str) -> bool:
    return module.partition(".")[0] in sys.stdlib_module_names


def _is_of_standard(error: BaseException) -> bool:
    """Return whether it was code of the standard library that raised an exception, as an enum does."""
    return _is_standard(_modules_of(error)[-1])


def _as_it_is(value: Any) -> Any:
    """Return a value that no Python adapter sees or makes: over the bridge only its JSON form goes."""
    return value
