import re
import shlex
from pathlib import Path

import pytest

from tests.helpers.releases import BASE, NEWEST, OLDEST
from tests.helpers.runs import LIARS, command, events, invoke, replay_lines, suite, suite_on

REFERENCE = "--impl=conformance.adapters.reference"
UNUSED = """
[[failure]]
rule = "null.not-written"
messages = "Heartbeat*"
outcome = "bytes"
reason = "long gone"
"""
BACKWARDS = """
[[failure]]
rule = "int.width-and-order"
messages = "HeartbeatResponse-v0"
outcome = "bytes"
reason = "numbers are turned round"

[[failure]]
rule = "codec.round-trip"
messages = "Heartbeat*"
outcome = "value"
reason = "follows from that"
"""


def test_the_reference_passes() -> None:
    """It runs in a process of its own, as users start it."""
    selected = "--messages=Heartbeat*-v4,ApiVersionsResponse-v4"
    text = command("-m", "pytest", "conformance/", "-p", "no:cacheprovider", "-v", REFERENCE, selected).ended(0)
    assert "no findings" in text
    assert re.search(r"reference \S+ against Kafka 4\.4\.0, 3 ", text)
    assert "3 message versions, quick" in text
    for category in (
        "invalid inputs",
        "edge values",
        "frames",
        "generated values",
        "header versions",
        "unencodable values",
    ):
        assert re.search(rf"tested: .*[1-9]\d* {category}", text), category


USAGE_ERRORS = {
    "no implementation": ((), "the conformance suite needs a codec, --impl ADAPTER, or a server"),
    "no implementation, with a worker": (("-n1",), "the conformance suite needs a codec, --impl ADAPTER, or a server"),
    "unknown module": (("--impl=no_such_module",), "--impl=no_such_module: there is no module 'no_such_module'"),
    "unknown attribute": ((f"--impl={LIARS}:Nobody",), "has no attribute 'Nobody'"),
    "unknown release": ((REFERENCE, "--release=0.7.0"), "no definitions of release '0.7.0': there are "),
    "selection of nothing": ((REFERENCE, "--messages=Nope*"), "'Nope*' matches nothing"),
    "selection of what is not offered": (
        (f"--impl={LIARS}:Honest", "--messages=VoteRequest"),
        f"honest offers none of the 3 selected pairs of Kafka {NEWEST}",
    ),
    "no file of known failures": ((REFERENCE, "--known-failures=none.toml"), "none.toml: No such file or directory"),
    "broken file of known failures": ((REFERENCE, "--known-failures=README.md"), "README.md, line 3: not TOML: "),
    "known failures into no folder": (
        (REFERENCE, "--known-failures=none/known.toml", "--update-known-failures"),
        "none/known.toml cannot be written: No such file or directory",
    ),
    "update of no file": (
        (REFERENCE, "--update-known-failures"),
        "--update-known-failures rewrites the file of --known-failures=FILE: name one",
    ),
    "report into no folder": (
        (REFERENCE, "--report=none/report.jsonl"),
        "none/report.jsonl cannot be written: No such file or directory",
    ),
    "report into a folder": ((REFERENCE, "--report=tests"), "tests cannot be written: Is a directory"),
    "found cases in a file": ((REFERENCE, "--found=README.md"), "README.md is no folder"),
    "base release of no such name": (
        (REFERENCE, "--base-release=0.7.0"),
        "no definitions of release '0.7.0': there are ",
    ),
    "base release of a run against a server": (
        ("--broker=127.0.0.1:1", f"--base-release={BASE}"),
        "--base-release is for runs of codecs: against a server, leave it out",
    ),
    "option of servers": ((REFERENCE, "--tls"), "--tls is for runs of servers: against a codec, leave it out"),
    "unknown depth": ((REFERENCE, "--depth=deep"), "--depth='deep' is none of quick, full, nightly"),
    "time that is no number": ((REFERENCE, "--time-limit=nan"), "--time-limit='nan': Expected `float` > 0.0"),
    "negative number of processes": ((REFERENCE, "-n=-5"), "-n -5: the number of processes is from 0 to 1,000"),
}


