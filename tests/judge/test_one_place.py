"""Each work of the engine is done in one place, as checked by `make lint`."""

import ast

import pytest

from tests.helpers.engine_lint import calling, judging, listing, problems, reading


def test_outcomes_are_judged_and_checks_are_listed_in_one_place() -> None:
    assert list(problems()) == []


@pytest.mark.parametrize(
    ("check", "text", "printed"),
    [
        (judging, "def f(v, o):\n    return v.result is Result.VALID and o.kind in REFUSALS", "f judges an outcome"),
        (listing, "from x import value_cases, invalid_cases, hostile_cases", "it lists checks"),
        (calling, "outcome = self.session.implementation.encode_frame(schema, value)", "it calls an implementation"),
        (calling, "number = target.size(implementation, value)", "it calls an implementation"),
        (reading, "x = violation.observation.explanation.startswith('a')", "it looks at the text"),
    ],
)
def test_a_second_place_is_named_with_file_and_line(check, text: str, printed: str) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001  # one of three
    [problem] = check(ast.parse(text), "conformance/suite/suite_run.py")
    assert problem.startswith("conformance/suite/suite_run.py:1:")
    assert printed in problem
