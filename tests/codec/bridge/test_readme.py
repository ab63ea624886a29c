import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from conformance.codec.bridge.protocol import reply_problem, request_problem, schema_document
from conformance.codec.loaded_adapter import FUNCTIONS
from reference import load_release, primitives
from reference.errors import REASONS_OF_RECORDS, Reason

README = Path(__file__).parents[3].joinpath("docs/reference/bridge.md").read_text(encoding="utf-8")
DEFINITIONS = '"/definitions/4.3.0"'
CHILD = (sys.executable, "-m", "conformance.codec.bridge.child", "--release", "4.3.0", "--impl")
SECTIONS = {
    "## A dialogue": ("tests.fakes.two_messages", 15),
    "## Records": ("conformance.adapters.reference", 3),
    "## Stored messages": ("conformance.adapters.reference", 7),
}
"""Each section with requests, the implementation that answers them, and how many there are."""


def dialogue(heading: str = "## A dialogue") -> tuple[list[str], list[str]]:
    """Return the requests and the replies on the page, with continued lines joined."""
    section = README.partition(heading)[2].partition("\n## ")[0]
    turns = re.findall(r"^    (->|<-) (.*(?:\n       .*)*)", section, re.MULTILINE)
    spoken = [(mark, re.sub(r"\n {7}", " ", text)) for mark, text in turns]
    return [text for mark, text in spoken if mark == "->"], [text for mark, text in spoken if mark == "<-"]


@pytest.mark.parametrize("heading", SECTIONS)
def test_dialogue_is_the_output_of_a_harness(heading: str) -> None:
    impl, count = SECTIONS[heading]
    requests, replies = dialogue(heading)
    text = "\n".join(requests).replace(DEFINITIONS, json.dumps(str(load_release("4.3.0").folder))) + "\n"
    done = subprocess.run([*CHILD, impl], input=text, capture_output=True, text=True, check=True)  # noqa: S603
    assert done.stdout.splitlines() == replies
    assert len(replies) == count


@pytest.mark.parametrize(("heading", "unsound"), [("## A dialogue", 1), ("## Records", 0), ("## Stored messages", 0)])
def test_the_dialogue_is_valid_by_the_schemas(heading: str, unsound: int) -> None:
    """The last request of the first dialogue is invalid on purpose, and its reply says so."""
    requests, replies = ([json.loads(each) for each in texts] for texts in dialogue(heading))
    assert [request for request in requests if request_problem(request)] == requests[len(requests) - unsound :]
    assert [problem for problem in map(reply_problem, requests, replies) if problem] == []


def test_every_reason_of_records_is_named() -> None:
    reasons = schema_document()["$defs"]["refusal"]["properties"]["reason"]["enum"]
    assert reasons == list(Reason)
    assert [reason for reason in REASONS_OF_RECORDS if reason not in README] == []


def test_every_wire_type_is_in_the_table_of_forms() -> None:
    table = README.partition("The wire types of")[2].partition("\n## ")[0]
    named = set(re.findall(r"`([a-z0-9-]+)`", table))
    plain = {re.sub("^(compact-)?(nullable-)?", "", name) for name in primitives()}
    assert plain - named == set()
    assert {"compact-", "nullable-", "compact-nullable-"} <= named


def test_every_operation_and_outcome_is_explained() -> None:
    schemas = schema_document()["$defs"]
    operations = set(schemas["request"]["properties"]["op"]["enum"])
    table = README.partition("## Operations")[2].partition("\n## ")[0]
    assert set(re.findall(r"^\| `([a-z-]+)` \|", table, re.MULTILINE)) - {"op"} == operations - {"hello"}
    functions = {name.replace("_", "-") for name in FUNCTIONS if name != "classify"}
    assert operations == {"hello", "encode", "decode"} | functions
    outcomes = set(schemas["reply"]["properties"]["outcome"]["enum"])
    table = README.partition("## Outcomes")[2].partition("\n## ")[0]
    explained = re.findall(r"^\| ((?:`[a-z-]+`(?:, )?)+) \|", table, re.MULTILINE)
    assert {word for cell in explained for word in re.findall(r"[a-z-]+", cell)} - {"outcome"} == outcomes - {"hello"}
