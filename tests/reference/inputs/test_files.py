from __future__ import annotations

import os
from pathlib import Path

import pytest

from reference.inputs.errors import BadInput
from reference.inputs.files import read_bytes, read_lines, read_text


def test_a_fifo_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "fifo"
    os.mkfifo(path)
    with pytest.raises(BadInput, match="not a regular file"):
        read_bytes(path)


def test_a_device_is_refused() -> None:
    with pytest.raises(BadInput, match="not a regular file"):
        read_text(Path("/dev/zero"))


def test_a_folder_and_a_missing_file_are_errors_of_the_system(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing"):
        with pytest.raises(OSError, match=str(path)):
            list(read_lines(path))


def test_a_symbolic_link_to_a_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"\xef\xbb\xbftext")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    assert read_text(tmp_path / "link") == "text"


def test_no_more_than_the_bound_is_read(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"123")
    assert read_bytes(path, 3) == b"123"
    with pytest.raises(BadInput, match="larger than 2 bytes"):
        read_bytes(path, 2)
