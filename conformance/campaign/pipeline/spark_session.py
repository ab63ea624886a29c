"""The Spark session of a job, either the user's own or a new one.

Spark reads its own settings; a new session gets further ones only where the user has none. Workers get a zip of this
project to import.
"""

from __future__ import annotations

import os
import re
import signal
import sys
import threading
import warnings
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from conformance.campaign.pipeline.errors import SparkUnavailable
from conformance.campaign.pipeline.requirements import CONNECT_PACKAGES, require_java, require_packages
from conformance.campaign.pipeline.source_archive import send_archive
from conformance.system.own_processes import own_environment

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pyspark.sql import SparkSession

CONNECT = "sc://"
MASTER = "spark.master"
NAME, BAR = "spark.app.name", "spark.ui.showConsoleProgress"
PYTHON_SETTING = "spark.pyspark.python"
"""The workers' Python. PySpark reads only the environment variable, unless it is submitted."""
REMOTE, SUBMITTED, PYTHON, ADDRESS = "SPARK_REMOTE", "PYSPARK_GATEWAY_PORT", "PYSPARK_PYTHON", "SPARK_LOCAL_IP"
OPTIONS, ARGUMENTS = "SPARK_SUBMIT_OPTS", "PYSPARK_SUBMIT_ARGS"
LOGGING = ("LOG4J_CONFIGURATION_FILE", "JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", ARGUMENTS)
"""Environment variables that may name a configuration of log4j. The one in OPTIONS has precedence over all."""
LOOPBACK = "127.0.0.1"
LOCAL = "local[*]"
ATTEMPTS = 4
"""The attempts of a task on one machine, as on a cluster. Spark's own number there is 1."""
_THREADS = re.compile(r"local(?:\[([0-9]+|\*)\])?")

USUAL = {
    NAME: "kafka-wire-conformance",
    BAR: "false",
    # Workers import this project from the archive, never from their current folder.
    "spark.executorEnv.PYTHONSAFEPATH": "1",
}
ON_LOOPBACK = {
    "spark.driver.bindAddress": LOOPBACK,
    "spark.driver.host": LOOPBACK,
    "spark.connect.grpc.binding.address": LOOPBACK,
}
"""On one machine, Spark listens to the loopback interface only."""


@contextmanager
def spark_session(master: str | None = None, settings: Mapping[str, str] | None = None) -> Iterator[SparkSession]:
    """Yield the active session, or start one and stop it at the end.

    The workers of the session can import this project.

    Args:
        master: Spark's master: `local[*]`, `local[2]`, `spark://host:7077`, `sc://host`, ... Without it Spark has that
            of spark-submit, SPARK_REMOTE or spark-defaults.conf, else `local[*]`. Another master than that of an active
            session, of spark-submit or SPARK_REMOTE is an error.
        settings: settings of Spark that replace all others. Different settings of an active session are an error.

    Raises:
        SparkUnavailable: PySpark, one of its packages, or Java 17 is missing; Spark does not start; or the session is
            not as requested.
    """
    require_packages()
    given = {**(settings or {}), **({MASTER: master} if master else {})}
    active = active_session()
    if active is not None:
        _require_same(active, given)
    session = active or _started(given)
    try:
        if SUBMITTED in os.environ or not is_on_this_machine(session):
            send_archive(session)
        yield session
    finally:
        if active is None:
            _stop(session)


def wants_spark(master: str | None, settings: Mapping[str, str]) -> bool:
    """Return whether a command with optional use of Spark runs on it.

    It does with a master or a setting, under spark-submit, with SPARK_REMOTE, and in a process with an active session.
    PySpark is an extra, and is not imported here: a process with a session has imported it.

    Args:
        master: the user's master; None if none is given.
        settings: the user's settings of Spark.
    """
    is_requested = master is not None or bool(settings)
    is_of_the_environment = SUBMITTED in os.environ or REMOTE in os.environ
    return is_requested or is_of_the_environment or ("pyspark" in sys.modules and active_session() is not None)


def active_session() -> SparkSession | None:
    """Return the active session of this process, or None.

    It may be a classic one or one of Spark Connect.
    """
    from pyspark.errors import PySparkRuntimeError  # noqa: PLC0415  # an extra
    from pyspark.sql import SparkSession, is_remote  # noqa: PLC0415  # an extra

    if is_remote():
        with suppress(PySparkRuntimeError):
            return SparkSession.active()
        return None
    from pyspark import SparkContext  # noqa: PLC0415  # an extra

    if SparkContext._active_spark_context is None:  # noqa: SLF001  # all that is public starts a context
        return None
    return SparkSession.getActiveSession() or SparkSession.builder.getOrCreate()


