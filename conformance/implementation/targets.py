"""What travels between the suite and its child process about bytes with something around the body."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from conformance.adapter import FrameContent, StoredMessage
from reference import MessageSchema, NotJsonForm, Release, UnknownMessage, from_json

RECORD = "metadata"
"""The kind of messages that are stored as records of the metadata log."""


def stored_form(schema: MessageSchema) -> Literal["record", "prefixed"]:
    """How a message of this kind is stored."""
    return "record" if schema.kind == RECORD else "prefixed"


@dataclass(frozen=True)
class Framed:
    """A target of decoding: a message with what is around it; a frame, or a message as it is stored, by its kind."""

    schema: MessageSchema
    release: Release

    @property
    def is_frame(self) -> bool:
        """Whether it is a whole request or response."""
        return self.schema.kind in {"request", "response"}

    @property
    def source(self) -> str:
        """The module whose log a metadata record is from; empty for everything else."""
        return self.release.source(self.schema.message) if self.schema.kind == RECORD else ""

    def request(self) -> dict[str, Any]:
        """The members of a request that say what its bytes are."""
        schema = self.schema
        if self.is_frame:
            api = {"apiKey": schema.api_key, "version": schema.version}
            return {"op": "decode-frame", "direction": schema.kind, **api}
        if self.source:
            return {"op": "decode-record", "source": self.source}
        return {"op": "decode-prefixed", "message": schema.message}

    def content(self, reply: dict[str, Any]) -> FrameContent | StoredMessage:
        """What a reply with a value says.

        Raises:
            NotJsonForm: the value is none of this message.
        """
        return frame_content(self.schema, reply) if self.is_frame else stored_message(self.release, reply)


def frame_content(schema: MessageSchema, reply: dict[str, Any]) -> FrameContent:
    """What a reply says of a frame with a message of `schema` in it.

    Raises:
        NotJsonForm: the value is none of this message, or the tags are none.
    """
    value, tags = from_json(schema, reply["value"]), reply.get("headerTags")
    try:
        told = None if tags is None else [(tag, bytes.fromhex(data)) for tag, data in tags]
    except (TypeError, ValueError) as error:
        raise NotJsonForm("headerTags", "a list of tags with their bytes in hex", tags) from error
    return FrameContent(reply.get("correlationId"), reply.get("clientId"), value, told, reply.get("consumed"))


def stored_message(release: Release, reply: dict[str, Any]) -> StoredMessage:
    """What a reply says of a stored message.

    Raises:
        NotJsonForm: the value is none of the message that the reply names, or there is no such message.
    """
    message, version = reply.get("message"), reply.get("version")
    try:
        schema = release.schema(str(message), version if isinstance(version, int) else -1)
    except UnknownMessage as error:
        raise NotJsonForm("", "a message of the release", f"{message}-v{version}") from error
    return StoredMessage(message, version, from_json(schema, reply["value"]))
