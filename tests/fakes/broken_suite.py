"""A pytest plugin that breaks the suite: one of its tests ends in an error that nobody expects."""

import pytest


def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> None:
    if pyfuncitem.originalname == "test_edge_values":
        raise RuntimeError("the suite is broken")
