"""The loading of Python adapters for tests."""

from conformance.codec.bridge.loading import load_codec
from conformance.codec.loaded_adapter import LoadedAdapter
from conformance.codec.python_codec import PythonCodec
from conformance.codec.session import Session
from reference import Release


def load_adapter(spec: str, release: Release | None = None) -> LoadedAdapter:
    """Return the adapter of a spec, which is no program."""
    codec = load_codec(spec, release)
    assert isinstance(codec, PythonCodec)
    return codec.claims


def adapter_of(session: Session) -> LoadedAdapter:
    """Return the Python adapter of a session."""
    assert isinstance(session.claims, LoadedAdapter)
    return session.claims
