from argparse import ArgumentParser, Namespace
from typing import Any

import pytest

from conformance.suite.run_options import add_options


class LateParser:
    """A parser of older versions of pytest, where options are collected, and only parsing finds clashes."""

    def __init__(self, *taken: str, required: bool = False) -> None:
        self._options: list[tuple[str, dict[str, Any]]] = [(name, {"required": required}) for name in taken]

    def getgroup(self, *_: str) -> "LateParser":
        return self

    def addoption(self, name: str, **attributes: Any) -> None:
        self._options.append((name, attributes))

    def parse_known_args(self, words: list[str]) -> Namespace:
        parser = ArgumentParser(exit_on_error=False)
        for name, attributes in self._options:
            parser.add_argument(name, **attributes)
        try:
            return parser.parse_args(words)
        except SystemExit as error:
            raise pytest.UsageError("required") from error


def add_to(parser: LateParser) -> None:
    add_options(parser)  # type: ignore[arg-type]  # it has what is used


def test_clash_found_at_parsing_is_named() -> None:
    with pytest.raises(pytest.UsageError, match=r"--smoke\b.* -p no:NAME"):
        add_to(LateParser("--smoke"))


def test_option_required_by_another_plugin_is_no_clash() -> None:
    add_to(LateParser("--theirs", required=True))


def test_other_options_are_no_clash() -> None:
    add_to(LateParser("--report-log", "--smoke-test", "--rel"))
