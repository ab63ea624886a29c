"""Faults with a second one, and the cases to show them still."""

from reference import load_release, newest_release
from tests.mutants.second_faults import Pair, row_of

SCHEMA = load_release(newest_release()).schema("FetchRequest", 18)


def test_message_with_a_refused_default_is_tried_with_its_tagged_field_set() -> None:
    """ReplicaId is -1 unless its tagged struct is there, so no value without it is taken."""
    row = row_of(Pair("varints", "negative numbers"), SCHEMA)
    assert row.cases.alone
    assert row.cases.behind == row.cases.alone


def test_hidden_faults_are_named() -> None:
    """Zeros instead of a cut section of tags are a default of -1, a refused value."""
    row = row_of(Pair("truncation", "negative numbers"), SCHEMA)
    assert row.cases.behind < row.cases.alone
    assert any("FetchRequest-v18 first-#-bytes" in case for case in row.lost)
