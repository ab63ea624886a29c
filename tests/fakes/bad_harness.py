"""A harness of one message that needs nothing but Python's own `json`, and harnesses that lie, each in one way.

Each lie is a few lines of Python that take the place of what the honest harness does; its name says what it does.
"""

from __future__ import annotations

import sys
from textwrap import dedent

HONEST = """
import json, os, sys, time

PROTOCOLS = [1]
SUPPORTS = {"encode": {"HeartbeatResponse": [0]}, "decode": {"HeartbeatResponse": [0]}}
OPERATIONS = ["hello", "encode", "decode"]

def put(reply):
    print(json.dumps(reply), flush=True)

def fail(text, outcome="protocol-error"):
    return {"outcome": outcome, "text": text}

def hello(request):
    if request["protocol"] not in PROTOCOLS:
        return {**fail("only version 1 is spoken here"), "protocols": PROTOCOLS}
    about = {"implementation": "rude", "version": "1", "protocols": PROTOCOLS, "capabilities": []}
    return {"outcome": "hello", **about, "supports": SUPPORTS, "operations": OPERATIONS}

def supported(request):
    return request["version"] in SUPPORTS[request["op"]].get(request["message"], ())

def encode(request):
    code = request["value"]["ErrorCode"]
    return {"outcome": "bytes", "wire": code.to_bytes(2, "big", signed=True).hex()}

def decode(request):
    wire = bytes.fromhex(request["wire"])
    if len(wire) < 2:
        return {"outcome": "rejected", "class": "Short", "text": "two bytes are needed"}
    return {"outcome": "value", "value": {"ErrorCode": int.from_bytes(wire[:2], "big", signed=True)}, "consumed": 2}

def perform(request):
    operation = {"hello": hello, "encode": encode, "decode": decode}.get(request["op"])
    if operation is None:
        return fail("no such operation", "unsupported")
    if operation is not hello and not supported(request):
        return fail("no such message or version", "unsupported")
    return operation(request)

def answer(line):
    request = {}
    try:
        request = json.loads(line)
        return {"id": request["id"], **perform(request)}
    except (KeyError, TypeError, ValueError) as error:
        return {"id": request.get("id") if isinstance(request, dict) else None, **fail(repr(error))}

def begin():
    pass

def end():
    pass

def serve():
    for line in sys.stdin:
        put(answer(line))
"""

LIES = {
    "says_nothing": "def serve(): time.sleep(60)",
    "is_not_there": "def begin(): sys.exit('no licence')",
    "greets": "def begin(): print('Welcome!', flush=True)",
    "refuses_hello": "def hello(request): return fail('not today', 'unsupported')",
    "forgets_its_version": """
        def hello(request, honest=hello):
            return {key: item for key, item in honest(request).items() if key != "version"}
    """,
    "supports_what_no_release_has": """
        SUPPORTS = {"encode": {"HeartBeat": [0]}, "decode": {"HeartBeat": [0]}}
    """,
    "offers_what_it_does_not_support": """
        SUPPORTS = {"encode": {"HeartbeatResponse": [0]}, "decode": {}}
    """,
    "accepts_any_version": """
        def hello(request, honest=hello): return honest({**request, "protocol": 1})
    """,
    "keeps_replies_back": """
        def serve():
            for line in sys.stdin.readlines():
                put(answer(line))
    """,
    "forgets_ids": "def put(reply): print(json.dumps({**reply, 'id': 0}), flush=True)",
    "writes_ids_as_text": "def put(reply): print(json.dumps({**reply, 'id': str(reply['id'])}), flush=True)",
    "answers_in_another_order": """
        def serve():
            put(answer(sys.stdin.readline()))
            lines = sys.stdin.readlines()
            for line in [*lines[1:], *lines[:1]]:
                put(answer(line))
    """,
    "answers_twice": """
        def serve():
            for line in sys.stdin:
                put(answer(line))
                if b'decode' in line.encode():
                    put(answer(line))
    """,
    "dies_of_unknown_operations": """
        def perform(request, honest=perform):
            if request["op"].startswith("no"):
                sys.stderr.write("assertion failed")
                os.abort()
            return honest(request)
    """,
    "dies_of_bad_json": """
        def answer(line):
            request = json.loads(line)
            try:
                return {"id": request["id"], **perform(request)}
            except (KeyError, ValueError) as error:
                return {"id": request["id"], **fail(repr(error))}
    """,
    "takes_unknown_messages_for_errors_of_the_protocol": """
        def supported(request):
            if request["message"] not in SUPPORTS["encode"]:
                raise ValueError("no such message")
            return request["version"] == 0
    """,
    "prints_as_it_decodes": """
        def decode(request, honest=decode):
            print("decoding", request["wire"][:8])
            return honest(request)
    """,
    "waits_for_more": """
        def serve():
            for line in iter(sys.stdin.readline, ""):
                put(answer(line))
                if len(line) > 1000:
                    break
            for line in sys.stdin.readlines():
                put(answer(line))
    """,
    "never_ends": "def end(): time.sleep(60)",
    "ends_badly": "def end(): sys.exit(3)",
    "lacks_the_class_of_a_refusal": """
        def decode(request, honest=decode):
            return {key: item for key, item in honest(request).items() if key != "consumed"} | {"size": 2}
    """,
    "writes_bytes_in_upper_case": """
        def encode(request, honest=encode):
            return {"outcome": "bytes", "wire": "00FF"}
    """,
    "mixes_up_bytes": """
        def encode(request):
            return {"outcome": "bytes", "wire": request["value"]["ErrorCode"].to_bytes(2, "little").hex()}
    """,
    "reads_another_field": """
        def decode(request, honest=decode):
            reply = honest(request)
            return {**reply, "value": {"Error": 0}} if "value" in reply else reply
    """,
    "refuses_everything": """
        def decode(request): return {"outcome": "rejected", "class": "NullPointer", "text": "field is null"}
    """,
}


def command(lie: str = "") -> tuple[str, ...]:
    """The command of a harness that tells this lie; of the honest one without."""
    return (sys.executable, "-c", f"{HONEST}\n{dedent(LIES.get(lie, lie))}\nbegin()\nserve()\nend()\n")
