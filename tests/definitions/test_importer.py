import hashlib
import json
from pathlib import Path

import pytest

from conformance.definitions.importer import check_form, import_release
from conformance.definitions.sources import ImportFailedError, sources_at
from reference.definitions.errors import BrokenDefinition
from tests.definitions.conftest import MakeJar
from tests.helpers.releases import BASE

TEXT = """{ "type": "data", "name": "Sample", "validVersions": "0", "flexibleVersions": "none" }"""


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


@pytest.mark.parametrize("folder", ["common/message", "common/metadata", "message"])
def test_definitions_are_found_whichever_folder_they_are_in(make_jar: MakeJar, folder: str) -> None:
    (source,) = sources_at(make_jar("kafka-sample-1.0.0.jar", "Sample", folder=folder))
    assert [file.path for file in source.files] == [f"kafka-sample-1.0.0.jar:{folder}/Sample.json"]


def test_jar_is_a_source_with_a_name_and_a_digest(make_jar: MakeJar) -> None:
    jar = make_jar("kafka-sample-1.0.0.jar", "Sample")
    (source,) = sources_at(jar)
    assert (source.name, source.artifact) == ("kafka-sample", "kafka-sample-1.0.0.jar")
    assert source.sha256 == hashlib.sha256(jar.read_bytes()).hexdigest()


def test_folder_of_jars_has_a_source_for_each(make_jar: MakeJar, tmp_path: Path) -> None:
    make_jar("kafka-one-1.0.0.jar", "One")
    make_jar("kafka-two-1.0.0.jar", "Two")
    assert [source.name for source in sources_at(tmp_path)] == ["kafka-one", "kafka-two"]


def test_checkout_has_a_source_for_each_module_but_not_for_tests(tmp_path: Path) -> None:
    for place in ("clients/src/main", "clients/src/test", "group/coordinator/src/main"):
        folder = tmp_path / place / "resources" / "common" / "message"
        folder.mkdir(parents=True)
        (folder / "Sample.json").write_text(TEXT)
    assert [source.name for source in sources_at(tmp_path)] == ["clients", "group/coordinator"]


def test_folder_of_definitions_is_one_source(tmp_path: Path) -> None:
    folder = tmp_path / "definitions"
    folder.mkdir()
    for name in ("A", "B"):
        text = TEXT.replace("Sample", name).replace('"data"', '"metadata", "apiKey": 1')
        (folder / f"{name}.json").write_text(text)
    manifest = import_release("1.0.0", sources_at(folder), tmp_path)
    assert [source["definitions"] for source in manifest["sources"]] == [2]


def test_nothing_to_import_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ImportFailedError, match=f"no definitions in {tmp_path}"):
        sources_at(tmp_path)


def test_file_other_than_a_jar_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "kafka.jar").write_bytes(b"PK")
    with pytest.raises(ImportFailedError, match=r"kafka\.jar .*readable"):
        sources_at(tmp_path / "kafka.jar")


def test_release_has_a_manifest_and_canonical_definitions(make_jar: MakeJar, tmp_path: Path) -> None:
    jar = make_jar("kafka-sample-1.0.0.jar", "Sample")
    import_release("1.0.0", sources_at(jar), tmp_path / "releases")
    folder = tmp_path / "releases" / "1.0.0"
    (published,) = sources_at(jar)[0].files
    assert (folder / "Sample.json").read_text().count("\n") == 10
    assert json.loads((folder / "release.json").read_text()) == {
        "format": 1,
        "release": "1.0.0",
        "date": "2019-06-19",
        "sources": [
            {
                "source": "kafka-sample",
                "artifact": "kafka-sample-1.0.0.jar",
                "sha256": hashlib.sha256(jar.read_bytes()).hexdigest(),
                "definitions": 1,
                "pairs": 2,
                "flexiblePairs": 1,
            }
        ],
        "counts": {"definitions": 1, "withVersions": 1, "pairs": 2, "flexiblePairs": 1},
        "messages": {"Sample": {"validVersions": "0-1", "source": "kafka-sample", "sha256": published.sha256}},
    }


def test_import_of_the_same_release_changes_no_byte(make_jar: MakeJar, tmp_path: Path) -> None:
    sources = sources_at(make_jar("kafka-sample-1.0.0.jar", "B", "A"))
    import_release("1.0.0", sources, tmp_path / "releases")
    first = contents(tmp_path / "releases" / "1.0.0")
    import_release("1.0.0", sources, tmp_path / "releases")
    assert contents(tmp_path / "releases" / "1.0.0") == first


