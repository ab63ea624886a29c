from pathlib import Path

import pytest

from conformance.codec.bridge import memory
from conformance.codec.bridge.memory import MEBIBYTE as MIB


def test_peak_of_memory_never_falls() -> None:
    before = memory.peak_memory()
    assert 0 < before <= memory.peak_memory()


def test_a_system_without_the_module_resource_limits_and_measures_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "resource", None)
    memory.limit_memory(1)
    assert memory.peak_memory() == 0
    assert len(bytes(2 * MIB)) == 2 * MIB


def test_the_allowance_grows_with_the_input() -> None:
    assert memory.out_of_proportion(memory.ALLOWANCE + 1, 0)
    assert not memory.out_of_proportion(memory.ALLOWANCE + 1, 1)


@pytest.mark.parametrize(("left", "limit"), [(None, 1000), (5000, 1000), (300, 300), (0, 1)])
def test_limit_is_lowered_to_the_free_memory_of_the_machine(
    monkeypatch: pytest.MonkeyPatch, left: int | None, limit: int
) -> None:
    """A machine without any memory left is no reason for 0, the value of no limit."""
    monkeypatch.setattr(memory, "share_of_memory", lambda: None if left is None else left * MIB)
    assert memory.affordable(1000) == limit
    assert memory.affordable(0) == 0


@pytest.fixture
def system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of the files, for a machine with 4000 MiB left."""
    monkeypatch.setattr(memory, "MEMINFO", tmp_path / "meminfo")
    monkeypatch.setattr(memory, "OWN_CGROUPS", tmp_path / "cgroup")
    monkeypatch.setattr(memory, "CGROUPS", tmp_path / "fs")
    monkeypatch.delenv(memory.WORKERS, raising=False)
    (tmp_path / "meminfo").write_text(f"MemTotal: 1 kB\nMemAvailable: {4000 * 1024} kB\n")
    return tmp_path


def cgroup(system: Path, path: str, **files: object) -> None:
    folder = system / "fs" / path
    folder.mkdir(parents=True)
    for name, content in files.items():
        (folder / f"memory.{name}").write_text(f"{content}\n")


@pytest.mark.usefixtures("system")
def test_half_of_the_machine_is_left_to_it() -> None:
    assert memory.share_of_memory() == 2000 * MIB


@pytest.mark.usefixtures("system")
def test_each_worker_has_a_share(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(memory.WORKERS, "3")
    assert memory.share_of_memory() == 1000 * MIB


def test_a_cgroup_of_a_container_counts_without_its_cached_files(system: Path) -> None:
    cgroup(
        system,
        ".",
        max=500 * MIB,
        current=400 * MIB,
        stat=f"anon 1\ninactive_file {300 * MIB}",
    )
    assert memory.share_of_memory() == 200 * MIB


def test_a_cgroup_of_a_parent_counts(system: Path) -> None:
    (system / "cgroup").write_text("0::/user/run\n")
    cgroup(system, "user/run", max="max", current=1, stat="")
    (system / "fs/user/memory.max").write_text(f"{100 * MIB}\n")
    (system / "fs/user/memory.current").write_text("0\n")
    (system / "fs/user/memory.stat").write_text("")
    assert memory.share_of_memory() == 50 * MIB


def test_a_cgroup_of_the_first_version_counts(system: Path) -> None:
    (system / "cgroup").write_text("4:memory:/job\n3:cpu:/\n")
    stat = f"total_inactive_file {MIB}"
    cgroup(system, "memory/job", limit_in_bytes=101 * MIB, usage_in_bytes=2 * MIB, stat=stat)
    assert memory.share_of_memory() == 50 * MIB


def test_system_without_meminfo_sets_no_share(system: Path) -> None:
    (system / "meminfo").unlink()
    assert memory.share_of_memory() is None
