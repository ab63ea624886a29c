from dataclasses import replace

import pytest

from reference.definitions.errors import BrokenDefinition
from reference.definitions.model import NO_VERSIONS, Definition, VersionRange
from reference.definitions.validate import broken_release_rules, validate_release


def message(name: str, kind: str, api_key: int | None = 1) -> Definition:
    return Definition(name, kind, VersionRange(0, 0), NO_VERSIONS, (), api_key=api_key)


REQUEST = message("SampleRequest", "request")
RESPONSE = message("SampleResponse", "response")
KEY = message("SampleKey", "coordinator-key")
VALUE = message("SampleValue", "coordinator-value")

BROKEN: list[tuple[str, str, list[Definition]]] = [
    ("6.53", "api-key-present", [message("SampleRequest", "request", None)]),
    ("6.53", "api-key-present", [message("SampleResponse", "response", None)]),
    ("6.53", "api-key-present", [message("SampleRecord", "metadata", None)]),
    ("6.53", "api-key-present", [replace(message("SampleKey", "coordinator-key", None), valid_versions=NO_VERSIONS)]),
    ("6.54", "api-key-paired", [REQUEST]),
    ("6.54", "api-key-paired", [RESPONSE]),
    ("6.54", "api-key-unique", [REQUEST, RESPONSE, message("OtherRequest", "request")]),
    ("6.54", "api-key-unique", [KEY, VALUE, message("OtherKey", "coordinator-key")]),
    ("6.54", "api-key-paired", [KEY]),
    ("6.54", "api-key-paired", [VALUE]),
    ("6.55", "message-suffix", [message("SampleQuery", "request"), RESPONSE]),
    ("6.56", "record-type-unique", [message("A", "metadata"), message("B", "metadata")]),
]


@pytest.mark.parametrize("case", BROKEN, ids=lambda case: f"{case[0]}-{case[1]}")
def test_broken_module_names_the_rule(case: tuple[str, str, list[Definition]]) -> None:
    number, rule, definitions = case
    found = {(error.problem.number, error.problem.rule) for error in broken_release_rules({"sample": definitions})}
    assert found == {(number, f"definition.{rule}")}


def test_first_problem_is_raised() -> None:
    with pytest.raises(BrokenDefinition, match="SampleRequest of sample"):
        validate_release({"sample": [REQUEST]})


def test_message_names_are_unique_among_modules() -> None:
    with pytest.raises(BrokenDefinition, match=r"SampleMessage .* one\b.* two\b"):
        validate_release({"one": [message("SampleMessage", "data")], "two": [message("SampleMessage", "data")]})


def test_modules_number_their_records_on_their_own() -> None:
    """The same record type in two modules is no conflict, as in release 4.3.0."""
    others = [message("OtherKey", "coordinator-key"), message("OtherValue", "coordinator-value")]
    validate_release({"one": [KEY, VALUE], "two": others})


def test_response_may_have_any_name() -> None:
    """The generator demands the suffix of a request only."""
    validate_release({"sample": [REQUEST, message("SampleReply", "response")]})


def test_kinds_have_api_keys_of_their_own() -> None:
    validate_release({"sample": [REQUEST, RESPONSE, KEY, VALUE, message("Sample", "metadata")]})
