"""Mistakes in the mapping of a harness, reported by `bridge check` as the harness's own.

Each row is a change of the skeleton of a language. The codec in it is sound, so nothing else may be reported.
"""

from __future__ import annotations

import shlex
import subprocess
from json import dumps
from pathlib import Path
from typing import NamedTuple

import pytest

from conformance.adapters import harnesses
from conformance.adapters.harnesses.skeletons import write_skeleton
from conformance.codec.bridge.harness import claims_in
from conformance.codec.bridge.harness_check import HarnessUnderCheck, check_hello
from conformance.codec.bridge.transcript import Diagnostic
from conformance.codec.bridge.value_check import check_values
from conformance.targets.claims import STDIO
from reference import load_release
from tests.helpers import requirements
from tests.helpers.releases import BASE

RELEASE = load_release(BASE)


class Row(NamedTuple):
    """A changed file of a skeleton, and the report on it."""

    changes: dict[str, str]
    told: str
    file: str = ""
    is_sign: bool = False
    """Whether it is a sign of a wrong mapping, since a library might do the same."""


GENERATION = "GenerationId: take(4).readInt32BE()"
READ = "return { value, consumed: position }"
CLAIMS = "const claims = {}"
OF_READ = "function readHeartbeat(wire) {\n"
OF_WRITE = "function writeHeartbeat({ GroupId, GenerationId, MemberId }) {\n"
UNSUPPORTED = (
    "import { Unsupported } from './bridge/outcomes.mjs'\nconst refuse = () => { throw new Unsupported('no v1') }\n"
)

JAVASCRIPT = {
    "a key that is read": Row(
        {"{ GroupId: readString()": "{ group_id: readString()"},
        "harness-error: read gives group_id, which is no field of it; did you mean GroupId?",
    ),
    "a key that is written": Row(
        {"{ GroupId, GenerationId": "{ group_id: GroupId, GenerationId"},
        "harness-error: write takes group_id, which is no field of it; did you mean GroupId?, at writeHeartbeat (",
    ),
    "a key without a like one": Row(
        {", MemberId: readString() }": ", x: readString() }"},
        "read gives x, which is no field of it; it has GroupId, GenerationId, MemberId",
    ),
    "a field left out": Row({", MemberId: readString() }": " }"}, "harness-error: read gives no MemberId"),
    "text for a number": Row(
        {GENERATION: "GenerationId: String(take(4).readInt32BE())"},
        'harness-error: read gives string "0" at GenerationId, where the definition has int32',
    ),
    "a bool for a number": Row(
        {GENERATION: "GenerationId: take(4).readInt32BE() > 0"},
        "harness-error: read gives boolean false at GenerationId, where the definition has int32",
    ),
    "bytes for text": Row(
        {".toString('utf8')": ""}, "harness-error: read gives Buffer at GroupId, where the definition has string"
    ),
    "an array for a struct": Row(
        {READ: "return { value: Object.values(value), consumed: position }"},
        "harness-error: read gives Array at the value, where the definition has a struct",
    ),
    "an exception of the mapping": Row(
        {"  const generation = Buffer": "  GroupId.missing.trim()\n  const generation = Buffer"},
        "harness-error: TypeError: Cannot read properties of undefined (reading 'trim'), at writeHeartbeat (lib",
    ),
    "a version that the library lacks": Row(
        {
            "versions: [0]": "versions: [0, 1]",
            OF_READ: f"{UNSUPPORTED}function readHeartbeat(wire, version) {{\n  if (version > 0) refuse()\n",
        },
        "decode of HeartbeatRequest v1: every value is unsupported, though hello lists it",
    ),
    "an empty value for every error": Row(
        {
            "read: readHeartbeat": "read: quietly",
            OF_READ: "const quietly = wire => { try { return readHeartbeat(wire) } catch { return { value: {} } } }\n"
            + OF_READ,
        },
        "bytes cut short: harness-error: read gives no GroupId",
    ),
    "a count beyond the body": Row(
        {READ: "return { value, consumed: position + 4 }"},
        "consumed is always 4 more than the message has",
        is_sign=True,
    ),
    "a hidden field by another name": Row(
        {CLAIMS: "const claims = { hidden: { HeartbeatRequest: ['generation_id'] } }"},
        '"hidden" of HeartbeatRequest: generation_id, which is no field of it; did you mean GenerationId?',
    ),
    "a limit of another name": Row({CLAIMS: "const claims = { limits: { tag: 64 } }"}, "'tag' is not one of ['tags',"),
}

HIDDEN = "Hidden:          map[string][]string{},"
IS_READ = "return reflect.ValueOf(message), consumed, err"

