"""What travels between the suite and its child process about bytes with something around the body."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from conformance.implementation.targets import RECORD, frame_content, stored_message

if TYPE_CHECKING:
    from conformance.adapter import FrameContent, StoredMessage
    from reference import MessageSchema, Release


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
