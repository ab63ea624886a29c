"""A target compared with Apache Kafka, by contents and by bytes.

Both sides write each content. The bytes must be the same, and Apache Kafka must read the content back from them. It
must refuse all contents that the reference refuses. On other bytes its behaviour must match the reference's verdict.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.campaign.proof.left_out import is_written_wider
from conformance.campaign.proof.proof import Question, content_difference, read, rejected, written
from conformance.targets import ENCODE, Body, WholeFrame
from reference import ApacheKafka, Unencodable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from conformance.campaign.proof.proof import Check
    from conformance.targets import Target
    from reference import Verdict

WORDS = {
    "encode": "",
    "encode_frame": "frames ",
    "encode_record": "records ",
    "encode_prefixed": "prefixed ",
    "encode_primitive": "primitives ",
}
"""The words before each kind of question in the counts, by the function of a target."""
NEXT_FRAME = b"\xff"
"""A byte after each frame. Its reader must stop before it."""


def content_questions(target: Target, name: str, content: Any) -> Iterator[Question]:
    """Yield the questions about a content, written by both and read by Apache Kafka, or refused by both."""
    word = _word(target)
    try:
        wire = target.write(content)
    except Unencodable as error:
        if not is_written_wider(target, error.rule, error.path):
            check = rejected(f"the reference refuses this value ({error})")
            yield Question.to_write(f"{word}not writable", name, target, content, check)
        return
    yield Question.to_write(f"{word}written", name, target, content, written(wire, sized=isinstance(target, Body)))
    # Written again it is shorter if a tagged struct is at its default without a value of another version.
    canonical = target.judge(wire).canonical or wire
    check = read_whole(target, content, wire, canonical.hex())
    given = wire + NEXT_FRAME if isinstance(target, WholeFrame) else wire
    yield Question.to_read(f"{word}read", name, target, given, check)


def bytes_questions(target: Target, name: str, wire: bytes, kind: str = "") -> Iterator[Question]:
    """Yield a question about bytes, or none if the verdict says nothing of Apache Kafka.

    Args:
        target: the target that the bytes are read as.
        name: the name of the case.
        wire: the bytes.
        kind: the name to count it under; default: by the verdict.
    """
    verdict = target.observed(wire)
    if verdict.apache_kafka is None:
        return
    if verdict.apache_kafka is ApacheKafka.ACCEPTS:
        words, check = "read", read_as(target, verdict.value, _facts(target, verdict))
    else:
        words, check = "not readable", rejected(f"the verdict is {verdict}")
    yield Question.to_read(kind or f"{_word(target)}{words}", name, target, wire, check)


def read_as(target: Target, content: Any, facts: Mapping[str, Any]) -> Check:
    """Return a check that Apache Kafka reads a content, with these facts where its reply states them."""

    def difference(reply: Mapping[str, Any]) -> object:
        found = content_difference(target, content, reply)
        if found is not None:
            return found
        stated = [name for name in facts if name in reply]
        ours, theirs = ([each[name] for name in stated] for each in (facts, reply))
        return None if ours == theirs else f"{' and '.join(stated)}: {ours} here, {theirs} there"

    return read(difference)


def read_whole(target: Target, content: Any, wire: bytes, canonical: str) -> Check:
    """Return a check that Apache Kafka reads all of these bytes as a content, and writes it canonically."""
    return read_as(target, content, {"consumed": len(wire), "canonical": canonical, "version": target.version})


def _word(target: Target) -> str:
    return WORDS[target.function(ENCODE)]


def _facts(target: Target, verdict: Verdict) -> dict[str, Any]:
    """Return the facts of a verdict. Only those of bodies state the canonical bytes, None for a value without any."""
    facts: dict[str, Any] = {} if verdict.consumed is None else {"consumed": verdict.consumed}
    if isinstance(target, Body):
        facts["canonical"] = None if verdict.canonical is None else verdict.canonical.hex()
    return facts
