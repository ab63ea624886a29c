import sys
import warnings

import pytest

from conformance.system.foreign_warnings import DISTINCT, ForeignWarning, ForeignWarnings


@pytest.fixture(autouse=True)
def _without_filters_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "warnoptions", [])


def taken(*texts: str) -> ForeignWarnings:
    seen = ForeignWarnings()
    with seen.taken():
        for number, text in enumerate(texts):
            warnings.warn_explicit(text, DeprecationWarning, pytest.__file__, number)
    return seen


def test_many_warnings_are_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    taken(*["old\x1b[31m" + 200 * "x"] * 3).show(verbose=False, hint="-v shows each")
    [line] = capsys.readouterr().err.splitlines()
    assert "3 DeprecationWarning;" in line
    assert " pytest: old\\x1b[31mxxx" in line
    assert line.endswith("xxx…; -v shows each")


def test_each_distinct_one_is_shown_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    taken("one", "two").show(verbose=True, hint="")
    assert [line.rpartition(" ")[2] for line in capsys.readouterr().err.splitlines()] == ["one", "two"]


def test_nothing_is_printed_without_warnings(capsys: pytest.CaptureFixture[str]) -> None:
    taken().show(verbose=False, hint="")
    assert capsys.readouterr() == ("", "")


def test_the_users_filter_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "warnoptions", ["default"])
    with pytest.warns(DeprecationWarning, match="one"):
        assert not taken("one").counts


def test_distinct_warnings_have_a_bound() -> None:
    seen = ForeignWarnings()
    seen.add(
        (ForeignWarning("DeprecationWarning", pytest.__file__, 1, str(number)), 1) for number in range(DISTINCT + 9)
    )
    assert len(seen.counts) == DISTINCT
