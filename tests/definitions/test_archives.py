from __future__ import annotations

import io
import random
import zipfile

import pytest

from conformance.definitions.sources import LARGEST_ENTRY, BadArchive, json_files

TEXT = b'{"name": "Sample"}' * 20


def archive(method: int = zipfile.ZIP_DEFLATED, content: bytes = TEXT, count: int = 1) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as made:
        for number in range(count):
            made.writestr(f"common/message/Sample{number}.json", content)
        made.writestr("Other.class", b"\xca\xfe")
    return file.getvalue()


def error_of(content: bytes) -> str:
    with pytest.raises(BadArchive) as bad:
        list(json_files(content))
    return str(bad.value)


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_the_json_files_are_unpacked(method: int) -> None:
    assert list(json_files(archive(method))) == [("common/message/Sample0.json", TEXT)]


def test_an_encrypted_entry_is_refused() -> None:
    content = bytearray(archive())
    content[6] |= 1
    content[content.index(b"PK\x01\x02") + 8] |= 1
    assert "encrypted" in error_of(bytes(content))


@pytest.mark.parametrize("method", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_methods_foreign_to_jars_are_refused(method: int) -> None:
    assert "compressed by a method" in error_of(archive(method))


def test_an_entry_beyond_the_bound_is_refused() -> None:
    assert f"more than {LARGEST_ENTRY:,} bytes" in error_of(archive(content=bytes(LARGEST_ENTRY + 1)))


def test_entries_beyond_the_bound_together_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("conformance.definitions.sources.LARGEST_TOTAL", 2 * len(TEXT))
    assert "JSON files" in error_of(archive(count=3))


def test_entry_with_a_false_size_is_refused() -> None:
    content = archive(zipfile.ZIP_STORED)
    assert error_of(content.replace(len(TEXT).to_bytes(4, "little"), (10**6).to_bytes(4, "little")))


def test_directory_with_a_false_name_is_refused() -> None:
    content = archive()
    at = content.rindex(b"Sample0")
    assert "differ" in error_of(content[:at] + b"Example" + content[at + 7 :])


@pytest.mark.parametrize("content", [b"", b"PK\x05\x06", b"{}", b"PK\x03\x04" * 100])
def test_bytes_of_no_archive_are_refused(content: bytes) -> None:
    assert error_of(content)


def test_a_damaged_archive_is_refused_or_read_as_it_was() -> None:
    choices = random.Random(1)  # noqa: S311  # no secret
    sound = archive()
    for _ in range(300):
        content = bytearray(sound)
        for _ in range(choices.randint(1, 4)):
            content[choices.randrange(len(content))] = choices.randrange(256)
        try:
            read = list(json_files(bytes(content)))
        except BadArchive:
            continue
        assert all(unpacked == TEXT for _, unpacked in read)
