"""Explanations of golden vectors name each byte like the spans, and have the verdict of the oracle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from conformance.vectors.tree.vector_files import read_file
from conformance.vectors.tree.vector_paths import VectorGroup, committed_vectors, groups_of
from reference import Result, frame_spans, judge, judge_records, load_release, records_layers
from reference.codec import spans_up_to_fault
from reference.explained.bodies import explain_message
from reference.explained.frames import SIZE, NoFrame, explain_frame, explain_response
from reference.explained.records import explain_records
from tests.helpers.releases import BASE, NEWEST, OLDEST
from tests.report.explain.tiling import MEANINGLESS, check_whole, named, named_by, outer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reference.explained.explanation import Explanation

FRAMES = 200
"""The fewest frames that are explained."""


def vectors(folder: str, one_in: int) -> Iterator[tuple[VectorGroup, dict[str, Any], bytes]]:
    """Yield one in so many vectors of a folder, without those without bytes."""
    root = committed_vectors()
    paths = sorted(path.relative_to(root).as_posix() for path in (root / folder).glob("*.json"))
    groups = groups_of({path: read_file(root / path) for path in paths})
    every = [(group, vector) for group in groups for vector in group.vectors if "wire" in vector]
    assert every, folder
    yield from ((group, vector, bytes.fromhex(vector["wire"])) for group, vector in every[::one_in])


def of_frame(group: VectorGroup, wire: bytes) -> Explanation:
    """Return the explanation of a frame of a vector."""
    release = load_release(group.release)
    if group.message.endswith("Request"):
        return explain_frame(release, wire)
    api_key = release.definition(group.message).api_key
    assert api_key is not None
    return explain_response(release, api_key, group.version, wire)


def check_deviation(explanation: Explanation) -> None:
    verdict = explanation.verdict
    departing = [part for part in explanation.parts if part.deviation]
    assert departing
    if verdict.result == Result.INVALID:
        assert verdict.offset is not None
        last = [part for part in departing if f"{verdict.rules[-1]}: " in part.deviation]
        assert any(part.start <= verdict.offset <= part.end for part in last)


def test_every_byte_of_frames_is_named_as_the_spans_name_it() -> None:
    explained = 0
    for release in (OLDEST, BASE, NEWEST):
        for group, vector, wire in vectors(f"{release}/frames", one_in=5):
            if vector["result"] == Result.VALID:
                explanation = of_frame(group, wire)
                check_whole(explanation)
                schema = load_release(group.release).schema(group.message, group.version)
                assert outer(explanation) == named_by(frame_spans(load_release(release), schema, wire))
                assert not {part.role for part in explanation.parts} & MEANINGLESS
                assert explanation.verdict.result == Result.VALID
                explained += 1
    assert explained >= FRAMES


def test_every_byte_of_broken_frames_is_in_one_part() -> None:
    for group, vector, wire in vectors(f"{NEWEST}/frames", one_in=1):
        if vector["result"] == Result.INVALID and len(wire) >= 2 * SIZE:
            explanation = of_frame(group, wire)
            check_whole(explanation)
            assert explanation.verdict.result == Result.INVALID, vector["id"]
            check_deviation(explanation)


def test_request_too_short_for_a_header_cannot_be_explained() -> None:
    with pytest.raises(NoFrame, match=r"7 bytes .*request"):
        explain_frame(load_release(NEWEST), bytes(7))


@pytest.mark.parametrize(
    "folder",
    [
        f"{NEWEST}/messages",
        *(f"proposals/{name}/messages" for name in ("kip-482-first-draft", "kip-482-second-draft", "kip-625")),
    ],
)
def test_messages_have_the_verdict_of_the_oracle_at_the_place_of_a_part(folder: str) -> None:
    for group, vector, wire in vectors(folder, one_in=4):
        schema = load_release(group.release).schema(group.message, group.version)
        explanation, verdict = explain_message(schema, wire), judge(schema, wire)
        check_whole(explanation)
        found = explanation.verdict
        expected = (str(verdict.result), verdict.rules, str(verdict.reason or ""), verdict.offset, verdict.path)
        assert (found.result, found.rules, found.reason, found.offset, found.path) == expected, vector["id"]
        assert found.canonical == verdict.canonical
        if vector["result"] == Result.VALID:
            assert outer(explanation) == named_by(spans_up_to_fault(schema, wire))
        else:
            check_deviation(explanation)


def test_record_batches_have_the_verdict_of_the_oracle_at_the_place_of_a_part() -> None:
    for _, vector, wire in vectors("records", one_in=4):
        explanation, verdict = explain_records(wire), judge_records(wire)
        check_whole(explanation)
        expected = (str(verdict.result), verdict.rules, verdict.offset, verdict.path)
        found = explanation.verdict
        assert (found.result, found.rules, found.offset, found.path) == expected, vector["id"]
        if vector["result"] == Result.VALID:
            field, *streams = records_layers(wire)
            assert named(explanation.parts) == named_by(field.spans)
            assert [named(inner.parts) for inner in explanation.inside] == [named_by(each.spans) for each in streams]
        else:
            check_deviation(explanation)
