import importlib
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from conformance import adapters
from conformance.adapters.harnesses.libraries import ForeignLibrary
from conformance.suite.registry import TESTS, SuiteTest
from conformance.suite.subjects import PARTS
from tests.helpers.readme import missing, missing_lines, shown_output
from tests.helpers.runs import kafka_conformance, suite

ROOT = Path(__file__).parents[2]
SUITE = ROOT / "conformance" / "suite"
KIO = "--impl=conformance.adapters.kio"


def page(path: str) -> str:
    return (ROOT / "docs" / path).read_text(encoding="utf-8")


@pytest.mark.parametrize("document", ["README.md", "docs/how-to/findings.md"])
def test_the_documentation_shows_a_finding_as_it_is_printed(document: str) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")
    found = re.search(r"^    1\. accepts invalid input: null\.not-written.*?\n\n", text, re.DOTALL | re.MULTILINE)
    assert found is not None
    printed = suite(KIO, "--messages=AlterReplicaLogDirsRequest", "-k", "unencodable", columns=80).ended(1)
    assert missing_lines(found[0], printed) == []


def test_bug_of_the_tutorial_has_its_findings(tmp_path: Path) -> None:
    adapter = tmp_path / "my_adapter.py"
    kafka_conformance("new", "adapter", "my_adapter", folder=tmp_path).ended(0)
    bug = re.search(r"replace `(.*?)` by `(.*?)`", page("tutorials/python-codec.md"))
    assert bug is not None
    adapter.write_text(adapter.read_text(encoding="utf-8").replace(bug[1], bug[2]), encoding="utf-8")
    text = kafka_conformance("run", "--impl=./my_adapter.py", folder=tmp_path).ended(1)
    found = re.search(
        r"^    1\. accepts invalid input: length\.negative.*?\n\n",
        page("tutorials/python-codec.md"),
        re.DOTALL | re.MULTILINE,
    )
    assert found is not None
    assert " ".join(found[0].split()) in " ".join(text.split())
    assert "FAILED: 2 causes" in text


def test_verdict_of_the_oracle_is_as_documented() -> None:
    found = re.search(r"```python\n(from reference import judge.*?)# (.*?)\n```", page("how-to/findings.md"), re.DOTALL)
    assert found is not None
    done = subprocess.run([sys.executable, "-c", found[1]], cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S603
    assert done.stdout.strip() == found[2]


def test_the_architecture_names_every_room() -> None:
    package = ROOT / "conformance"
    rooms = {file.stem for file in package.glob("*.py")} | {file.parent.name for file in package.glob("*/__init__.py")}
    named = re.findall(r"^\| \d+ \| `(\w+)` \|", page("builders/architecture.md"), re.MULTILINE)
    assert set(named) == rooms - {"__init__"}


def codecs() -> dict[str, set[str]]:
    """Return the names of the tested codecs, by their languages."""
    package = ROOT / "conformance" / "adapters"
    found = {"Python": {file.parent.name for file in package.glob("*/__init__.py")} - {"harnesses"}}
    for name, each in vars(adapters).items():
        if isinstance(each, ForeignLibrary):
            found.setdefault({"javascript": "JavaScript"}.get(each.language, each.language.title()), set()).add(name)
    return found


def test_the_documentation_names_every_codec() -> None:
    rows = re.findall(r"^\| (Go|Rust|JavaScript|Python) \| (.+) \|$", page("explanation/oracle.md"), re.MULTILINE)
    assert {language: set(re.findall(r"`(\w+)`", names)) for language, names in rows} == codecs()


def test_lines_missing_in_the_output_of_a_run_are_named() -> None:
    """`make readme-check` compares a whole run, and this test shows that the comparison can fail."""
    assert missing(shown_output()) == []
    assert missing(shown_output().replace("PASSED", "FAILED")) != []


def modules() -> list[ModuleType]:
    return [importlib.import_module(f"conformance.suite.{path.stem}") for path in SUITE.glob("test_*.py")]


def test_every_function_of_the_suite_is_in_the_registry() -> None:
    """Each name stands once, so no test is in two modules."""
    names = [name for module in modules() for name in vars(module) if name.startswith("test_")]
    assert sorted(names) == sorted(test.name for test in TESTS)


@pytest.mark.parametrize("test", TESTS, ids=lambda test: test.name)
def test_a_test_is_a_function_of_its_name(test: SuiteTest) -> None:
    [module] = [module for module in modules() if hasattr(module, test.name)]
    function = getattr(module, test.name)
    assert callable(function)
    assert function.__name__ == test.name


@pytest.mark.parametrize("test", TESTS, ids=lambda test: test.name)
def test_needs_of_a_test_are_parts_of_an_adapter(test: SuiteTest) -> None:
    assert set(test.needs) <= {part.what for part in PARTS}