def is_connect(session: SparkSession) -> bool:
    """Return whether a session is one of Spark Connect."""
    return type(session).__module__.startswith("pyspark.sql.connect")


def is_on_this_machine(session: SparkSession) -> bool:
    """Return whether a session's workers are processes of this machine, with its Python."""
    return not is_connect(session) and str(session.conf.get(MASTER)).partition("[")[0] == "local"


def hadoop_path(uri: str) -> tuple[Any, Any]:
    """Return Hadoop's file system of a URI, by the settings of the active session, and the path in it.

    Raises:
        SparkUnavailable: there is no session, or one of Spark Connect, which has no file systems for its client.
    """
    session = active_session()
    if session is None or is_connect(session):
        raise SparkUnavailable(f"{uri} is reached by a Spark session alone, and not by one of Spark Connect")
    context: Any = session.sparkContext
    path = context._jvm.org.apache.hadoop.fs.Path(uri)  # noqa: SLF001  # PySpark has no public way to files
    return path.getFileSystem(context._jsc.hadoopConfiguration()), path  # noqa: SLF001  # likewise


def _require_same(session: SparkSession, given: Mapping[str, str]) -> None:
    """Check that an active session has the requested settings."""
    for key, value in given.items():
        actual = _address(session, value) if key == MASTER else session.conf.get(key, None)
        if actual not in {value, _retrying(value)}:
            option = f"--master {value}" if key == MASTER else f"--conf {key}={value}"
            raise SparkUnavailable(
                f"{option} was asked for, and the active Spark session has {key} {actual}. "
                "Leave the option out, or stop the session first."
            )


def _address(session: SparkSession, requested: str) -> str | None:
    """Return the master of a session.

    For Spark Connect it is the requested one, if that has the session's host.
    """
    if not is_connect(session):
        return session.conf.get(MASTER, None)
    from pyspark.sql.connect.client import DefaultChannelBuilder  # noqa: PLC0415  # an extra

    host = session.client.host
    is_requested = requested.startswith(CONNECT) and DefaultChannelBuilder(requested).host == host
    return requested if is_requested else f"{CONNECT}{host}"


def _started(given: Mapping[str, str]) -> SparkSession:
    """Start a session.

    Raises:
        SparkUnavailable: it does not start, or the environment names another master.
    """
    from py4j.protocol import Py4JError, Py4JJavaError  # noqa: PLC0415  # an extra
    from pyspark.errors import PySparkException  # noqa: PLC0415  # an extra

    remote, requested = os.environ.get(REMOTE), given.get(MASTER, "")
    _require_no_other(requested, REMOTE, remote)
    url = remote or requested
    is_remote = remote is not None or url.startswith(CONNECT)
    if is_remote:
        require_packages(CONNECT_PACKAGES, "connect")
    if SUBMITTED not in os.environ and not url.startswith(CONNECT):
        require_java()
    try:
        with _launching({**given, MASTER: url} if url else given), _interrupts_kept():
            return _remote(url, given) if is_remote else _classic(given)
    except (Py4JError, PySparkException) as error:
        problem = error.java_exception.getMessage() if isinstance(error, Py4JJavaError) else error
        where = f" with master {url!r}" if url else ""
        raise SparkUnavailable(
            f"Spark does not start{where}: {problem}. See its messages above, --master and --conf."
        ) from error


def _require_no_other(requested: str, source: str, master: str | None) -> None:
    """Check that a requested master is that of another source, if it has one."""
    if requested and master not in {None, requested}:
        raise SparkUnavailable(
            f"--master {requested} was asked for, and {source} says {master}. Leave one of them out."
        )


def _classic(given: Mapping[str, str]) -> SparkSession:
    """Start a session in this process."""
    from pyspark import SparkConf, SparkContext  # noqa: PLC0415  # an extra
    from pyspark.sql import SparkSession  # noqa: PLC0415  # an extra

    launch = {**({} if _has_settings() else {BAR: USUAL[BAR]}), **given}  # the launcher would switch the bar on
    SparkContext._ensure_initialized(conf=SparkConf(loadDefaults=False).setAll([*launch.items()]))  # noqa: SLF001  # only then Spark tells the user's settings
    known = dict(SparkConf().getAll())
    if SUBMITTED in os.environ:
        _require_no_other(given.get(MASTER, ""), "spark-submit", known.get(MASTER))
    elif PYTHON_SETTING in known:
        os.environ[PYTHON] = known[PYTHON_SETTING]
    builder = SparkSession.builder
    for key, value in {**given, **lacking({**known, **given})}.items():
        builder = builder.config(key, value)
    return builder.getOrCreate()


