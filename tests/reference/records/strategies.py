"""Values of records fields for round trips, all of them writable."""

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from conformance.generate.record_building import batch, message, record, wrapper
from reference.records.compression import NAMES

blobs = st.none() | st.binary(max_size=80)
times = st.sampled_from([-1, 0, 1_700_000_000_000, 2**62])


@st.composite
def records(draw: DrawFn) -> list[dict[str, Any]]:
    steps = draw(st.lists(st.integers(0, 10_000), max_size=5))
    offsets = [sum(steps[: index + 1]) + index for index in range(len(steps))]
    return [
        record(
            offset,
            attributes=draw(st.integers(-128, 127)),
            timestampDelta=draw(st.integers(0, 2**40)),
            key=draw(blobs),
            value=draw(blobs),
            headers=draw(st.lists(st.tuples(st.text(st.characters(exclude_categories=["Cs"])), blobs), max_size=3)),
        )
        for offset in offsets
    ]


@st.composite
def batches(draw: DrawFn) -> dict[str, Any]:
    held, base = draw(records()), draw(times)
    log_append = draw(st.booleans())
    highest = max((each["timestampDelta"] for each in held), default=0) + base
    return batch(
        compression=draw(st.sampled_from(NAMES)) if held else "none",
        timestampType="log-append" if log_append else "create",
        transactional=draw(st.booleans()),
        deleteHorizon=draw(st.booleans()),
        unusedAttributes=draw(st.integers(0, 511)),
        lastOffsetDelta=max((each["offsetDelta"] for each in held), default=0) + draw(st.integers(0, 9)),
        baseOffset=draw(st.integers(0, 2**40)),
        baseTimestamp=base,
        maxTimestamp=draw(times) if log_append else highest,
        producerId=draw(st.sampled_from([-1, 0, 2**63 - 1])),
        producerEpoch=draw(st.sampled_from([-1, 0, 2**15 - 1])),
        baseSequence=draw(st.sampled_from([-1, 0, 2**31 - 1])),
        partitionLeaderEpoch=draw(st.sampled_from([-1, 0, 2**31 - 1])),
        records=held,
    )


@st.composite
def messages(draw: DrawFn) -> dict[str, Any]:
    magic = draw(st.sampled_from([0, 1]))
    held = [message(index, magic=magic, key=draw(blobs), value=draw(blobs)) for index in range(draw(st.integers(1, 3)))]
    if draw(st.booleans()):
        return held[0]
    return wrapper(*held, codec=draw(st.sampled_from(["gzip", "snappy", "lz4"])))


fields = st.builds(lambda held: {"batches": held, "partial": b""}, st.lists(batches() | messages(), max_size=3))
