"""The Spark session of a job, either the user's own or a new one.

This module looks for a suitable Java, and gives workers a zip of this project to import.
"""

from __future__ import annotations

import atexit
import os
import re
import shutil
import signal
import sys
import threading
import warnings
import zipfile
from contextlib import contextmanager, nullcontext, suppress
from functools import cache, lru_cache
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING

from conformance.campaign.spark.settings import BINDING, SUBMITTED, added, launch_environment, launched, retrying
from conformance.campaign.spark.spark_errors import SparkUnavailable
from conformance.system.program_runs import run

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pyspark.sql import SparkSession

PACKAGES = ("pyspark", "pandas", "pyarrow")
CONNECT_PACKAGES = ("grpc", "grpc_status", "google.rpc")
REMOTE = "SPARK_REMOTE"
CONNECT = "sc://"
MASTER = "spark.master"


@contextmanager
def spark_session(master: str | None = None, settings: Mapping[str, str] | None = None) -> Iterator[SparkSession]:
    """Yield the active session, or start one and stop it at the end.

    The workers of the session can import this project.

    A new session has the master of spark-submit or of SPARK_REMOTE, else `master`, else that of spark-defaults.conf,
    else `local[*]`. Settings not made by the user are added.

    Args:
        master: Spark's master: `local[*]`, `local[2]`, `spark://host:7077`, `sc://host`, ... If a session is active,
            and under spark-submit and SPARK_REMOTE, another master is an error.
        settings: settings of Spark that replace all others. Different settings of an active session are an error.

    Raises:
        SparkUnavailable: PySpark, one of its packages, or Java 17 is missing; Spark does not start; or the session is
            not as requested.
    """
    require_packages()
    given = {**({MASTER: master} if master else {}), **(settings or {})}
    active = active_session()
    if active is not None:
        _require_same(active, given)
        send_archive(active)
        yield active
        return
    session = _started(given)
    try:
        if SUBMITTED in os.environ or not is_on_this_machine(session):
            send_archive(session)
        yield session
    finally:
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


def _require_same(session: SparkSession, given: Mapping[str, str]) -> None:
    """Check that an active session has the requested settings."""
    for key, value in given.items():
        actual = _address(session, value) if key == MASTER else session.conf.get(key, None)
        if actual not in {value, retrying(value)}:
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
        SparkUnavailable: it does not start.
    """
    from py4j.protocol import Py4JError, Py4JJavaError  # noqa: PLC0415  # an extra
    from pyspark.errors import PySparkException  # noqa: PLC0415  # an extra

    requested, remote = given.get(MASTER), os.environ.get(REMOTE)
    if remote is not None and requested not in {None, remote}:
        raise SparkUnavailable(
            f"--master {requested} was asked for, and {REMOTE} says {remote}. Leave one of them out."
        )
    url = remote or requested or ""
    try:
        return _remote(url, given) if remote or url.startswith(CONNECT) else _classic(given)
    except (Py4JError, PySparkException) as error:
        problem = error.java_exception.getMessage() if isinstance(error, Py4JJavaError) else error
        where = f" with master {url!r}" if url else ""
        raise SparkUnavailable(
            f"Spark does not start{where}: {problem}. See its messages above, --master and --conf."
        ) from error


def _classic(given: Mapping[str, str]) -> SparkSession:
    """Start a session in this process, with the user's settings and added ones."""
    from pyspark import SparkConf, SparkContext  # noqa: PLC0415  # an extra
    from pyspark.sql import SparkSession  # noqa: PLC0415  # an extra

    is_submitted = SUBMITTED in os.environ
    if not is_submitted:
        require_java()
    with nullcontext() if is_submitted else launch_environment(given), _interrupts_kept():
        launch = SparkConf(loadDefaults=False).setAll(list(launched(given).items()))
        SparkContext._ensure_initialized(conf=launch)  # noqa: SLF001  # only then Spark tells the user's settings
        configured = dict(SparkConf().getAll())
        if is_submitted:
            _require_submitted(configured, given)
        builder = SparkSession.builder
        for key, value in {**given, **added({**configured, **given})}.items():
            builder = builder.config(key, value)
        return builder.getOrCreate()


def _require_submitted(configured: Mapping[str, str], given: Mapping[str, str]) -> None:
    """Check that spark-submit has the requested master."""
    if given.get(MASTER) not in {None, configured.get(MASTER)}:
        raise SparkUnavailable(
            f"--master {given[MASTER]} was asked for, and spark-submit says {configured.get(MASTER)}. "
            "Give --master to spark-submit alone."
        )


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


def _remote(url: str, given: Mapping[str, str]) -> SparkSession:
    """Open a session on a server of Spark Connect, and start a local server if needed."""
    from pyspark.sql import SparkSession  # noqa: PLC0415  # an extra

    require_packages(CONNECT_PACKAGES, "connect")
    settings = {key: value for key, value in given.items() if key != MASTER}
    is_here = not url.startswith(CONNECT)
    if is_here:
        require_java()
        settings = {**BINDING, **added({MASTER: url, **settings}), **settings}
        url = settings.pop(MASTER)
    with _server_started({**settings, MASTER: url}) if is_here else nullcontext():
        builder = SparkSession.builder.remote(url)
        for key, value in settings.items():
            builder = builder.config(key, value)
        return builder.getOrCreate()


