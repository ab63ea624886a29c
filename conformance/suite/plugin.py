"""The pytest plugin of a run that no command starts, with the options of the suite.

There is no entry point: a project that installs this package has pytest runs of its own. In a checkout pyproject.toml
loads it; elsewhere `pytest --pyargs conformance -p conformance.suite.plugin` does. Without --impl it does nothing, and
tests of the suite are refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from conformance.suite.run_options import add_options

if TYPE_CHECKING:
    from collections.abc import Generator

pytest_plugins = ("conformance.suite.run_plugin",)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_load_initial_conftests(parser: pytest.Parser) -> Generator[None, object, object]:
    """Add the options last of all, so that a clash with those of other plugins is reported here."""
    result = yield
    add_options(parser)
    return result
