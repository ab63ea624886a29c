from reference.evolution import DefinitionSet, release_changes
from tests.helpers.definitions import Properties, field, message
from tests.reference.evolution.definitions import Short, parsed, short


def members(*definitions: Properties, module: str = "sample") -> DefinitionSet:
    found = {each["name"]: parsed(each) for each in definitions}
    return DefinitionSet(found, dict.fromkeys(found, module))


def compared(old: DefinitionSet, new: DefinitionSet) -> list[tuple[str, Short]]:
    found = release_changes(old, new)
    return list(zip((each.message for each in found), short(found), strict=True))


def key(name: str, api_key: int) -> Properties:
    properties = {"type": "coordinator-key", "name": name, "apiKey": api_key, "validVersions": "0"}
    return message(field(versions="0"), flexibleVersions="none") | properties


KEYS = message(field(), name="OldKey", validVersions="0-1", flexibleVersions="none")
REQUEST = message(name="SampleRequest", type="request", apiKey=1, latestVersionUnstable=True)
RESPONSE = message(field(), name="SampleResponse", type="response", apiKey=1)


def test_messages_are_in_order_of_their_names() -> None:
    found = compared(members(message(name="B")), members(message(name="C"), message(name="A")))
    assert [name for name, _ in found] == ["A", "B", "C"]


def test_response_is_as_unstable_as_its_request() -> None:
    new = RESPONSE | {"fields": [field(type="int64")]}
    found = compared(members(REQUEST, RESPONSE), members(REQUEST, new))
    assert found == [
        ("SampleResponse", ("incompatible", "type", "0-1", "Some")),
        ("SampleResponse", ("unstable", "type", "2", "Some")),
    ]


def test_message_of_the_same_number_is_the_same_under_another_name() -> None:
    renamed = RESPONSE | {"name": "OtherResponse", "fields": [field(type="int64")]}
    assert compared(members(RESPONSE), members(renamed)) == [
        ("SampleResponse", ("incompatible", "type", "0-2", "Some")),
        ("SampleResponse", ("compatible", "message-renamed", "none", "")),
    ]


def test_message_without_versions_may_go() -> None:
    found = compared(members(message(validVersions="none")), members())
    assert found == [("Sample", ("compatible", "facts", "none", ""))]


def test_unstable_message_may_go() -> None:
    unstable = REQUEST | {"validVersions": "0"}
    found = compared(members(unstable, RESPONSE | {"validVersions": "0"}), members())
    assert [each[1] for each in found] == [("unstable", "message-removed", "none", "")] * 2


def test_number_of_a_kept_message_makes_no_other_one_its_successor() -> None:
    old = members(RESPONSE, message(name="GoneResponse", type="response", apiKey=2))
    assert compared(old, members(RESPONSE | {"apiKey": 2})) == [
        ("GoneResponse", ("dropped", "message-removed", "none", "")),
        ("SampleResponse", ("incompatible", "api-key", "none", "")),
    ]


def test_records_are_numbered_within_their_module() -> None:
    old = members(message(name="OneRecord", type="metadata", apiKey=1), module="one")
    new = members(message(name="OtherRecord", type="metadata", apiKey=1), module="other")
    assert [each[1][1] for each in compared(old, new)] == ["message-removed", "message-added"]


def test_definition_moves_to_another_module() -> None:
    found = compared(members(message(), module="one"), members(message(), module="other"))
    assert found == [("Sample", ("compatible", "facts", "none", ""))]


def test_versions_of_a_key_become_keys_of_their_own() -> None:
    assert compared(members(KEYS), members(key("LegacyKey", 0), key("OldKey", 1))) == [
        ("OldKey", ("compatible", "coordinator-kind", "0", "")),
        ("OldKey", ("compatible", "coordinator-kind", "1", "")),
    ]


def test_missing_key_of_a_number_is_a_dropped_version() -> None:
    assert compared(members(KEYS), members(key("OldKey", 1))) == [
        ("OldKey", ("dropped", "lowest-version", "0", "")),
        ("OldKey", ("compatible", "coordinator-kind", "1", "")),
    ]


def test_key_is_compared_with_the_version_of_its_number() -> None:
    other = key("OldKey", 1) | {"fields": [field(type="string", versions="0")]}
    found = compared(members(KEYS), members(key("LegacyKey", 0), other))
    assert ("OldKey", ("incompatible", "type", "1", "Some")) in found
