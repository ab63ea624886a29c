"""Codecs whose writer ends or holds up the process that it runs in, on one value only: see each docstring."""

import os
import time

import reference
from conformance.adapter import Value
from reference import MessageSchema
from tests.fakes.faulty_codecs import Honest

DEADLY = 9639
"""The error code that these cannot write: that of row 2 of HeartbeatResponse v0, generated with the seed 1."""


class EndsWriting(Honest):
    """Ends the process."""

    def encode(self, schema: MessageSchema, value: Value) -> bytes:
        if value.get("ErrorCode") == DEADLY:
            os.abort()
        return reference.encode(schema, value)


class HangsWriting(Honest):
    """Is never done."""

    def encode(self, schema: MessageSchema, value: Value) -> bytes:
        if value.get("ErrorCode") == DEADLY:
            time.sleep(600)
        return reference.encode(schema, value)


class EndsLoading(Honest):
    """Ends the process that loads it, but for the first one."""

    def supported(self) -> dict[str, list[int]]:
        if os.environ.get("LOADED"):
            os._exit(3)
        os.environ["LOADED"] = "1"
        return {"HeartbeatResponse": [0], "ApiVersionsRequest": [3]}
