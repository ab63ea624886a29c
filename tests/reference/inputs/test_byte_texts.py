r"""Texts of bytes from tools and languages give the printed bytes, in every form."""

from __future__ import annotations

import base64
import json

import pytest
from syrupy.assertion import SnapshotAssertion

from reference.inputs.byte_texts import byte_texts

FRAME = bytes.fromhex("0000000a00120000000000070000")
EVERY = bytes(range(256))
SPACED = FRAME.hex(" ")


def of(text: str) -> bytes:
    """Return the bytes of the likeliest reading of a text."""
    return byte_texts(text)[0].data


def escaped(data: bytes, form: str = "\\x{:02x}") -> str:
    return "".join(chr(each) if is_plain(each) and "x" in form else form.format(each) for each in data)


def is_plain(byte: int) -> bool:
    return chr(byte).isascii() and chr(byte).isalnum()


HEX = {
    "digits": FRAME.hex(),
    "upper case": SPACED.upper(),
    "colons": FRAME.hex(":"),
    "dashes": FRAME.hex("-"),
    "prefix": f"0x{FRAME.hex()}",
    "prefixes": " ".join(f"0x{each:02x}" for each in FRAME),
    "single digits": " ".join(f"{each:x}" for each in FRAME),
    "lines": f"{FRAME[:7].hex()}\n{FRAME[7:].hex()}\n",
    "underscores": FRAME.hex("_", 4),
}

LITERALS = {
    "C": "unsigned char frame[] = {\n" + ", ".join(f"0x{each:02x}" for each in EVERY) + "\n};\nint frame_len = 256;",
    "Wireshark's C": "char peer0_0[] = { /* Packet 4 */\n" + ", ".join(f"0x{each:02x}" for each in EVERY) + " };",
    "Go": "[]byte{" + ", ".join(f"{each:#x}" for each in EVERY) + "}",
    "Go, %v": f"[{' '.join(map(str, EVERY))}]",
    "Java": "new byte[] {" + ", ".join(f"(byte) 0x{each:02X}" for each in EVERY) + "}",
    "Java, Arrays.toString": str([each - 256 if each > 127 else each for each in EVERY]),
    "JavaScript": f"Uint8Array(256) [ {', '.join(map(str, EVERY))} ]",
    "JavaScript, a Buffer": f"<Buffer {EVERY.hex(' ')}>",
    "JavaScript, JSON of a Buffer": json.dumps({"type": "Buffer", "data": list(EVERY)}),
    "JavaScript, Buffer.from": f"Buffer.from('{EVERY.hex()}', 'hex')",
    "Python": repr(EVERY),
    "Python, a bytearray": repr(bytearray(EVERY)),
    "Python, fromhex": f'bytes.fromhex("{EVERY.hex()}")',
    "Rust": "&[" + ", ".join(f"{each:#04x}u8" for each in EVERY) + "]",
    "Rust, vec": f"vec!{list(EVERY)}",
    "Rust, a byte string": f'b"{escaped(EVERY)}"',
    "Erlang": f"<<{','.join(map(str, EVERY))}>>",
    "C, octal escapes": f'"{escaped(EVERY, chr(92) + "{:03o}")}"',
    "escapes without quotes": "".join(f"\\x{each:02x}" for each in EVERY),
}

DUMPS = {
    "xxd": "00000000: 0000 000a 0012 0000 0000 0007 0000       ..............\n",
    "xxd -g1": "00000000: 00 00 00 0a 00 12 00 00 00 00 00 07 00 00        ..............\n",
    "hexdump": "0000000 0000 0a00 1200 0000 0000 0700 0000     \n000000e\n",
    "hexdump -C": "00000000  00 00 00 0a 00 12 00 00  00 00 00 07 00 00        |..............|\n0000000e\n",
    "od": "0000000 000000 005000 011000 000000 000000 003400 000000\n0000016\n",
    "od -t x1": "0000000 00 00 00 0a 00 12 00 00 00 00 00 07 00 00\n0000016\n",
    "od -b": "0000000 000 000 000 012 000 022 000 000 000 000 000 007 000 000\n0000016\n",
    "od -A d -t u1": "0000000   0   0   0  10   0  18   0   0   0   0   0   7   0   0\n0000014\n",
    "Wireshark": "0000   00 00 00 0a 00 12 00 00 00 00 00 07 00 00         ..............\n",
    "Wireshark, follow": "00000000  00 00 00 0a 00 12 00 00  00 00 00 07 00 00           ........ ......\n",
    "tshark, follow": "====\nFollow: tcp,hex\nFilter: tcp.stream eq 0\nNode 0: 127.0.0.1:4001\n"
    "00000000  00 00 00 0a 00 12 00 00  00 00 00 07 00 00           ........ ......\n====\n",
}


