"""The programs needed by a test on this machine.

A test without its program is skipped for a user, and fails in CI.
"""

import os
import shutil
from collections.abc import Callable
from functools import partial

import pytest

from conformance.campaign.pipeline.errors import SparkUnavailable
from conformance.campaign.pipeline.requirements import CONNECT_PACKAGES, require_packages, require_spark

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
"""Debian's, Ubuntu's and Google's name of the same browser."""


def java_and_maven() -> None:
    """Skip the test without them, or fail it in CI."""
    _need("java", "mvn")


def go() -> None:
    """Skip the test without it, or fail it in CI."""
    _need("go")


def node() -> None:
    """Skip the test without it and npm, or fail it in CI."""
    _need("node", "npm")


def cargo() -> None:
    """Skip the test without it, or fail it in CI."""
    _need("cargo")


def cpp() -> None:
    """Skip the test without a compiler, or fail it in CI."""
    _need("g++")


def chromium() -> str:
    """Return the path of Chromium, or of a browser made of it.

    Without one, skip the test, or fail it in CI.
    """
    found = next((path for path in map(shutil.which, BROWSERS) if path), None)
    if found is None and os.environ.get("CI"):
        pytest.fail("CI needs Chromium: `make browser` installs it")
    if found is None:
        pytest.skip(f"not on the PATH: {' or '.join(BROWSERS)}; `make browser` installs it")
    return found


def spark() -> None:
    """Skip the test if it cannot run, or fail it in CI."""
    _need_spark(require_spark)


def spark_connect() -> None:
    """Skip the test without usable packages of Spark and Spark Connect, or fail it in CI."""
    _need_spark(require_spark)
    _need_spark(partial(require_packages, CONNECT_PACKAGES, "connect"))


def _need_spark(required: Callable[[], None]) -> None:
    try:
        required()
    except SparkUnavailable as error:
        if os.environ.get("CI"):
            pytest.fail(f"CI needs Spark: {error}")
        pytest.skip(str(error))


def dotnet() -> None:
    """Skip the test without it, in CI as well, as nothing else here is written in C#."""
    if shutil.which("dotnet") is None:
        pytest.skip("not on the PATH: dotnet")


def _need(*tools: str) -> None:
    missing = [tool for tool in tools if shutil.which(tool) is None]
    if missing and os.environ.get("CI"):
        pytest.fail(f"CI needs {' and '.join(missing)} on the PATH")
    if missing:
        pytest.skip(f"not on the PATH: {', '.join(missing)}")
