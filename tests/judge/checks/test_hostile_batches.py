from conformance.adapter import Decoded
from conformance.codec.loaded_adapter import LoadedAdapter
from conformance.codec.python_codec import PythonCodec
from conformance.judge.checks.body_bytes import hostile_case
from conformance.judge.count_lines import UnspecifiedProfile
from reference import CodecError, MessageSchema, decode, load_release
from tests.helpers.releases import BASE
from tests.helpers.sessions import session_of, tried

HEARTBEAT = load_release(BASE).schema("HeartbeatResponse", 0)
VALID, TRAILING = b"\0\7", b"\0\7\0"


def strict(schema: MessageSchema, data: bytes) -> Decoded:
    return Decoded(decode(schema, data).value)


def test_rejection_of_unspecified_bytes_counts_only_with_an_accepted_base() -> None:
    """A random input has no base, and another input of its batch says nothing about it."""
    versions = {HEARTBEAT.message: frozenset({HEARTBEAT.version})}
    supported = {"encode": versions, "decode": versions}
    adapter = LoadedAdapter("", "strict", "0", supported, decode=strict, rejections=(CodecError,))
    session = session_of(PythonCodec(adapter))
    alone = [hostile_case(HEARTBEAT, "generated", wire, deterministic=False) for wire in (VALID, TRAILING)]
    violations, tally = tried(session, alone)
    assert violations == []
    assert dict(tally.of(UnspecifiedProfile)) == {}
    based = [
        hostile_case(HEARTBEAT, name, wire, base="minimal")
        for name, wire in (("minimal", VALID), ("minimal/trailing", TRAILING))
    ]
    violations, tally = tried(session, based)
    assert violations == []
    assert dict(tally.of(UnspecifiedProfile)) == {("input.trailing-bytes", False): 1}
