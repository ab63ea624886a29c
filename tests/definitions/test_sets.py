import json
import zipfile
from pathlib import Path

import pytest

from conformance.definitions import maven
from conformance.definitions.named import definition_set
from conformance.definitions.sources import ImportFailedError
from reference import load_release
from reference.definitions.errors import BrokenDefinition
from reference.evolution import DefinitionSet
from tests.definitions.conftest import MakeJar
from tests.helpers.definitions import Properties, field, message, without
from tests.helpers.folders import apart
from tests.helpers.releases import BASE

__all__ = ["apart"]
TAGGED_STRUCT = field(type="Some", fields=[field(name="Inner")], taggedVersions="0+", tag=0)
COMMITTED = Path(__file__).parents[2] / "specs" / "releases" / BASE


Served = dict[str, Path]
"""The jars of every release, by artifact."""


@pytest.fixture
def served(apart: Path, monkeypatch: pytest.MonkeyPatch) -> Served:  # noqa: ARG001  # a cache of its own
    """The releases known to Maven, none at first."""
    jars: Served = {}
    monkeypatch.setattr(maven, "fetch", lambda *_: jars)
    return jars


def local(place: str | Path) -> DefinitionSet:
    return definition_set(str(place))


def test_committed_release_has_all_definitions_with_their_modules() -> None:
    found = local(BASE)
    assert tuple(found.definitions) == load_release(BASE).messages
    assert (found.module("FetchRequest"), found.module("VotersRecord")) == ("clients", "clients")
    assert found.module("TopicRecord") == "metadata"


def test_folder_of_a_release_has_the_definitions_of_the_release() -> None:
    assert local(COMMITTED) == local(BASE)


def test_one_definition_is_a_set_of_one() -> None:
    found = local(COMMITTED / "FetchRequest.json")
    assert (list(found.definitions), found.module("FetchRequest")) == (["FetchRequest"], "")


def test_folder_of_definitions_has_no_modules(tmp_path: Path) -> None:
    (tmp_path / "Sample.json").write_text(json.dumps(message()))
    assert local(tmp_path).modules == {}


def test_jar_is_a_module(make_jar: MakeJar) -> None:
    assert local(make_jar("kafka-raft-5.0.0.jar", "Sample")).modules == {"Sample": "raft"}


def test_missing_release_is_fetched_once(make_jar: MakeJar, served: Served) -> None:
    served["kafka_2.13"] = make_jar("kafka_2.13-5.0.0.jar", "Sample")
    first = local("5.0.0")
    served.clear()
    assert local("5.0.0") == first
    assert first.modules == {"Sample": "core"}


@pytest.mark.parametrize(
    ("first", "rule", "definition"),
    [
        ("3.0.0", "flexible-versions-present", without("flexibleVersions", message())),
        ("4.0.0", "struct-versions-present", message(without("versions", TAGGED_STRUCT), flexibleVersions="0+")),
    ],
)
def test_release_before_a_check_of_the_generator_is_read_as_it_was(
    served: Served, tmp_path: Path, first: str, rule: str, definition: Properties
) -> None:
    before = f"{int(first[0]) - 1}.9.9"
    for release in (before, first):
        served["kafka-clients"] = tmp_path / f"kafka-clients-{release}.jar"
        with zipfile.ZipFile(served["kafka-clients"], "w") as archive:
            archive.writestr("common/message/Sample.json", json.dumps(definition))
        if release == before:
            assert "Sample" in local(release).definitions
        else:
            with pytest.raises(BrokenDefinition, match=rule):
                local(release)


def test_release_without_definitions_is_an_error(make_jar: MakeJar, served: Served, apart: Path) -> None:
    served["kafka-clients"] = make_jar("kafka-clients-5.0.0.jar")
    with pytest.raises(ImportFailedError, match=r"no definitions .* 5\.0\.0"):
        local("5.0.0")
    assert list(apart.rglob("releases*")) == []


@pytest.mark.parametrize("name", ["four", "specs/none", "4"])
def test_name_of_neither_a_release_nor_a_place_is_an_error(name: str) -> None:
    with pytest.raises(ImportFailedError, match=f"'{name}' is neither a release"):
        local(name)
