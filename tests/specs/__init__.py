"""Tests of `specs`, the book of the protocol, by its examples and citations of it in the project."""

import pytest

pytest.register_assert_rewrite("tests.specs.annotated", "tests.specs.definition_examples", "tests.specs.examples")
