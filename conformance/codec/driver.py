"""The calls of an adapter, with an outcome for each, however the adapter behaves."""

from __future__ import annotations

import sys
from dataclasses import MISSING, Field, fields
from functools import partial
from opcode import opmap
from pathlib import Path
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
from conformance.codec.given_types import word_of
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
from reference.paths import field_at

if TYPE_CHECKING:
    from collections.abc import Callable

    from conformance.codec.loaded_adapter import LoadedAdapter
    from reference import FieldSchema, MessageSchema, Release

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
        self.representations = adapter.representations
        self._rejections = tuple(each for each in adapter.rejections if each is not Exception)
        self._handed_over = _as_it_is if adapter.is_over_stdio else copy_of
        self._taken_back = _as_it_is if adapter.is_over_stdio else plain

    @property
    def is_over_bridge(self) -> bool:
        """Whether it is a program in another process, so that only the JSON form of a value reaches it."""
        return self.adapter.is_over_stdio

    def judged(self, value: Any) -> Any:
        """Return the judged part of a value.

        Unknown tags are judged only under the capability to keep them.
        """
        return value if self.keeps_unknown_tags else without_tags(value)

    def offers(self, direction: Direction, schema: MessageSchema) -> bool:
        """Whether it declares support for this message and version in a direction (encode or decode)."""
        return self.adapter.offers(direction, schema.message, schema.version)

    def encode(self, schema: MessageSchema, value: dict[str, Any]) -> Outcome:
        """Have it write `value`.

        A Python adapter gets a copy of its own.
        """
        return self._bytes(self.adapter.encode, "encode", schema, self._handed_over(value))

    def decode(self, schema: MessageSchema, wire: bytes) -> Outcome:
        """Have it read `wire`."""
        if self.adapter.decode is None:
            return Outcome(Kind.UNSUPPORTED, text="decode")
        outcome = self._read("decode", partial(self.adapter.decode, schema), wire, schema.body)
        if outcome.kind is Kind.VALUE and not isinstance(outcome.value, dict):
            text = outcome.text or f"decode returned {type(outcome.value).__name__}, not a dict of fields"
            return Outcome(Kind.PROTOCOL_ERROR, text=text)
        return outcome

    def size(self, schema: MessageSchema, value: dict[str, Any]) -> int | Outcome:
        """Return its answer for the size of `value`, or an outcome if it gives none."""
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
        """Return its answer for the header version of a message, or an outcome if it gives none."""
        return self._number("header_version", self.adapter.header_version, api_key, api_version, direction)

    def encode_frame(self, release: Release, schema: MessageSchema, content: FrameContent) -> Outcome:
        """Have it write size, header and body.

        Tagged fields of the header are passed only under the capability to write them.
        """
        function = self.adapter.encode_frame
        if content.header_tags and not self.keeps_unknown_tags:
            return Outcome(Kind.UNSUPPORTED, text="header tags")
        if content.header_tags and function is not None:
            function = partial(function, header_tags=list(content.header_tags))
        message = (release, schema.kind, schema.api_key, schema.version)
        parts = (content.correlation_id, content.client_id, self._handed_over(content.value))
        return self._bytes(function, "encode_frame", *message, *parts)

    def decode_frame(self, release: Release, schema: MessageSchema, wire: bytes) -> Outcome:
        """Have it read size, header and body.

        The value of the outcome is a `FrameContent`.
        """
        message = (release, schema.kind, schema.api_key, schema.version)
        return self._content("decode_frame", FrameContent, *message, wire)

    def encode_stored(self, schema: MessageSchema, value: dict[str, Any]) -> Outcome:
        """Have it write a message in its stored form, a metadata record or a message after its prefix."""
        name = f"encode_{schema.stored_form}"
        return self._bytes(getattr(self.adapter, name), name, schema, self._handed_over(value))

    def decode_prefixed(self, release: Release, message: str, wire: bytes) -> Outcome:
        """Have it read a message after its prefix.

        The value of the outcome is a `StoredMessage`.
        """
        return self._content("decode_prefixed", StoredMessage, release, message, wire)

    def decode_record(self, release: Release, source: str, wire: bytes) -> Outcome:
        """Have it read a record of the log of `source`.

        The value of the outcome is a `StoredMessage`.
        """
        return self._content("decode_record", StoredMessage, release, source, wire)

    def _content(self, name: str, form: type[Any], *arguments: Any) -> Outcome:
        """Call a function that reads a message with its surroundings.

        The answer is in the contract's own class, with plain attributes.
        """
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

    def _read(
        self, name: str, function: Callable[[bytes], Any], wire: bytes, defined: FieldSchema | None = None
    ) -> Outcome:
        """Call a function that reads, for a plain value of a definition and a valid count."""
        given = bytes(bytearray(wire))  # a copy, by which a change to the bytes (from C) is noticed
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
            return _not_plain(name, error, defined)

    def _number(self, name: str, function: Callable[..., Any] | None, *arguments: Any) -> int | Outcome:
        """Call a function with a number as its result."""
        if function is None:
            return Outcome(Kind.UNSUPPORTED, text=name)
        returned = self._run(function, *arguments)
        if isinstance(returned, Outcome):
            return returned
        if isinstance(returned, int) and not isinstance(returned, bool):
            return int.__int__(returned)
        return Outcome(Kind.PROTOCOL_ERROR, text=f"{name} returned {type(returned).__name__}, not an int")

    def _bytes(self, function: Callable[..., Any] | None, name: str, *arguments: Any) -> Outcome:
        """Call a function that writes."""
        if function is None:
            return Outcome(Kind.UNSUPPORTED, text=name)
        returned = self._run(function, *arguments)
        if isinstance(returned, Outcome):
            return returned
        if isinstance(returned, bytes | bytearray | memoryview):
            return Outcome(Kind.BYTES, wire=memoryview(returned).tobytes())
        return Outcome(Kind.PROTOCOL_ERROR, text=f"{name} returned {type(returned).__name__}, not bytes")

    def _run(self, function: Callable[..., Any], *arguments: Any, reads: bool = False) -> Any:
        """Call the adapter, and return an outcome instead of an exception.

        With `reads` the outcome has a reason.
        """
        try:
            return function(*arguments)
        except (KeyboardInterrupt, AdapterError):
            raise
        except ReportedOutcome as answer:
            return answer.outcome
        except BaseException as error:  # noqa: BLE001  # SystemExit and its like must not end the run
            return self._refusal(error, reads=reads)

    def _refusal(self, error: BaseException, *, reads: bool) -> Outcome:
        """Return the outcome of an exception.

        It has the reason of a rejection if the adapter classifies it.
        """
        kind, reason, module = self._kind_of(error), "", raised_in(error)
        is_own = kind in REFUSALS and self.is_own_code(module)
        if is_own and _is_of_standard(error):
            text = f"the adapter's own code ({place_in(error, module)}) raises {describe(error)}: {OF_MAPPING}"
            return Outcome(Kind.HARNESS_ERROR, text=text, raised_in=module)
        is_python = is_own and kind is Kind.UNCLASSIFIED and _is_of_python(error)
        place = place_in(error, module) if is_python else ""
        if reads and kind in REFUSALS and isinstance(error, Exception):
            try:
                reason = self._reason(error)
            except UnsupportedType as problem:
                return Outcome(Kind.PROTOCOL_ERROR, text=str(problem))
        return Outcome(kind, text=describe(error), reason=reason, raised_in=module, place=place)

    def _reason(self, error: Exception) -> str:
        """Return the result of the adapter's `classify` for an exception, empty if there is none."""
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
        """Whether a module is the adapter's, and not the codec's."""
        own = self.adapter.module
        return bool(own) and (module == own or module.startswith(f"{own}."))

    def _kind_of(self, error: BaseException) -> Kind:
        """Return the kind of outcome of an exception, the first that fits."""
        kinds: tuple[tuple[type[BaseException] | tuple[type[BaseException], ...], Kind], ...] = (
            (Unsupported, Kind.UNSUPPORTED),
            (Unrepresentable, Kind.UNREPRESENTABLE),
            (MemoryError, Kind.EXHAUSTED_MEMORY),
            (RecursionError, Kind.CRASHED),
            (self._rejections, Kind.REJECTED),
            (Exception, Kind.UNCLASSIFIED),
        )
        return next((kind for classes, kind in kinds if isinstance(error, classes)), Kind.CRASHED)


