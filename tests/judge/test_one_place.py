"""Each work of the engine is done in one place, as checked by `make lint`."""

import ast

import pytest

from tests.helpers.engine_lint import (
    calling,
    entering,
    interpreting,
    judging,
    listing,
    parsing_names,
    problems,
    reading,
)


def test_outcomes_are_judged_and_checks_are_listed_in_one_place() -> None:
    assert list(problems()) == []


@pytest.mark.parametrize(
    ("check", "text", "printed"),
    [
        (judging, "def f(v, o):\n    return v.result is Result.VALID and o.kind in REFUSALS", "f judges an outcome"),
        (listing, "from x import value_cases, invalid_cases, hostile_cases", "it lists checks"),
        (calling, "outcome = self.session.claims.encode_frame(schema, value)", "it calls an implementation"),
        (calling, "outcome = codec.perform(ask)", "it calls an implementation"),
        (entering, "from conformance.targets.body.message_body import Body", "it imports the module of a target"),
        (interpreting, "def f(found):\n    return found is Conclusion.OPEN", "f interprets a conclusion"),
        (parsing_names, "is_tampered = '/' in violation.case.name", "it parses the name of a case"),
        (parsing_names, "base = case.name.partition('/')[0]", "it parses the name of a case"),
        (parsing_names, "number = NUMBER.search(variation.what)", "it parses the name of a case"),
        (reading, "x = violation.observation.explanation.startswith('a')", "it looks at the text"),
    ],
)
def test_a_second_place_is_named_with_file_and_line(check, text: str, printed: str) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001  # one of seven
    [problem] = check(ast.parse(text), "conformance/suite/suite_run.py")
    assert problem.startswith("conformance/suite/suite_run.py:1:")
    assert printed in problem


@pytest.mark.parametrize("text", ["case.name in FEW", "field.name.endswith('ErrorCode')", "path.name.split('.')"])
def test_names_that_are_compared_as_a_whole_or_of_fields_are_allowed(text: str) -> None:
    assert list(parsing_names(ast.parse(text), "conformance/judge/case.py")) == []
