import pytest

from conformance.targets import RECORD_GROUPS
from conformance.targets.records.record_bases import RecordsBase, record_bases
from conformance.targets.records.record_tampering import TamperedRecords, tampered_records
from reference import Result, decode_records, judge_records

BASES = record_bases()
FEWEST = 3_500
INVALID_RULES = {
    "batch.crc",
    "batch.codec",
    "batch.length",
    "batch.magic",
    "batch.trailing-bytes",
    "codec.corrupt",
    "header.count",
    "header.key-null",
    "message.codec",
    "message.crc",
    "message.length-within",
    "message.nested",
    "message.wrapper",
    "record.count",
    "record.length",
    "record.length-within",
}


def cases(*names: str) -> list[TamperedRecords]:
    return [case for base in BASES for case in tampered_records(base) if not names or base.name in names]


def test_there_are_thousands_of_cases_with_names_of_their_own() -> None:
    names = [case.name for case in cases()]
    assert len({*names}) == len(names) >= FEWEST


def test_every_group_has_a_base() -> None:
    assert {base.group for base in BASES} == {*RECORD_GROUPS}


@pytest.mark.parametrize("base", BASES, ids=lambda base: base.name)
def test_the_base_comes_first_and_is_sound(base: RecordsBase) -> None:
    case = next(tampered_records(base))
    assert (case.name, case.base) == (base.name, base.name)
    assert decode_records(case.wire)["batches"][-1] == base.value


def test_invalid_bytes_are_about_every_rule_of_invalid_records() -> None:
    verdicts = [judge_records(case.wire) for case in cases()]
    assert {verdict.rules[-1] for verdict in verdicts if verdict.result is Result.INVALID} >= INVALID_RULES


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("in-gzip/stream-reserved-flags", "gzip.reserved-flags"),
        ("in-lz4/stream-wrong-content-checksum", "lz4.content-checksum"),
        ("in-lz4/stream-two-frames", "lz4.one-frame"),
        ("in-zstd/stream-wide-window", "zstd.window"),
        ("in-zstd/stream-beyond-bound", "codec.beyond-bound"),
    ],
)
def test_unspecified_streams_are_among_them(name: str, rule: str) -> None:
    [case] = [case for case in cases(name.partition("/")[0]) if case.name == name]
    verdict = judge_records(case.wire)
    assert (verdict.result, verdict.rules) == (Result.UNSPECIFIED, (rule,))


@pytest.mark.parametrize("base", ["wrapper-0-gzip", "wrapper-1-lz4"])
def test_a_wrapper_of_zstd_is_among_them(base: str) -> None:
    [case] = [case for case in cases(base) if case.name.endswith("/stream-of-zstd")]
    assert judge_records(case.wire).rules == ("message.codec",)


def test_crcs_are_left_stale_and_made_right() -> None:
    by_name = {case.name: judge_records(case.wire).rules for case in cases("plain")}
    assert by_name["plain/batches[0].recordCount=0-stale"][-1] == "batch.crc"
    assert by_name["plain/batches[0].recordCount=0"] == ("batch.empty-with-bytes",)


def test_a_field_is_cut_at_every_byte() -> None:
    [base] = [base for base in BASES if base.name == "plain"]
    cut = {case.wire for case in cases("plain")}
    assert cut >= {base.wire[:size] for size in range(len(base.wire))}
