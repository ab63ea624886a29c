"""The reference as an implementation that never answers on some inputs: `--impl=conformance.benchmark.hanging`.

The environment variable `KAFKA_CONFORMANCE_HANGS` names a JSON file with the inputs: message, version and bytes in hex.
"""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from conformance.__about__ import __version__
from conformance.adapters import reference as sound
from conformance.implementation.contract import OPTIONAL_FUNCTIONS

if TYPE_CHECKING:
    from reference import MessageSchema

INPUTS = "KAFKA_CONFORMANCE_HANGS"
"""The environment variable that names the file."""


class Hanging:
    """The reference, which sleeps when it is handed one of the inputs."""

    name = "hanging"
    version = __version__
    rejections = sound.rejections
    capabilities = sound.capabilities
    supported = staticmethod(sound.supported)
    encode = staticmethod(sound.encode)

    def __init__(self) -> None:
        text = Path(os.environ[INPUTS]).read_text(encoding="utf-8") if INPUTS in os.environ else "[]"
        self._inputs = {tuple(each) for each in json.loads(text)}
        for function in OPTIONAL_FUNCTIONS:
            if hasattr(sound, function):
                setattr(self, function, getattr(sound, function))

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        """Return the value, but for those inputs."""
        while (schema.message, schema.version, data.hex()) in self._inputs:
            time.sleep(60)
        return sound.decode(schema, data)


adapter = Hanging
