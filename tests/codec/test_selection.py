import pytest
from syrupy.assertion import SnapshotAssertion

from conformance.codec.selection import (
    SMOKE_MESSAGES,
    SMOKE_PAIRS,
    BadSelection,
    newest,
    parse_selection,
    select,
    smoke,
)
from reference import load_release, newest_release

SCHEMAS = tuple(load_release(newest_release()).schemas())

SELECTED: dict[str, tuple[list[str], set[str]]] = {
    "a name": (["ApiVersionsRequest-v3"], {"ApiVersionsRequest-v3"}),
    "a range": (["FetchRequest-v4..6"], {"FetchRequest-v4", "FetchRequest-v5", "FetchRequest-v6"}),
    "a range beyond the last": (["HeartbeatRequest-v3..99"], {"HeartbeatRequest-v3", "HeartbeatRequest-v4"}),
    "a glob with a version": (["SaslHandshake*-v1"], {"SaslHandshakeRequest-v1", "SaslHandshakeResponse-v1"}),
    "a list": (["FetchRequest-v4,HeartbeatRequest-v0"], {"FetchRequest-v4", "HeartbeatRequest-v0"}),
    "a list with spaces": ([" FetchRequest-v4 , HeartbeatRequest-v0 "], {"FetchRequest-v4", "HeartbeatRequest-v0"}),
    "the option twice": (["FetchRequest-v4", "HeartbeatRequest-v0"], {"FetchRequest-v4", "HeartbeatRequest-v0"}),
    "the same twice": (["FetchRequest-v4,Fetch*-v4"], {"FetchRequest-v4", "FetchResponse-v4"}),
    "a name with all its versions": (["VoteRequest"], {"VoteRequest-v0", "VoteRequest-v1", "VoteRequest-v2"}),
}


@pytest.mark.parametrize(("texts", "pairs"), SELECTED.values(), ids=SELECTED)
def test_selection_matches(texts: list[str], pairs: set[str]) -> None:
    assert {str(schema) for schema in select(SCHEMAS, parse_selection(texts))} == pairs


def test_no_selection_is_everything() -> None:
    assert select(SCHEMAS, parse_selection([])) == list(SCHEMAS)


BAD = {
    "unknown name": "VotersRecrod",
    "unknown version": "FetchRequest-v99",
    "one of several": "FetchRequest,Nope*",
    "wrong case": "votesrecord",
    "a glob": "Heartbeet*",
    "backwards": "FetchRequest-v7..4",
    "empty": "",
    "empty part": "FetchRequest,,VoteRequest",
}


@pytest.mark.parametrize("text", BAD.values(), ids=BAD)
def test_a_bad_selection_is_named(text: str, snapshot: SnapshotAssertion) -> None:
    with pytest.raises(BadSelection) as bad:
        select(SCHEMAS, parse_selection([text]))
    assert str(bad.value) == snapshot


def test_smoke_is_the_newest_version_of_common_messages() -> None:
    found = smoke(SCHEMAS)
    assert len(found) == SMOKE_PAIRS
    assert [schema.message for schema in found][: len(SMOKE_MESSAGES)] == list(SMOKE_MESSAGES)
    newest = {schema.message: schema.version for schema in SCHEMAS}
    assert all(schema.version == newest[schema.message] for schema in found)


def test_the_newest_version_of_each_message_is_probed() -> None:
    found = newest(SCHEMAS)
    assert len(found) == len({schema.message for schema in SCHEMAS})
    assert {schema.message: schema.version for schema in found} == {
        schema.message: schema.version for schema in SCHEMAS
    }


def test_smoke_takes_the_selected_schemas_of_its_messages() -> None:
    votes = select(SCHEMAS, parse_selection(["Vote*"]))
    assert [str(schema) for schema in smoke(votes)] == ["VoteRequest-v2", "VoteResponse-v2", "VotersRecord-v0"]


@pytest.mark.parametrize("digits", ["32768", "9" * 5000])
def test_version_above_int16_is_refused(digits: str) -> None:
    for text in (f"F-v{digits}", f"F-v0..{digits}"):
        with pytest.raises(BadSelection, match="above 32767"):
            parse_selection([text])
