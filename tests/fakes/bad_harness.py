"""A correct harness for one message, and the same harness with one mistake each.

It needs only Python's `json`. A mistake is a few lines of Python in place of a part of the correct harness; its name
says what they do.
"""

import sys
from textwrap import dedent

CORRECT = """
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
    about = {"implementation": "example", "version": "1", "protocols": PROTOCOLS, "capabilities": []}
    return {"outcome": "hello", **about, "supports": SUPPORTS, "operations": OPERATIONS}

def supported(request):
    return request["version"] in SUPPORTS[request["op"]].get(request["message"], ())

def encode(request):
    code = request["value"]["ErrorCode"]
    if type(code) is not int:
        return fail("ErrorCode is a number")
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

MISTAKES = {
    "never_answers": "def serve(): time.sleep(60)",
    "exits_at_once": "def begin(): sys.exit('no licence')",
    "prints_a_greeting": "def begin(): print('Welcome!', flush=True)",
    "refuses_hello": "def hello(request): return fail('not today', 'unsupported')",
    "supports_what_no_release_has": """
        SUPPORTS = {"encode": {"HeartBeat": [0]}, "decode": {"HeartBeat": [0]}}
    """,
    "supports_versions_of_no_release": """
        SUPPORTS = {"encode": {"HeartbeatResponse": [99]}, "decode": {"HeartbeatResponse": [99]}}
    """,
    "offers_what_it_does_not_support": """
        SUPPORTS = {"encode": {"HeartbeatResponse": [0]}, "decode": {}}
    """,
    "accepts_any_version": """
        def hello(request, correct=hello): return correct({**request, "protocol": 1})
    """,
    "speaks_another_version": """
        def hello(request, correct=hello): return {**correct(request), "protocols": [2]}
    """,
    "hides_a_misspelt_field": """
        def hello(request, correct=hello):
            return {**correct(request), "hidden": {"HeartbeatResponse": ["error_code"]}}
    """,
    "notes_what_it_lacks": """
        SUPPORTS = {"encode": {}, "decode": {}}

        def hello(request, correct=hello):
            notes = [{"message": "HeartbeatResponse", "path": "ErrorCode", "note": "no such class"}]
            return {**correct(request), "notes": notes}
    """,
    "refuses_for_good": """
        def hello(request, correct=hello):
            global PROTOCOLS
            PROTOCOLS = PROTOCOLS if request["protocol"] in PROTOCOLS else [2]
            return correct(request)
    """,
    "prints_5_megabytes": "def begin(): print('x' * 5_000_000)",
    "holds_replies_back": """
        def serve():
            for line in sys.stdin.readlines():
                put(answer(line))
    """,
    "answers_with_one_id": "def put(reply): print(json.dumps({**reply, 'id': 0}), flush=True)",
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
    "aborts_on_unknown_operations": """
        def perform(request, correct=perform):
            if request["op"].startswith("no"):
                sys.stderr.write("assertion failed")
                os.abort()
            return correct(request)
    """,
    "exits_on_invalid_json": """
        def answer(line):
            request = json.loads(line)
            try:
                return {"id": request["id"], **perform(request)}
            except (KeyError, ValueError) as error:
                return {"id": request["id"], **fail(repr(error))}
    """,
    "calls_unknown_messages_protocol_errors": """
        def supported(request):
            if request["message"] not in SUPPORTS["encode"]:
                raise ValueError("no such message")
            return request["version"] == 0
    """,
    "prints_as_it_decodes": """
        def decode(request, correct=decode):
            print("decoding", request["wire"][:8])
            return correct(request)
    """,
    "waits_for_more_lines": """
        def serve():
            for line in iter(sys.stdin.readline, ""):
                put(answer(line))
                if len(line) > 1000:
                    break
            for line in sys.stdin.readlines():
                put(answer(line))
    """,
    "never_ends": "def end(): time.sleep(60)",
    "ends_with_status_3": "def end(): sys.exit(3)",
    "adds_an_unknown_key": """
        def decode(request, correct=decode):
            return {key: item for key, item in correct(request).items() if key != "consumed"} | {"size": 2}
    """,
    "writes_little_endian": """
        def encode(request):
            return {"outcome": "bytes", "wire": request["value"]["ErrorCode"].to_bytes(2, "little", signed=True).hex()}
    """,
    "reads_another_field": """
        def decode(request, correct=decode):
            reply = correct(request)
            return {**reply, "value": {"Error": 0}} if "value" in reply else reply
    """,
    "takes_anything_for_records": """
        OPERATIONS.append("decode-records")

        def perform(request, correct=perform):
            if request["op"] == "decode-records":
                return {"outcome": "value", "value": {"batches": [], "partial": ""}}
            return correct(request)
    """,
    "refuses_everything": """
        def decode(request, correct=decode):
            correct(request)
            return {"outcome": "rejected", "class": "NullPointer", "text": "field is null"}
    """,
}


def command(lie: str = "") -> tuple[str, ...]:
    """Return the command of the correct harness, or of the one with this lie."""
    return (sys.executable, "-c", f"{CORRECT}\n{dedent(MISTAKES.get(lie, lie))}\nbegin()\nserve()\nend()\n")
