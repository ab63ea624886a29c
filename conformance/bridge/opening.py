"""An implementation, opened: its session, with a child process for hostile bytes, until it is closed."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from conformance.bridge.isolation import IsolatedCodec, Limits
from conformance.bridge.loading import load_adapter
from conformance.implementation.driver import Implementation
from conformance.implementation.loaded_adapter import is_over_stdio
from conformance.implementation.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reference import Release


@contextmanager
def open_session(
    impl: str, release: Release, limits: Limits | None = None, *, isolate_all: bool = False
) -> Iterator[Session]:
    """Load an implementation, and yield its session with a child process for hostile bytes.

    With `isolate_all` everything is asked of the child; it then loads the implementation first, within its limits.

    Raises:
        AdapterError: the implementation cannot be loaded.
        HarnessStartError: the child cannot load it.
    """
    limits = limits or Limits()
    with ExitStack() as children:
        child = None
        if isolate_all and not is_over_stdio(impl):
            child = children.enter_context(IsolatedCodec(impl, release.name, **limits._asdict()))
            child.start()
        implementation = Implementation(load_adapter(impl, release, deadline=limits.deadline))
        if child is None or implementation.is_over_bridge:
            spec = implementation.adapter.spec
            child = children.enter_context(IsolatedCodec(spec, release.name, **limits._asdict()))
        yield Session(implementation, release, child, isolate_all)
