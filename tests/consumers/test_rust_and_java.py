import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.consumers.conftest import CONSUMERS, MESSAGE, VECTORS, Run, copy_files, run_consumer

RUST = "rust"
JAVA = "java"
LANGUAGES = [
    pytest.param(RUST, marks=pytest.mark.rust),
    pytest.param(JAVA, marks=pytest.mark.java),
]


def run(language: str, folder: Path, *options: str) -> Run:
    """Run the consumer of a language on a tree of vectors, by the command of its README."""
    arguments = [str(folder), *options]
    if language == RUST:
        return run_consumer(RUST, ["cargo", "run", "--release", "--quiet", "--", *arguments])
    return run_consumer(JAVA, ["mvn", "-q", "compile", "exec:java", f"-Dexec.args={' '.join(arguments)}"])


@pytest.fixture(scope="session", params=LANGUAGES)
def on_sound_vectors(request: pytest.FixtureRequest, sound_tree: Path) -> tuple[str, Run]:
    return request.param, run(request.param, sound_tree, "--all")


def test_every_vector_is_counted(on_sound_vectors: tuple[str, Run], vectors: list[dict[str, Any]]) -> None:
    _, found = on_sound_vectors
    assert found.status == 0, found.errors
    counted = {
        line.split()[0]: sum(map(int, re.findall(r"\d+", line)))
        for line in found.output.splitlines()
        if re.match("(valid|invalid|unspecified) ", line)
    }
    assert counted == Counter(vector["result"] for vector in vectors)


def test_what_the_codec_does_not_have_is_named(on_sound_vectors: tuple[str, Run]) -> None:
    language, found = on_sound_vectors
    heading, missing = {
        RUST: ("unsupported, the crate has no such API", "StreamsGroupHeartbeatRequest"),
        JAVA: ("unsupported, kafka-clients has no such message", "GroupMetadataKey"),
    }[language]
    assert found.section(heading).splitlines()[1:] == [f"  {missing}"]


def test_failures_are_named_by_id(on_sound_vectors: tuple[str, Run]) -> None:
    """kafka-protocol 0.18.0 takes the field Version for the version of the message; kafka-clients fails nothing."""
    language, found = on_sound_vectors
    if language == JAVA:
        assert "FAIL" not in found.output
    else:
        assert "4.3.0/messages/LeaderChangeMessage/v0/populated: " in found.section("FAIL: valid, rejected")


def failures(found: Run) -> dict[str, str]:
    headings = set(re.findall("^FAIL: [^:]*", found.output, flags=re.MULTILINE))
    ids = {heading: re.findall(r"^    ([^:\s]+)", found.section(heading), flags=re.MULTILINE) for heading in headings}
    return {id_: heading for heading in headings for id_ in ids[heading]}


@pytest.mark.rust
def test_the_end_of_the_codec_s_process_is_a_failure_of_one_vector(sound_tree: Path) -> None:
    """kafka-protocol 0.18.0 asks for the memory of as many elements as the input announces, and the process aborts."""
    found = run(RUST, sound_tree)
    assert re.search(
        r"4\.3\.0/messages/DeleteGroupsRequest/v2/\S+: memory allocation of \d{9,} bytes failed",
        found.section("FAIL: invalid, ends the process"),
    )


def test_what_is_wrong_is_noticed(on_sound_vectors: tuple[str, Run], tampered: tuple[Path, dict[str, str]]) -> None:
    language, on_sound = on_sound_vectors
    folder, expected = tampered
    found = run(language, folder, "--all", "--strict")
    assert found.status == 1, found.errors
    assert failures(found).items() - failures(on_sound).items() == expected.items()


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_vectors_at_all_are_an_error(language: str, tmp_path: Path) -> None:
    found = run(language, tmp_path)
    assert (found.status, found.output) == (2, "")
    assert f"no vectors in {tmp_path}" in found.errors


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_file_that_is_not_json_is_an_error_that_names_it(language: str, tmp_path: Path) -> None:
    broken = tmp_path / "4.3.0" / "messages" / "EndTxnRequest.json"
    broken.parent.mkdir(parents=True)
    broken.write_text('{"format": 1, "groups": [', encoding="utf-8")
    found = run(language, tmp_path)
    assert found.status == 2
    assert str(broken) in found.errors


EXAMPLES = {
    RUST: ("examples/end_txn.rs", ["cargo", "run", "--release", "--quiet", "--example", "end_txn"]),
    JAVA: (
        "src/main/java/kafkawire/vectors/EndTxn.java",
        ["mvn", "-q", "compile", "exec:java", "-Dexec.mainClass=kafkawire.vectors.EndTxn"],
    ),
}


@pytest.mark.parametrize("language", [RUST, JAVA])
def test_the_example_in_the_documentation_is_that_of_the_program(language: str) -> None:
    """What vectors/README.md shows stands in the example, so that it compiles and runs."""
    file, _ = EXAMPLES[language]
    [shown] = re.findall(rf"```{language}\n(.*?)```", (VECTORS / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    example = (CONSUMERS / language / file).read_text(encoding="utf-8")
    assert dedented(shown) in dedented(example)


def dedented(code: str) -> str:
    return "\n".join(line.strip() for line in code.strip().splitlines())


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_example_finds_what_the_consumer_finds(language: str, tmp_path: Path) -> None:
    """The same vectors of EndTxnRequest fail: kafka-protocol 0.18.0 reads varints of six bytes."""
    copy_files(tmp_path, (MESSAGE,))
    _, command = EXAMPLES[language]
    named = [f"4.3.0/messages/{line}" for line in run_consumer(language, command).output.split()]
    assert sorted(named) == sorted(failures(run(language, tmp_path, "--all")))
