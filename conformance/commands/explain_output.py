"""Printing explanations: as a tree, as a dump, or as JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Literal

from conformance.report.explain.explanation import explanation_as_json
from conformance.report.explain.rendering import dump, tree
from conformance.system.terminal import echo, new_console

if TYPE_CHECKING:
    from conformance.live.capture.conversation import Seen
    from conformance.report.explain.explanation import Explanation

Form = Literal["tree", "dump", "json"]


def show(explanation: Explanation, form: Form) -> None:
    """Print what is explained alone; JSON in many lines."""
    if form == "json":
        echo(json.dumps(explanation_as_json(explanation), indent=2))
    else:
        _print(explanation, form)


def show_frame(seen: Seen, explanation: Explanation, form: Form) -> None:
    """Print a frame of a capture, with its place there; JSON in one line."""
    frame = seen.frame
    if form == "json":
        place = {"number": frame.number, "connection": frame.connection, "from": frame.sender, "at": frame.at}
        document: dict[str, Any] = {**explanation_as_json(explanation), "frame": {**place, "request": seen.request}}
        echo(json.dumps(document))
        return
    answered = f", answers frame {seen.request}" if seen.request is not None else ""
    echo(f"frame {frame.number}, connection {frame.connection}, from the {frame.sender} at {frame.at:.3f} s{answered}")
    _print(explanation, form)
    echo()


def _print(explanation: Explanation, form: Form) -> None:
    """Print lines in colours on a terminal, and as they are elsewhere."""
    console = new_console(highlight=False, markup=False, emoji=False, soft_wrap=True)
    for line in (tree if form == "tree" else dump)(explanation):
        console.print(line)