def _not_plain(name: str, error: Exception, defined: FieldSchema | None = None) -> Outcome:
    """Return the outcome of an answer with unreadable parts."""
    returned = error if isinstance(error, UnsupportedType) else describe(error)
    field = field_at(defined, error.path) if defined and isinstance(error, UnsupportedType) and error.path else None
    beside = f", where the definition has {word_of(field)}" if field else ""
    return Outcome(Kind.PROTOCOL_ERROR, text=f"{name} returned {returned}{beside}; {PLAIN}")


def _plain_parts(returned: Any, form: type[Any]) -> dict[str, Any]:
    """Return the attributes in a class of the contract.

    Those with a default there may be missing.
    """
    return {field.name: plain(_attribute(returned, field)) for field in fields(form)}


def _attribute(returned: Any, field: Field[Any]) -> Any:
    """Return the attribute, or its default if it is missing.

    An AttributeError from inside a property does not make it missing.
    """
    try:
        return getattr(returned, field.name)
    except AttributeError as error:
        if field.default is MISSING or error.obj is not returned:
            raise
        return field.default


def raised_in(error: BaseException) -> str:
    """Return the name of the module whose code raised an exception.

    If the standard library raised it, it is the module that called the library.
    """
    modules = _modules_of(error)
    others = [name for name in modules if not _is_standard(name)]
    return (others or modules)[-1]


def place_in(error: BaseException, module: str) -> str:
    """Return the file and line of a module in which an exception passed last, as `adapter.py:34`."""
    places = [
        f"{Path(frame.f_code.co_filename).name}:{line}"
        for frame, line in walk_tb(error.__traceback__)
        if frame.f_globals.get("__name__") == module
    ]
    return places[-1] if places else ""


def _is_of_python(error: BaseException) -> bool:
    """Return whether Python raised an exception by itself, as for a missing key, and no statement `raise` did."""
    traceback = error.__traceback__
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    if traceback is None or type(error).__module__ != "builtins":
        return False
    code = traceback.tb_frame.f_code.co_code
    return code[traceback.tb_lasti] != opmap["RAISE_VARARGS"]


def _modules_of(error: BaseException) -> list[str]:
    """Return the modules of the frames of an exception, the innermost last.

    An exception without frames gives one empty name.
    """
    return [str(frame.f_globals.get("__name__", "")) for frame, _ in walk_tb(error.__traceback__)] or [""]


def _is_standard(module: str) -> bool:
    return module.partition(".")[0] in sys.stdlib_module_names


def _is_of_standard(error: BaseException) -> bool:
    """Return whether code of the standard library raised an exception, as an enum does."""
    return _is_standard(_modules_of(error)[-1])


def _as_it_is(value: Any) -> Any:
    """Return the value itself.

    No Python adapter sees or makes a value over the bridge, where only its JSON form goes; so it needs no copy.
    """
    return value
