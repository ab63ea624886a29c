import json
import re
from functools import partial

import pytest
from click.testing import CliRunner
from syrupy.assertion import SnapshotAssertion

from conformance.commands.rules import rules
from conformance.definitions.catalogue import catalogue
from tests.helpers.runs import error_of, invoke

run = partial(invoke, "rules")


def listed(*arguments: str) -> list[str]:
    return [line.partition("\t")[0] for line in run(*arguments).output.splitlines()]


def test_all_rules_are_listed() -> None:
    assert listed() == list(catalogue())


def test_line_says_level_side_and_text() -> None:
    rule = catalogue()["tag.size"]
    assert f"tag.size\tmust\tencode\t{rule.text}" in run().output.splitlines()


@pytest.mark.parametrize("level", ["must", "should", "unspecified"])
def test_list_is_cut_to_a_level(level: str) -> None:
    assert listed("--level", level) == [rule.id for rule in catalogue().values() if rule.level == level]


def test_list_is_cut_to_a_side_and_a_level() -> None:
    found = listed("--side", "decode", "--level", "should")
    assert found == [rule.id for rule in catalogue().values() if (rule.side, rule.level) == ("decode", "should")]


def test_list_as_json_has_every_property() -> None:
    first = json.loads(run("--json").output)[0]
    rule = next(iter(catalogue().values()))
    assert first == {
        "id": rule.id,
        "level": rule.level,
        "side": rule.side,
        "text": rule.text,
        "sources": list(rule.sources),
        "cwe": list(rule.cwe),
        "levels": {"encode": rule.level, "decode": rule.level},
    }


def test_json_has_the_level_of_each_side() -> None:
    [rule] = [each for each in json.loads(run("--json").output) if each["id"] == "batch.negative-field"]
    assert rule["levels"] == {"encode": "should", "decode": "unspecified"}


def test_explanation_says_the_level_of_the_other_side() -> None:
    rule, _, levels = run("batch.negative-field").output.splitlines()[0].partition(" ")
    assert (rule, levels.split(", ")) == ("batch.negative-field", ["(unspecified", "should for writers", "decode)"])


def test_list_on_a_terminal_is_a_table() -> None:
    output = CliRunner().invoke(rules, ["--side", "decode"], env={"FORCE_COLOR": "1", "COLUMNS": "200"}).output
    assert "rule" in output.splitlines()[0]
    assert "\t" not in output


def test_rule_is_explained() -> None:
    output = run("tag.default-omitted").output
    assert catalogue()["tag.default-omitted"].text in output
    for part in ("sources    README", "covers     2.2.1", "right: ", "departs from it: ", "verdict: valid"):
        assert part in output


def test_weaknesses_of_a_rule_are_named() -> None:
    assert re.findall(r"CWE-\d+ \w+", run("length.within-input").output) == ["CWE-130 Improper", "CWE-789 Memory"]
    assert json.loads(run("length.within-input", "--json").output)["cwe"] == [130, 789]


def test_rule_about_writers_alone_has_no_weakness() -> None:
    assert "weakness" not in run("tag.default-omitted").output


def test_rule_without_a_statement_names_its_foundation() -> None:
    assert f"  based on   {catalogue()['value.type'].foundation}" in run("value.type").output.splitlines()


def test_rule_about_definitions_names_its_statement() -> None:
    assert "  covers     6.22 " in run("definition.tags-unique").output


def test_wrong_byte_is_marked_and_named(snapshot: SnapshotAssertion) -> None:
    assert run("bool.other-than-0-1").output == snapshot


def test_explanation_as_json_has_bytes_in_hex() -> None:
    found = json.loads(run("bool.byte", "--json").output)
    assert found["id"] == "bool.byte"
    assert found["right"]["bytes"]["wire"] == "0000"
    assert found["right"]["bytes"]["parts"][0]["rule"] == "bool.byte"
    assert found["departs"]["bytes"]["wire"] != "0000"


def test_unknown_rule_is_an_error_with_the_nearest(snapshot: SnapshotAssertion) -> None:
    assert error_of(run("tag.default-omited"), 1) == snapshot


def test_rule_like_no_other_is_an_error_with_a_hint(snapshot: SnapshotAssertion) -> None:
    assert error_of(run("zzz"), 1) == snapshot


def test_filter_beside_a_rule_is_an_error_of_usage(snapshot: SnapshotAssertion) -> None:
    assert error_of(run("tag.size", "--level", "must"), 2) == snapshot


def test_family_lists_its_rules() -> None:
    assert listed("kip-625") == [rule for rule in catalogue() if rule.startswith("kip-625.")]
    assert listed("kip-625", "--level", "must", "--side", "decode") == [
        "kip-625.promotion",
        "kip-625.surplus-bits",
        "kip-625.too-long",
    ]
