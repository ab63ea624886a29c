"""What a test needs of the machine: where it is missing, a user is told, and CI fails."""

import os
import shutil

import pytest


def java_and_maven() -> None:
    """Skip the test without them; in CI, fail it."""
    _need("java", "mvn")


def go() -> None:
    """Skip the test without it; in CI, fail it."""
    _need("go")


def node_and_npm() -> None:
    """Skip the test without them; in CI, fail it."""
    _need("node", "npm")
def rust() -> None:
    """Skip the test without it; in CI, fail it."""
    _need("cargo")


def _need(*tools: str) -> None:
    missing = [tool for tool in tools if shutil.which(tool) is None]
    if missing and os.environ.get("CI"):
        pytest.fail(f"CI needs {' and '.join(missing)} on the PATH")
    if missing:
        pytest.skip(f"not on the PATH: {', '.join(missing)}")
