import pytest

from conformance.generate.hostile_bodies import hostile_cases
from conformance.generate.origin import MISTAKEN
from conformance.generate.tampering import SHARE
from conformance.targets.records.record_bases import record_bases
from conformance.targets.records.record_tampering import tampered_records
from reference import load_release
from tests.helpers.releases import BASE

RELEASE = load_release(BASE)


@pytest.mark.parametrize("version", range(9, 13))
def test_some_numbers_of_a_body_are_mistaken_for_others(version: int) -> None:
    cases = hostile_cases(RELEASE.schema("MetadataResponse", version))
    assert any(each.origin.way.startswith("plus-") for each in cases)


def test_ten_versions_mistake_every_number_in_every_way() -> None:
    schemas = [RELEASE.schema("FetchRequest", version) for version in range(4, 4 + SHARE)]
    ways = {each.origin.way for schema in schemas for each in hostile_cases(schema)}
    assert ways >= {"plus-128", "plus-16384", "other-sign"}


def test_numbers_of_records_are_mistaken_for_others_at_each_length() -> None:
    [plain] = [base for base in record_bases() if base.name == "plain"]
    mistaken = {each.path for each in tampered_records(plain) if each.origin.sign == MISTAKEN}
    assert {"batches[0].records[0].length", "batches[0].records[0].headers"} <= mistaken