@pytest.mark.parametrize("form", HEX)
def test_hex_is_read_with_separators_between_digits(form: str) -> None:
    assert of(HEX[form]) == FRAME


@pytest.mark.parametrize("form", LITERALS)
def test_literal_has_its_bytes_of_a_compiler(form: str) -> None:
    assert of(LITERALS[form]) == EVERY


@pytest.mark.parametrize("form", DUMPS)
def test_column_of_offsets_is_no_part_of_the_bytes(form: str) -> None:
    assert of(DUMPS[form]) == FRAME


def test_star_in_a_dump_repeats_its_line() -> None:
    zeros = "00000000  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|\n*\n00000040\n"
    assert of(zeros) == bytes(64)


@pytest.mark.parametrize(
    "dump",
    [
        (
            "00000000  00 00 00 18 00 03 00 01  00 00 00 07 00 03 63 6c  |..............cl|\n"
            "00000010  69 00 00 00 01 00 02 74  31                       |i......t1|\n00000019\n"
        ),
        (
            "00000000: 0000 0018 0003 0001 0000 0007 0003 636c  ..............cl\n"
            "00000010: 6900 0000 0100 0274 31                   i......t1\n"
        ),
    ],
)
def test_dump_is_read_in_one_base_of_its_offsets(dump: str) -> None:
    found = [len(each.data) for each in byte_texts(dump)]
    assert found[0] == 25
    assert 19 not in found


def test_characters_like_digits_are_no_bytes() -> None:
    assert of("00000000: 6162 6364 6566 6162 6364 6566 6162 6364  abcdefabcdefabcd\n") == b"abcdefabcdefabcd"


def test_streams_of_both_sides_are_pieces_of_their_own() -> None:
    text = "00000000  00 01\n    00000000  00 02\n00000002  00 03\n    00000002  00 04\n"
    assert byte_texts(text)[0].pieces == (b"\0\1\0\3", b"\0\2\0\4")


def test_base64_is_read_of_either_alphabet() -> None:
    assert of(base64.b64encode(EVERY).decode()) == EVERY
    assert of(base64.urlsafe_b64encode(EVERY).decode()) == EVERY


def test_digits_of_two_meanings_have_both_readings() -> None:
    found = {each.form: each.data for each in byte_texts("00 00 00 10 00 18 00 00")}
    assert found["hex digits"] == bytes.fromhex("0000001000180000")
    assert found["decimal numbers"] == bytes([0, 0, 0, 10, 0, 18, 0, 0])


@pytest.mark.parametrize(
    "text",
    ["<Buffer 00 00 ... 50 more bytes>", "[0, 0, 0, 10, ...]", "00 00 00 0a 0", "000", "00 00 00\n*\n00"],
    ids=["buffer", "list", "digit alone", "odd number", "repeated line"],
)
def test_text_with_lost_bytes_is_named_and_has_none(text: str, snapshot: SnapshotAssertion) -> None:
    [found] = [each for each in byte_texts(text) if each.note]
    assert found.note == snapshot
    assert found.pieces == ()


@pytest.mark.parametrize("text", ["", "hello world", "MetadataRequest, v12", "Response: {'a': 1}", "1.5 2.5"])
def test_other_texts_have_no_bytes(text: str) -> None:
    assert [each for each in byte_texts(text) if each.pieces] == []