def _remote(url: str, given: Mapping[str, str]) -> SparkSession:
    """Open a session on a server of Spark Connect, which PySpark starts here for a master of another kind."""
    from pyspark.sql import SparkSession  # noqa: PLC0415  # an extra

    settings = {**lacking({**given, MASTER: url}), **given} if not url.startswith(CONNECT) else {**given}
    settings.pop(MASTER, None)
    builder = SparkSession.builder.remote(_retrying(url))
    for key, value in settings.items():
        builder = builder.config(key, value)
    with warnings.catch_warnings():  # PySpark sets all of them again, and warns about those that cannot be changed
        warnings.filterwarnings("ignore", r"Failed to set .*CANNOT_MODIFY", UserWarning)
        return builder.getOrCreate()


def lacking(known: Mapping[str, str]) -> dict[str, str]:
    """Return further settings for a session: those that its user lacks.

    Args:
        known: the user's settings.
    """
    master, has_address = known.get(MASTER, LOCAL), known.keys() & ON_LOOPBACK.keys() or _is_elsewhere()
    usual = {**USUAL, **(ON_LOOPBACK if _is_local(master) and not has_address else {})}
    by_launcher = {"pyspark-shell", Path(sys.argv[0]).name}  # names for a program without a name
    own = {key for key in known if key != NAME or known[key] not in by_launcher}
    return {**{key: usual[key] for key in usual if key not in own}, MASTER: _retrying(master)}


def _is_elsewhere() -> bool:
    """Return whether the environment names another interface than that of loopback."""
    return os.environ.get(ADDRESS, LOOPBACK) != LOOPBACK


def _retrying(master: str) -> str:
    """Return a master with further attempts for a task of a lost Python worker."""
    threads = _THREADS.fullmatch(master)
    return f"local[{threads[1] or 1},{ATTEMPTS}]" if threads else master


def _is_local(master: str) -> bool:
    """Return whether all of Spark is on this machine."""
    return master.startswith(("local", f"spark://{LOOPBACK}:", "spark://localhost:"))


@contextmanager
def _launching(given: Mapping[str, str]) -> Iterator[None]:
    """Set the environment for Spark's launcher, where the user has nothing else, until the session is there."""
    further = {} if SUBMITTED in os.environ else launch_variables(given)
    before = {name: os.environ[name] for name in further if name in os.environ}
    os.environ.update(further)
    try:
        yield
    finally:
        for name in further:
            del os.environ[name]
        os.environ.update(before)


def launch_variables(given: Mapping[str, str]) -> dict[str, str]:
    """Return the variables for the workers' Python, the interface, and log4j's file.

    Workers on this machine import this project from its folder, not from an archive, which is slower. A folder of the
    user's settings may name a cluster, or a file of log4j.
    """
    variables, configured = {PYTHON: given.get(PYTHON_SETTING) or os.environ.get(PYTHON, sys.executable)}, _configured()
    master = given.get(MASTER) or ("" if _has_settings() else LOCAL)
    if master.startswith("local"):
        variables["PYTHONPATH"] = own_environment()["PYTHONPATH"]
    if _is_local(master):
        variables[ADDRESS] = os.environ.get(ADDRESS, LOOPBACK)
    is_logging = any(name.startswith("log4j2") for name in configured)
    if not is_logging and not any("log4j" in os.environ.get(name, "").lower() for name in LOGGING):
        quiet = f"-Dlog4j2.configurationFile={Path(__file__).with_name('log4j2.properties').as_uri()}"
        variables[OPTIONS] = f"{quiet} {os.environ.get(OPTIONS, '')}".strip()  # the last of two options wins
    return variables


def _has_settings() -> bool:
    """Return whether the user has settings of Spark, which only Spark reads."""
    return "spark-defaults.conf" in _configured() or ARGUMENTS in os.environ


def _configured() -> set[str]:
    """Return the names of the files with the user's settings of Spark."""
    from pyspark.find_spark_home import _find_spark_home  # noqa: PLC0415  # an extra

    folder = Path(os.environ.get("SPARK_CONF_DIR") or Path(_find_spark_home(), "conf"))
    return {path.name for path in folder.iterdir()} if folder.is_dir() else set()


@contextmanager
def _interrupts_kept() -> Iterator[None]:
    """Keep the handler of control-C.

    PySpark's own handler sends Java a request in the middle of another one, which fails.
    """
    is_main = threading.current_thread() is threading.main_thread()
    handler = signal.getsignal(signal.SIGINT) if is_main else None
    try:
        yield
    finally:
        if handler is not None:
            signal.signal(signal.SIGINT, handler)


def _stop(session: SparkSession) -> None:
    """Stop a session, unless its Java has ended already."""
    from py4j.protocol import Py4JError  # noqa: PLC0415  # an extra

    with suppress(Py4JError, OSError):
        session.stop()