@pytest.mark.parametrize(("options", "error"), USAGE_ERRORS.values(), ids=USAGE_ERRORS)
def test_a_wrong_option_is_a_usage_error(options: tuple[str, ...], error: str) -> None:
    """The exit status is 4, and one text names the mistake, without a traceback."""
    done = suite(*options)
    assert done.status == 4, done.text
    assert error in done.text
    assert "Traceback" not in done.text
    assert "INTERNALERROR" not in done.text


LIES = {
    "MixedEndianUuid": ("uuid.byte-order", "bytes", ("^^ byte", "expected  ", "actual    ")),
    "LittleEndian": ("int.width-and-order", "bytes", ("expected  0001", "actual    0100", "^^ byte 0")),
    "RefusesUnknownTags": ("tag.unknown-accepted", "rejected", ("expected  accepted", "actual    rejected: Malformed")),
}


@pytest.mark.parametrize(("liar", "rule", "outcome", "shown"), [(liar, *rest) for liar, rest in LIES.items()])
def test_a_lie_is_found_and_its_replay_shows_it(liar: str, rule: str, outcome: str, shown: tuple[str, ...]) -> None:
    """The exit status is 1, with the rule's name and the expectation, and the command shows the difference again."""
    done = suite_on(liar)
    assert done.status == 1, done.text
    assert f"{rule} ({outcome}), must: " in done.text
    assert all(text in done.text for text in shown)
    words = shlex.split(replay_lines(done.text)[0])
    again = invoke(*words[1:])
    assert again.exit_code == 1, again.output
    assert "expected" in again.output or "rejected" in again.output


def test_known_failures_make_the_run_green_and_are_listed(tmp_path: Path) -> None:
    text = suite_on("LittleEndian", f"--known-failures={written(tmp_path, BACKWARDS)}", "-v").ended(0)
    assert "1 cause (2 findings), all " in text
    rule = "int.width-and-order"
    assert f"{rule} (bytes), must" in text
    assert "known failure: numbers" in text
    assert len(replay_lines(text)) == 2


def test_finding_without_an_entry_is_still_new(tmp_path: Path) -> None:
    first = BACKWARDS.partition("\n\n")[0]
    text = suite_on("LittleEndian", f"--known-failures={written(tmp_path, first)}").ended(1)
    assert "(2 findings), 1 known; " in text
    rule = "codec.round-trip"
    assert f"{rule} (value), must: " in text


def test_run_leaves_shared_pairs_to_its_base_release(tmp_path: Path) -> None:
    """All workers leave the same pairs to it, and the mistake is in one of these."""
    path = tmp_path / "report.jsonl"
    known = f"--known-failures={written(tmp_path, BACKWARDS)}"
    text = suite_on(
        "LittleEndian", f"--release={OLDEST}", f"--base-release={NEWEST}", f"--report={path}", known, "-n2"
    ).ended(0)
    assert f"same as in {NEWEST}: 1 of 2 " in text
    assert "versions, not tested" in text
    [shared] = [event for event in events(path) if event["event"] == "shared"]
    assert shared["pairs"] == ["HeartbeatResponse-v0"]
    assert {event["pair"] for event in events(path) if event["event"] == "pair"} == {"ApiVersionsRequest-v3"}


@pytest.mark.parametrize("workers", [(), ("-n2",)], ids=["one process", "two workers"])
def test_run_with_nothing_but_shared_parts_passes(workers: tuple[str, ...]) -> None:
    """The adapter reads record batches alone, and readers of both releases accept the same ones."""
    only = ("--impl=tests.fakes.records_only:Records", "--isolation=never", f"--base-release={BASE}")
    text = suite(*only, f"--release={OLDEST}", *workers).ended(0)
    assert f"same as in {BASE}: 0 of 0 " in text
    assert "record batches, not " in text


