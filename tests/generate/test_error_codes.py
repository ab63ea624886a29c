import pytest

from conformance.generate.edges import highest_error_code


@pytest.mark.parametrize(("release", "highest"), [
    ("2.4.0", None),
    ("3.9.1", 127),
    ("4.3.0", 133),
    ("4.3.1", 133),
])  # fmt: skip
def test_the_highest_error_code_is_that_of_the_release_or_the_last_before_it(release: str, highest: int) -> None:
    assert highest_error_code(release) == highest
