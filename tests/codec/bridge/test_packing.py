"""Calls and outcomes come back as they were, whatever a codec has read."""

from __future__ import annotations

import pickle
import struct
from collections.abc import Callable, Iterator
from decimal import Decimal
from enum import IntEnum
from tempfile import TemporaryFile
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.adapter import FrameContent, StoredMessage
from conformance.codec.bridge.packing import (
    FAILED,
    LENGTH,
    Call,
    CallCounter,
    call_of,
    outcome_of,
    packed,
    reply_of,
    size_of,
    unpacked_calls,
    unpacked_replies,
)
from conformance.targets import ENCODE, Ask, Body
from conformance.targets.outcome import Kind, Outcome
from reference import load_release, newest_release

TEXTS = st.text() | st.just("\ud800 \udfff")
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False)
    | TEXTS
    | st.binary()
    | st.uuids()
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner)
        | st.dictionaries(TEXTS, inner)
        | st.tuples(inner, inner)
        | st.builds(FrameContent, inner, inner, inner)
        | st.builds(StoredMessage, inner, inner, inner)
    ),
    max_leaves=12,
)


Unpack = Callable[[bytearray], Iterator[list[Any]]]


def arrived(data: bytes, unpacked: Unpack = unpacked_replies, piece: int = 7) -> list[Any]:
    """Return the messages in bytes arriving in pieces."""
    buffer, messages = bytearray(), []
    for start in range(0, len(data), piece):
        buffer += data[start : start + piece]
        messages += list(unpacked(buffer))
    assert not buffer
    return messages


@given(value=VALUES)
def test_a_value_comes_back_as_it_was(value: Any) -> None:
    outcome = Outcome(Kind.VALUE, value=value, consumed=3)
    [[reply]] = arrived(packed([reply_of(outcome)]))
    assert outcome_of(reply) == outcome


def test_unpacked_value_keeps_its_types() -> None:
    value = {"a": (1, b"b"), "b": UUID(int=1), "c": 2**64, "d": [True, 1, 1.0]}
    [[reply]] = arrived(packed([reply_of(Outcome(Kind.VALUE, value=value))]))
    assert repr(outcome_of(reply).value) == repr(value)


def test_a_float_keeps_its_bits() -> None:
    bits = bytes.fromhex("7ff8000000000123")
    [number] = struct.unpack(">d", bits)
    [[reply]] = arrived(packed([reply_of(Outcome(Kind.VALUE, value=number))]))
    assert struct.pack(">d", outcome_of(reply).value) == bits


@pytest.mark.parametrize(
    "outcome",
    [
        Outcome(Kind.BYTES, wire=b""),
        Outcome(Kind.REJECTED, text="ValueError: no", reason="invalid"),
        Outcome(Kind.VALUE),
        Outcome(Kind.CRASHED, text="RecursionError"),
    ],
)
def test_an_outcome_comes_back_as_it_was(outcome: Outcome) -> None:
    [[reply]] = arrived(packed([reply_of(outcome)]))
    assert outcome_of(reply) == outcome


def test_calls_arrive_in_the_messages_of_their_sender() -> None:
    first, second = Call("decode", "messages", "FetchRequest", 4, b"\0"), Call("size", "stored", "TopicRecord", 0, {})
    sent = packed([first, second]) + packed([])
    assert arrived(sent, unpacked_calls) == [[list(first), list(second)], []]


class Size(IntEnum):
    """Some number."""

    LARGE = 2**20


@pytest.mark.parametrize(
    "content",
    [
        {1, 2},
        bytearray(b"a"),
        Decimal("1.5"),
        {None: 1, 2: True, "é": 1.5},
        [Size.LARGE, 10**6000, -(10**6000)],
        FrameContent(1, "a", {"Ids": frozenset({1})}, ((5, bytearray(b"a")),)),
        range(3),
    ],
)
def test_a_call_carries_any_object(content: Any) -> None:
    ask = Ask(ENCODE, Body(load_release(newest_release()).schema("ListGroupsRequest", 0)), content)
    [[[*_, arrived_content]]] = arrived(packed([call_of(ask)]), unpacked_calls)
    assert arrived_content == content
    assert pickle.dumps(arrived_content) == pickle.dumps(content)


def test_a_pickle_in_a_reply_is_refused() -> None:
    with pytest.raises(LookupError):
        arrived(packed([reply_of(Outcome(Kind.VALUE, value={1}))]))


def test_malformed_bytes_are_reported() -> None:
    with pytest.raises(ValueError, match=r"malformed|truncated"):
        list(unpacked_replies(bytearray((1).to_bytes(LENGTH) + b"\xc1")))


@pytest.mark.parametrize("content", [b"ab", {"a": "\ud800"}, 2**70, UUID(int=1), None])
def test_content_of_a_call_has_a_size_whatever_it_is(content: Any) -> None:
    assert size_of(Call("encode", "messages", "FetchRequest", 4, content)) > 0


def test_a_mistake_of_the_suite_in_its_child_is_no_outcome() -> None:
    """No codec is blamed for it."""
    with pytest.raises(RuntimeError, match=r"suite's own .*ZeroDivisionError"):
        outcome_of({FAILED: "ZeroDivisionError"})


def test_counter_is_seen_by_those_who_share_the_file() -> None:
    with TemporaryFile() as file:
        suite, child = CallCounter(file), CallCounter(file)
        child.taken = 7
        assert suite.taken == 7
