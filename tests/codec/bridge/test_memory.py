import pytest

from conformance.codec.bridge import memory


def test_peak_of_memory_never_falls() -> None:
    before = memory.peak_memory()
    assert 0 < before <= memory.peak_memory()


def test_a_system_without_the_module_resource_limits_and_measures_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "resource", None)
    memory.limit_memory(1)
    assert memory.peak_memory() == 0
    assert len(bytes(2 * memory.MEBIBYTE)) == 2 * memory.MEBIBYTE


def test_the_allowance_grows_with_the_input() -> None:
    assert memory.out_of_proportion(memory.ALLOWANCE + 1, 0)
    assert not memory.out_of_proportion(memory.ALLOWANCE + 1, 1)


@pytest.mark.parametrize(("left", "limit"), [(None, 1000), (5000, 1000), (300, 300), (0, 1)])
def test_limit_is_lowered_to_the_free_memory_of_the_machine(
    monkeypatch: pytest.MonkeyPatch, left: int | None, limit: int
) -> None:
    """A machine without any memory left is no reason for 0, the value of no limit."""
    monkeypatch.setattr(memory, "share_of_memory", lambda: None if left is None else left * memory.MEBIBYTE)
    assert memory.affordable(1000) == limit
    assert memory.affordable(0) == 0
