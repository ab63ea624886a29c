import json

import pytest

from reference.definitions.canonical import canonical_json
from reference.definitions.errors import BrokenDefinition
from reference.definitions.model import NO_VERSIONS
from reference.definitions.parse import OLDER, parse_definition
from tests.helpers.definitions import field, message, without

SILENT = json.dumps(without("flexibleVersions", message(field())))


def test_message_that_says_nothing_has_no_flexible_versions() -> None:
    assert OLDER.parse(SILENT, "Sample.json").flexible_versions == NO_VERSIONS


def test_what_is_written_obeys_the_rules_of_today() -> None:
    definition = OLDER.parse(SILENT, "Sample.json")
    assert parse_definition(canonical_json(definition), "Sample.json") == definition


def test_text_behind_the_object_is_passed_over() -> None:
    """As in the DescribeProducersRequest of 2.8.2."""
    text = json.dumps(message(field()))
    assert OLDER.parse(f"// A comment.\n{text}\n  ]\n}}\n", "Sample.json") == parse_definition(text, "Sample.json")


def test_problem_before_such_text_is_located() -> None:
    text = '{ "type": "data", "name": "Sample", "validVersions": "0",\n  "fields": [ { "name": "" } ] } ] }'
    with pytest.raises(BrokenDefinition, match="line 2, column 15: there is no name"):
        OLDER.parse(text, "Sample.json")


def test_other_rules_hold() -> None:
    with pytest.raises(BrokenDefinition, match="tags-contiguous"):
        OLDER.parse(json.dumps(message(field(tag=1, versions="1+", taggedVersions="1+"))), "Sample.json")
