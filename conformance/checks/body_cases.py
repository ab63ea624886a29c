"""What the cases of message bodies have in common: a value that is written, or bytes that are read."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from conformance.findings.violations import Case
from conformance.implementation.plain_values import copy_of
from conformance.implementation.targets import Body
from reference import MessageSchema, Verdict, encode, judge, to_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.adapter import Direction
    from conformance.implementation.session import Session
    from conformance.implementation.targets.base import Json


@dataclass(frozen=True)
class ContentCase(Case):
    """A value of a message."""

    schema: MessageSchema
    name: str
    path: str
    content: dict[str, Any]

    @cached_property
    def target(self) -> Body:
        """The message's body."""
        return Body(self.schema)

    def requests(self, session: Session) -> Iterator[Json]:  # noqa: ARG002  # those of a subclass depend on it
        """Yield the requests of the bridge protocol that `run` begins with, whatever the answers are: to write it."""
        yield self.target.write_request(self.content)

    @cached_property
    def canonical(self) -> bytes:
        """The canonical bytes.

        Raises:
            Unencodable: the value has none.
        """
        return encode(self.schema, self.content)

    @property
    def wire(self) -> bytes | None:
        """The canonical bytes; None in a subclass whose values may have none."""
        return self.canonical

    @cached_property
    def value(self) -> str | None:
        """The JSON text."""
        return json.dumps(to_json(self.schema, copy_of(self.content)))


@dataclass(frozen=True)
class BytesCase(Case):
    """Bytes that may be a message."""

    directions: ClassVar[tuple[Direction, ...]] = ("decode",)
    schema: MessageSchema
    name: str
    path: str
    data: bytes

    @cached_property
    def target(self) -> Body:
        """The message's body."""
        return Body(self.schema)

    @property
    def wire(self) -> bytes:
        """The bytes."""
        return self.data

    @cached_property
    def verdict(self) -> Verdict:
        """What the oracle says of them."""
        return judge(self.schema, self.data)


UNSUPPORTED_VERSION = b"\x00\x23"
"""The error code 35."""


def may_be_version_0(schema: MessageSchema, wire: bytes) -> bool:
    """Return whether a client rightly reads the bytes in version 0, whatever version it asked for.

    A broker that does not know the version of an ApiVersionsRequest answers with error 35 in version 0 (KIP-511).
    """
    return schema.message == "ApiVersionsResponse" and schema.version > 0 and wire.startswith(UNSUPPORTED_VERSION)
