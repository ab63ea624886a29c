import pytest

from reference import newest_release
from tests.helpers.runs import WITHOUT_SEARCH, Finished, suite

BAD = "tests.fakes.bad_adapters"

FAULTS = {
    "RaisesOnEverything": f"raises in the adapter's own code ({BAD}): rejected-unclassified: NameError",
    "RejectsEverything": "encode never succeeded",
    "ReturnsHex": "encode returned str, not bytes",
    "MixesUp": "the adapter mixes up two messages",
    "PrintsAlways": "it prints to standard output ('encoding",
    "AnswersDifferently": "answers differently the second time",
    "KeepsWhatIsNotSet": "answers differently after other messages",
    "ReadsIntoOneObject": "answers differently after other messages",
    "CountsMessages": "answers differently the second time",
    "TakesNullForZero": "writes null at Topics[0].TopicId with the bytes of UUID('00000000-",
    "TakesNullForMinusOne": "encode of HeartbeatResponse-v0 writes null at ErrorCode with the bytes of -1",
    "ForgetsItsConnection": "decode_frame of HeartbeatResponse-v0 answers differently the second time",
    "MisnamesOneField": "ClientSoftwareNames, which is no field of it; did you mean ClientSoftwareName",
    "LosesOneField": "decode of ApiVersionsRequest-v3 returns no ClientSoftwareVersion, though the rest is right",
    "MapsToAnEnum": "the adapter's own code (bad_adapters.py:",
    "OneVersionBelow": "encode writes the form of version - 1, in",
    "CountsTheInput": "consumed is always the length of the input",
    "WritesHeaders": "writes 10 bytes in front of the body, as 0003000100000001ffff; return the body alone",
    "WantsHeaders": "decode of HeartbeatResponse-v0 reads a body behind a header only, as 5a4b3c2d",
}


def run(adapter: str, *options: str) -> Finished:
    return suite(f"--impl={BAD}:{adapter}", "--isolation=never", *WITHOUT_SEARCH, *options)


@pytest.mark.parametrize(("adapter", "text"), FAULTS.items(), ids=FAULTS)
@pytest.mark.parametrize("options", [("--smoke",), ()], ids=["smoke", "full"])
def test_the_adapter_is_named_as_the_one_at_fault(adapter: str, text: str, options: tuple[str, ...]) -> None:
    finished = run(adapter, *options)
    assert finished.status == 1
    assert "the adapter itself seems to be at fault" in finished.text
    assert text in finished.text
    assert " cause" not in finished.text  # what follows is a number


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
    assert (
        f"note: supported() names versions that Kafka {newest_release()} does not have: HeartbeatRequest 7-8"
        in finished.text
    )
