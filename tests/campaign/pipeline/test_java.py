from pathlib import Path

import pytest

from conformance.campaign.pipeline.errors import SparkUnavailable
from conformance.campaign.pipeline.session import require_java


@pytest.fixture
def java_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    (tmp_path / "bin").mkdir()
    return tmp_path


def install(home: Path, script: str) -> None:
    java = home / "bin" / "java"
    java.write_text(f"#!/bin/sh\n{script}\n")
    java.chmod(0o755)


def test_no_java_on_the_path_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SparkUnavailable, match=r"no `java` on the PATH.*Install Java 17"):
        require_java()


def test_a_java_home_without_java_is_named(java_home: Path) -> None:
    with pytest.raises(SparkUnavailable, match=f"JAVA_HOME is {java_home}"):
        require_java()


@pytest.mark.parametrize(("says", "version"), [("1.8.0_392", 8), ("11.0.21", 11), ("16", 16)])
def test_an_old_java_is_named(java_home: Path, says: str, version: int) -> None:
    """Up to Java 8 versions began with 1."""
    install(java_home, f"echo 'openjdk version \"{says}\" 2023-10-17' >&2")
    with pytest.raises(SparkUnavailable, match=f"is Java {version}[.] Install Java 17"):
        require_java()


@pytest.mark.parametrize(("says", "version"), [("17.0.9", 17), ("21-ea", 21)])
def test_a_new_java_will_do(java_home: Path, says: str, version: int) -> None:
    install(java_home, f"echo 'openjdk version \"{says}\" 2023-10-17' >&2")
    assert require_java() == version


def test_failing_java_is_named(java_home: Path) -> None:
    install(java_home, "exit 1")
    with pytest.raises(SparkUnavailable, match="does not start"):
        require_java()


def test_a_java_without_version_is_named(java_home: Path) -> None:
    install(java_home, "echo coffee >&2")
    with pytest.raises(SparkUnavailable, match="coffee"):
        require_java()
