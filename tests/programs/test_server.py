"""A server from its start to its end, with a fake one of a few lines."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from conformance.codec.bridge.harness_errors import HarnessStartError
from conformance.system.proc import resident_memory
from tests.programs.fake import fake_server
from tests.programs.servers import Server, Settings
from tests.programs.servers.server import announced_apis

GREETING = "hello from the fake"
STARTER = """
import time
from tests.programs.servers import Server
from tests.programs.fake import fake_server
server = Server(fake_server())
server.start()
print(server.pid, flush=True)
time.sleep(60)
"""


@pytest.fixture(autouse=True)
def own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def test_started_server_has_announced_apis() -> None:
    with Server(fake_server()) as server:
        assert announced_apis(server.address, 5.0) == {18: (0, 4), 3: (1, 9)}


def test_a_stopped_server_is_gone_and_its_log_stays() -> None:
    with Server(fake_server()) as server:
        pid = server.pid
        assert server.status is None
    assert server.status == 0
    assert not Path(f"/proc/{pid}").exists()
    assert server.log.read_text(encoding="utf-8") == f"{GREETING}\n"


def test_death_of_a_server_at_its_start_is_reported_with_its_log() -> None:
    with pytest.raises(HarnessStartError, match=rf"(?s)^fake .*status 3; .*{GREETING}"):
        Server(fake_server("dies")).start()


def test_silent_server_is_reported_and_ended() -> None:
    server = Server(fake_server("silent"), deadline=0.5)
    with pytest.raises(HarnessStartError, match=r"fake .*answer within 0\.5 s"):
        server.start()
    assert server.status is not None


def test_server_has_a_status_after_its_death() -> None:
    with Server(fake_server("dies later")) as server:
        end = time.monotonic() + 10
        while server.status is None and time.monotonic() < end:
            time.sleep(0.01)
        assert "ended: exit status 7" in server.obituary()


def test_unsupported_option_of_a_server_is_refused() -> None:
    with pytest.raises(HarnessStartError, match=r"fake .* sasl=True"):
        Server(fake_server(), Settings(sasl=True)).start()


@pytest.mark.skipif(not Path("/proc").exists(), reason="asks Linux for processes")
def test_no_server_outlives_a_killed_starter() -> None:
    command = [sys.executable, "-c", STARTER]
    starter = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)  # noqa: S603  # ourselves
    assert starter.stdout is not None
    server = int(starter.stdout.readline())
    starter.send_signal(signal.SIGKILL)
    starter.wait()
    end = time.monotonic() + 10
    while resident_memory(server) and time.monotonic() < end:  # a process that has ended takes none
        time.sleep(0.01)
    assert resident_memory(server) == 0
    starter.stdout.close()
