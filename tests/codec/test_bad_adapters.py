import re

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.helpers.runs import WITHOUT_SEARCH, Finished, faults, suite

BAD = "tests.fakes.bad_adapters"

ADAPTERS = (
    "RaisesOnEverything",
    "RejectsEverything",
    "ReturnsHex",
    "MixesUp",
    "PrintsAlways",
    "AnswersDifferently",
    "KeepsWhatIsNotSet",
    "ReadsIntoOneObject",
    "CountsMessages",
    "TakesNullForZero",
    "TakesNullForMinusOne",
    "ForgetsItsConnection",
    "MisnamesOneField",
    "LosesOneField",
    "MapsToAnEnum",
    "OneVersionBelow",
    "CountsTheInput",
    "WritesHeaders",
    "WantsHeaders",
)


def run(adapter: str, *options: str) -> Finished:
    return suite(f"--impl={BAD}:{adapter}", "--isolation=never", *WITHOUT_SEARCH, *options)


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_the_adapter_is_named_as_the_one_at_fault(adapter: str, snapshot: SnapshotAssertion) -> None:
    smoke, full = run(adapter, "--smoke"), run(adapter)
    assert (smoke.status, full.status) == (1, 1)
    assert " cause" not in smoke.text + full.text  # what follows is a number
    assert faults(smoke.text) == faults(full.text) == snapshot


@pytest.mark.parametrize("impl", ["tests.fakes.faulty_codecs:Honest", f"{BAD}:SaysZeroIsNull", f"{BAD}:ChecksItsEnum"])
def test_a_sound_adapter_is_not_suspected(impl: str) -> None:
    finished = suite(f"--impl={impl}", "--isolation=never", "--smoke", *WITHOUT_SEARCH)
    assert finished.status == 0
    assert "at fault" not in finished.text


def test_bytes_common_to_many_messages_do_not_accuse_an_adapter() -> None:
    """Ten zeros are a HeartbeatRequest with null written as empty, and an ApiVersionsResponse without anything."""
    assert "at fault" not in run("WritesNullAsEmpty", "--smoke").text


def test_versions_missing_in_the_release_are_listed() -> None:
    finished = run("ClaimsTooMuch", "--smoke")
    [note] = re.findall(r"^note: supported\(\) .*", finished.text, re.MULTILINE)
    assert note.endswith(": HeartbeatRequest 7-8")
