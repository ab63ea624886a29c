"""The choice of an engine."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from conformance.campaign.pipeline.errors import EngineUnavailable, SparkUnavailable
from conformance.campaign.pipeline.processes import ProcessEngine
from conformance.campaign.pipeline.requirements import LOCAL_PACKAGES, require_packages, require_spark
from conformance.campaign.pipeline.spark_session import REMOTE, SUBMITTED, active_session, spark_session
from conformance.system.terminal import echo

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from conformance.campaign.pipeline.engines import Engine
    from conformance.campaign.pipeline.storage import Storage


class Choice(NamedTuple):
    """The options for the choice of an engine, with `workers` processes without Spark, which `in_process` rules out."""

    master: str | None
    settings: Mapping[str, str]
    workers: int
    in_process: bool = False

    @property
    def wants_spark(self) -> bool:
        """Whether the user asks for Spark, by an option, in the environment or by an active session."""
        # PySpark is an extra, and is not imported here: a process with a session has imported it.
        is_asked = self.master is not None or self.settings or SUBMITTED in os.environ or REMOTE in os.environ
        return not self.in_process and bool(is_asked or ("pyspark" in sys.modules and active_session()))


SPARK_ADVICE = "install Java 17 and 'kafka-wire-conformance[spark]'"


@contextmanager
def opened(choice: Choice, places: Iterable[Storage] = ()) -> Iterator[Engine]:
    """Yield Spark if it is asked for or installed, else processes, and print the choice on standard error.

    Raises:
        SparkUnavailable: Spark is asked for, or needed for a URI, and is not installed.
        EngineUnavailable: nothing is installed.
    """
    has_uri = any(not place.is_local for place in places)
    if not choice.in_process and (choice.wants_spark or has_uri or _has_spark()):
        with on_spark(choice) as engine:
            advice = "" if choice.wants_spark else "; --in-process takes processes of this machine"
            echo(f"on {engine.name}{advice}", err=True)
            yield engine
        return
    try:
        require_packages(LOCAL_PACKAGES, "local")
    except SparkUnavailable as error:
        raise EngineUnavailable(f"{error} Or {SPARK_ADVICE}.") from error
    engine = ProcessEngine(choice.workers)
    echo(f"in {engine.name}{'' if choice.in_process else f'; for Spark {SPARK_ADVICE}'}", err=True)
    yield engine


@contextmanager
def reached(*places: Storage, settings: Mapping[str, str] | None = None) -> Iterator[None]:
    """Reach places that are URIs by a session of Spark with some settings, as long as the context lasts."""
    if all(place.is_local for place in places):
        yield
        return
    with spark_session(settings=settings):
        yield


def _has_spark() -> bool:
    try:
        require_spark()
    except SparkUnavailable:
        return False
    return True


@contextmanager
def on_spark(choice: Choice) -> Iterator[Engine]:
    """Yield an engine on Spark's active session, or on a new one."""
    with spark_session(choice.master, choice.settings) as session:
        from conformance.campaign.pipeline.spark import SparkEngine  # noqa: PLC0415  # pyarrow is an extra

        yield SparkEngine(session)
