"""Whether an adapter's members are what the contract asks for, and all of them in one form."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from functools import cache
from inspect import Signature, signature
from itertools import islice
from typing import Any

from conformance.adapter import CAPABILITIES, DIRECTIONS, AdapterError, Decoded, Direction, LoadedAdapter
from conformance.implementation.plain_values import describe, printable, short_repr
from reference import load_release, proposals, releases

PARAMETERS = {
    "supported": (),
    "encode": ("schema", "value"),
    "decode": ("schema", "data"),
    "size": ("schema", "value"),
    "classify": ("exception",),
    "header_version": ("api_key", "api_version", "direction"),
    "encode_frame": ("release", "direction", "api_key", "api_version", "correlation_id", "client_id", "value"),
    "decode_frame": ("release", "direction", "api_key", "api_version", "data"),
    "encode_prefixed": ("schema", "value"),
    "decode_prefixed": ("release", "message", "data"),
    "encode_record": ("schema", "value"),
    "decode_record": ("release", "source", "data"),
    "encode_primitive": ("name", "value"),
    "decode_primitive": ("name", "data"),
}
"""What each function is called with, by position."""

OPTIONAL_FUNCTIONS = tuple(name for name in PARAMETERS if name not in {"supported", *DIRECTIONS})

MAXIMUM_VERSIONS = 2**15
"""More versions than an int16 has from 0 on are a mistake, and maybe without end."""


def check_members(spec: str, adapter: Any, module: str) -> LoadedAdapter:
    """`adapter` in one form.

    Args:
        spec: what was given to `--impl`, for the errors.
        adapter: a module or an object.
        module: the name of the module it comes from: its own name, unless it has one.

    Raises:
        AdapterError: a member is missing or not what it should be.
    """
    return _Members(spec, adapter).loaded(module)


class _Members:
    """One adapter's members, with the spec that every error names."""

    def __init__(self, spec: str, adapter: Any) -> None:
        self.spec = spec
        self.adapter = adapter

    def loaded(self, module: str) -> LoadedAdapter:
        encode, decode = self.function("encode"), self.function("decode")
        if encode is None and decode is None:
            raise self.error(
                f"there is neither `encode` nor `decode` in {_what(self.adapter)}",
                "Add encode(schema, value) -> bytes, decode(schema, data) -> value, or both; "
                "or name the attribute that is the adapter: --impl=module:attribute",
            )
        functions = {name: self.function(name) for name in OPTIONAL_FUNCTIONS}
        capabilities = self.capabilities()
        self.check_header_tags(functions["encode_frame"], capabilities)
        return LoadedAdapter(
            spec=self.spec,
            name=self.text("name", module),
            version=self.text("version", "unknown"),
            supported=self.supported(),
            encode=encode,
            decode=None if decode is None else _always_decoded(decode),
            rejections=self.rejections(),
            capabilities=capabilities,
            **functions,
        )

    def error(self, problem: str, remedy: str) -> AdapterError:
        return AdapterError(self.spec, problem, remedy)

    def function(self, name: str) -> Callable[..., Any] | None:
        found = getattr(self.adapter, name, None)
        if found is None:
            return None
        if not callable(found):
            problem = f"`{name}` is {short_repr(found)}, not a function"
            raise self.error(problem, f"Make `{name}` a function, or take it away")
        self.check_parameters(name, found)
        return found  # type: ignore[no-any-return]  # callable is all that there is to know

    def check_parameters(self, name: str, function: Callable[..., Any]) -> None:
        """Whether it can be called as it will be; of what has no signature, as functions in C, only a call can tell."""
        try:
            takes = signature(function, follow_wrapped=False)
        except (TypeError, ValueError):
            return
        given = PARAMETERS[name]
        try:
            takes.bind(*given)
        except TypeError as error:
            raise self.error(
                f"`{name}` takes {_parameters(takes)}, but is called as {name}({', '.join(given)}): {error}",
                f"Write def {name}({', '.join(given)}); in a class, with self before them",
            ) from error

    def text(self, name: str, default: str) -> str:
        found = getattr(self.adapter, name, default)
        if isinstance(found, str) and found:
            return printable(str.__str__(found))
        raise self.error(f"`{name}` is {short_repr(found)}, not a text", f'Write it as text: {name} = "..."')

    def rejections(self) -> tuple[type[Exception], ...]:
        found = getattr(self.adapter, "rejections", ())
        if isinstance(found, tuple) and all(_is_exception_class(each) for each in found):
            return found
        raise self.error(
            f"`rejections` is {short_repr(found)}, not a tuple of exception classes",
            "Write rejections = (SomeError,), with the comma, of classes that derive from Exception",
        )

    def capabilities(self) -> frozenset[str]:
        found: Any = getattr(self.adapter, "capabilities", frozenset())
        known = ", ".join(sorted(CAPABILITIES))
        if not isinstance(found, frozenset | set):
            problem = f"`capabilities` is {short_repr(found)}, not a set"
            raise self.error(problem, f"Write a frozenset of some of: {known}")
        unknown = sorted(printable(str(name)) for name in found - CAPABILITIES)
        if unknown:
            raise self.error(f"`capabilities` has {', '.join(unknown)}, which means nothing", f"There are: {known}")
        return frozenset(found)

    def check_header_tags(self, encode_frame: Callable[..., Any] | None, capabilities: frozenset[str]) -> None:
        if encode_frame is None or "unknown-tags" not in capabilities or _takes_header_tags(encode_frame):
            return
        raise self.error(
            "`encode_frame` has no argument `header_tags`, which it gets under the capability `unknown-tags`",
            "Add *, header_tags=(), the header's unknown tagged fields: raise Unsupported if they cannot be written",
        )

    def supported(self) -> Mapping[Direction, Mapping[str, frozenset[int]]]:
        function = self.function("supported")
        remedy = 'Add supported() -> {"FetchRequest": range(4, 18), ...}'
        if function is None:
            raise self.error(f"there is no `supported` in {_what(self.adapter)}", remedy)
        try:
            found = function()
        except (Exception, SystemExit) as error:
            raise self.error(f"`supported()` failed with {describe(error)}", remedy) from error
        if not isinstance(found, Mapping):
            raise self.error(f"`supported()` returned {short_repr(found)}, not a mapping", remedy)
        try:
            return self.by_direction(dict(found.items()))
        except AdapterError:
            raise
        except (Exception, SystemExit) as error:
            problem = f"what `supported()` returned cannot be looked at: {describe(error)}"
            raise self.error(problem, "Return a dict, with ranges or lists of versions in it") from error

    def by_direction(self, found: dict[Any, Any]) -> Mapping[Direction, Mapping[str, frozenset[int]]]:
        split = bool(found) and found.keys() <= set(DIRECTIONS)
        offered = {each: self.offered(each, found.get(each, {}) if split else found) for each in DIRECTIONS}
        self.check_offered(offered, split=split)
        return {each: offered[each] if self.function(each) else {} for each in DIRECTIONS}

    def offered(self, direction: Direction, found: Any) -> dict[str, frozenset[int]]:
        if not isinstance(found, Mapping):
            raise self.error(
                f"`supported()` gives {short_repr(found)} for {direction!r}, not a mapping",
                f'Return {{"{direction}": {{"FetchRequest": range(4, 18), ...}}, ...}}',
            )
        return {self.message(name): self.versions(name, versions) for name, versions in found.items()}

    def message(self, name: Any) -> str:
        if isinstance(name, str) and name in _committed_messages():
            return name
        close = get_close_matches(str(name), sorted(_committed_messages()), n=3)
        raise self.error(
            f"`supported()` names the message {short_repr(name)}, which no committed release or proposal has",
            f"Did you mean {' or '.join(close)}" if close else "Use the names of the message definitions",
        )

    def versions(self, name: str, versions: Any) -> frozenset[int]:
        is_listed = isinstance(versions, Iterable) and not isinstance(versions, str)
        listed = tuple(islice(versions, MAXIMUM_VERSIONS + 1)) if is_listed else None
        if listed is not None and len(listed) > MAXIMUM_VERSIONS:
            raise self.error(
                f"`supported()` gives {short_repr(versions)} as versions of {name}, more than an int16 can count",
                f'Write "{name}": range(LOWEST, HIGHEST + 1)',
            )
        if listed is not None and all(isinstance(each, int) and not isinstance(each, bool) for each in listed):
            return frozenset(listed)
        raise self.error(
            f"`supported()` gives {short_repr(versions)} as versions of {name}, not a range or collection of integers",
            f'Write "{name}": range(LOWEST, HIGHEST + 1)',
        )

    def check_offered(self, offered: Mapping[Direction, Mapping[str, Any]], *, split: bool) -> None:
        if not any(offered.values()):
            raise self.error("`supported()` names no message at all", "Name the messages and versions to be tested")
        for direction in DIRECTIONS if split else ():
            if offered[direction] and self.function(direction) is None:
                raise self.error(
                    f"`supported()` names messages for {direction!r}, but there is no `{direction}`",
                    f"Add `{direction}`, or take {direction!r} out of `supported()`",
                )


