import pytest

from reference import ApacheKafka, MessageSchema, Result, decode, judge
from reference.limits import bounds_records, limits_of
from tests.helpers.limits import (
    MANY_ELEMENTS,
    MANY_FIELDS,
    UNLIMITED,
    too_many_elements,
    too_many_fields,
)
from tests.helpers.releases import NEWEST

BEYOND = {
    "tag.count-beyond-limit": (MANY_FIELDS, too_many_fields()),
    "array.beyond-limit": (MANY_ELEMENTS, too_many_elements()),
}
WITHIN = {"fields": (MANY_FIELDS, too_many_fields(0)), "elements": (MANY_ELEMENTS, too_many_elements(0))}


@pytest.mark.parametrize("rule", BEYOND)
def test_size_beyond_a_limit_of_the_release_is_unspecified_and_rejected_by_apache_kafka(rule: str) -> None:
    verdict = judge(*BEYOND[rule])
    assert (verdict.result, verdict.rules, verdict.apache_kafka) == (Result.UNSPECIFIED, (rule,), ApacheKafka.REJECTS)


@pytest.mark.parametrize("case", WITHIN)
def test_size_at_the_limit_is_valid(case: str) -> None:
    assert judge(*WITHIN[case]).result is Result.VALID


@pytest.mark.parametrize("rule", BEYOND)
def test_an_older_release_has_no_limits(rule: str) -> None:
    schema, wire = BEYOND[rule]
    assert judge(UNLIMITED.schema(schema.message, schema.version), wire).result is Result.VALID


@pytest.mark.parametrize("rule", BEYOND)
def test_the_strict_reader_has_no_limits(rule: str) -> None:
    schema, wire = BEYOND[rule]
    assert decode(schema, wire).consumed == len(wire)


@pytest.mark.parametrize(("schema", "does"), [
    (MANY_FIELDS, ApacheKafka.REJECTS),
    (UNLIMITED.schema(MANY_FIELDS.message, MANY_FIELDS.version), ApacheKafka.ACCEPTS),
])  # fmt: skip
def test_a_negative_count_of_tagged_fields_is_beyond_the_limit(schema: MessageSchema, does: ApacheKafka) -> None:
    verdict = judge(schema, bytes.fromhex("8080808008"))
    assert (verdict.result, verdict.rules, verdict.apache_kafka) == (Result.UNSPECIFIED, ("tag.count-negative",), does)


@pytest.mark.parametrize(("release", "is_newer"), [("1.0", False), (NEWEST, True), ("trunk", True)])
def test_a_folder_of_definitions_has_the_limits_of_the_newest_release(release: str, *, is_newer: bool) -> None:
    assert (bool(limits_of(release)), bounds_records(release)) == (is_newer, is_newer)
