"""Explanations have nested rows, colours by role, and a colour for deviations."""

from __future__ import annotations

import re

from conformance.report.explain.rendering import dump, rows, tree
from reference import load_release
from reference.explained.bodies import explain_message
from tests.helpers.releases import NEWEST

RELEASE = load_release(NEWEST)
TWO_TOPICS = bytes.fromhex("03" + "00" * 16 + "026100" + "00" * 16 + "026200" + "010000")


def test_the_fields_of_an_element_stand_below_it() -> None:
    explanation = explain_message(RELEASE.schema("MetadataRequest", 12), TWO_TOPICS)
    found = [(row.depth, row.name, row.part is not None) for row in rows(explanation.parts)]
    topic = [(1, "TopicId", True), (1, "Name", True), (1, "Name", True), (1, "tags", True)]
    assert found[:-3] == [(0, "Topics", True), (0, "Topics[0]", False), *topic, (0, "Topics[1]", False), *topic]
    assert [name for _, name, _ in found[-3:]] == ["AllowAutoTopicCreation", "IncludeTopicAuthorizedOperations", "tags"]


def test_a_narrow_tree_leaves_out_the_rules() -> None:
    explanation = explain_message(load_release(NEWEST).schema("MetadataRequest", 12), bytes.fromhex("02000000"))
    heads = {width: next(iter(list(tree(explanation, width))[1:])).plain.split()[-1] for width in (60, 300)}
    assert heads == {60: "value", 300: "rule"}


def test_roles_have_colours_and_wrong_parts_their_own() -> None:
    explanation = explain_message(RELEASE.schema("VoteRequest", 2), bytes.fromhex("0261ff"))
    styles = {
        span.style for line in tree(explanation) for span in line.spans if line.plain.lstrip().startswith(("0 ", "1 "))
    }
    assert {"cyan", "yellow"} <= styles
    wrong = [line for line in tree(explanation) if "cut of int32" in line.plain]
    assert {str(span.style) for span in wrong[0].spans} >= {"bold red"}


def test_a_dump_names_a_part_at_its_first_line() -> None:
    explanation = explain_message(RELEASE.schema("MetadataRequest", 12), TWO_TOPICS)
    lines = [line.plain for line in dump(explanation)]
    assert "00000011  02" in lines[3]
    assert re.search(r"Topics\[0\]\.Name \(length .*\) 1$", lines[3])


def test_bytes_of_a_value_are_cut_in_the_tree_and_not_in_the_dump() -> None:
    explanation = explain_message(RELEASE.schema("VoteRequest", 2), bytes.fromhex("15") + b"abcdefghijklmnopqrst")
    assert "61 62 63 64 65 66 67 68 …" in "".join(line.plain for line in tree(explanation))
    shown = "".join(line.plain for line in dump(explanation))
    assert "61 62 63 64 65 66 67 68 69 6a 6b 6c 6d 6e 6f 70" in shown
    assert "71 72 73 74" in shown
