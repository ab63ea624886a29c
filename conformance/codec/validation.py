"""The check of an adapter's members against the contract, which gives them one form."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache
from inspect import Signature, signature
from itertools import islice
from typing import Any

from conformance.adapter import (
    CAPABILITIES,
    DIRECTIONS,
    REPRESENTATIONS,
    AdapterError,
    Direction,
)
from conformance.codec.loaded_adapter import FUNCTIONS, PARAMETERS, LoadedAdapter
from conformance.system.printable import printable
from conformance.targets.claims import Claims
from conformance.targets.declared_limits import BadLimit, DeclaredLimits
from conformance.targets.hidden import BadHidden, HiddenFields
from conformance.targets.plain_values import describe, short_repr
from conformance.targets.record_claims import BadClaim, RecordsClaims
from reference import load_release, proposals, releases
from reference.release import further_releases
from reference.suggestions import as_sentence, suggestion

MAXIMUM_VERSIONS = 2**15
"""The number of versions in an int16 from 0 on: a collection of more is a mistake, and perhaps infinite."""

CLASSES = "Write rejections = (SomeError,), with the comma, of classes that derive from Exception"
HIDDEN = 'Write it as hidden = {"FetchResponse": ["Responses.Partitions.LogStartOffset"]}'
LIMITS = 'Write it as limits = {"tags": 64, "tag-bytes": 65_536}'


def check_members(spec: str, adapter: Any, module: str) -> LoadedAdapter:
    """Return `adapter`, a module or an object, in one form.

    Args:
        spec: the value of `--impl`, for the errors.
        adapter: a module or an object.
        module: the name of its module, as the name of an adapter without one.

    Raises:
        AdapterError: a member is missing or does not fit the contract.
    """
    members = _Members(spec, adapter)
    functions: dict[str, Any] = {
        name: function for name in FUNCTIONS if (function := members.function(name)) is not None
    }
    if functions.keys().isdisjoint(("encode", "decode", "encode_records", "decode_records")):
        raise members.error(
            f"there is neither `encode` nor `decode` in {_what(adapter)}",
            "Add encode(schema, value) -> bytes, decode(schema, data) -> value, or both; "
            "or name the attribute that is the adapter: --impl=module:attribute",
        )
    members.check_header_tags(functions.get("encode_frame"))
    rejections = members.data("rejections", (), "a tuple of exception classes", _are_classes, CLASSES)
    return LoadedAdapter(**members.claims(module, functions), rejections=rejections, **functions)


def check_claims(spec: str, members: Any, module: str, functions: Collection[str]) -> Claims:
    """Return the claims of an object that does not offer its functions itself, or raise AdapterError for a misfit."""
    return Claims(**_Members(spec, members).claims(module, functions), functions=frozenset(functions))


class NothingOffered(AdapterError):
    """An adapter without a message of this release or proposal."""


class _Members:
    def __init__(self, spec: str, adapter: Any) -> None:
        self.spec = spec
        self.adapter = adapter

    def claims(self, module: str, functions: Collection[str]) -> dict[str, Any]:
        return {
            "spec": self.spec,
            "capabilities": self.names("capabilities", CAPABILITIES),
            "name": self.text("name", module),
            "version": self.text("version", "unknown"),
            "supported": self.supported(functions),
            "representations": self.names("representations", REPRESENTATIONS),
            "records": self.records(),
            "hidden": self.declared("hidden", HiddenFields.of, HIDDEN),
            "limits": self.declared("limits", DeclaredLimits.of, LIMITS),
            "notes": self.notes(),
            "module": module,
        }

    def error(self, problem: str, hint: str) -> AdapterError:
        return AdapterError(self.spec, problem, hint)

    def function(self, name: str) -> Callable[..., Any] | None:
        member = getattr(self.adapter, name, None)
        if member is None:
            return None
        if not callable(member):
            problem = f"`{name}` is {short_repr(member)}, not a function"
            raise self.error(problem, f"Make `{name}` a function, or take it away")
        self.check_parameters(name, member)
        return member  # type: ignore[no-any-return]  # callable is all that there is to know

    def check_parameters(self, name: str, function: Callable[..., Any]) -> None:
        mismatch = _mismatch(function, name)
        if mismatch is not None:
            takes, error = mismatch
            called = f"{name}({', '.join(PARAMETERS[name])})"
            raise self.error(
                f"`{name}` takes {_parameters(takes)}, but is called as {called}: {error}",
                f"Write def {called}; in a class, with self before them",
            ) from error

    def data(self, name: str, default: Any, kind: str, fits: Callable[[Any], bool], hint: str) -> Any:
        content = getattr(self.adapter, name, default)
        if fits(content):
            return content
        raise self.error(f"`{name}` is {short_repr(content)}, not {kind}", hint)

    def declared(self, name: str, of: Callable[[Any], Any], hint: str) -> Any:
        try:
            return of(getattr(self.adapter, name, {}))
        except (BadClaim, BadHidden, BadLimit) as error:
            raise self.error(f"`{name}`: {error}", hint) from error

    def text(self, name: str, default: str) -> str:
        text = self.data(name, default, "a text", _is_text, f'Write it as text: {name} = "..."')
        return printable(str.__str__(text))

    def notes(self) -> tuple[str, ...]:
        notes = self.data("notes", (), "a list of texts", _are_texts, 'Write it as notes = ("...",)')
        return tuple(printable(str.__str__(note)) for note in notes)

    def records(self) -> Any:
        self.data("records", {}, "a mapping", _is_mapping, 'Write it as records = {"codecs": [...]}')
        return self.declared("records", RecordsClaims.of, "Write one of the words there are, or take it away")

    def names(self, member: str, known: Iterable[str]) -> frozenset[str]:
        listed = ", ".join(sorted(known))
        names = self.data(member, frozenset(), "a set", _is_set, f"Write a frozenset of some of: {listed}")
        unknown = sorted(printable(str(name)) for name in names.difference(known))
        if unknown:
            raise self.error(f"`{member}` has {', '.join(unknown)}, which means nothing", f"There are: {listed}")
        return frozenset(names)

    def check_header_tags(self, encode_frame: Callable[..., Any] | None) -> None:
        capabilities = self.names("capabilities", CAPABILITIES)
        gets_tags = encode_frame is not None and "unknown-tags" in capabilities
        if gets_tags and _mismatch(encode_frame, "encode_frame", header_tags=()) is not None:
            raise self.error(
                "`encode_frame` has no argument `header_tags`, which it gets under the capability `unknown-tags`",
                "Add *, header_tags=(), the header's unknown tagged fields: "
                "raise Unsupported if they cannot be written",
            )

    def supported(self, functions: Collection[str]) -> Mapping[Direction, Mapping[str, frozenset[int]]]:
        function = self.function("supported")
        if function is None and not any(way in functions for way in DIRECTIONS):
            return {way: {} for way in DIRECTIONS}
        hint = 'Add supported() -> {"FetchRequest": range(4, 18), ...}'
        if function is None:
            raise self.error(f"there is no `supported` in {_what(self.adapter)}", hint)
        try:
            support = function()
        except (Exception, SystemExit) as error:
            raise self.error(f"`supported()` failed with {describe(error)}", hint) from error
        if not isinstance(support, Mapping):
            raise self.error(f"`supported()` returned {short_repr(support)}, not a mapping", hint)
        try:
            return self.by_direction(dict(support.items()), functions)
        except AdapterError:
            raise
        except (Exception, SystemExit) as error:
            problem = f"the result of `supported()` cannot be read: {describe(error)}"
            raise self.error(problem, "Return a dict, with ranges or lists of versions in it") from error

    def by_direction(
        self, support: dict[Any, Any], functions: Collection[str]
    ) -> Mapping[Direction, Mapping[str, frozenset[int]]]:
        split = bool(support) and support.keys() <= set(DIRECTIONS)  # no message has the name of a direction
        offered = {way: self.offered(way, support.get(way, {}) if split else support) for way in DIRECTIONS}
        if not any(offered.values()):
            hint = "Name the messages and versions to be tested"
            raise NothingOffered(self.spec, "`supported()` names no message at all", hint)
        for way in DIRECTIONS:
            if split and offered[way] and way not in functions:
                raise self.error(
                    f"`supported()` names messages for {way!r}, but there is no `{way}`",
                    f"Add `{way}`, or take {way!r} out of `supported()`",
                )
        return {way: offered[way] if way in functions else {} for way in DIRECTIONS}

    def offered(self, direction: Direction, support: Any) -> dict[str, frozenset[int]]:
        if not isinstance(support, Mapping):
            raise self.error(
                f"`supported()` gives {short_repr(support)} for {direction!r}, not a mapping",
                f'Return {{"{direction}": {{"FetchRequest": range(4, 18), ...}}, ...}}',
            )
        known = _messages_of((*releases(), *proposals(), *further_releases()))
        return {self.message(name, known): self.versions(name, versions) for name, versions in support.items()}

    def message(self, name: Any, known: frozenset[str]) -> str:
        if isinstance(name, str) and name in known:
            return name
        advice = suggestion(str(name), sorted(known), "use the names of the message definitions")
        raise self.error(
            f"`supported()` names the message {short_repr(name)}, which no release or proposal has",
            as_sentence(advice),
        )

    def versions(self, name: str, versions: Any) -> frozenset[int]:
        is_listed = isinstance(versions, Iterable) and not isinstance(versions, str)
        listed = tuple(islice(versions, MAXIMUM_VERSIONS + 1)) if is_listed else None
        if listed is not None and len(listed) > MAXIMUM_VERSIONS:
            problem = "more than an int16 can count"
        elif listed is None or not all(isinstance(each, int) and not isinstance(each, bool) for each in listed):
            problem = "not a range or collection of integers"
        else:
            return frozenset(listed)
        raise self.error(
            f"`supported()` gives {short_repr(versions)} as versions of {name}, {problem}",
            f'Write "{name}": range(LOWEST, HIGHEST + 1)',
        )


def _mismatch(function: Any, name: str, **named: Any) -> tuple[Signature, TypeError] | None:
    """Return the signature that does not take the contract's arguments, with the error, or None if it does."""
    try:
        takes = signature(function, follow_wrapped=False)
    except (TypeError, ValueError):
        # functions in C may have no signature to check
        return None
    try:
        takes.bind(*PARAMETERS[name], **named)
    except TypeError as error:
        return takes, error
    return None


def _parameters(takes: Signature) -> str:
    parameters = takes.parameters.values()
    bare = [parameter.replace(annotation=Signature.empty, default=Signature.empty) for parameter in parameters]
    return str(Signature(bare))


def _what(adapter: Any) -> str:
    name = getattr(adapter, "__name__", None)
    return f"module {short_repr(name)}" if name else f"this {type(adapter).__name__}"


@cache
def _messages_of(names: tuple[str, ...]) -> frozenset[str]:
    return frozenset(message for release in map(load_release, names) for message in release.messages)


def _is_mapping(words: Any) -> bool:
    return isinstance(words, Mapping)


def _is_set(names: Any) -> bool:
    return isinstance(names, frozenset | set)


def _is_text(text: Any) -> bool:
    return isinstance(text, str) and text != ""


def _are_classes(classes: Any) -> bool:
    return isinstance(classes, tuple) and all(
        isinstance(each, type) and issubclass(each, Exception) for each in classes
    )


def _are_texts(notes: Any) -> bool:
    is_list = isinstance(notes, Sequence) and not isinstance(notes, str)
    return is_list and all(isinstance(note, str) for note in notes)
