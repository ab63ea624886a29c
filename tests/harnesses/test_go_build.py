"""How the harness of Go libraries is built: once, into the cache, and what is said where that fails."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from conformance.adapter import AdapterError
from conformance.bridge.errors import HarnessStartError
from conformance.bridge.loading import load_adapter
from conformance.harnesses.libraries import build_go
from reference import load_release
from tests.helpers import requirements

RELEASE = load_release("4.3.0")

pytestmark = pytest.mark.go


@pytest.fixture
def fake_go(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A go that takes its time to write an empty program and a line of a log; and an empty cache."""
    script = tmp_path / "go"
    script.write_text(
        f"""#!/bin/sh
if [ "$1" = env ]; then echo go1.26; exit; fi
echo build >> {tmp_path}/builds; sleep 0.2
while [ "$1" != -o ]; do shift; done
test ! -e {tmp_path}/broken && touch "$2/harness"
""",
        encoding="utf-8",
    )
    script.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


def test_two_that_build_at_a_time_build_once(fake_go: Path) -> None:
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(lambda _: build_go(), range(2))
    assert first == second
    assert (fake_go / "builds").read_text(encoding="utf-8") == "build\n"


def test_a_failed_build_leaves_nothing(fake_go: Path) -> None:
    (fake_go / "broken").touch()
    with pytest.raises(HarnessStartError, match="go could not build the harness of Go libraries"):
        build_go()
    assert [file.name for file in (fake_go / "cache").rglob("*") if file.is_file()] == ["go.lock"]


def test_a_missing_go_is_a_usage_error_of_the_suite(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(AdapterError, match=r"--impl=conformance.adapters.franz_go: go is not on the PATH"):
        load_adapter("conformance.adapters.franz_go", RELEASE)


def test_a_missing_go_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(HarnessStartError, match=r"go is not on the PATH .*needs Go 1\.26"):
        build_go()


def test_a_build_is_kept() -> None:
    requirements.go()
    first = build_go().stat().st_mtime_ns
    assert build_go().stat().st_mtime_ns == first
