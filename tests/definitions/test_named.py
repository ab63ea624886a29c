import json
import os
import re
import shutil
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from conformance.definitions import maven
from conformance.definitions.importer import import_release
from conformance.definitions.named import BadFolder, release_of, remarks
from conformance.definitions.sources import ImportFailedError, sources_at
from reference import UnknownRelease, load_release, newest_release, request_header_version
from reference.definitions.model import NO_VERSIONS
from reference.inputs.sums import SUMS, misfit
from reference.release import FURTHER, MANIFEST, imported_releases
from tests.definitions.conftest import archived
from tests.helpers.adapters import load_adapter
from tests.helpers.definitions import Properties, field, message, without
from tests.helpers.folders import REQUEST, RESPONSE, apart, changed, manifest, write
from tests.helpers.releases import OLDEST
from tests.helpers.runs import command

__all__ = ["apart"]
SPECS = Path(str(files("specs")))
FETCH = maven.fetch
RECORD = message(type="metadata", name="NewRecord", apiKey=900)


def test_definitions_with_comments_are_a_release(apart: Path) -> None:
    release = release_of(str(write(apart / "fork", REQUEST, RESPONSE)))
    assert [str(schema) for schema in release.schemas()][:3] == [f"NewThingRequest-v{version}" for version in range(3)]
    assert not release.published


def test_name_and_hash_depend_on_the_definitions_alone(apart: Path) -> None:
    """Neither on the place, nor on comments, descriptions and the form of the files."""
    first = release_of(str(write(apart / "one" / "fork", REQUEST, RESPONSE)))
    (apart / "two" / "fork" / "inner").mkdir(parents=True)
    for each in (REQUEST, RESPONSE):
        (apart / "two" / "fork" / "inner" / f"{each['name']}.json").write_text(json.dumps(each))
    second = release_of(str(apart / "two" / "fork"))
    assert (first.name, first.digest) == (second.name, second.digest)
    assert first.name == first.title == f"fork-{first.digest[:8]}"


def test_other_definitions_have_another_name(apart: Path) -> None:
    folder = write(apart / "fork", REQUEST, RESPONSE)
    before = release_of(str(folder)).name
    write(folder, REQUEST | {"validVersions": "0-3"})
    assert release_of(str(folder)).name != before


def test_a_release_json_gives_the_name(apart: Path) -> None:
    folder = manifest(write(apart / "any", message()), "Sample", release="fork-1", title="The fork")
    release = release_of(str(folder))
    assert (release.name, release.title, release.messages) == ("fork-1", "The fork", ("Sample",))


@pytest.mark.parametrize("place", [f"releases/{OLDEST}", "proposals/kip-625", "proposals/kip-893"])
def test_copy_of_committed_definitions_is_the_committed_release(apart: Path, place: str) -> None:
    copy = shutil.copytree(SPECS / place, apart / "copy")
    assert release_of(str(copy)) is load_release(Path(place).name)


def test_a_committed_name_with_other_definitions_gets_the_hash(apart: Path) -> None:
    copy = Path(shutil.copytree(SPECS / "releases" / OLDEST, apart / "copy"))
    changed(OLDEST, "HeartbeatRequest", copy, name="Group")
    release = release_of(str(copy))
    assert release.name == f"{OLDEST}-{release.digest[:8]}"
    assert release.schema("HeartbeatRequest", 0).fields[0].name == "Group"


def test_a_folder_of_a_proposal_is_of_its_dialect(apart: Path) -> None:
    copy = Path(shutil.copytree(SPECS / "proposals" / "kip-625", apart / "copy"))
    (copy / "IntsData.json").unlink()
    names = [path.stem for path in copy.glob("*Data.json")]
    release = release_of(str(manifest(copy, *names, release="mine", dialect="kip-625")))
    assert (release.name, release.dialect, release.proposed) == ("mine", "kip-625", True)


def test_other_processes_know_a_release_by_its_name(apart: Path) -> None:
    name = release_of(str(write(apart / "fork", message()))).name
    program = f"from reference import load_release; print(load_release({name!r}).messages)"
    assert command("-c", program).ended(0) == "('Sample',)\n"


def test_later_change_in_the_folder_does_not_reach_a_run(apart: Path) -> None:
    folder = write(apart / "fork", message())
    name = release_of(str(folder)).name
    shutil.rmtree(folder)
    assert load_release(name).schema("Sample", 0)


