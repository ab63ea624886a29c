"""A server of a few lines with two announced APIs, and its ways to fail."""

import sys
from pathlib import Path

from tests.programs.servers.server import ADDRESS_FILE, Launch, ServerProgram, Settings

FAKE = f"""
import pathlib, socket, sys, threading
print("hello from the fake", flush=True)
if sys.argv[1] == "dies":
    sys.exit(3)
listener = socket.create_server(("127.0.0.1", 0))
pathlib.Path({ADDRESS_FILE!r}).write_text("127.0.0.1:%d" % listener.getsockname()[1])
def serve():
    while True:
        connection, _ = listener.accept()
        request = connection.recv(4096)
        if sys.argv[1] == "silent":
            continue
        body = request[8:12] + bytes.fromhex("0000 00000002 0012 0000 0004 0003 0001 0009")
        connection.sendall(len(body).to_bytes(4) + body)
        if sys.argv[1] == "dies later":
            import os; os._exit(7)
threading.Thread(target=serve, daemon=True).start()
sys.stdin.read()
"""


def fake_server(behaviour: str = "sound", *, needs: tuple[str, ...] = ()) -> ServerProgram:
    """Return a server that is `sound`, `silent`, `dies` at its start, or `dies later`, after its first answer."""

    def launch(_settings: Settings, _folder: Path) -> Launch:
        return Launch((sys.executable, "-c", FAKE, behaviour))

    return ServerProgram("fake", "1", needs, frozenset({"port"}), prepare=lambda: None, launch=launch)
