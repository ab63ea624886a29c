"""The output of an adapter's import is one warning."""

import logging
import sys

import pytest

from conformance.codec.bridge.import_output import PrintedAtImport, held_output


def import_that_prints(output: str, errors: str = "", error: Exception | None = None) -> None:
    with held_output("x"):
        sys.stdout.write(f"{output}\n")
        sys.stderr.write(errors)
        if error:
            raise error


def test_output_and_logging_are_held_back_as_a_warning(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.warns(PrintedAtImport, match=r"printed 2 lines .*: one"):
        import_that_prints("one", "two")
    assert capsys.readouterr() == ("", "")


def test_a_silent_import_is_no_warning(recwarn: pytest.WarningsRecorder) -> None:
    with held_output("x"):
        pass
    assert not recwarn.list


def test_handler_made_during_the_import_writes_after_it(capsys: pytest.CaptureFixture[str]) -> None:
    with held_output("x"):
        handler = logging.StreamHandler()
    handler.handle(logging.makeLogRecord({"msg": "later"}))
    assert capsys.readouterr().err == "later\n"


def test_failing_import_shows_its_output(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ImportError):
        import_that_prints("why\x1b[31m", error=ImportError())
    assert capsys.readouterr() == ("", "why\\x1b[31m\n")