@contextmanager
def _server_started(settings: Mapping[str, str]) -> Iterator[None]:
    """Allow the start of a Spark Connect server here with its settings.

    PySpark then sets all of them again, and would warn about settings that cannot be changed.
    """
    with launch_environment(settings), warnings.catch_warnings():
        warnings.filterwarnings("ignore", r"Failed to set .*CANNOT_MODIFY", UserWarning)
        yield


def _stop(session: SparkSession) -> None:
    """Stop a session, unless its Java has ended already."""
    from py4j.protocol import Py4JError  # noqa: PLC0415  # an extra

    with suppress(Py4JError, OSError):
        session.stop()


def is_on_this_machine(session: SparkSession) -> bool:
    """Return whether a session's workers are processes of this machine, with its Python."""
    return not is_connect(session) and str(session.conf.get(MASTER)).partition("[")[0] == "local"


def require_spark() -> None:
    """Check that Spark's packages and Java are installed.

    Raises the errors of `require_packages` and `require_java`.
    """
    require_packages()
    require_java()


def require_packages(packages: tuple[str, ...] = PACKAGES, extra: str = "spark") -> None:
    """Check that the packages of an extra are installed.

    Raises:
        SparkUnavailable: one is not.
    """
    missing = [package for package in packages if not _is_installed(package)]
    if missing:
        raise SparkUnavailable(
            f"not installed: {', '.join(missing)}. Install them with `pip install 'kafka-wire-conformance[{extra}]'`."
        )


def _is_installed(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ModuleNotFoundError:  # of the package around it
        return False


NEEDED = 17
ADVICE = f"Install Java {NEEDED} or later (any OpenJDK) and put `java` on the PATH, or let JAVA_HOME name its folder."
_VERSION = re.compile(r'version "(?:1\.)?([0-9]+)')


def require_java() -> int:
    """Return the major version of the Java for Spark.

    It is the Java of JAVA_HOME, else the first one on the PATH.

    Raises:
        SparkUnavailable: there is none, it does not start, or it is older than 17.
    """
    java = _java()
    try:
        answer = run([java, "-version"], seconds=60)
    except OSError as error:
        raise SparkUnavailable(f"{java} does not start: {error}. {ADVICE}") from error
    if answer.status != 0:
        raise SparkUnavailable(f"{java} does not start: {answer.text!r:.200}. {ADVICE}")
    match = _VERSION.search(answer.errors)
    if match is None:
        raise SparkUnavailable(f"{java} -version prints no version: {answer.errors!r:.200}. {ADVICE}")
    version = int(match[1])
    if version < NEEDED:
        raise SparkUnavailable(f"Spark needs Java {NEEDED} or later, and {java} is Java {version}. {ADVICE}")
    return version


def _java() -> str:
    home = os.environ.get("JAVA_HOME")
    java = str(Path(home) / "bin" / "java") if home else "java"
    path = shutil.which(java)
    if path is None:
        where = f"JAVA_HOME is {home}, where there is no bin/java" if home else "there is no `java` on the PATH"
        raise SparkUnavailable(f"Spark needs Java {NEEDED} or later, and {where}. {ADVICE}")
    return path


ARCHIVE = "kafka_wire_conformance.zip"
ARCHIVED = ("conformance", "reference", "specs")
SUFFIXES = frozenset((".md", ".py", ".json", ".toml"))
"""The suffixes of code, data and the book. The examples of the book are vectors."""
SOURCES = frozenset(
    (".cpp", ".cs", ".csproj", ".go", ".hpp", ".java", ".mjs", ".mod", ".rs", ".sum", ".template", ".xml")
)
"""The suffixes of harnesses in other languages. A worker finds a program by the hash of its sources, or builds it."""

EPOCH = (1980, 1, 1, 0, 0, 0)
"""The earliest time in a zip. All files have it, so the archive depends on their contents only."""

SESSIONS = 8
"""The number of this process's sessions to remember as having the archive."""


def write_archive(path: Path) -> None:
    """Write the packages and their data to a zip for `sys.path`."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for package in ARCHIVED:
            root = Path(str(files(package)))
            for file in sorted(root.rglob("*")):
                if file.suffix in SUFFIXES | SOURCES and file.is_file():
                    name = Path(package, file.relative_to(root)).as_posix()
                    archive.writestr(zipfile.ZipInfo(name, EPOCH), file.read_bytes(), zipfile.ZIP_DEFLATED)


@lru_cache(SESSIONS)
def send_archive(session: SparkSession) -> None:
    """Let the workers of a session import this project.

    The import path of this process does not change. A session gets the archive once.
    """
    path = list(sys.path)  # PySpark adds the archive to the path of the driver too
    session.addArtifacts(str(_kept_archive()), pyfile=True)
    sys.path[:] = path


@cache
def _kept_archive() -> Path:
    """Return an archive that exists for the life of this process.

    New executors of a session fetch it later.
    """
    folder = Path(mkdtemp(prefix="kafka-wire-conformance-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    write_archive(folder / ARCHIVE)
    return folder / ARCHIVE
