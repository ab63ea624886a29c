"""The cases among the golden vectors of record batches, and the cases left out."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from conformance.campaign.proof.proof import ProofResult
from conformance.campaign.proof.proven_vectors import record_vector_questions
from conformance.codec.python_codec import PythonCodec
from conformance.codec.session import Session
from conformance.targets import RecordsField
from conformance.targets.claims import EVERYTHING
from conformance.targets.record_claims import RecordsClaims
from conformance.vectors.enumeration.record_vectors import LARGEST_CLAIM, RECORD_FILES, record_cases
from conformance.vectors.enumeration.vector import VectorBytes, known_of
from conformance.vectors.tree.vector_files import read_file
from conformance.vectors.tree.vector_paths import VectorGroup, committed_vectors, file_at, line_of
from conformance.vectors.verification.runner import VectorResults, as_claimed, run_group, written_forms
from reference import encode_records, judge_records, load_release
from reference.errors import REASONS_OF_RECORDS
from reference.records.compression import CODECS
from tests.helpers.adapters import load_adapter
from tests.helpers.releases import BASE

LONGEST_LINE = 8 << 10
KAFKA = f"apache-kafka-{BASE}"
TARGET, RELEASE = RecordsField(BASE), load_release(BASE)
REFERENCE = load_adapter("conformance.adapters.reference", RELEASE)
each_file = pytest.mark.parametrize("name", RECORD_FILES)


@cache
def group(name: str) -> VectorGroup:
    path = f"records/{name}.json"
    [content] = read_file(committed_vectors() / path)["groups"]
    return VectorGroup(file_at(path), content, BASE)


def vectors() -> Iterator[dict[str, Any]]:
    for name in RECORD_FILES:
        yield from group(name).vectors


def vectors_with_bytes() -> Iterator[dict[str, Any]]:
    yield from (vector for vector in vectors() if "wire" in vector)


def vector_with(**members: Any) -> dict[str, Any]:
    return next(vector for vector in vectors() if members.items() <= vector.items())


@each_file
def test_cases_have_ids_and_bytes_of_their_own(name: str) -> None:
    cases = list(record_cases(name))
    wires = [case.wire for case in cases if isinstance(case, VectorBytes)]
    assert len({case.id for case in cases}) == len(cases)
    assert len({*wires}) == len(wires)


def test_lines_stay_short() -> None:
    assert max(len(line_of(vector)) for vector in vectors()) <= LONGEST_LINE


def test_every_codec_and_magic_is_read() -> None:
    batches = [batch for vector in vectors_with_bytes() for batch in vector.get("value", {}).get("batches", ())]
    assert {batch["compression"] for batch in batches} == {"none", *CODECS}
    assert {batch["magic"] for batch in batches} == {0, 1, 2}


def test_every_reason_of_records_is_given() -> None:
    wanted = {*map(str, REASONS_OF_RECORDS), "null-not-allowed", "varint-overflow"}
    assert wanted <= {vector.get("reason") for vector in vectors()}


def test_compressed_streams_have_no_canonical_bytes() -> None:
    compressed = [vector for vector in vectors() if "compressed" in vector]
    assert compressed
    assert not any("canonical" in vector for vector in compressed)


def test_both_readers_are_stated() -> None:
    """The consumer always, the broker where the consumer does not stop inside of a compressed stream."""
    for vector in vectors_with_bytes():
        [readers] = vector["readers"].values()
        assert "client" in readers
        assert "within" not in vector or "broker" not in readers
    stated = [
        vector["readers"][KAFKA]["broker"] for vector in vectors_with_bytes() if "broker" in vector["readers"][KAFKA]
    ]
    assert {reader["accepts"] for reader in stated} == {True, False}


def test_no_broker_accepts_bytes_refused_by_the_consumer() -> None:
    for vector in vectors_with_bytes():
        verdict = judge_records(bytes.fromhex(vector["wire"]), release=BASE)
        assert verdict.client
        assert verdict.broker
        assert verdict.client.does == "accepts" or verdict.broker.does == "rejects", vector["id"]


def test_lengths_inside_of_streams_claim_little() -> None:
    for vector in vectors():
        inside = re.search(r"in-(?:gzip|snappy|lz4|zstd)-.*-records-\d+-length-(\d+)$", vector["id"])
        size = re.search(r"^wrapper-.*-messages-\d+-size-(\d+)$", vector["id"])
        assert all(int(claim[1]) <= LARGEST_CLAIM for claim in (inside, size) if claim), vector["id"]


def test_a_partial_tail_is_in_the_value_and_not_written() -> None:
    known = known_of(BASE, TARGET, bytes.fromhex(vector_with(id="tail-of-16")["wire"]))
    assert len(known["value"]["partial"]) == 32
    assert judge_records(bytes.fromhex(known["canonical"])).rules == ()


def test_vector_for_a_reader_depends_on_its_claims() -> None:
    """A reader without a codec, or without a check of CRCs, may accept or refuse such bytes."""
    of_zstd, bad_crc = group("zstd").vectors[0], vector_with(id="plain-batches-0-producer-id-0-stale")
    assert as_claimed(RecordsClaims(), TARGET, of_zstd)["result"] == "valid"
    assert as_claimed(RecordsClaims(codecs=("none",)), TARGET, of_zstd)["result"] == "unspecified"
    assert as_claimed(RecordsClaims(), TARGET, bad_crc)["result"] == "invalid"
    assert as_claimed(RecordsClaims(check_crc="never"), TARGET, bad_crc)["result"] == "unspecified"


def test_a_writer_is_asked_for_its_codecs_only() -> None:
    of_zstd = group("zstd").vectors[0]
    few = RecordsClaims(codecs=("none", "gzip"))
    assert [form for form, _ in written_forms(EVERYTHING, TARGET, of_zstd)] == [of_zstd["value"]]
    assert not [*written_forms(replace(EVERYTHING, records=few), TARGET, of_zstd)]


def texts_for(write: Callable[[dict[str, Any]], bytes]) -> list[str]:
    """Return the texts about the first vector of gzip, for the reference with another writer."""
    results, session = VectorResults(), Session(PythonCodec(replace(REFERENCE, encode_records=write)), RELEASE)
    of_gzip = group("gzip")
    run_group(session, of_gzip._replace(content={**of_gzip.content, "vectors": of_gzip.vectors[:1]}), results)
    return [failure.text for failure in results.failures]


def test_written_stream_must_have_the_same_content() -> None:
    def other(content: dict[str, Any]) -> bytes:
        content["batches"][0]["records"][0]["key"] = b"other"
        return encode_records(content)

    assert not texts_for(encode_records)
    assert "b'other'" in texts_for(other)[0]
    assert "expected: 0000" in texts_for(lambda content: encode_records(content)[:-1] + b"\1")[0]


def test_a_writer_may_leave_a_batch_uncompressed() -> None:
    """Its bytes have the same content."""

    def write(content: dict[str, Any]) -> bytes:
        return encode_records({"batches": [batch | {"compression": "none"} for batch in content["batches"]]})

    assert not texts_for(write)


def test_vectors_are_put_to_both_readers_and_the_writer() -> None:
    """Each stated reader reads the bytes, and a value is written too."""
    questions = list(record_vector_questions(group("batches"), BASE, ProofResult()))
    counts = {kind: sum(question.kind == kind for question in questions) for kind in {q.kind for q in questions}}
    total = sum("wire" in vector for vector in group("batches").vectors)
    assert counts["record vectors consumed"] == counts["record vectors written"] == total
    assert 0 < counts["record vectors appended"] <= total


def test_other_answer_than_the_vectors_is_a_difference() -> None:
    questions = record_vector_questions(group("tampered-batches"), BASE, ProofResult())
    question = next(question for question in questions if "crc" in question.name)
    assert question.check({"outcome": "value", "value": {"batches": [], "partial": ""}, "absolute": []})
    refused = {
        "outcome": "rejected",
        "class": "org.apache.kafka.common.errors.CorruptRecordException",
        "during": "check",
    }
    assert question.check(refused) is None
