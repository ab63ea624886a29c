"""Files are written whole or not at all, through links, and never in the place of a device."""

import errno
import os
import stat
from contextlib import suppress
from pathlib import Path
from threading import Thread

import pytest
from syrupy.assertion import SnapshotAssertion

from conformance.system import whole_files
from conformance.system.whole_files import NotWritten, is_unfinished, replacing, write_bytes, write_text, write_together
from tests.helpers.runs import forked

AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root may")
NOT_AS_ROOT = pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_new_file_has_the_mode_of_any_new_file(tmp_path: Path) -> None:
    (tmp_path / "usual").touch()
    write_text(tmp_path / "new", "one")
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_text_is_written_unchanged(tmp_path: Path) -> None:
    write_text(tmp_path / "new", "ä\r\n\n")
    assert (tmp_path / "new").read_bytes() == b"\xc3\xa4\r\n\n"


def test_a_surrogate_of_a_name_is_written_as_its_escape(tmp_path: Path) -> None:
    write_text(tmp_path / "file", os.fsdecode(b"\xff.py"))
    assert (tmp_path / "file").read_bytes() == rb"\udcff.py"


def test_replaced_file_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.touch()
    path.chmod(0o640)
    write_text(path, "new")
    assert (path.read_text(encoding="utf-8"), stat.S_IMODE(path.stat().st_mode)) == ("new", 0o640)


@AS_ROOT
def test_replaced_file_keeps_its_owner(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.touch()
    os.chown(path, 1234, 2345)
    write_text(path, "new")
    assert (path.stat().st_uid, path.stat().st_gid) == (1234, 2345)


@pytest.mark.parametrize("target", ["file", "other/file", "missing"])
def test_link_stays_and_its_target_is_written(tmp_path: Path, target: str) -> None:
    """The target may be missing before."""
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "file").touch()
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to(target)
    write_text(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / target).read_text(encoding="utf-8") == "new"


@AS_ROOT
@pytest.mark.parametrize("minor", [3, 7], ids=["null", "full"])
def test_a_device_is_written_to_and_stays_a_device(tmp_path: Path, minor: int) -> None:
    """Root could replace it, as /dev/null once became a file."""
    device = tmp_path / "device"
    try:
        os.mknod(device, 0o666 | stat.S_IFCHR, os.makedev(1, minor))
        device.open("wb").close()
    except OSError:
        pytest.skip("devices cannot be made here, or not be opened")
    with suppress(NotWritten):  # the second one is always full
        write_text(device, "lost")
    assert stat.S_ISCHR(device.stat().st_mode)
    assert names(tmp_path) == ["device"]


def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    pipe, read = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write_bytes(pipe, b"through")
    reader.join()
    assert (read, stat.S_ISFIFO(pipe.stat().st_mode)) == ([b"through"], True)


@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "link"])
def test_standard_output_is_written_to_after_earlier_prints(tmp_path: Path, name: str) -> None:
    """It is a regular file here, with other readers."""
    if name.startswith("/proc") and not Path(name).exists():
        pytest.skip("only Linux has it")
    link = tmp_path / "link"
    link.symlink_to("/dev/stdout")

    def program(_: list[str]) -> None:
        print("before")  # noqa: T201
        write_text(link if name == "link" else Path(name), "written\n")
        print("after")  # noqa: T201

    assert forked(program).ended(0) == "before\nwritten\nafter\n"
    assert link.is_symlink()


def test_an_error_leaves_the_older_file_and_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old", encoding="utf-8")
    with pytest.raises(ZeroDivisionError), replacing(path) as temporary:
        temporary.write_bytes(b"half" * (1 // 0))
    assert (path.read_text(encoding="utf-8"), names(tmp_path)) == ("old", ["file"])


def test_an_unfinished_file_is_beside_its_target_and_known_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / ("ä" * 120)
    with replacing(path) as temporary:
        assert temporary.parent == tmp_path
        assert is_unfinished(temporary.name)
    assert names(tmp_path) == [path.name]
    assert not is_unfinished(".profile")


def test_a_file_is_on_disk_before_it_has_its_name_and_its_folder_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A loss of power leaves the older file or the whole new one."""
    synced: list[tuple[str, bool]] = []
    monkeypatch.setattr(whole_files, "sync", lambda path: synced.append((path.name, (tmp_path / "file").exists())))
    write_text(tmp_path / "file", "new")
    (first, had_name), second = synced
    assert is_unfinished(first)
    assert (had_name, second) == (False, (tmp_path.name, True))


def refused(path: Path, text: str = "new") -> NotWritten:
    with pytest.raises(NotWritten) as caught:
        write_text(path, text)
    assert str(caught.value).startswith(f"{path} cannot be written: ")
    return caught.value


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    assert refused(tmp_path).hint == "name a file"


def test_missing_folder_is_an_error(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    error = refused(tmp_path / "a" / "b")
    assert (error.reason, error.hint) == snapshot


def test_file_in_the_place_of_a_folder_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a").touch()
    assert refused(tmp_path / "a" / "b").reason == os.strerror(errno.ENOTDIR)


def test_a_circle_of_links_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    assert refused(tmp_path / "a").reason == os.strerror(errno.ELOOP)


def test_a_full_device_is_an_error(snapshot: SnapshotAssertion) -> None:
    """Everybody has the permission, but there is no room."""
    if not Path("/dev/full").exists():
        pytest.skip("only Linux has it")
    assert str(refused(Path("/dev/full"))) == snapshot
    assert stat.S_ISCHR(Path("/dev/full").stat().st_mode)


@NOT_AS_ROOT
def test_folder_without_permission_is_an_error(tmp_path: Path) -> None:
    tmp_path.chmod(0o555)
    error = refused(tmp_path / "file")
    assert error.reason == os.strerror(errno.EACCES)
    assert "may write" in error.hint


def test_an_error_of_writing_crosses_processes() -> None:
    """Spark's workers send theirs to the driver."""
    import pickle  # noqa: PLC0415

    error = NotWritten(Path("a"), "full", "make room", "elsewhere")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)  # noqa: S301


def test_several_files_are_written_together_or_not_at_all(tmp_path: Path) -> None:
    (tmp_path / "one").write_text("before")
    (tmp_path / "two").mkdir()
    with pytest.raises(NotWritten, match=f"^{tmp_path / 'two'} "):
        write_together({tmp_path / "one": (b"after", None), tmp_path / "two": (b"after", None)})
    assert (tmp_path / "one").read_text() == "before"
    assert names(tmp_path) == ["one", "two"]
