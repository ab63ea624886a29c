import json
from pathlib import Path

import pytest

from reference import Release, UnknownMessage, UnknownRelease, load_release, newest_release, proposals, releases
from reference.release import FURTHER
from tests.helpers.releases import BASE

RELEASE = load_release(BASE)


def test_release_has_its_definitions() -> None:
    """It has 281 definitions, eight of them without versions."""
    assert len(RELEASE.messages) == 281
    assert sum(RELEASE.definition(message).valid_versions.empty for message in RELEASE.messages) == 8


def test_schemas_are_every_message_at_every_version_in_order() -> None:
    """739 pairs, 430 of them flexible, by name and version."""
    schemas = list(RELEASE.schemas())
    pairs = [(schema.message, schema.version) for schema in schemas]
    assert len(pairs) == 739
    assert pairs == sorted(set(pairs))
    assert sum(schema.flexible for schema in schemas) == 430


def test_schema_is_resolved_once() -> None:
    """Codecs are built for each schema object, so the same one is worth keeping."""
    assert RELEASE.schema("FetchRequest", 17) is RELEASE.schema("FetchRequest", 17)


def test_unknown_message_is_refused_with_a_suggestion() -> None:
    with pytest.raises(UnknownMessage, match=r"4\.3\.0 .*'FetchRequests'.* FetchRequest\b"):
        RELEASE.definition("FetchRequests")


@pytest.mark.parametrize("version", [-1, 3, 19, 32768])
def test_unknown_version_is_refused_with_the_known_ones(version: int) -> None:
    with pytest.raises(UnknownMessage, match=rf"FetchRequest .* version {version}: .* 4-18"):
        RELEASE.schema("FetchRequest", version)


def test_abandoned_message_has_no_version() -> None:
    with pytest.raises(UnknownMessage):
        RELEASE.schema("ControlledShutdownRequest", 0)


def test_unknown_release_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownRelease, match=r"'0\.9'.*4\.3\.0.*specs import --release 0\.9"):
        load_release("0.9")


def test_newest_release_is_the_last_one() -> None:
    assert releases()[-1] == newest_release()
    assert BASE in releases()


def test_the_committed_definitions_are_listed_once() -> None:
    """Each list takes long where they are in a zip, as on a worker of Spark."""
    assert releases() is releases()
    assert proposals() is proposals()


def test_release_is_loaded_once() -> None:
    assert load_release(BASE) is RELEASE


def test_release_is_loaded_once_despite_further_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FURTHER, str(tmp_path))
    assert load_release(BASE) is RELEASE


def test_release_may_be_a_folder_anywhere(tmp_path: Path) -> None:
    (tmp_path / "release.json").write_text(json.dumps({"release": "mine", "messages": ["Some"]}), encoding="utf-8")
    (tmp_path / "Some.json").write_text(
        '{ "type": "data", "name": "Some", "validVersions": "1-2", "flexibleVersions": "2+", "fields": [] }',
        encoding="utf-8",
    )
    release = load_release(tmp_path)
    assert [str(schema) for schema in release.schemas()] == ["Some-v1", "Some-v2"]
    assert repr(release) == "<Release mine: 1 definitions>"


@pytest.mark.parametrize("manifest", ["", "[]", "{}", '{"release": "mine"}', "null"])
def test_broken_manifest_is_refused(tmp_path: Path, manifest: str) -> None:
    (tmp_path / "release.json").write_text(manifest, encoding="utf-8")
    with pytest.raises(UnknownRelease, match=r"release\.json .*manifest"):
        Release(tmp_path)
