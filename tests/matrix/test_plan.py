from pathlib import Path

from conformance.matrix.plan import PlannedRun, planned_runs


def test_there_is_a_run_for_each_implementation_and_release_once() -> None:
    runs = planned_runs(["one", "two", "one"], ["4.4.0", "3.9.1"], {})
    assert [(run.impl, run.release) for run in runs] == [
        ("one", "4.4.0"),
        ("one", "3.9.1"),
        ("two", "4.4.0"),
        ("two", "3.9.1"),
    ]


def test_known_failures_are_those_beside_the_adapter() -> None:
    kio, reference = planned_runs(["conformance.adapters.kio", "conformance.adapters.reference"], ["4.4.0"], {})
    assert kio.known_failures is not None
    assert kio.known_failures.parts[-3:] == ("adapters", "kio", "known_failures.toml")
    assert reference.known_failures is None


def test_a_file_that_is_named_comes_before_the_one_beside_the_adapter() -> None:
    (run,) = planned_runs(["conformance.adapters.kio"], ["4.4.0"], {"conformance.adapters.kio": Path("mine.toml")})
    assert run.known_failures == Path("mine.toml")


def test_a_run_tries_what_every_run_tries() -> None:
    words = PlannedRun("one", "4.4.0", options=("--smoke",)).command(Path("one.jsonl"))
    assert words[words.index("-m", 4) + 1] == "not hypothesis"
    assert words[-1] == "--smoke"


def test_names_of_files_are_plain_and_differ() -> None:
    """Whatever commands and folders of definitions are named."""
    names = [PlannedRun(impl, "4.4.0").name for impl in ("stdio:./a b", "stdio:./a/b", "conformance.adapters.kio")]
    assert len(set(names)) == 3
    assert names[2] == "kio-4.4.0"
    assert all(set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789._-") for name in names)