def written(folder: Path, text: str) -> Path:
    path = folder / "known.toml"
    path.write_text(text, encoding="utf-8")
    return path


WIRE_TYPE = """
[[failure]]
rule = "number.range"
messages = "int8"
outcome = "bytes"
reason = "long gone"
"""


def test_entry_about_a_fixed_wire_type_is_stale(tmp_path: Path) -> None:
    text = suite(
        f"--impl={LIARS}:KnowsPrimitives", "--isolation=never", f"--known-failures={written(tmp_path, WIRE_TYPE)}"
    ).ended(1)
    rule = "number.range"
    assert f"stale known failure: {rule} (bytes) in int8 " in text


PARTIAL = {
    "messages": ("--messages=HeartbeatResponse",),
    "keyword": ("-k", "edge"),
    "deselected": ("--deselect=conformance/suite/test_codec.py::test_unencodable_values",),
}


@pytest.mark.parametrize("options", PARTIAL.values(), ids=PARTIAL)
def test_partial_run_reports_no_stale_entries(tmp_path: Path, options: tuple[str, ...]) -> None:
    text = suite_on("Honest", f"--known-failures={written(tmp_path, UNUSED)}", *options).ended(0)
    assert "stale" not in text


def test_an_error_of_the_suite_is_no_finding() -> None:
    text = suite_on("Honest", "-p", "tests.fakes.broken_suite").ended(1)
    assert re.search(r"^error in \S+\[HeartbeatResponse-v0\], ", text, re.MULTILINE)
    assert "not a finding:" in text
    assert "RuntimeError: the suite" in text
    assert "items ended in" in text
    assert "no findings" not in text


def test_parts_the_adapter_lacks_have_no_items_and_are_named_once() -> None:
    text = suite_on("Honest").ended(0)
    assert "skipped" not in text
    assert text.count("not tested: ") == 1
    assert "absent fields" in text


def test_only_hostile_input_is_tried_on_request() -> None:
    text = suite_on("Honest", "--only=hostile", "-v").ended(0)
    assert re.search(r"^tested: .*hostile .*invalid ", text, re.MULTILINE | re.DOTALL)
    assert "edge values" not in text


def test_the_reason_for_an_untested_part_is_printed_with_v() -> None:
    text = suite_on("Honest", "-v").ended(0)
    for reason in ("capability absent-fields not", "no encode_primitive", "no decode_primitive"):
        assert f"({reason}" in text, reason


def test_full_adapter_has_nothing_left_out() -> None:
    text = suite(REFERENCE, "--messages=HeartbeatRequest-v4,compact-string", "-vv").ended(0)
    assert "not tested:" not in text
    assert "test_codec.py::test_primitives[" in text


def test_undeclared_exceptions_are_taken_for_refusals_and_shown() -> None:
    text = suite_on("Undeclared").ended(0)
    assert re.search(r"undeclared .*: Malformed \d+, Unencodable \d+", text)


def test_unrepresentable_cases_are_counted_with_their_share() -> None:
    text = suite_on("HoldsNoZero", "-v").ended(0)
    assert re.search(
        r"unrepresentable: \d+ cases \(\d+\.\d %\), .* HeartbeatResponse \d+",
        text,
    )


def test_random_values_carry_real_records_on_request() -> None:
    messages = "--messages=FetchResponse-v18,HeartbeatRequest"
    text = suite(REFERENCE, messages, "-k", "generated_real_records", "--records=real").ended(0)
    assert "PASSED: no findings" in text


def test_real_records_are_tested_on_request() -> None:
    """The reference passes with them, and more values and frames are tried."""
    options = (REFERENCE, "--messages=FetchResponse-v18", "-m", "not hypothesis", "-v")
    opaque, real = (suite(*options, *more).ended(0) for more in ((), ("--records=real",)))
    for category in ("edge values", "frames"):
        counts = [re.search(rf"([\d,]+) {category}", text) for text in (opaque, real)]
        assert all(counts)
        before, after = (int(count[1].replace(",", "")) for count in counts if count)
        assert after == before + 4
