import json
import zipfile
from pathlib import Path

import pytest

from conformance.definitions.sets import definition_set
from conformance.definitions.sources import ImportFailedError, Source, jar_source
from reference import load_release
from reference.definitions.errors import BrokenDefinition
from reference.evolution import DefinitionSet
from tests.definitions.conftest import MakeJar
from tests.helpers.definitions import message, without

COMMITTED = Path(__file__).parents[2] / "specs" / "releases" / "4.3.0"


def local(place: str | Path, cache: Path) -> DefinitionSet:
    def never(release: str) -> list[Source]:
        raise AssertionError(release)

    return definition_set(str(place), cache, never)


def test_committed_release_has_all_definitions_with_their_modules(tmp_path: Path) -> None:
    found = local("4.3.0", tmp_path)
    assert tuple(found.definitions) == load_release("4.3.0").messages
    assert (found.module("FetchRequest"), found.module("VotersRecord")) == ("clients", "clients")
    assert found.module("TopicRecord") == "metadata"


def test_folder_of_a_release_is_that_release(tmp_path: Path) -> None:
    assert local(COMMITTED, tmp_path) == local("4.3.0", tmp_path)


def test_one_definition_is_a_set_of_one(tmp_path: Path) -> None:
    found = local(COMMITTED / "FetchRequest.json", tmp_path)
    assert (list(found.definitions), found.module("FetchRequest")) == (["FetchRequest"], "")


def test_folder_of_definitions_has_no_modules(tmp_path: Path) -> None:
    (tmp_path / "Sample.json").write_text(json.dumps(message()))
    assert local(tmp_path, tmp_path / "cache").modules == {}


def test_jar_is_a_module(make_jar: MakeJar, tmp_path: Path) -> None:
    assert local(make_jar("kafka-raft-1.0.0.jar", "Sample"), tmp_path).modules == {"Sample": "raft"}


def test_release_that_is_not_here_is_fetched_once(make_jar: MakeJar, tmp_path: Path) -> None:
    jar = make_jar("kafka_2.13-1.0.0.jar", "Sample")
    asked: list[str] = []

    def fetch(release: str) -> list[Source]:
        asked.append(release)
        return [jar_source(jar, "kafka_2.13")]

    cache = tmp_path / "cache"
    first = definition_set("1.0.0", cache, fetch)
    assert definition_set("1.0.0", cache, fetch) == first
    assert (asked, first.modules) == (["1.0.0"], {"Sample": "core"})


def test_older_release_is_read_as_it_was(make_jar: MakeJar, tmp_path: Path) -> None:
    jar = make_jar("kafka-clients-1.0.0.jar")
    with zipfile.ZipFile(jar, "a") as archive:
        archive.writestr("common/message/Sample.json", json.dumps(without("flexibleVersions", message())))
    assert "Sample" in definition_set("2.9.0", tmp_path, lambda _: [jar_source(jar)]).definitions
    with pytest.raises(BrokenDefinition, match="there are no flexibleVersions"):
        definition_set("3.0.0", tmp_path, lambda _: [jar_source(jar)])


def test_release_without_definitions_is_an_error(make_jar: MakeJar, tmp_path: Path) -> None:
    jar = make_jar("kafka-clients-1.0.0.jar")
    with pytest.raises(ImportFailedError, match=r"there are no definitions in release 1\.0\.0"):
        definition_set("1.0.0", tmp_path, lambda _: [jar_source(jar)])
    assert list(tmp_path.glob("releases*")) == []


@pytest.mark.parametrize("name", ["four", "specs/none", "4"])
def test_what_is_neither_a_release_nor_a_place_is_an_error(tmp_path: Path, name: str) -> None:
    with pytest.raises(ImportFailedError, match=f"'{name}' is neither a release nor a path: name a release"):
        local(name, tmp_path)
