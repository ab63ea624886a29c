"""The examples of the page are the output of the command and the functions."""

from __future__ import annotations

import re

import pytest

from tests.helpers.runs import ROOT, invoke

README = ROOT / "docs" / "how-to" / "explain.md"


def test_output_of_the_command_is_as_documented() -> None:
    text = README.read_text(encoding="utf-8")
    shown = re.search(r"<!-- output of explain -->\n\n(.*?)\n\n<!-- end", text, re.DOTALL)
    assert shown is not None
    lines = [line.removeprefix("    ").rstrip() for line in shown[1].splitlines()]
    done = invoke("explain", "VoteRequest", "2", "0261ff", "--release", "4.4.0")
    assert [line.rstrip() for line in done.output.splitlines()] == lines


def test_example_in_python_prints_its_last_comment(capsys: pytest.CaptureFixture[str]) -> None:
    [code] = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    comment = code.splitlines()[-1].removeprefix("# ")
    exec(compile(code, str(README), "exec"), {})  # noqa: S102  # the documentation's own code
    assert capsys.readouterr().out.strip() == comment
