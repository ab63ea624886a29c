from tests.helpers.runs import invoke


def test_figures_are_printed() -> None:
    result = invoke("specs", "prove-evolution", "--count", "40", "--workers", "1")
    assert result.exit_code == 0, result.output
    lines = result.output.splitlines()
    assert lines[0].startswith("40 changes in ")
    assert lines[1].startswith("versions called compatible: ")
    assert lines[1].endswith(", misread: 0")
    assert lines[2].startswith("versions called incompatible: ")
