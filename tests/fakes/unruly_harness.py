"""A harness of HeartbeatResponse, version 0, that answers some bytes as no harness should.

It holds replies back for as long as there are requests, as fast harnesses do; with the argument `lock-step` it does as
`hello` asks. The first byte says what it does.
"""

import json
import os
import select
import sys
import time
from typing import Any

DIES, HANGS, FLOODS, NOISE, WRONG_ID, TAKES_MEMORY = range(1, 7)
HELLO = {
    "outcome": "hello",
    "protocols": [1],
    "implementation": "unruly",
    "version": "1",
    "supports": {"encode": {}, "decode": {"HeartbeatResponse": [0]}},
    "operations": ["hello", "decode"],
    "capabilities": [],
}


def main() -> None:
    """Answer until standard input ends."""
    replies: list[str] = []
    rest = b""
    while piece := os.read(0, 65536):
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            replies.append(answer(json.loads(line)))
            if "lock-step" in sys.argv:
                sys.stdout.write(f"{replies.pop()}\n")
                sys.stdout.flush()
        if not select.select([0], [], [], 0)[0]:
            sys.stdout.write("".join(f"{reply}\n" for reply in replies))
            sys.stdout.flush()
            replies.clear()


def answer(request: dict[str, Any]) -> str:
    """Return the reply to a request, or what is in its place."""
    if request["op"] == "hello":
        lock_step = {"lockStep": request.get("lockStep", False)} if "lock-step" in sys.argv else {}
        return json.dumps({"id": request["id"], **HELLO, **lock_step})
    wire = bytes.fromhex(request["wire"])
    misbehaviour, number = (wire[0], request["id"]) if wire else (0, request["id"])
    if misbehaviour == DIES:
        os.abort()
    if misbehaviour == HANGS:
        time.sleep(60)
    if misbehaviour == FLOODS:
        return "x" * (1 << 24)
    if misbehaviour == NOISE:
        return "reading"
    if misbehaviour == WRONG_ID:
        number += 1
    if misbehaviour == TAKES_MEMORY:
        bytearray(1 << 34)
    return json.dumps({"id": number, "outcome": "value", "value": {"ErrorCode": len(wire)}, "consumed": len(wire)})


if __name__ == "__main__":
    main()
