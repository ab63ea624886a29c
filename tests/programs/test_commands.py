"""Lists, refusals and trials of the commands."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from tests.helpers.releases import NEWEST
from tests.programs.clients.__main__ import main as clients
from tests.programs.fake import fake_server
from tests.programs.servers import SERVERS
from tests.programs.servers.__main__ import main as servers
from tests.programs.servers.__main__ import try_servers
from tests.programs.servers.server import announced_apis
from tests.programs.trials import Failures

NOWHERE = "no-such-tool"
SERVE = """
from tests.programs.servers import SERVERS
from tests.programs.servers.__main__ import main
from tests.programs.fake import fake_server
import os
SERVERS["kfake"] = fake_server(os.environ["BEHAVIOUR"])
main()
"""


@pytest.fixture(autouse=True)
def own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def nothing_on_the_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))


def test_without_a_name_every_server_is_listed() -> None:
    lines = CliRunner().invoke(servers, []).output.splitlines()
    assert [line.split("\t")[0] for line in lines] == list(SERVERS)


@pytest.mark.usefixtures("nothing_on_the_path")
def test_a_missing_toolchain_is_listed() -> None:
    assert re.search(r"^kfake\t.*needs go, ", CliRunner().invoke(servers, []).output, re.MULTILINE)


@pytest.mark.usefixtures("nothing_on_the_path")
@pytest.mark.parametrize(
    ("command", "name", "message"),
    [
        (servers, "kfake", r"\bgo is .* PATH .*: kfake needs Go 1\.26"),
        (servers, f"kafka-{NEWEST}", rf"\bjava is .* PATH .*: kafka-{NEWEST} needs Java 17 .* Maven"),
        (clients, "kafkajs", r"\bnode is .* PATH .*: clients-javascript needs Node 20"),
    ],
)
def test_missing_toolchain_is_an_error_of_its_program(command: click.Command, name: str, message: str) -> None:
    environment = {"KAFKA_BOOTSTRAP": "127.0.0.1:9"}
    result = CliRunner().invoke(command, [name], env=environment)
    assert result.exit_code == 1
    assert re.search(message, result.output)


def test_a_client_needs_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KAFKA_BOOTSTRAP", raising=False)
    result = CliRunner().invoke(clients, ["kafka-python"])
    assert result.exit_code == 2
    assert "KAFKA_BOOTSTRAP is" in result.output


def test_a_setting_without_a_value_is_refused() -> None:
    setting = "num.io.threads"
    result = CliRunner().invoke(servers, ["kfake", "--set", setting])
    assert result.exit_code == 2
    assert f"'{setting}' is not" in result.output


def test_trial_has_a_row_for_every_server(capsys: pytest.CaptureFixture[str]) -> None:
    try_servers([fake_server()])
    [_, row] = capsys.readouterr().out.splitlines()
    assert row.split()[:2] == ["fake", "1"]
    assert row.split()[-1] == "2", "APIs"


def test_trial_goes_on_after_a_failing_server(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(Failures, match=r"^fake: .*exit status 3"):
        try_servers([fake_server("dies"), fake_server()])
    assert len(capsys.readouterr().out.splitlines()) == 2


def test_trial_leaves_out_programs_without_their_needs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("CI", raising=False)
    try_servers([fake_server(needs=(NOWHERE,))])
    assert re.fullmatch(rf"skipped: fake, .* {NOWHERE}\n", capsys.readouterr().err)


def test_missing_need_of_a_program_fails_a_trial_in_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    with pytest.raises(Failures, match=f"fake, .* {NOWHERE}"):
        try_servers([fake_server(needs=(NOWHERE,))])


@contextmanager
def served(behaviour: str = "sound") -> Iterator[subprocess.Popen[str]]:
    """Yield a running command for a server, to be ended by the test."""
    command = [sys.executable, "-c", SERVE, "kfake"]
    process = subprocess.Popen(  # noqa: S603  # ourselves
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, "BEHAVIOUR": behaviour}, text=True
    )
    with process:
        yield process


def test_the_command_prints_one_line_and_ends_with_its_input() -> None:
    with served() as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        assert announced_apis(address, 5.0)
        assert process.communicate()[0] == ""
    assert process.returncode == 0
    with pytest.raises(ConnectionRefusedError):
        announced_apis(address, 5.0)


def test_the_command_ends_its_server_at_sigterm() -> None:
    with served() as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) == 0
    with pytest.raises(ConnectionRefusedError):
        announced_apis(address, 5.0)


def test_command_ends_with_its_dead_server() -> None:
    with served("dies later") as process:
        assert process.wait(20) == 1
