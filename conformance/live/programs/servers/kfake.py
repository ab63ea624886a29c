"""kfake: franz-go's fake cluster, of one broker."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.live.programs.products import go_product
from conformance.live.programs.servers.server import PASSWORD, USER, Launch, ServerProgram

if TYPE_CHECKING:
    from pathlib import Path

    from conformance.live.programs.servers.server import Settings

VERSION = "01f206a7e32c"
"""The commit of the pseudo-version that `go/go.mod` pins: it has no versions."""


def server_program() -> ServerProgram:
    """Return kfake."""
    options = frozenset({"port", "advertise", "sasl"})
    return ServerProgram("kfake", VERSION, ("go",), options, prepare=build, launch=launch)


def build() -> Path:
    """Return its program."""
    return go_product("kfake", "servers/go") / "kfake"


def launch(settings: Settings, _folder: Path) -> Launch:
    """Return how to start it."""
    command = [str(build()), "-port", str(settings.port)]
    if settings.advertise:
        command += ["-advertise", settings.advertise]
    if settings.sasl:
        command += ["-user", USER, "-password", PASSWORD]
    return Launch(tuple(command))
