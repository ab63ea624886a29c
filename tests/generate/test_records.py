from collections.abc import Callable
from typing import Any

import pytest

from conformance.generate.drawn_records import sample_message_set, sample_records
from conformance.targets.records.hostile_records import hostile_message_set, hostile_records
from reference import Result, encode_records, judge_records
from reference.records.compression import NAMES

SEEDS = [f"test/{number}" for number in range(300)]
SAMPLES = [sample_records, sample_message_set]
DAMAGED = [hostile_records, hostile_message_set]


@pytest.mark.parametrize("sample", [*SAMPLES, *DAMAGED])
def test_a_seed_gives_the_same_field_every_time(sample: Callable[[str], Any]) -> None:
    assert sample("a seed") == sample("a seed") != sample("another seed")


@pytest.mark.parametrize("sample", SAMPLES)
def test_records_are_judged_valid_with_their_own_value(sample: Callable[[str], dict[str, Any]]) -> None:
    values = [sample(seed) for seed in SEEDS]
    assert [judge_records(encode_records(value)).value for value in values] == values


def test_batches_of_all_codecs_and_flags_are_among_them() -> None:
    batches = [batch for seed in SEEDS for batch in sample_records(seed)["batches"]]
    assert {batch["compression"] for batch in batches} == set(NAMES)
    for flag in ("transactional", "control", "deleteHorizon"):
        assert {batch[flag] for batch in batches} == {True, False}


def test_fields_have_no_batch_one_or_several() -> None:
    assert {0, 1, 2, 3} <= {len(sample_records(seed)["batches"]) for seed in SEEDS}


def test_wrapping_sequences_are_among_them() -> None:
    batches = [batch for seed in SEEDS for batch in sample_records(seed)["batches"]]
    assert any(batch["baseSequence"] + batch["lastOffsetDelta"] >= 2**31 for batch in batches)


def test_headers_with_the_same_key_are_among_them() -> None:
    records = [record for seed in SEEDS for batch in sample_records(seed)["batches"] for record in batch["records"]]
    keys = [[key for key, _ in record["headers"]] for record in records]
    assert any(len(set(own)) < len(own) for own in keys)


def test_message_sets_have_messages_and_wrappers_of_both_magics() -> None:
    entries = [entry for seed in SEEDS for entry in sample_message_set(seed)["batches"] if entry["magic"] < 2]
    assert {(entry["magic"], "messages" in entry) for entry in entries} == {
        (magic, wrapper) for magic in (0, 1) for wrapper in (False, True)
    }


@pytest.mark.parametrize("damaged", DAMAGED)
def test_damaged_fields_have_every_result(damaged: Callable[[str], bytes]) -> None:
    assert {judge_records(damaged(seed)).result for seed in SEEDS} == set(Result)


@pytest.mark.parametrize("damaged", DAMAGED)
def test_damages_reach_the_records_inside_of_streams(damaged: Callable[[str], bytes]) -> None:
    assert any(judge_records(damaged(seed)).within is not None for seed in SEEDS)


def test_crcs_of_damaged_fields_are_stale_or_repaired() -> None:
    rules = {judge_records(hostile_records(seed)).rules[-1:] for seed in SEEDS}
    assert {("batch.crc",), ("record.length",)} <= rules
