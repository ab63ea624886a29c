"""The session of an implementation, with a child process for hostile bytes, until it is closed."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from conformance.codec.bridge.isolation import DecodeLimits, IsolatedCodec
from conformance.codec.bridge.learning import learnt
from conformance.codec.bridge.loading import load_adapter
from conformance.codec.driver import Implementation
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
    """Load an implementation, and yield its session with a child process for hostile bytes.

    With `isolate_all` the child answers everything. With `corrects` answers are corrected by the mistakes that the
    adapter makes in every value.

    Raises:
        AdapterError: the implementation cannot be loaded.
    """
    limits = limits or DecodeLimits()
    implementation = Implementation(load_adapter(impl, release, deadline=limits.deadline))
    with IsolatedCodec(implementation.adapter.spec, release.name, **limits._asdict()) as child:
        session = Session(implementation, release, child, isolate_all)
        schemas = offered(implementation, release.schemas()) if corrects else ()
        yield replace(session, learn=partial(learnt, schemas=schemas)) if corrects else session
