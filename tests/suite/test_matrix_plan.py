from dataclasses import replace
from pathlib import Path

import pytest

from conformance.suite.matrix_plan import PlannedRun, planned_runs
from conformance.suite.matrix_runs import content_key
from conformance.suite.options import RunOptions
from tests.helpers.releases import NEWEST, OLDEST

ADAPTER = "myproj_of_this_test.adapter"


def test_each_implementation_and_release_has_one_run() -> None:
    runs = planned_runs(["one", "two", "one"], [NEWEST, OLDEST], {})
    assert [(run.options.impl, run.options.release) for run in runs] == [
        ("one", NEWEST),
        ("one", OLDEST),
        ("two", NEWEST),
        ("two", OLDEST),
    ]


def test_known_failures_are_those_beside_the_adapter() -> None:
    kio, reference = planned_runs(["conformance.adapters.kio", "conformance.adapters.reference"], [NEWEST], {})
    assert kio.options.known_failures is not None
    assert kio.options.known_failures.parts[-3:] == ("adapters", "kio", "known_failures.toml")
    assert reference.options.known_failures is None


def test_named_file_precedes_the_one_beside_the_adapter() -> None:
    (run,) = planned_runs(["conformance.adapters.kio"], [NEWEST], {"conformance.adapters.kio": Path("mine.toml")})
    assert run.options.known_failures == Path("mine.toml")


def test_run_of_the_matrix_leaves_out_random_search() -> None:
    words = PlannedRun(RunOptions(impl="one", release=NEWEST), ("-x",)).command(Path("one.jsonl"))
    assert words[words.index("-m", 4) + 1] == "not hypothesis"
    assert words[-1] == "-x"


def test_names_of_files_are_plain_and_differ() -> None:
    """Commands and folders of definitions may have any name."""
    names = [
        PlannedRun(RunOptions(impl=impl, release=NEWEST)).name
        for impl in ("stdio:./a b", "stdio:./a/b", "conformance.adapters.kio")
    ]
    assert len(set(names)) == 3
    assert names[2] == f"kio-{NEWEST}"
    assert all(set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789._-") for name in names)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PlannedRun:
    """A run of an adapter in a package of its own, with known failures."""
    package = tmp_path / "myproj_of_this_test"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "adapter.py").write_text("name = 'one'\n")
    (package / "codec.py").write_text("")
    (package / "known_failures.toml").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    return PlannedRun(RunOptions(impl=ADAPTER, release=NEWEST, known_failures=package / "known_failures.toml"))


def test_the_same_run_has_the_same_key(run: PlannedRun) -> None:
    assert content_key(run) == content_key(replace(run))


@pytest.mark.parametrize("file", ["adapter.py", "codec.py", "known_failures.toml"])
def test_a_changed_file_of_the_adapter_is_another_key(run: PlannedRun, file: str) -> None:
    before = content_key(run)
    assert run.options.known_failures is not None
    (run.options.known_failures.parent / file).write_text("# changed\n")
    assert content_key(run) != before


def test_another_release_and_other_options_are_another_key(run: PlannedRun) -> None:
    changed = ({"release": OLDEST}, {"smoke": True}, {"impl": f"{ADAPTER}:x"})
    others = [replace(run, options=replace(run.options, **values)) for values in changed]
    assert len({content_key(each) for each in (run, *others)}) == 4


def test_changed_file_of_a_command_is_another_key(tmp_path: Path) -> None:
    program = tmp_path / "codec"
    program.write_text("1")
    run = PlannedRun(RunOptions(impl=f"stdio:{program} --quiet", release=NEWEST))
    before = content_key(run)
    program.write_text("2")
    assert content_key(run) != before


def test_changed_definitions_are_another_key(tmp_path: Path) -> None:
    fields = '[{"name": "GroupId", "type": "%s", "versions": "0+"}]'
    head = '"type": "data", "name": "ExampleData", "validVersions": "0", "flexibleVersions": "none"'
    definition = f'{{{head}, "fields": {fields}}}'
    file = tmp_path / "ExampleData.json"
    file.write_text(definition % "string")
    run = PlannedRun(RunOptions(impl="conformance.adapters.reference", release=str(tmp_path)))
    before = content_key(run)
    file.write_text(definition % "int32")
    assert content_key(run) != before
