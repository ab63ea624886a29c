"""Null is compared as the value of a declared representation, and as null otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

import pytest

import reference
from conformance.adapter import REPRESENTATIONS, AdapterError
from conformance.codec.python_codec import PythonCodec
from conformance.codec.validation import check_members
from conformance.judge.checks.special_values import unencodable_cases
from conformance.judge.checks.value_cases import value_cases
from conformance.judge.engine import violations
from conformance.targets.hidden import READ, restored
from reference import MessageSchema, load_release, minimal
from tests.fakes.lies import Honest
from tests.helpers.releases import BASE
from tests.helpers.sessions import session_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from conformance.adapter import Value

FETCH = load_release(BASE).schema("FetchRequest", 15)
METADATA = load_release(BASE).schema("MetadataRequest", 12)
GROUPS = load_release(BASE).schema("DeleteGroupsRequest", 0)
EVERYTHING = frozenset(REPRESENTATIONS)


class AbsentStructIsNull(Honest):
    """Reads None for an absent ReplicaState, and takes None for it."""

    capabilities = frozenset[str]()
    representations = frozenset({"absent-struct-as-null"})

    def supported(self) -> Mapping[str, Iterable[int]]:
        """One message with a tagged struct."""
        return {"FetchRequest": [15]}

    def encode(self, schema: MessageSchema, value: Value) -> bytes:
        """As the reference, with the struct of defaults for None."""
        default = minimal(schema)["ReplicaState"]
        return super().encode(schema, value if value["ReplicaState"] else {**value, "ReplicaState": default})

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        """As the reference, with None for the struct of defaults."""
        value = super().decode(schema, data)
        is_absent = value["ReplicaState"] == minimal(schema)["ReplicaState"]
        return {**value, "ReplicaState": None} if is_absent else value


class SaysNothing(AbsentStructIsNull):
    """The same, undeclared."""

    representations = frozenset[str]()


class WritesAnotherStruct(AbsentStructIsNull):
    """Writes something else for None."""

    def encode(self, schema: MessageSchema, value: Value) -> bytes:
        """A replica of its own."""
        other = {"ReplicaId": 1, "ReplicaEpoch": 2}
        return reference.encode(schema, value if value["ReplicaState"] else {**value, "ReplicaState": other})


def found(adapter: Honest) -> set[tuple[str, str]]:
    """Return the broken rules and their fields, as edge values and null show them."""
    session = session_of(PythonCodec(check_members("fake", adapter, "fake")))
    found = (violations(session, cases(session, FETCH)) for cases in (value_cases, unencodable_cases))
    return {(violation.rule, violation.path) for each in found for violation in each}


def test_a_declared_representation_is_no_finding() -> None:
    """Neither where it is read nor where it is written."""
    assert found(AbsentStructIsNull()) == set()


def test_the_same_is_found_where_it_is_not_declared() -> None:
    """The default is not restored, and null is taken."""
    rules = {("default.restored", "ReplicaState"), ("null.not-written", "ReplicaState")}
    assert found(SaysNothing()) == rules


def test_null_written_as_another_value_is_found() -> None:
    """It represents the default, and no other value."""
    assert found(WritesAnotherStruct()) == {("null.not-written", "ReplicaState")}


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        (FETCH, {"ReplicaState": None}, {"ReplicaState": {"ReplicaId": -1, "ReplicaEpoch": -1}}),
        (FETCH, {"ClusterId": None, "Unheard": None}, {"ClusterId": None, "Unheard": None}),
        (METADATA, {"Topics": [{"TopicId": None}]}, {"Topics": [{"TopicId": UUID(int=0)}]}),
        (METADATA, {"Topics": None}, {"Topics": None}),
        (GROUPS, {"GroupsNames": None}, {"GroupsNames": []}),
        (GROUPS, ["no struct"], ["no struct"]),
    ],
)
def test_null_becomes_the_value_of_its_representation(schema: MessageSchema, value: Any, expected: Any) -> None:
    """This holds at every level, but not where null is allowed."""
    assert restored(schema, value, EVERYTHING) == expected


def test_array_read_as_null_stays_null() -> None:
    """Its representation is about writing, and a reader of null there has accepted bytes invalid in version 0."""
    assert restored(GROUPS, {"GroupsNames": None}, READ) == {"GroupsNames": None}


def test_unknown_representation_is_refused() -> None:
    """The error lists the known names."""
    adapter = SaysNothing()
    adapter.representations = frozenset({"zero-as-null"})
    with pytest.raises(AdapterError, match=r"`representations`.*zero-as-null.*absent-"):
        check_members("fake", adapter, "fake")


def test_notes_are_a_list_of_texts() -> None:
    """One text would be a list of its letters."""
    adapter = SaysNothing()
    adapter.notes = "untested"  # type: ignore[attr-defined]  # it is optional
    with pytest.raises(AdapterError, match="`notes` is 'untested'"):
        check_members("fake", adapter, "fake")
