"""A harness that misbehaves at some values of HeartbeatRequest and some bytes of HeartbeatResponse.

It holds replies back while there are requests, as fast harnesses do; with the argument `lock-step` it answers at once,
as `hello` asks. `MISDEEDS` has the misdeed for each group, generation or member, on writing and reading, and for each
first byte.
"""

import json
import os
import select
import struct
import sys
import time
from typing import Any

DIES, HANGS, FLOODS, NOISE, WRONG_ID, TAKES_MEMORY = range(1, 7)
MISDEEDS: dict[tuple[str, Any], str] = {
    ("encode", "x"): "dies",
    ("encode", "\0"): "writes something else",
    ("encode", 1): "dies after the reply",
    ("encode", 65535): "floods",
    ("decode", "é"): "dies",
    ("decode", -1): "dies",
    ("decode", "?"): "replies twice",
    ("decode", 65536): "takes another id",
    ("decode", "a\0b"): "writes noise",
    ("decode", 305419896): "rejects",
    ("decode", "hangs"): "hangs",
    ("decode", bytes([DIES])): "dies",
    ("decode", bytes([HANGS])): "hangs",
    ("decode", bytes([FLOODS])): "floods",
    ("decode", bytes([NOISE])): "writes noise",
    ("decode", bytes([WRONG_ID])): "takes another id",
    ("decode", bytes([TAKES_MEMORY])): "takes memory",
}
HELLO = {
    "outcome": "hello",
    "protocols": [1],
    "implementation": "unruly codec",
    "version": "1",
    "supports": {"encode": {"HeartbeatRequest": [0]}, "decode": {"HeartbeatRequest": [0], "HeartbeatResponse": [0]}},
    "operations": ["hello", "encode", "decode"],
    "capabilities": [],
}


def main() -> None:
    """Answer until standard input ends."""
    misdeeds = dict(MISDEEDS)
    for text in sys.argv[1:]:  # one more text on which it hangs
        misdeeds["decode", text] = "hangs"
    replies: list[str] = []
    rest = b""
    while piece := os.read(0, 65536):
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            request = json.loads(line)
            reply, parts = reply_to(request)
            done = next((misdeeds[request["op"], part] for part in parts if (request["op"], part) in misdeeds), "")
            replies += misbehaved(done, {"id": request["id"], **reply})
            if done == "dies after the reply":
                write(replies)
                os.abort()
            if "lock-step" in sys.argv:
                write(replies)
                replies.clear()
        if not select.select([0], [], [], 0)[0]:
            write(replies)
            replies.clear()


def write(replies: list[str]) -> None:
    """Write lines at once."""
    sys.stdout.write("".join(f"{reply}\n" for reply in replies))
    sys.stdout.flush()


def reply_to(request: dict[str, Any]) -> tuple[dict[str, Any], list[Any]]:
    """Return the honest reply to a request, with its group, generation and member."""
    if request["op"] == "hello":
        return HELLO | ({"lockStep": request.get("lockStep", False)} if "lock-step" in sys.argv else {}), []
    if request["op"] == "encode":
        parts = [request["value"][name] for name in ("GroupId", "GenerationId", "MemberId")]
        group, generation, member = parts
        if not isinstance(generation, int) or not -(2**31) <= generation < 2**31:
            return {"outcome": "rejected", "text": "no generation"}, parts
        return {"outcome": "bytes", "wire": (put(group) + struct.pack(">i", generation) + put(member)).hex()}, parts
    data = bytes.fromhex(request["wire"])
    if request["message"] == "HeartbeatResponse":
        return {"outcome": "value", "value": {"ErrorCode": len(data)}, "consumed": len(data)}, [data[:1]]
    group, rest = take(data)
    member, _ = take(rest[4:])
    [generation] = struct.unpack(">i", rest[:4])
    value = {"GroupId": group, "GenerationId": generation, "MemberId": member}
    return {"outcome": "value", "value": value, "consumed": len(data)}, [group, generation, member]


def misbehaved(done: str, reply: dict[str, Any]) -> list[str]:
    """Return the lines written in place of a reply."""
    line = json.dumps(reply)
    if done == "dies":
        os.abort()
    if done == "hangs":
        time.sleep(60)
    if done == "takes memory":
        bytearray(1 << 34)
    lines = {
        "writes something else": [json.dumps({**reply, "wire": reply.get("wire", "") + "00"})],
        "floods": ["x" * (1 << 22)],
        "replies twice": [line, line],
        "takes another id": [json.dumps({**reply, "id": reply["id"] + 1})],
        "writes noise": ["reading"],
        "rejects": [json.dumps({"id": reply["id"], "outcome": "rejected", "text": "no such generation"})],
    }
    return lines.get(done, [line])


def put(text: str | None) -> bytes:
    """Return the bytes of a string, or those of an empty one if it is null or too long."""
    data = (text or "").encode()
    return struct.pack(">h", len(data)) + data if len(data) < 2**15 else bytes(2)


def take(data: bytes) -> tuple[str, bytes]:
    """Return a string, and the bytes after it."""
    length = int.from_bytes(data[:2], signed=True)
    return data[2 : 2 + length].decode(), data[2 + length :]


if __name__ == "__main__":
    main()