def _always_decoded(decode: Callable[..., Any]) -> Callable[..., Decoded]:
    def decode_as_decoded(schema: Any, data: bytes) -> Decoded:
        result = decode(schema, data)
        return result if isinstance(result, Decoded) else Decoded(result)

    return decode_as_decoded


def _takes_header_tags(encode_frame: Callable[..., Any]) -> bool:
    """Whether the argument is there; where there is no signature, only a call can tell."""
    try:
        takes = signature(encode_frame, follow_wrapped=False)
    except (TypeError, ValueError):
        return True
    try:
        takes.bind(*PARAMETERS["encode_frame"], header_tags=())
    except TypeError:
        return False
    return True


def _is_exception_class(each: Any) -> bool:
    return isinstance(each, type) and issubclass(each, Exception)


def _parameters(takes: Signature) -> str:
    """The parameters by their names."""
    plain = [each.replace(annotation=Signature.empty, default=Signature.empty) for each in takes.parameters.values()]
    return str(Signature(plain))


def _what(adapter: Any) -> str:
    name = getattr(adapter, "__name__", None)
    return f"module {short_repr(name)}" if name else f"this {type(adapter).__name__}"


@cache
def _committed_messages() -> frozenset[str]:
    return frozenset(message for release in (*releases(), *proposals()) for message in load_release(release).messages)
