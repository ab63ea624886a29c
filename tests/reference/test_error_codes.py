import pytest

from reference import load_release, releases
from reference.error_codes import error_codes, error_name, highest_error_code
from reference.explained.bodies import explain_message


@pytest.mark.parametrize(("release", "highest"), [
    ("2.4.0", None),
    ("3.9.1", 127),
    ("4.3.0", 133),
    ("4.3.1", 133),
])  # fmt: skip
def test_highest_error_code_is_of_the_release_or_the_last_one_before(release: str, highest: int) -> None:
    assert highest_error_code(release) == highest


def test_an_error_code_has_its_name() -> None:
    assert (error_name(-1), error_name(0), error_name(35)) == ("UNKNOWN_SERVER_ERROR", "NONE", "UNSUPPORTED_VERSION")


def test_code_of_no_release_has_no_name() -> None:
    assert (error_name(-2), error_name(max(error_codes().values()) + 1)) == ("", "")


@pytest.mark.parametrize("release", releases())
def test_a_release_has_every_code_up_to_its_highest(release: str) -> None:
    """The codes begin at -1, each with one name."""
    assert list(error_codes(release).values()) == list(range(-1, (highest_error_code(release) or 0) + 1))


def test_an_explanation_names_error_codes() -> None:
    [part] = explain_message(load_release("4.4.0").schema("HeartbeatResponse", 0), bytes.fromhex("0023")).parts
    assert part.value == "35 (UNSUPPORTED_VERSION)"