GO = {
    "an alias of another name": Row(
        {
            "&walker.Walker{}": "&walker.Walker{Aliases: map[string]map[string]string{"
            '"HeartbeatRequest": {"group_id": "Group"}}}'
        },
        "harness-error: Aliases of HeartbeatRequest: group_id, which is no field of it; did you mean GroupId?",
    ),
    "text for a number": Row(
        {
            "Generation int32": "Generation string",
            "uint32(h.Generation)": "uint32(len(h.Generation))",
            "= source.int32()": '= string(source.take(4, "truncated"))',
        },
        "HeartbeatRequest: left out, version 0: GenerationId (int32) is missing; Generation is string",
        "heartbeat.go",
    ),
    "an exception of the mapping": Row(
        {"message := &Heartbeat{}": 'var names map[string]int\n\t\t\tnames["x"] = 1\n\t\t\tmessage := &Heartbeat{}'},
        "harness-error: panic: assignment to entry in nil map, in main.codec.func2 (main.go:",
    ),
    "a version that the library lacks": Row(
        {
            "|| version != 0 {": "|| version > 1 {",
            "message := &Heartbeat{}": 'if version > 0 { return reflect.Value{}, 0, bridge.Unsupported("no v1") }\n'
            "message := &Heartbeat{}",
        },
        "decode of HeartbeatRequest v1: every value is unsupported, though hello lists it",
    ),
    "an empty value for every error": Row(
        {IS_READ: "if err != nil { message = &Heartbeat{} }\nreturn reflect.ValueOf(message), consumed, nil"},
        'bytes without their last one are read, in 1 of 1 messages, as {"GroupId": ""',
        is_sign=True,
    ),
    "a count beyond the body": Row(
        {IS_READ: "return reflect.ValueOf(message), consumed + 4, err"},
        "consumed is always 4 more than the message has",
        is_sign=True,
    ),
    "a hidden field by another name": Row(
        {HIDDEN: 'Hidden: map[string][]string{"HeartbeatRequest": {"generation_id"}},'},
        '"hidden" of HeartbeatRequest: generation_id, which is no field of it; did you mean GenerationId?',
    ),
    "a limit of another name": Row(
        {HIDDEN: 'Limits: map[string]int{"tag": 64},'},
        "'tag' is not one of ['tags',",
    ),
}


def changed(file: Path, changes: dict[str, str]) -> None:
    text = file.read_text(encoding="utf-8")
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    file.write_text(text, encoding="utf-8")


def told(*command: str) -> list[Diagnostic]:
    """Return the diagnostics of `bridge check` on a harness's hello and values."""
    harness = HarnessUnderCheck(command, RELEASE, 10.0)
    hello, problems = check_hello(harness)
    if problems:
        return problems
    with harness.client() as client:
        return list(check_values(client, RELEASE, claims_in(STDIO, hello)))


def is_of_harness(diagnostic: Diagnostic) -> bool:
    return diagnostic.is_of_mapping or not diagnostic.is_note


def assert_is_told(row: Row, diagnostics: list[Diagnostic]) -> None:
    first = diagnostics[0]
    assert row.told in str(first), diagnostics
    assert (first.is_note, is_of_harness(first)) == (row.is_sign, True)
    assert [each for each in diagnostics if not is_of_harness(each)] == []


@pytest.mark.node
@pytest.mark.parametrize("mistake", JAVASCRIPT)
def test_a_mistake_in_javascript_is_told_as_the_harness_s(mistake: str, tmp_path: Path) -> None:
    requirements.node()
    chosen = write_skeleton("javascript", tmp_path / "mine")
    changed(tmp_path / "mine" / chosen.place, JAVASCRIPT[mistake].changes)
    assert_is_told(JAVASCRIPT[mistake], told("node", str(tmp_path / "mine" / "main.mjs")))


THROWN = {
    "at f (file:///a/node_modules/kafkajs/src/decoder.js:1:2)": "f (kafkajs/src/decoder.js:1:2)",
    "at readVarint (file:///a/b/codec.mjs:3:4)": "readVarint (codec.mjs:3:4)",
    "at Buffer.readInt8 (node:internal/buffer:1:1)": "an unknown function",
}
"""Innermost lines of stacks, and the function that is named of each."""


