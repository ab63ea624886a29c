"""The parts of the suite that not every adapter offers, and what an adapter says of its implementation."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from conformance.adapter import REPRESENTATIONS
from reference.definitions.model import ranges_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from conformance.codec.driver import Implementation
    from reference import Release


MAXIMUM_LISTED = 6
"""The messages of which versions are listed that are not tried."""


class Part(NamedTuple):
    """A part of the suite that not every adapter offers."""

    what: str
    why: str
    """The reason why it is not tested: what the adapter lacks."""
    is_offered: Callable[[Implementation], bool]


def _function(what: str, name: str) -> Part:
    """Return a part that needs one function of the adapter."""
    return Part(what, f"no {name}", lambda implementation: getattr(implementation.adapter, name) is not None)


def _capability(what: str, name: str, *functions: str) -> Part:
    """Return a part that needs a capability, and functions of the adapter."""

    def is_offered(codec: Implementation) -> bool:
        has_functions = all(getattr(codec.adapter, function) is not None for function in functions)
        return name in codec.adapter.capabilities and has_functions

    return Part(what, f"capability {name} not declared", is_offered)


PARTS = (
    _function("writing", "encode"),
    _function("reading", "decode"),
    _capability("unknown tags kept", "unknown-tags"),
    _capability("absent fields", "absent-fields", "encode"),
    _capability("partial values", "partial-values", "encode"),
    _function("sizes", "size"),
    _function("header versions", "header_version"),
    _function("writing frames", "encode_frame"),
    _function("reading frames", "decode_frame"),
    _function("writing prefixed messages", "encode_prefixed"),
    _function("reading prefixed messages", "decode_prefixed"),
    _function("writing metadata records", "encode_record"),
    _function("reading metadata records", "decode_record"),
    _function("writing wire types alone", "encode_primitive"),
    _function("reading wire types alone", "decode_primitive"),
    _function("writing record batches", "encode_records"),
    _function("reading record batches", "decode_records"),
)


def not_offered(implementation: Implementation) -> list[Part]:
    """Return the parts that are not tested, since the adapter does not offer them."""
    return [part for part in PARTS if not part.is_offered(implementation)]


def versions_of_others(implementation: Implementation, release: Release) -> Iterator[tuple[str, str]]:
    """Yield a note on the versions that `supported()` names and that a release lacks: they are not tried."""
    named: dict[str, list[int]] = {}
    known = {(schema.message, schema.version) for schema in release.schemas()}
    for message, version in sorted(implementation.adapter.pairs() - known):
        named.setdefault(message, []).append(version)
    texts = [f"{message} {' '.join(map(str, ranges_of(those)))}" for message, those in named.items()]
    if texts:
        more = f", and {len(texts) - MAXIMUM_LISTED} more messages" if len(texts) > MAXIMUM_LISTED else ""
        listed = ", ".join(texts[:MAXIMUM_LISTED])
        yield "note", f"supported() names versions that {release.title} does not have: {listed}{more}"


def declared(implementation: Implementation) -> list[tuple[str, str]]:
    """Return what the adapter says of its implementation: `representation`, `not-compared` or `note`, and texts."""
    adapter = implementation.adapter
    names = [("representation", f"{name}: {REPRESENTATIONS[name]}") for name in sorted(adapter.representations)]
    hidden = [("not-compared", text) for text in adapter.records.not_shown()] if adapter.decode_records else []
    return (
        names
        + hidden
        + [("not-compared", text) for text in adapter.hidden.texts]
        + [("note", note) for note in adapter.notes]
    )
