"""Harnesses of other languages are built once, into the cache, and a failed build has its error."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, NamedTuple

import pytest

from conformance.adapter import AdapterError
from conformance.adapters.harnesses.libraries import BUILDERS
from conformance.codec.bridge.harness_errors import HarnessStartError
from reference import load_release
from reference.inputs.sums import SUMS
from tests.helpers.adapters import load_adapter
from tests.helpers.releases import BASE

if TYPE_CHECKING:
    from pathlib import Path

GO = """if [ "$1" = env ]; then echo go1.26; exit; fi
while [ "$1" != -o ]; do shift; done
here=$(dirname "$0"); echo build >> "$here/builds"; sleep 0.2
test ! -e "$here/broken" && touch "$2/harness"
"""
NPM = """here=$(dirname "$0"); echo build >> "$here/builds"; sleep 0.2
test ! -e "$here/broken" && mkdir node_modules
"""


class Language(NamedTuple):
    """Slow tools to build nothing but a line of a log, and the error without them."""

    tools: dict[str, str]
    failure: str
    adapter: str
    missing: str


LANGUAGES = {
    "go": Language({"go": GO}, "go could not build the harness of Go", "franz_go", "go .*needs Go 1.26"),
    "javascript": Language(
        {"node": "echo v20.0.0", "npm": NPM}, "npm could not install the packages", "kafkajs", "node .*needs Node"
    ),
    "rust": Language(
        {"cargo": 'test "$1" = --version && echo cargo 1.95'},
        "cargo could not choose the crates",
        "kafka_protocol",
        "cargo .*needs Rust 1.87",
    ),
}
each = pytest.mark.parametrize("language", LANGUAGES)


@pytest.fixture
def tools(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, language: str) -> Path:
    """Return a folder with the tools of a language, first on the path, beside an empty cache."""
    for name, script in LANGUAGES[language].tools.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


@pytest.mark.parametrize("language", ["go", "javascript"])
def test_two_builders_at_a_time_build_once(tools: Path, language: str) -> None:
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(lambda _: BUILDERS[language](), range(2))
    assert first == second
    assert (tools / "builds").read_text(encoding="utf-8") == "build\n"


@pytest.mark.parametrize("language", ["go"])
def test_a_damaged_program_is_built_again(tools: Path, language: str, capsys: pytest.CaptureFixture[str]) -> None:
    product = BUILDERS[language]()
    [program] = (path for path in product.iterdir() if path.name != SUMS)
    program.write_bytes(b"changed")
    assert BUILDERS[language]() == product
    assert (tools / "builds").read_text(encoding="utf-8") == "build\n" * 2
    assert f"{product} is damaged ({program.name} " in capsys.readouterr().err
    BUILDERS[language]()
    assert (tools / "builds").read_text(encoding="utf-8") == "build\n" * 2


@each
def test_a_failed_build_leaves_nothing(tools: Path, language: str) -> None:
    (tools / "broken").touch()
    with pytest.raises(HarnessStartError, match=LANGUAGES[language].failure):
        BUILDERS[language]()
    assert [file.name for file in (tools / "cache").rglob("*") if file.is_file()] == [f"{language}.lock"]


@each
def test_a_missing_tool_is_a_usage_error_of_the_suite(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, language: str
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    expected = LANGUAGES[language]
    tool, _, needs = expected.missing.partition(" ")
    with pytest.raises(AdapterError, match=f"--impl=conformance.adapters.{expected.adapter}: {tool} .*PATH {needs}"):
        load_adapter(f"conformance.adapters.{expected.adapter}", load_release(BASE))
