"""The session of an implementation, with a child process for hostile bytes, until it is closed."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from conformance.codec.bridge.isolation import ChildCodec, DecodeLimits
from conformance.codec.bridge.learning import learnt
from conformance.codec.bridge.loading import load_codec
from conformance.codec.selection import offered
from conformance.codec.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reference import Release


@contextmanager
def open_session(
    impl: str,
    release: Release,
    limits: DecodeLimits | None = None,
    *,
    isolate_all: bool = False,
    corrects: bool = False,
) -> Iterator[Session]:
    """Load an implementation, or raise AdapterError, and yield its session with a child process for hostile bytes.

    With `isolate_all` the child answers everything. With `corrects` answers are corrected by the mistakes that the
    adapter makes in every value.
    """
    limits = limits or DecodeLimits()
    codec = load_codec(impl, release, deadline=limits.deadline)
    with ChildCodec(codec.claims.spec, release.name, **limits._asdict()) as child:
        session = Session(codec, release, child, isolate_all)
        schemas = offered(codec.claims, release.schemas()) if corrects else ()
        yield replace(session, learn=partial(learnt, schemas=schemas)) if corrects else session
