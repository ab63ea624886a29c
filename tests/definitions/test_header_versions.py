"""Definitions with header versions, as in Apache Kafka's sources after 4.4.0."""

import json
from pathlib import Path

import pytest

from conformance.definitions.checking import check
from conformance.definitions.named import definition_set, release_of
from reference import Release, load_release, newest_release, request_header_version, response_header_version
from reference.definitions.header_versions import APIS
from reference.evolution import release_changes
from tests.helpers.definitions import message, without
from tests.helpers.folders import REQUEST, RESPONSE, apart, write
from tests.helpers.trunk import checkout

__all__ = ["apart"]
WITH_HEADERS = (
    REQUEST | {"headerVersions": {"0": "1", "1+": "2"}},
    RESPONSE | {"headerVersions": {"0": "0", "1+": "1"}},
)


@pytest.fixture(scope="module")
def trunk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All definitions of the newest release, with headerVersions."""
    return checkout(tmp_path_factory.mktemp("trunk"))


def headers(release: Release, name: str) -> list[int]:
    definition = release.definition(name)
    of_direction = request_header_version if definition.kind == "request" else response_header_version
    return [of_direction(definition.api_key or 0, version, release) for version in definition.valid_versions]


def test_a_checkout_with_header_versions_is_sound(trunk: Path) -> None:
    checked = check(trunk)
    assert (checked.definitions, checked.problems) == (len(load_release(newest_release()).messages), ())


def test_header_versions_equal_to_the_derived_ones_are_no_change(trunk: Path) -> None:
    assert release_changes(definition_set(newest_release()), definition_set(str(trunk))) == ()


def test_the_derivation_equals_a_written_map(apart: Path) -> None:
    newest = load_release(newest_release())
    release = release_of(str(checkout(apart / "trunk")))
    names = [name for name in newest.messages if newest.definition(name).kind in APIS]
    names = [name for name in names if not newest.definition(name).valid_versions.empty]
    assert {name: headers(release, name) for name in names} == {name: headers(newest, name) for name in names}
    assert all(release.definition(name).header_versions for name in names)


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        pytest.param({"0+": "2"}, [2, 2, 2, 2, 2], id="earlier than derived"),
        pytest.param({"0": "1", "1-2": "2", "3+": "3"}, [1, 1, 2, 2, 3], id="later than derived"),
        pytest.param(None, [1, 1, 2, 2, 2], id="derived"),
    ],
)
def test_definition_determines_the_header_versions(
    apart: Path, declared: dict[str, str] | None, expected: list[int]
) -> None:
    """A request with versions up to 3 and flexible versions from 1 on.

    The versions of the headers are those before versions -1 to 3. Below 0 the header is the one of version 0.
    """
    other = {"headerVersions": {"0": "0", "1+": "1"}} if declared else {}
    request = REQUEST | {"validVersions": "0-3"} | ({"headerVersions": declared} if declared else {})
    header = message(type="header", name="RequestHeader", validVersions="1-3", flexibleVersions="2+", fields=[])
    response_header = header | {"name": "ResponseHeader", "validVersions": "0-1", "flexibleVersions": "1+"}
    folder = write(apart / "fork", request, RESPONSE | {"validVersions": "0-3"} | other, header, response_header)
    release = release_of(str(folder))
    assert [request_header_version(9000, version, release) for version in (-1, 0, 1, 2, 3)] == expected


def test_a_rule_is_named_with_its_line(tmp_path: Path) -> None:
    broken = REQUEST | {"headerVersions": {"0": "1", "2+": "2"}}
    (tmp_path / "NewThingRequest.json").write_text(json.dumps(broken, indent=1))
    [problem] = check(tmp_path / "NewThingRequest.json").problems
    line = json.dumps(broken, indent=1).splitlines()[problem.position.line - 1] if problem.position else ""
    assert (problem.problem.number, line) == ("6.62", ' "headerVersions": {')


def test_unreadable_header_versions_have_no_further_problems(tmp_path: Path) -> None:
    folder = write(tmp_path, REQUEST | {"headerVersions": {}}, RESPONSE | {"headerVersions": {"x": "0"}})
    assert [problem.problem.number for problem in check(folder).problems] == ["6.61", "6.61"]


def test_message_without_header_versions_among_others_is_named(tmp_path: Path) -> None:
    folder = write(tmp_path, WITH_HEADERS[0], RESPONSE)
    [problem] = check(folder).problems
    assert (Path(problem.source).name, problem.problem.number) == ("NewThingResponse.json", "6.60")


def test_a_pair_without_versions_may_leave_them_out(tmp_path: Path) -> None:
    gone = [without("flexibleVersions", each) | {"validVersions": "none"} for each in (REQUEST, RESPONSE)]
    named = [each | {"name": f"Gone{each['type'].title()}", "apiKey": 9001} for each in gone]
    declared = [
        REQUEST | {"headerVersions": {"0": "1", "1+": "2"}},
        RESPONSE | {"headerVersions": {"0": "0", "1+": "1"}},
    ]
    assert check(write(tmp_path, *declared, *named)).problems == ()


def test_header_missing_in_a_flat_folder_is_named(tmp_path: Path) -> None:
    header = message(type="header", name="RequestHeader", validVersions="1-2", flexibleVersions="2+", fields=[])
    request = WITH_HEADERS[0] | {"headerVersions": {"0": "1", "1+": "3"}}
    [problem] = check(write(tmp_path, request, WITH_HEADERS[1], header)).problems
    assert (Path(problem.source).name, problem.problem.number) == ("NewThingRequest.json", "6.65")


def test_without_definitions_of_headers_those_of_releases_count(tmp_path: Path) -> None:
    request = WITH_HEADERS[0] | {"headerVersions": {"0": "1", "1+": "3"}}
    [problem] = check(write(tmp_path, request, WITH_HEADERS[1])).problems
    assert (Path(problem.source).name, problem.problem.number) == ("NewThingRequest.json", "6.65")


def test_very_many_ranges_are_one_problem(tmp_path: Path) -> None:
    headers = {str(version): "1" if version == 0 else "2" for version in range(5_000)} | {"5000+": "2"}
    [problem] = check(write(tmp_path, WITH_HEADERS[0] | {"headerVersions": headers}, WITH_HEADERS[1])).problems
    assert problem.problem.number == "6.63"
