"""Record batches for tests, with a codec of them alone and a session with it."""

from collections.abc import Callable
from typing import Any

from conformance.codec.loaded_adapter import LoadedAdapter
from conformance.codec.python_codec import PythonCodec
from conformance.codec.session import Session
from conformance.targets.record_claims import RecordsClaims
from reference import CodecError, Unencodable, decode_records, encode_records
from tests.helpers.sessions import session_of

Value = dict[str, Any]


def records_session(
    encode: Callable[[Value], bytes] | None = encode_records,
    decode: Callable[[bytes], Any] | None = decode_records,
    **words: Any,
) -> Session:
    """Return a session with a codec of record batches.

    The words are its claims, with underscores for hyphens.
    """
    claims = RecordsClaims.of({name.replace("_", "-"): value for name, value in words.items()})
    adapter = LoadedAdapter(
        "",
        "records",
        "0",
        {"encode": {}, "decode": {}},
        encode_records=encode,
        decode_records=decode,
        records=claims,
        rejections=(CodecError,),
    )
    return session_of(PythonCodec(adapter))


def refuse_all(*_: Any) -> Any:
    """Refuse any value and any bytes."""
    raise Unencodable("missing-field", "", "", "")  # type: ignore[arg-type]  # only its class matters


def changed(
    change: Callable[[Value], Any], decode: Callable[[bytes], Value] = decode_records
) -> Callable[[bytes], Any]:
    """Return a reader that changes its result.

    The return value of the change replaces the result, unless it is None.
    """

    def read(data: bytes) -> Any:
        value = decode(data)
        other = change(value)
        return value if other is None else other

    return read


class Recorder:
    """A reader that keeps its bytes."""

    def __init__(self) -> None:
        self.asked: list[bytes] = []

    def __call__(self, data: bytes) -> Value:
        self.asked.append(data)
        return decode_records(data)
