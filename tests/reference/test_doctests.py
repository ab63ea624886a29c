import doctest
import pkgutil
from importlib import import_module

import pytest

import reference

MODULES = [module.name for module in pkgutil.walk_packages(reference.__path__, "reference.")]


@pytest.mark.parametrize("name", ["reference", *MODULES])
def test_examples_in_docstrings_print_their_output(name: str) -> None:
    assert doctest.testmod(import_module(name)).failed == 0
