"""What a harness says of a stored message, put into the suite's own form."""

from typing import Any

import pytest

from conformance.adapter import StoredMessage
from conformance.implementation.targets import stored_message
from reference import NotJsonForm, load_release

RELEASE = load_release("4.3.0")


def reply(message: Any, version: Any) -> dict[str, Any]:
    return {"message": message, "version": version, "value": {}}


def test_a_record_of_a_version_that_there_is_not_keeps_that_version() -> None:
    """Such bytes are unspecified; its value has the fields of the nearest version (rule 1.2.8)."""
    assert stored_message(RELEASE, reply("NoOpRecord", 2)) == StoredMessage("NoOpRecord", 2, {})


@pytest.mark.parametrize("message", ["NoRecord", None, ["NoOpRecord"]])
def test_a_message_that_there_is_not_is_no_stored_message(message: Any) -> None:
    """The release has no message of that name."""
    with pytest.raises(NotJsonForm, match="message"):
        stored_message(RELEASE, reply(message, 0))


@pytest.mark.parametrize("version", [None, "0", True])
def test_a_version_that_is_no_number_is_no_stored_message(version: Any) -> None:
    """A reply says as a number which version the bytes state."""
    with pytest.raises(NotJsonForm, match="version"):
        stored_message(RELEASE, reply("NoOpRecord", version))
