"""A pytest plugin that breaks the suite by an unexpected error in one of its tests."""

import pytest


def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> None:
    if pyfuncitem.originalname == "test_edge_values":
        raise RuntimeError("the suite is broken")
