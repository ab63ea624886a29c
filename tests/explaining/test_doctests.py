"""The examples in docstrings are what the functions give."""

import doctest
from importlib import import_module

import pytest


@pytest.mark.parametrize("name", ["embedded", "fields", "nesting", "values"])
def test_the_examples_of_a_module_hold(name: str) -> None:
    result = doctest.testmod(import_module(f"conformance.explaining.{name}"))
    assert (result.failed, result.attempted > 0) == (0, True)
