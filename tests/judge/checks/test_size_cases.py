"""Sizes accepted by a reader, against its declared limits."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import ClassVar

import pytest

import reference
from conformance.adapter import Decoded, Unrepresentable, Value
from conformance.codec.bridge.loading import load_codec
from conformance.codec.session import Session
from conformance.generate.sizes import sizes_of
from conformance.judge.case import Violation
from conformance.judge.checks.all_cases import violation_of
from conformance.judge.checks.check_list import BODIES, cases_named
from conformance.judge.checks.size_cases import RULE, limit_case, limit_cases, limited
from conformance.judge.checks.value_cases import value_cases
from conformance.judge.count_lines import BeyondLimit, Limit
from conformance.judge.engine import counted, run
from conformance.judge.kinds import CodecCase
from conformance.judge.tally import Tally
from conformance.report.terminal.counts import limit_text
from conformance.targets import Body
from reference import TAGS, MessageSchema, load_release
from tests.helpers.cases import sent
from tests.helpers.releases import BASE
from tests.helpers.sessions import session_of


class Unlimited:
    """An adapter that reads all that the reference reads."""

    name = version = "1"
    rejections = (reference.Malformed, OverflowError)
    capabilities = frozenset({"unknown-tags"})
    limits: ClassVar[Mapping[str, int]] = {}
    real: ClassVar[Mapping[str, int]] = {}

    def supported(self) -> Mapping[str, list[int]]:
        return {"MetadataRequest": [12], "ListGroupsRequest": [5]}

    def decode(self, schema: MessageSchema, data: bytes) -> Decoded:
        decoded = reference.decode(schema, data)
        self.check(schema, decoded.value)
        return Decoded(decoded.value, decoded.consumed)

    def check(self, schema: MessageSchema, value: Value) -> None:
        sizes = sizes_of(schema, value)
        if any(sizes.get(name, 0) > limit for name, limit in self.real.items()):
            raise OverflowError("too large")


class HasSixtyFourTags(Unlimited):
    """Reads 64 tags, as Envoy does."""

    real: ClassVar = {"tags": 64}


class DeclaresSixtyFourTags(HasSixtyFourTags):
    """Says so."""

    limits: ClassVar = {"tags": 64}


class DeclaresMoreThanItTakes(HasSixtyFourTags):
    """Says another number."""

    limits: ClassVar = {"tags": 128}


class DeclaresLessThanItTakes(Unlimited):
    """Has no such limit."""

    limits: ClassVar = {"tags": 64}


class TakesNoTags(Unlimited):
    """Refuses each tag, whatever it declares."""

    limits: ClassVar = {"tags": 64}
    real: ClassVar = {"tags": 0}


class HasSmallArrays(Unlimited):
    """An adapter with a limit below an edge value."""

    limits: ClassVar = {"array-bytes": 1 << 16}
    real: ClassVar = {"array-bytes": 1 << 16}


class HoldsFewTags(Unlimited):
    """Cannot hold more than 100 tags, and says so each time."""

    def check(self, schema: MessageSchema, value: Value) -> None:
        if sizes_of(schema, value).get("tags", 0) > 100:
            raise Unrepresentable("too many tags")


class LosesTags(Unlimited):
    """Reads 100 tags, and loses the others."""

    def decode(self, schema: MessageSchema, data: bytes) -> Decoded:
        decoded = reference.decode(schema, data)
        tags = decoded.value.get(TAGS, [])
        return Decoded({**decoded.value, **({TAGS: tags[:100]} if tags else {})}, decoded.consumed)


class LosesElements(Unlimited):
    """Loses the last element of each array, whatever its size."""

    def decode(self, schema: MessageSchema, data: bytes) -> Decoded:
        decoded = reference.decode(schema, data)
        value = {name: item[:-1] if isinstance(item, list) else item for name, item in decoded.value.items()}
        return Decoded(value, decoded.consumed)


def session(adapter: str) -> Session:
    return session_of(load_codec(f"{__name__}:{adapter}"))


@cache
def tried(adapter: str) -> tuple[list[Violation], Tally]:
    one = session(adapter)
    schemas, tally = limited(one, [one.release.schema("MetadataRequest", 12)]), Tally()
    return [each for schema in schemas for each in counted(run(one, limit_cases(one, schema)), tally)], tally


def seen(adapter: str) -> str:
    [text] = [limit_text(*each) for each in tried(adapter)[1].of(Limit) if each[0] == "tags"]
    return text


@pytest.mark.parametrize(
    ("adapter", "text"),
    [
        ("Unlimited", "tags 4,097 taken"),
        ("HasSixtyFourTags", "tags 64 taken, 65 refused"),
        ("DeclaresSixtyFourTags", "tags 64 taken, 65 refused, as declared"),
        ("DeclaresMoreThanItTakes", "tags 64 taken, 65 refused: declared 128, which was not reached"),
        ("DeclaresLessThanItTakes", "tags 4,097 taken: declared 64, which is no limit"),
    ],
)
def test_a_run_finds_the_limit_and_compares_it_with_the_declared_one(adapter: str, text: str) -> None:
    assert seen(adapter) == text


@pytest.mark.parametrize("adapter", ["Unlimited", "DeclaresSixtyFourTags", "DeclaresLessThanItTakes"])
def test_acceptance_and_refusal_beyond_a_declared_limit_are_no_findings(adapter: str) -> None:
    assert tried(adapter)[0] == []


@pytest.mark.parametrize("adapter", ["HasSixtyFourTags", "DeclaresMoreThanItTakes"])
def test_refusal_within_the_declared_limits_is_a_finding(adapter: str) -> None:
    [violation] = tried(adapter)[0]
    assert (violation.rule, violation.case.name) == ("limit.declared", "limit-tags-65")


def test_an_edge_value_beyond_a_declared_limit_may_be_refused_and_is_counted() -> None:
    one, tally = session("HasSmallArrays"), Tally()
    schema = one.release.schema("ListGroupsRequest", 5)
    assert list(counted(run(one, value_cases(one, schema)), tally)) == []
    assert tally.of(BeyondLimit)["array-bytes"] > 0


def test_unrepresentable_size_ends_the_search() -> None:
    violations, tally = tried("HoldsFewTags")
    assert violations == []
    assert ("tags", 65, -1, -1) in tally.of(Limit)


def test_loss_beyond_a_size_is_a_wrong_value() -> None:
    violations = [each for each in tried("LosesTags")[0] if each.case.name.startswith("limit-tags-")]
    assert {(each.rule, each.outcome) for each in violations} == {("limit.declared", "value")}


def test_misread_smallest_size_has_no_limit_either() -> None:
    assert [each.rule for each in tried("LosesElements")[0]] == []


def test_refused_smallest_size_has_no_limit() -> None:
    """Other cases are about the smallest sizes."""
    violations, tally = tried("TakesNoTags")
    assert violations == []
    assert {name for name, *_ in tally.of(Limit)} == {"elements", "array-bytes"}


def test_a_limit_is_no_excuse_for_other_cases() -> None:
    one = session("TakesNoTags")
    found = counted(run(one, value_cases(one, one.release.schema("MetadataRequest", 12))), Tally())
    assert "tag.unknown-accepted" in {violation.rule for violation in found}


def test_the_case_of_a_finding_is_tried_again_by_its_name() -> None:
    one = session("HasSixtyFourTags")
    [case] = cases_named(one, BODIES, one.release.schema("MetadataRequest", 12), "limit-tags-65")
    assert [each.rule for each in counted(run(one, [case]), Tally())] == ["limit.declared"]


def test_the_case_of_a_finding_is_read_from_its_form() -> None:
    [violation] = tried("HasSixtyFourTags")[0]
    assert violation_of(sent(violation.event()), session("Unlimited").release).case == violation.case


def test_a_case_remembers_nothing_of_another_session() -> None:
    case = limit_case(Body(load_release(BASE).schema("MetadataRequest", 12)), "tags")
    accepting, refusing = (tried_in(session(adapter), [case]) for adapter in ("Unlimited", "DeclaresMoreThanItTakes"))
    assert accepting == []
    assert [violation.rule for violation in refusing] == [RULE]


def tried_in(one: Session, cases: Sequence[CodecCase]) -> list[Violation]:
    return list(counted(run(one, cases), Tally()))