def test_name_with_a_hash_names_cached_definitions(apart: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = release_of(str(write(apart / "fork", message()))).name
    monkeypatch.setenv(FURTHER, "")
    assert release_of(name).messages == ("Sample",)


def test_messages_of_a_flat_folder_are_of_the_modules_of_the_newest_release(apart: Path) -> None:
    newest = load_release(newest_release())
    folder = changed(newest.name, "TopicRecord", write(apart / "flat", RECORD), name="Title")
    release = release_of(str(folder))
    assert release.source("TopicRecord") == newest.source("TopicRecord")
    assert release.source("NewRecord") == "kafka-metadata"


def test_modules_of_a_checkout_are_named_as_published(apart: Path) -> None:
    for module in ("clients", "storage/api", "core"):
        name = module.title().replace("/", "")
        write(apart / "kafka" / module / "src" / "main" / "resources" / "common" / "message", message(name=name))
        write(apart / "kafka" / module / "src" / "test" / "resources", message(name=f"{name}Test"))
    release = release_of(str(apart / "kafka"))
    sources = {name: release.source(name) for name in release.messages}
    assert sources == {"Clients": "kafka-clients", "Core": "kafka_2.13", "StorageApi": "kafka-storage-api"}


def test_checkout_before_3_may_lack_flexible_versions(apart: Path) -> None:
    folder = apart / "kafka"
    write(folder / "clients" / "src" / "main" / "resources", without("flexibleVersions", message()))
    (folder / "gradle.properties").write_text("group=org.apache.kafka\nversion=2.4.0-SNAPSHOT\n")
    assert release_of(str(folder)).definition("Sample").flexible_versions == NO_VERSIONS


@pytest.fixture
def jars(apart: Path, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Path]]:
    """The answers of Maven, one left, with one release, 5.0.0."""
    left = [{"kafka-clients": archived(apart / "kafka-clients-5.0.0.jar", "Sample")}]
    monkeypatch.setattr(maven, "fetch", lambda *_: left.pop())
    return left


