"""Runs of the suite on a folder of definitions."""

import json
import re
from pathlib import Path

import pytest

from tests.helpers.folders import REQUEST, RESPONSE, apart, changed, write
from tests.helpers.releases import BASE, OLDEST
from tests.helpers.runs import WITHOUT_SEARCH, kafka_conformance

__all__ = ["apart"]
KIO = "conformance.adapters.kio"


OPTIONS = {
    "alone": (),
    "worker": ("-n", "1", *WITHOUT_SEARCH),
    "isolated": ("--isolation", "always", *WITHOUT_SEARCH),
}


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_the_reference_is_sound_on_a_new_message(apart: Path, options: tuple[str, ...]) -> None:
    """Its child processes and a worker of pytest-xdist know the release by its name."""
    folder = write(apart / "fork", REQUEST, RESPONSE)
    run = ("run", "--impl=conformance.adapters.reference", f"--release={folder}", "--messages=NewThing*", *options)
    text = kafka_conformance(*run).ended(0)
    assert "against fork-" in text
    assert "6 message versions" in text
    assert re.search(rf"no RequestHeader .*ResponseHeader .*{folder.name}-", text)
    assert "PASSED: no findings" in text


def test_a_changed_field_is_a_finding_and_a_found_case(apart: Path) -> None:
    folder = changed(BASE, "HeartbeatResponse", apart / "fork", type="int64")
    changed(BASE, "HeartbeatRequest", folder)
    run = ("run", f"--impl={KIO}", f"--release={folder}", "--messages=HeartbeatResponse-v0", "-m", "not hypothesis")
    text = kafka_conformance(*run, f"--found={apart / 'found'}").ended(1)
    assert f"--release {folder}" in text
    cases = [json.loads(path.read_text(encoding="utf-8")) for path in (apart / "found").iterdir()]
    assert all(f"--release {folder}" in case["replay"] for case in cases)
    assert {case["release"] for case in cases} == {f"fork-{cases[0]['definitions'][:8]}"}


@pytest.mark.parametrize(
    ("release", "error"),
    [
        ("kip-626", f"no definitions of release 'kip-626': there are {OLDEST}"),
        ("./none", "none does not exist; a release is a name, or the path of a folder of definitions"),
        ("specs/proposals", "specs/proposals holds several sets of definitions; name one: "),
    ],
)
def test_unknown_release_is_a_usage_error(release: str, error: str) -> None:
    assert error in kafka_conformance("run", "--impl=conformance.adapters.reference", "--release", release).ended(4)


def test_a_run_names_a_proposal_by_its_title() -> None:
    run = ("run", "--impl=conformance.adapters.reference", "--release=kip-893", "--messages=NullableStructs-v0")
    assert "KIP-893, 1 message version" in kafka_conformance(*run, "-m", "not hypothesis").ended(0)
