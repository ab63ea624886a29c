"""Tests of `specs`: the book of the protocol, its examples, and that everything cited in the project is in it."""

import pytest

pytest.register_assert_rewrite("tests.specs.annotated", "tests.specs.definition_examples", "tests.specs.examples")