def test_files_of_an_earlier_import_go(make_jar: MakeJar, tmp_path: Path) -> None:
    for name in ("Old", "New"):
        import_release("1.0.0", sources_at(make_jar("kafka-sample-1.0.0.jar", name)), tmp_path / "releases")
    assert set(contents(tmp_path / "releases" / "1.0.0")) == {"New.json", "release.json"}
    assert [folder.name for folder in (tmp_path / "releases").iterdir()] == ["1.0.0"]


def test_folder_without_an_import_is_left_alone(make_jar: MakeJar, tmp_path: Path) -> None:
    (tmp_path / "1.0.0").mkdir()
    (tmp_path / "1.0.0" / "thesis.txt").write_text("all of it")
    with pytest.raises(ImportFailedError, match=r"1\.0\.0 exists"):
        import_release("1.0.0", sources_at(make_jar("kafka-sample-1.0.0.jar", "Sample")), tmp_path)
    assert (tmp_path / "1.0.0" / "thesis.txt").read_text() == "all of it"


def test_broken_definition_leaves_an_earlier_import_as_it_was(make_jar: MakeJar, tmp_path: Path) -> None:
    import_release("1.0.0", sources_at(make_jar("kafka-sample-1.0.0.jar", "Sample")), tmp_path / "releases")
    before = contents(tmp_path / "releases" / "1.0.0")
    broken = make_jar("kafka-broken-1.0.0.jar", "SampleRequest", kind="request")
    with pytest.raises(BrokenDefinition):
        import_release("1.0.0", sources_at(broken), tmp_path / "releases")
    assert contents(tmp_path / "releases" / "1.0.0") == before


def test_error_of_a_message_defined_in_two_modules_names_both_files(make_jar: MakeJar, tmp_path: Path) -> None:
    make_jar("kafka-one-1.0.0.jar", "Sample")
    make_jar("kafka-two-1.0.0.jar", "Sample", folder="message")
    both = r"kafka-one-1\.0\.0\.jar:common/message/Sample\.json and kafka-two-1\.0\.0\.jar:message/Sample\.json"
    with pytest.raises(ImportFailedError, match=both):
        import_release("1.0.0", sources_at(tmp_path), tmp_path / "releases")


def test_unreadable_definition_is_an_error_and_not_passed_over(tmp_path: Path) -> None:
    (tmp_path / "Sample.json").write_text(TEXT.replace("}", ",}"))
    with pytest.raises(BrokenDefinition, match=r"Sample\.json, line 1"):
        import_release("1.0.0", sources_at(tmp_path), tmp_path / "releases")


def test_definition_other_than_utf_8_text_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "Sample.json").write_bytes(TEXT.encode() + b" // \xff")
    with pytest.raises(ImportFailedError, match=r"Sample\.json .*: byte \d+"):
        import_release("1.0.0", sources_at(tmp_path), tmp_path / "releases")


@pytest.mark.parametrize("name", ["../Escaped", "release", "A.B", "A/B"])
def test_message_name_unfit_for_a_file_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "Sample.json").write_text(TEXT.replace("Sample", name))
    with pytest.raises(ImportFailedError, match=f"'{name}'.*6.18"):
        import_release("1.0.0", sources_at(tmp_path), tmp_path / "releases")


@pytest.mark.parametrize("release", ["", "..", f"{BASE}/5", ".hidden"])
def test_release_name_unfit_for_a_folder_is_refused(make_jar: MakeJar, tmp_path: Path, release: str) -> None:
    with pytest.raises(ImportFailedError, match=f"'{release}' is not"):
        import_release(release, sources_at(make_jar("kafka-sample-1.0.0.jar", "Sample")), tmp_path)


@pytest.mark.parametrize(
    ("properties", "place"),
    [
        ({"about": "what it is for"}, r"\$"),
        ({"validVersions": "0+"}, r"\$\.validVersions"),
        (
            {"fields": [{"name": "A", "type": "int8", "versions": "0", "ignorable": False}]},
            r"\$\.fields\[0\]\.ignorable",
        ),
        ({"fields": [{"name": "A", "type": "int8", "versions": "0", "default": 1}]}, r"\$\.fields\[0\]\.default"),
        ({"fields": [{"name": "A", "type": "int8"}]}, r"\$\.fields\[0\]"),
        ({"validVersions": "none"}, r"\$"),
    ],
)
def test_schema_refuses_other_than_canonical_members(properties: dict[str, object], place: str) -> None:
    with pytest.raises(ImportFailedError, match=rf"Sample\.json .*form .*: {place}: "):
        check_form(json.dumps(json.loads(TEXT) | properties), "Sample.json")
