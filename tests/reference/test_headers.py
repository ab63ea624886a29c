import pytest

from reference import (
    CodecError,
    UnsupportedApi,
    api_definition,
    api_schema,
    header_schema,
    load_release,
    request_header_version,
    response_header_version,
)

NEWEST = load_release("4.3.0")
OLDER = load_release("3.9.1")


@pytest.mark.parametrize(
    ("api_key", "api_version", "request_header", "response_header"),
    [
        pytest.param(3, 8, 1, 0, id="Metadata-before-flexible"),
        pytest.param(3, 9, 2, 1, id="Metadata-first-flexible"),
        pytest.param(17, 1, 1, 0, id="SaslHandshake-is-never-flexible"),
        pytest.param(47, 0, 1, 0, id="OffsetDelete-is-never-flexible"),
        pytest.param(18, 2, 1, 0, id="ApiVersions-before-flexible"),
        pytest.param(18, 3, 2, 0, id="ApiVersions-flexible"),
        pytest.param(18, 4, 2, 0, id="ApiVersions-newest"),
        pytest.param(68, 0, 2, 1, id="ConsumerGroupHeartbeat-is-always-flexible"),
    ],
)
def test_header_versions(api_key: int, api_version: int, request_header: int, response_header: int) -> None:
    """A flexible version has the headers with tags, and the response to ApiVersions never has (KIP-511)."""
    assert request_header_version(api_key, api_version) == request_header
    assert response_header_version(api_key, api_version) == response_header


@pytest.mark.parametrize(
    ("api_key", "api_version", "request_header", "response_header"),
    [
        pytest.param(3, -1, 1, 0, id="below"),
        pytest.param(3, 99, 2, 1, id="above"),
        pytest.param(17, 99, 1, 0, id="never-flexible-above"),
        pytest.param(68, -1, 2, 1, id="always-flexible-below"),
        pytest.param(18, 99, 2, 0, id="ApiVersions-above"),
    ],
)
def test_beyond_the_valid_versions(api_key: int, api_version: int, request_header: int, response_header: int) -> None:
    assert request_header_version(api_key, api_version) == request_header
    assert response_header_version(api_key, api_version) == response_header


@pytest.mark.parametrize(("api_version", "expected"), [(-1, 1), (0, 0), (1, 1), (2, 1), (3, 2), (4, 2)])
def test_controlled_shutdown_version_0_has_header_0(api_version: int, expected: int) -> None:
    """No other version has it, and only a release with that header."""
    assert request_header_version(7, api_version, OLDER) == expected


@pytest.mark.parametrize("api_key", [4, 5, 6, 7])
def test_an_api_without_versions_has_no_header(api_key: int) -> None:
    """Since 4.0 the keys are taken, but nothing can be sent."""
    for header_version in (request_header_version, response_header_version):
        with pytest.raises(UnsupportedApi, match=rf"key {api_key}: .*no versions"):
            header_version(api_key, 0, NEWEST)


@pytest.mark.parametrize("api_key", [-1, 93, 9999])
def test_an_unknown_api_has_no_header(api_key: int) -> None:
    with pytest.raises(UnsupportedApi, match=r"keys .*0 to 92") as caught:
        request_header_version(api_key, 0, NEWEST)
    assert isinstance(caught.value, CodecError)
    assert (caught.value.release, caught.value.api_key) == ("4.3.0", api_key)


def test_without_a_release_it_is_the_newest() -> None:
    """Key 92 is not in 3.9.1."""
    assert request_header_version(92, 0) == request_header_version(92, 0, NEWEST)
    with pytest.raises(UnsupportedApi):
        request_header_version(92, 0, OLDER)


def test_definitions_by_key() -> None:
    assert api_definition(NEWEST, "request", 1).name == "FetchRequest"
    assert api_definition(NEWEST, "response", 1).name == "FetchResponse"


def test_an_api_has_schemas_in_its_valid_versions_only() -> None:
    assert api_schema(NEWEST, "request", 1, 17).message == "FetchRequest"
    with pytest.raises(UnsupportedApi, match=r"key 1 version 99: .* 4-18"):
        api_schema(NEWEST, "request", 1, 99)


def test_header_schemas() -> None:
    assert str(header_schema(NEWEST, "request", 18, 3)) == "RequestHeader-v2"
    assert str(header_schema(NEWEST, "response", 18, 3)) == "ResponseHeader-v0"
    assert str(header_schema(OLDER, "request", 7, 0)) == "RequestHeader-v0"


@pytest.mark.parametrize("draft", ["kip-482-first-draft", "kip-482-second-draft"])
@pytest.mark.parametrize("version", [8, 9])
def test_drafts_do_not_change_headers(draft: str, version: int) -> None:
    """FooResponse is flexible from version 9 on, with the section in its body alone."""
    release = load_release(draft)
    assert response_header_version(9000, version, release) == 0
    assert [field.name for field in header_schema(release, "response", 9000, version).fields] == ["CorrelationId"]


def test_api_missing_in_a_proposal_is_named_with_its_title() -> None:
    with pytest.raises(UnsupportedApi, match=r"first draft .*key 3"):
        response_header_version(3, 0, load_release("kip-482-first-draft"))
