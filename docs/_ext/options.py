"""The page of the options of a run, each with its key in a project."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.suite.options import CODECS, OPTIONS, PYTEST, SERVERS
from docs._ext.markdown import Page, code, generated, table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.suite.options import Option

PAGE = "reference/options.md"
HEADINGS = {"": "Every run", CODECS: "Runs against a codec", SERVERS: "Runs against a server"}


def options_page() -> Iterator[Page]:
    """Yield the page."""
    yield generated(PAGE, *_options())


def _options() -> Iterator[str]:
    yield "# Options of a run"
    yield (
        "`kafka-conformance run` tests a codec, `kafka-conformance broker` a server, and `pytest conformance/` either. "
        "[How to keep options in pyproject.toml](../how-to/options.md) is about `[tool.kafka-conformance]`."
    )
    yield "## Keys of a project"
    keys = [each for each in OPTIONS.values() if each.is_key]
    rows = ((code(each.key), code(f"{each.flag} {each.metavar}"), each.help) for each in keys)
    yield table(("key", "option", "meaning"), rows)
    for of, heading in HEADINGS.items():
        yield f"## {heading}"
        yield table(("option", "default", "meaning"), map(_row, (each for each in OPTIONS.values() if each.of == of)))
    [workers] = [each for each in OPTIONS.values() if each.of == PYTEST]
    yield f"All other options are for pytest, as {code(workers.flag)} of pytest-xdist, `-k` and `-m`."


def _row(option: Option) -> tuple[str, str, str]:
    words = option.metavar or "|".join(option.choices)
    return code(f"{option.flag} {words}".rstrip()), code(str(option.default)) if option.default else "", option.help
