"""The requests of a tier change nothing outside of the suite's own names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from conformance.generate.drawn_values import sample
from conformance.live.server.black_box import BlackBox
from conformance.live.server.cleanup import LONGEST, PREFIX, own, with_own_names
from conformance.live.server.server import Server
from conformance.live.server.sound_requests import sound_requests
from conformance.live.server.tiers import MAY_BE_SILENT, NEVER, Permission, RequestForm, Tier
from reference import encode
from tests.fakes.lying_server import DEFINITIONS, METADATA, RELEASE, Fake

if TYPE_CHECKING:
    from collections.abc import Iterator

JOIN_GROUP, DELETE_ACLS, CREATE_ACLS, STREAMS_HEARTBEAT, SCRAM, FIND_COORDINATOR = 11, 31, 30, 88, 51, 10
LOWER = (Tier.READ_ONLY, Tier.NO_OP)
SAMPLES = 20
JOINING = ("ConsumerGroupHeartbeat", "JoinGroup", "OffsetCommit", "ShareGroupHeartbeat", "StreamsGroupHeartbeat")


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with Fake() as fake:
        yield Server(fake.address, DEFINITIONS, deadline=60.0)


def values(server: Server, tier: Tier, api_key: int, version: int) -> list[dict[str, Any]]:
    return [sound.value for sound in sound_requests(BlackBox(server, Permission(tier)), api_key, version)]


@pytest.mark.parametrize("tier", LOWER)
@pytest.mark.parametrize("version", range(4))
def test_metadata_names_no_topics_where_it_would_create_them(server: Server, tier: Tier, version: int) -> None:
    """Versions below 4 cannot forbid the creation of topics."""
    sent = values(server, tier, METADATA, version)
    assert sent
    assert [value["Topics"] for value in sent] == [[]] * len(sent)


def test_metadata_names_topics_where_it_can_forbid_their_creation(server: Server) -> None:
    """Versions from 4 on have the flag for it, set to false."""
    sent = values(server, Tier.READ_ONLY, METADATA, 4)
    assert any(value["Topics"] for value in sent)
    assert {value["AllowAutoTopicCreation"] for value in sent} == {False}


@pytest.mark.parametrize("version", range(5))
def test_metadata_names_topics_of_the_suite_for_a_throw_away_server(server: Server, version: int) -> None:
    """They may be created there, and are removed by their names."""
    names = [
        topic["Name"] for value in values(server, Tier.THROW_AWAY, METADATA, version) for topic in value["Topics"] or ()
    ]
    assert names
    assert [name for name in names if not name.startswith(PREFIX)] == []


@pytest.mark.parametrize("tier", LOWER)
def test_coordinators_of_groups_alone_are_asked_for(server: Server, tier: Tier) -> None:
    """For other kinds a server makes an internal topic."""
    assert {value["KeyType"] for value in values(server, tier, FIND_COORDINATOR, 6)} == {0}


@pytest.mark.parametrize("api", JOINING)
def test_joining_a_group_of_an_empty_id_is_no_no_op(api: str) -> None:
    """A server that accepts the empty id has a new group."""
    assert Permission(Tier.NO_OP).form(api) is RequestForm.NONE


@pytest.mark.parametrize("api", sorted(NEVER))
@pytest.mark.parametrize("tier", Tier)
def test_some_apis_need_an_option_of_their_own(api: str, tier: Tier) -> None:
    """No tier is enough."""
    assert Permission(tier).form(api) is RequestForm.NONE
    assert Permission(tier, frozenset((api,))).form(api) is not RequestForm.NONE or tier is not Tier.THROW_AWAY


def test_every_api_of_the_tables_exists() -> None:
    """A misspelt name would allow nothing, or everything."""
    names = {DEFINITIONS.name(key) for key in range(100)}
    assert {api for api in NEVER | MAY_BE_SILENT if api not in names} <= {"ControlledShutdown"}


def named(api_key: int, version: int) -> list[dict[str, Any]]:
    schema = DEFINITIONS.body("request", api_key, version)
    assert schema is not None
    return [with_own_names(DEFINITIONS, api_key, sample(schema, f"names/{index}")) for index in range(SAMPLES)]


def test_groups_and_topics_in_nested_structs_have_the_prefix() -> None:
    """Fields of common structs and arrays of names are reached as well."""
    sources = [
        name
        for value in named(STREAMS_HEARTBEAT, 0)
        for subtopology in (value["Topology"] or {}).get("Subtopologies", ())
        for name in [
            *subtopology["SourceTopics"],
            *(topic["Name"] for topic in subtopology["StateChangelogTopics"]),
        ]
    ]
    assert sources
    assert [name for name in sources if not name.startswith(PREFIX)] == []


def test_group_is_ours_and_member_is_as_it_was() -> None:
    """Only names of things on the server are changed."""
    schema = DEFINITIONS.body("request", JOIN_GROUP, 9)
    assert schema is not None
    before = sample(schema, "one")
    after = with_own_names(DEFINITIONS, JOIN_GROUP, before)
    assert after == {**before, "GroupId": own(before["GroupId"])}


def test_filter_for_all_acls_gets_the_prefix() -> None:
    """Null would remove the rules of others."""
    names = [each["ResourceNameFilter"] for value in named(DELETE_ACLS, 3) for each in value["Filters"]]
    assert names
    assert [name for name in names if name is None or not name.startswith(PREFIX)] == []


@pytest.mark.parametrize(
    ("api_key", "version", "array", "name"),
    [(CREATE_ACLS, 3, "Creations", "ResourceName"), (SCRAM, 0, "Deletions", "Name"), (SCRAM, 0, "Upsertions", "Name")],
)
def test_names_without_an_entity_type_have_the_prefix(api_key: int, version: int, array: str, name: str) -> None:
    """The table has them."""
    found = [each[name] for value in named(api_key, version) for each in value[array]]
    assert found
    assert [text for text in found if not text.startswith(PREFIX)] == []


def test_name_stays_short_enough_to_be_written() -> None:
    """The longest string is not made longer."""
    schema = DEFINITIONS.body("request", JOIN_GROUP, 9)
    assert schema is not None
    value = with_own_names(DEFINITIONS, JOIN_GROUP, {**sample(schema, "one"), "GroupId": "\u20ac" * (LONGEST // 3)})
    assert value["GroupId"].startswith(PREFIX)
    assert encode(RELEASE.schema("JoinGroupRequest", 9), value)
