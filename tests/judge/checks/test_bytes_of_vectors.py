"""The bytes of golden vectors among the cases of the suite."""

from functools import cache

import pytest

from conformance.codec.bridge.loading import load_codec
from conformance.codec.session import Session
from conformance.generate.hostile_bodies import hostile_cases as every_hostile_case
from conformance.generate.origin import origin_of
from conformance.judge.case import Violation
from conformance.judge.checks.changed_bodies import hostile_cases
from conformance.judge.checks.check_list import BODIES, CHECKS, cases_named
from conformance.judge.engine import run
from conformance.judge.kinds import CodecCase
from conformance.vectors.enumeration.byte_cases import byte_cases
from conformance.vectors.enumeration.pairs import base_release, depth_of
from conformance.vectors.enumeration.value_vectors import text_cases, value_cases
from reference import MessageSchema, load_release
from tests.helpers.sweeps import swept, wire_forms

RELEASE = load_release(base_release())
METADATA = RELEASE.schema("MetadataRequest", 13)
each_schema = pytest.mark.parametrize("schema", swept(RELEASE.name, forms_of=wire_forms), ids=str)


@cache
def session() -> Session:
    return Session(load_codec("conformance.adapters.reference", RELEASE), RELEASE, real_records=True)


def cases_of(schema: MessageSchema) -> list[CodecCase]:
    checks = (check for check in CHECKS if check.of == BODIES and check.test != "test_limits")
    found = (case for check in checks for case in check.cases(session(), schema))
    return [case for case in found if isinstance(case, CodecCase)]


def further(schema: MessageSchema) -> list[CodecCase]:
    """Return the cases beside those sent to servers as well."""
    known = {case.name for case in every_hostile_case(schema)}
    found = (case for case in hostile_cases(session(), schema) if isinstance(case, CodecCase))
    return [case for case in found if case.name not in known]


@each_schema
def test_a_run_tries_the_bytes_of_every_vector(schema: MessageSchema) -> None:
    depth = depth_of(RELEASE.name, schema.message, schema.version)
    tried = {case.data for case in cases_of(schema)} | {case.wire for case in cases_of(schema) if case.refusal is None}
    vectors = (*value_cases(schema, depth), *text_cases(schema), *byte_cases(schema, depth))
    assert [vector.id for vector in vectors if vector.wire not in tried] == []


@each_schema
def test_further_bytes_are_those_of_no_other_case_of_bytes(schema: MessageSchema) -> None:
    found = further(schema)
    names = {case.name for case in found}
    others = {case.data for case in cases_of(schema) if case.name not in names}
    assert others.isdisjoint(case.data for case in found)
    assert len(names) == len(found)


def test_a_version_without_tags_has_no_further_bytes() -> None:
    assert further(RELEASE.schema("MetadataRequest", 8)) == []


def test_further_bytes_are_cut_or_changed_in_their_tags() -> None:
    found = further(METADATA)
    assert {case.base for case in found} == {"tagged", "unknown-tag"}
    assert {"tagged/7/cut-before", "tagged/7/cut-inside", "unknown-tag/0/varint-excess-bits"} <= {
        case.name for case in found
    }


def test_the_reference_treats_further_bytes_rightly() -> None:
    found = [*hostile_cases(session(), METADATA)]  # the bases come first
    assert [event for event in run(session(), found) if isinstance(event, Violation)] == []


def test_further_bytes_are_replayed_by_their_name() -> None:
    for case in further(METADATA):
        [again] = cases_named(session(), BODIES, METADATA, case.name)
        assert (again.data, again.base) == (case.data, case.base)
        assert origin_of(case.name) == case.origin._replace(rule="")