@pytest.mark.usefixtures("jars")
def test_published_release_is_fetched_once_with_a_notice(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    release = release_of("5.0.0")
    assert (release.name, release.title, release.published) == ("5.0.0", "Kafka 5.0.0", True)
    [notice] = capsys.readouterr().err.splitlines()
    assert notice.startswith("Kafka 5.0.0 ")
    assert "Maven" in notice
    monkeypatch.setenv(FURTHER, "")
    assert release_of("5.0.0").messages == ("Sample",)
    assert capsys.readouterr().err == ""


@pytest.mark.usefixtures("jars")
def test_other_processes_know_a_published_release_by_its_name() -> None:
    release_of("5.0.0")
    program = "from reference import load_release; print(load_release('5.0.0').messages)"
    assert command("-c", program).ended(0) == "('Sample',)\n"


def _change(file: Path) -> None:
    file.write_text(file.read_text().replace("Sample", "Simple"))


DAMAGES: dict[str, Callable[[Path], object]] = {
    "changed definition": lambda folder: _change(folder / "Sample.json"),
    "junk": lambda folder: (folder / "Sample.json").write_bytes(b"\xff" * 9),
    "cut": lambda folder: os.truncate(folder / "Sample.json", 9),
    "missing definition": lambda folder: (folder / "Sample.json").unlink(),
    "additional definition": lambda folder: shutil.copy(folder / "Sample.json", folder / "Other.json"),
    "changed manifest": lambda folder: _change(folder / MANIFEST),
    "missing sums": lambda folder: (folder / SUMS).unlink(),
    "folder": lambda folder: (folder / "notes").mkdir(),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_damaged_release_of_the_cache_is_fetched_again_with_a_notice(
    damage: Callable[[Path], object],
    jars: list[dict[str, Path]],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    jars *= 2
    release_of("5.0.0")
    capsys.readouterr()
    damage(imported_releases() / "5.0.0")
    monkeypatch.setenv(FURTHER, "")
    release_of("5.0.0")
    assert not misfit(imported_releases() / "5.0.0")
    damaged, kept = capsys.readouterr().err.splitlines()
    assert re.search(r"5\.0\.0 in .* damaged \(.+\): .*Maven", damaged)
    assert Path(kept.partition(" kept in ")[2]).is_dir()


@pytest.mark.usefixtures("jars")
def test_damaged_release_stays_and_is_not_used_if_it_cannot_be_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    release_of("5.0.0")
    folder = imported_releases() / "5.0.0"
    _change(folder / "Sample.json")
    monkeypatch.setattr(maven, "fetch", FETCH)
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv(FURTHER, "")
    with pytest.raises(ImportFailedError, match="specs import --from"):
        release_of("5.0.0")
    assert "Simple" in (folder / "Sample.json").read_text()


def test_damaged_definitions_of_a_folder_are_not_used_by_their_name(
    apart: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    release = release_of(str(write(apart / "mine", message())))
    monkeypatch.setenv(FURTHER, "")
    _change(Path(str(release.folder)) / "Sample.json")
    with pytest.raises(BadFolder, match=f"{release.name} .*damaged.*folder"):
        release_of(release.name)
    assert release_of(str(apart / "mine")).definition("Sample").name == "Sample"


def test_damaged_jars_are_fetched_again_with_a_notice(
    apart: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(maven, "_copy", lambda _, to: archived(to / "kafka-clients-5.0.0.jar", "Sample"))
    [jar] = maven.fetch("5.0.0", apart).values()
    sound = jar.read_bytes()
    jar.write_bytes(sound.replace(b"PK", b"KP", 1))
    maven.fetch("5.0.0", apart)
    assert jar.read_bytes() == sound
    assert re.search(r"clients-5\.0\.0\.jar .*\): fetching", capsys.readouterr().err)


@pytest.mark.usefixtures("apart")
def test_error_of_a_missing_release_without_maven_names_the_import_command(
    monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(ImportFailedError) as error:
        release_of("5.0.0")
    assert str(error.value) == snapshot


def test_imported_release_is_known_by_any_name(apart: Path) -> None:
    import_release("acme-1", sources_at(archived(apart / "kafka-clients-1.0.0.jar", "Sample")), imported_releases())
    assert release_of("acme-1").messages == ("Sample",)


def test_missing_headers_are_those_of_the_newest_release_with_a_remark(apart: Path) -> None:
    release = release_of(str(write(apart / "fork", REQUEST, RESPONSE)))
    assert request_header_version(9000, 1, release) == 2
    assert release.schema("RequestHeader", 2) == load_release(newest_release()).schema("RequestHeader", 2)
    [remark] = remarks(release)
    assert {"RequestHeader", "ResponseHeader", release.name, newest_release()} <= set(re.findall(r"[\w.-]+", remark))


def test_definitions_without_requests_need_no_headers(apart: Path) -> None:
    release = release_of(str(write(apart / "fork", RECORD)))
    assert (release.messages, remarks(release)) == (("NewRecord",), [])


def test_the_reference_offers_the_messages_of_a_folder(apart: Path) -> None:
    release_of(str(write(apart / "fork", REQUEST, RESPONSE)))
    adapter = load_adapter("conformance.adapters.reference")
    assert 2 in adapter.supported["decode"]["NewThingRequest"]
    assert adapter.header_version is not None
    assert [adapter.header_version(9000, version, "request") for version in (0, 1)] == [1, 2]


def refused(path: Path, apart: Path) -> str:
    """Return the error of a path, without the folder of the test."""
    with pytest.raises(BadFolder) as error:
        release_of(str(path))
    return str(error.value).replace(str(apart), "…")


BAD: dict[str, list[Properties]] = {
    "empty": [],
    "broken": [message(field(type="int24"))],
}


@pytest.mark.parametrize("definitions", BAD.values(), ids=BAD)
def test_unusable_definitions_are_refused(
    apart: Path, definitions: list[Properties], snapshot: SnapshotAssertion
) -> None:
    assert refused(write(apart / "fork", *definitions), apart) == snapshot


def test_all_problems_are_counted_and_ten_are_shown(apart: Path) -> None:
    fields = [field(name=f"Field{number}", type="int24") for number in range(12)]
    text = refused(write(apart / "fork", message(*fields)), apart)
    assert text.count("'int24'") == 10
    assert "problems: 12," in text
    assert "specs validate …/fork`" in text


def test_several_sets_in_a_folder_are_refused_by_name(apart: Path, snapshot: SnapshotAssertion) -> None:
    for name in ("one", "two"):
        manifest(write(apart / name, message()), "Sample", release=name)
    assert refused(apart, apart) == snapshot


def test_one_message_in_two_files_is_refused(apart: Path) -> None:
    write(apart / "fork", message())
    write(apart / "fork" / "inner", message())
    assert "Sample is defined" in refused(apart / "fork", apart)


def test_unwritable_cache_is_named(apart: Path) -> None:
    (apart / "cache").write_text("a file where the folder would be")
    assert " cache: …/cache/" in refused(write(apart / "fork", message()), apart)


def test_a_file_is_no_release(apart: Path, snapshot: SnapshotAssertion) -> None:
    assert refused(write(apart / "fork", message()) / "Sample.json", apart) == snapshot


@pytest.mark.parametrize("path", ["./none", "some/none", "~/no-such-folder-here"])
def test_missing_path_is_reported_as_missing(path: str) -> None:
    with pytest.raises(BadFolder, match=f"{Path(path).name} does not exist"):
        release_of(path)


def test_the_error_of_an_unknown_name_lists_the_proposals_too() -> None:
    with pytest.raises(UnknownRelease, match=r"'kip-626'.* kip-625\b.* path"):
        release_of("kip-626")


@pytest.mark.usefixtures("apart")
@pytest.mark.parametrize("name", ["9" * 5000, "1." + "9" * 5000, "~nobody-has-this-name/folder", "1.²", "a\0b"])
def test_name_of_no_release_is_an_error(name: str) -> None:
    with pytest.raises((BadFolder, UnknownRelease, ImportFailedError)):
        release_of(name)
