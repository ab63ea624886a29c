from pathlib import Path

import pytest

from conformance.campaign.pipeline.errors import SparkUnavailable
from conformance.campaign.pipeline.requirements import require_java


@pytest.fixture
def java(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The place of the program of JAVA_HOME."""
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    (tmp_path / "bin").mkdir()
    return tmp_path / "bin" / "java"


def install(java: Path, text: str) -> None:
    java.write_text(f"#!/bin/sh\necho '{text}' >&2\n")
    java.chmod(0o755)


def test_missing_java_is_named(java: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SparkUnavailable, match=f"JAVA_HOME is {java.parents[1]}"):
        require_java()
    monkeypatch.delenv("JAVA_HOME")
    monkeypatch.setenv("PATH", str(java.parent))
    with pytest.raises(SparkUnavailable, match=r"`java` .*PATH.* Java 17"):
        require_java()


@pytest.mark.parametrize("version", ["17.0.9", "21-ea"])
def test_a_new_java_will_do(java: Path, version: str) -> None:
    install(java, f'openjdk version "{version}" 2023-10-17')
    require_java()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('openjdk version "1.8.0_392" 2023-10-17', "is Java 8[.] Install Java 17"),
        ('openjdk version "16" 2023-10-17', "is Java 16[.] Install Java 17"),
        ("coffee", "prints no version: 'coffee"),
    ],
)
def test_unusable_java_is_named(java: Path, text: str, problem: str) -> None:
    """Up to Java 8 versions began with 1."""
    install(java, text)
    with pytest.raises(SparkUnavailable, match=problem):
        require_java()