@pytest.mark.node
@pytest.mark.parametrize("line", THROWN)
def test_throwing_function_is_named_by_its_package_or_file(line: str) -> None:
    requirements.node()
    module = Path(harnesses.__path__[0]) / "javascript" / "bridge" / "outcomes.mjs"
    program = f"""
        const {{ LibraryError, refusal }} = await import({dumps(module.as_uri())})
        const cause = Object.assign(new Error("no"), {{ stack: {dumps(f"Error: no{chr(10)}    {line}")} }})
        console.log(refusal(new LibraryError(cause), {{ isRejection: () => true }}).text)"""
    done = subprocess.run(  # noqa: S603  # our own program
        ("node", "--input-type=module", "-e", program),  # noqa: S607  # as users start it
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == f"no, in {THROWN[line]}"


@pytest.mark.go
@pytest.mark.parametrize("mistake", GO)
def test_a_mistake_in_go_is_told_as_the_harness_s(mistake: str, tmp_path: Path) -> None:
    requirements.go()
    row, folder = GO[mistake], tmp_path / "mine"
    chosen = write_skeleton("go", folder)
    changed(folder / (row.file or "main.go"), row.changes)
    subprocess.run(shlex.split(chosen.build), cwd=folder, check=True)  # noqa: S603
    assert_is_told(row, told(str(folder / "harness")))


@pytest.mark.node
def test_a_conversion_of_the_forms_of_a_request_is_noted(tmp_path: Path) -> None:
    requirements.node()
    write_skeleton("javascript", tmp_path / "mine")
    converts = {"if (!Number.isInteger(form))": "return Number(form)\n  if (!Number.isInteger(form))"}
    changed(tmp_path / "mine" / "bridge" / "forms.mjs", converts)
    [note] = told("node", str(tmp_path / "mine" / "main.mjs"))
    assert note.is_note
    assert 'GenerationId: int32 as "5" ' in note.problem


SOUND = {
    "a value of a class": {
        READ: "class Heartbeat {}\n  return { value: Object.assign(new Heartbeat(), value), consumed: position }"
    },
    "null where the library has it": {"if (text === null) throw": "text ??= ''\n  if (text === undefined) throw"},
    "a copy of the value": {
        OF_WRITE: "function writeHeartbeat(given) {\n"
        "  const { GroupId, GenerationId, MemberId } = structuredClone(given)\n"
    },
    "a field of another version": {
        OF_WRITE: "function writeHeartbeat(given) {\n"
        "  const { GroupId, GenerationId, MemberId, GroupInstanceId } = given\n"
        "  if (GroupInstanceId !== undefined) throw new Malformed('not in this version')\n"
    },
    "keys and JSON of the value": {
        OF_WRITE: "function writeHeartbeat(given) {\n  const names = Object.keys(given)\n"
        "  const copy = JSON.parse(JSON.stringify(given))\n"
        "  const { GroupId, GenerationId, MemberId } = 'then' in given || names.length !== 3 ? null : copy\n"
    },
    "a number of 64 bits for one of 32": {GENERATION: "GenerationId: BigInt(take(4).readInt32BE())"},
    "a hidden field": {
        CLAIMS: "const claims = { hidden: { HeartbeatRequest: ['MemberId'] } }",
        ", MemberId: readString() }": " }\n  readString()",
    },
    "limits, notes and representations": {
        CLAIMS: "const claims = { limits: { tags: 64 }, notes: [{ message: 'HeartbeatRequest', note: 'seen' }], "
        "representations: ['zero-uuid-as-null'] }"
    },
    "promises": {"read: readHeartbeat": "read: async wire => readHeartbeat(wire)"},
}
"""Changes that keep a harness sound."""


@pytest.mark.node
@pytest.mark.parametrize("change", SOUND)
def test_a_sound_harness_in_javascript_is_not_accused(change: str, tmp_path: Path) -> None:
    requirements.node()
    chosen = write_skeleton("javascript", tmp_path / "mine")
    changed(tmp_path / "mine" / chosen.place, SOUND[change])
    assert [each for each in told("node", str(tmp_path / "mine" / "main.mjs")) if is_of_harness(each)] == []


@pytest.mark.go
def test_the_words_of_hello_can_be_declared_in_go(tmp_path: Path) -> None:
    requirements.go()
    folder = tmp_path / "mine"
    chosen = write_skeleton("go", folder)
    words = (
        'Hidden: map[string][]string{"HeartbeatRequest": {"MemberId"}},\n\t\tLimits: map[string]int{"tags": 64},\n'
        '\t\tNotes: []walker.Note{{Message: "HeartbeatRequest", Note: "seen"}},'
    )
    changed(folder / "main.go", {HIDDEN: words})
    subprocess.run(shlex.split(chosen.build), cwd=folder, check=True)  # noqa: S603
    hello, problems = check_hello(HarnessUnderCheck((str(folder / "harness"),), RELEASE, 10.0))
    assert problems == []
    assert (hello["hidden"], hello["limits"]) == ({"HeartbeatRequest": ["MemberId"]}, {"tags": 64})
    assert {"message": "HeartbeatRequest", "note": "seen"} in hello["notes"]
