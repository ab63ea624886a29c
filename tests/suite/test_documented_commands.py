import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from click import Context, Group

from conformance.commands.main import main
from conformance.judge.findings.known_failures import load_known_failures
from conformance.suite.options import OPTIONS

ROOT = Path(__file__).parents[2]
LISTED = subprocess.run(
    ("git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"),  # noqa: S607  # a tool
    cwd=ROOT,
    capture_output=True,
    text=True,
    check=True,
).stdout.splitlines()
OF_OTHERS = re.compile(r"CHANGELOG\.md|specs/protocol/.*|tests/mutants/TABLE\.md|.*/template/README\.md")
"""What is of other releases, of the book, written by a program, or copied into folders of users."""

DOCUMENTS = [path for path in LISTED if not OF_OTHERS.fullmatch(path) and (ROOT / path).is_file()]
READMES = [path for path in DOCUMENTS if not path.startswith("docs/")]
SUITE_OPTIONS = {option.flag for option in OPTIONS.values()}
OTHER_OPTIONS = {"--pyargs", "--co", "--tb", "--help"}
"""pytest's own, as far as the documentation names them."""


def read(document: str) -> str:
    return (ROOT / document).read_text(encoding="utf-8")


def commands(document: str) -> Iterator[str]:
    """Yield the commands of a document, from indented and fenced lines, and words in backticks, without comments."""
    text = read(document)
    for line in text.splitlines():
        found = [line] if line.startswith("    ") else re.findall(r"`([^`]+)`", line)
        for each in found:
            yield each.strip().removeprefix("- run: ").partition("    #")[0].strip()
    for block in re.findall(r"^```(?:sh|bash|console|yaml)?\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        yield from (line.strip().removeprefix("- run: ") for line in block.splitlines())


def lines_of(program: str) -> list[tuple[str, str]]:
    return [(document, line) for document in DOCUMENTS for line in commands(document) if line.startswith(f"{program} ")]


def options_of(line: str) -> set[str]:
    """Return the long options on a command line, without those of a command within it."""
    own = re.sub(r'"[^"]*"', "", line.partition(" -- ")[0])
    return set(re.findall(r"(?<!\S)(--[a-z][a-z-]*)", own))


@pytest.mark.parametrize(("document", "line"), lines_of("make"))
def test_targets_of_make_exist(document: str, line: str) -> None:
    targets = set(re.findall(r"^([a-z-]+):", read("Makefile"), re.MULTILINE))
    unquoted = re.sub(r'"[^"]*"', "", line)
    named = [word for word in unquoted.split()[1:] if re.fullmatch(r"[a-z-]+", word)]
    assert set(named) <= targets, document


@pytest.mark.parametrize(("document", "line"), lines_of("kafka-conformance"))
def test_commands_and_their_options_exist(document: str, line: str) -> None:
    words = [word for word in line.split()[1:] if re.fullmatch(r"[a-z][a-z0-9-]*", word)]
    command = main.get_command(Context(main), words[0])
    assert command is not None, document
    while isinstance(command, Group) and len(words) > 1:
        words = words[1:]
        command = command.get_command(Context(command), words[0])
        assert command is not None, document
    known = {name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)}
    assert options_of(line) <= known | (OTHER_OPTIONS if words[0] in {"run", "broker"} else set()), document


@pytest.mark.parametrize(("document", "line"), lines_of("pytest"))
def test_options_of_pytest_exist(document: str, line: str) -> None:
    assert options_of(line) <= SUITE_OPTIONS | OTHER_OPTIONS, document


@pytest.mark.parametrize("document", READMES)
def test_links_lead_to_files(document: str) -> None:
    """`make docs` checks links between pages."""
    for target in re.findall(r"\]\(([^)#:]+)\)", read(document)):
        assert (ROOT / document).parent.joinpath(target).exists(), target


def blocks(language: str) -> list[tuple[str, str]]:
    pattern = rf"^```{language}\n(.*?)^```"
    return [
        (document, block)
        for document in DOCUMENTS
        for block in re.findall(pattern, read(document), re.DOTALL | re.MULTILINE)
    ]


@pytest.mark.parametrize(("document", "block"), blocks("toml"))
def test_known_failures_in_the_documentation_are_read(tmp_path: Path, document: str, block: str) -> None:
    path = tmp_path / "known_failures.toml"
    path.write_text(block, encoding="utf-8")
    assert load_known_failures(path), document


def test_documents_have_commands_to_check() -> None:
    """Otherwise the tests above would pass on nothing."""
    assert len(lines_of("make")) > 5
    assert len(lines_of("kafka-conformance")) > 5
    assert len(lines_of("pytest")) > 1
    assert blocks("toml")
