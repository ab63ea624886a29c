"""Explanations of recorded sessions of real clients name each byte like the spans."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from conformance.definitions.defining_releases import Definitions
from conformance.live.capture.capture import read_capture
from conformance.live.capture.conversation import explanation_of, seen_in
from reference import frame_spans, load_release, records_spans
from reference.explained.explanation import NOT_JUDGED
from tests.live.capture.test_sessions import RELEASE, SESSIONS
from tests.report.explain.tiling import MEANINGLESS, check_whole, named, named_by, outer

SIZE = 4
DEPARTING = {"confluent-kafka": 1, "kafka-go": 2, "platformatic": 6}
"""Frames with bytes that have no meaning, or without some that they should have, by session."""


@pytest.fixture(scope="module")
def definitions() -> Definitions:
    """Return the definitions of all releases, with the release of the server first."""
    return Definitions.beginning_with(load_release(RELEASE))


@pytest.mark.parametrize("path", sorted(SESSIONS.glob("*.jsonl")), ids=lambda path: path.stem)
def test_every_byte_of_a_session_is_named_as_the_spans_name_it(path: Path, definitions: Definitions) -> None:
    counts: Counter[str] = Counter()
    for seen in seen_in(definitions, read_capture(path).frames):
        explanation = explanation_of(seen)
        check_whole(explanation)
        counts.update(inner.title.partition(" v")[0] for inner in explanation.inside)
        if explanation.verdict.result == NOT_JUDGED:
            counts["not judged"] += 1
        elif {part.role for part in explanation.parts} & MEANINGLESS:
            counts["departing"] += 1
        else:
            assert seen.judged is not None
            assert seen.judged.release is not None
            assert seen.judged.schema is not None
            sized = len(seen.frame.payload).to_bytes(SIZE) + seen.frame.payload
            spans = named_by(frame_spans(seen.judged.release, seen.judged.schema, sized))
            shifted = [(start - SIZE, end - SIZE, *rest) for start, end, *rest in spans]
            assert outer(explanation) == [tuple(each) for each in shifted[1:]]
    assert counts["departing"] == DEPARTING.get(path.stem, 0)
    assert counts["record batches"]


def test_records_in_a_session_are_explained_inside_of_their_frames(definitions: Definitions) -> None:
    for seen in seen_in(definitions, read_capture(SESSIONS / "kafka-clients.jsonl").frames):
        explanation = explanation_of(seen)
        for inner in explanation.inside:
            if inner.title == "record batches" and inner.start is not None:
                wire = seen.frame.payload[inner.start : inner.start + len(inner.wire)]
                assert wire == inner.wire
                found = [part for part in named(explanation.parts) if part[2].startswith(f"{inner.path}.")]
                assert found == named_by(records_spans(wire), inner.start, inner.path)
