"""Apache Kafka's own generator of message classes, run in a JVM: what it says to a definition.

    text = '{"type": "data", "name": "A", "validVersions": "0+", "flexibleVersions": "0+"}'
    with KafkaGenerator() as generator:
        [refusal] = generator.refusals([text])
        refusal.stage, refusal.text    # "generated", "... Message A does not specify a maximum version."

The program is in `java-generator/`; Maven builds it once, into the user's cache. It gives each definition to the
generator as Kafka's build does; on demand, the Java compiler has a look at the classes that come out.
"""

from __future__ import annotations

import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Self

from conformance.bridge.transport import JsonLinesProcess
from conformance.harnesses.building import JVM_OPTIONS, build_java, tool

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import TracebackType

RELEASE = "4.2.0"
"""The newest release whose generator is published."""

PROGRAM = "java-generator"
MAIN_CLASS = "kafkawire.generator.Judge"
PACKAGE = "org/apache/kafka/common/message"
"""Where a jar of Apache Kafka has the classes of its messages."""

DEFINITIONS = "common/message"
"""Where it has their definitions."""

DEADLINE = 300.0
"""Seconds that one batch may take to compile."""


@dataclass(frozen=True)
class Refusal:
    """Why the generator, or the Java compiler after it, does not take a definition."""

    stage: str
    """`read`, `generated` or `compiled`."""
    text: str
    """The exception, or what the compiler says."""


class KafkaGenerator:
    """One JVM with the generator. Not for use by several threads at a time."""

    def __init__(self, release: str = RELEASE) -> None:
        self.release = release
        self._process: JsonLinesProcess | None = None

    def __enter__(self) -> Self:
        class_path = str(build_java(PROGRAM, self.release) / "*")
        command = (tool("java"), *JVM_OPTIONS, "-cp", class_path, MAIN_CLASS)
        self._process = JsonLinesProcess(command, deadline=DEADLINE)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._process is not None:
            self._process.close()
            self._process = None

    def refusals(self, texts: Sequence[str], *, compiled: bool = False) -> list[Refusal | None]:
        """What is said to each definition, in order; None: it is accepted.

        Args:
            texts: the definitions, each as the text of its file; some hundreds, to be compiled together.
            compiled: whether what is generated is also compiled, which takes most of the time.

        Raises:
            HarnessError: the JVM does not answer; what it wrote to standard error is in the text.
        """
        with tempfile.TemporaryDirectory() as folder:
            packages = [f"definition{number}" for number in range(len(texts))]
            refusals = self._generate(texts, packages, Path(folder))
            complaints = self._compile(Path(folder)) if compiled else {}
        return [refusal or complaints.get(str(number)) for number, refusal in enumerate(refusals)]

    def evolution_refusals(self, pairs: Sequence[tuple[str, str]]) -> list[str | None]:
        """What Apache Kafka's EvolutionVerifier says to each old and new definition, in order; None: it is satisfied.

        Raises:
            HarnessError: the JVM does not answer; what it wrote to standard error is in the text.
        """
        replies = self._running.exchange({"op": "evolve", "old": old, "new": new} for old, new in pairs)
        return [None if reply["outcome"] == "accepted" else reply["text"] for reply in replies]

    def jar(self, definitions: Mapping[str, str], jar: Path) -> None:
        """Write a jar with definitions and their classes, as those of Apache Kafka's own messages are.

        Args:
            definitions: the text of each, by the name of the message.
            jar: the file to write.

        Raises:
            ValueError: one of them is refused.
            HarnessError: the JVM does not answer.
        """
        with tempfile.TemporaryDirectory() as folder:
            texts = list(definitions.values())
            refusals = self._generate(texts, [PACKAGE.replace("/", ".")] * len(texts), Path(folder))
            complaints = self._compile(Path(folder))
            if refused := [each for each in (*refusals, *complaints.values()) if each]:
                raise ValueError(f"{len(refused)} of the definitions have no classes; the first: {refused[0]}")
            with zipfile.ZipFile(jar, "w") as archive:
                for name, text in definitions.items():
                    archive.writestr(f"{DEFINITIONS}/{name}.json", text)
                for file in sorted((Path(folder) / "classes").rglob("*.class")):
                    archive.write(file, file.relative_to(Path(folder) / "classes"))

    def _generate(self, texts: Sequence[str], packages: Sequence[str], folder: Path) -> list[Refusal | None]:
        """Have the generator write the classes of each definition into a folder of its own, below `sources`."""
        sources = folder / "sources"
        sources.mkdir()
        replies = self._running.exchange(
            {"op": "generate", "definition": text, "package": package, "sources": str(sources / str(number))}
            for number, (text, package) in enumerate(zip(texts, packages, strict=True))
        )
        return [None if reply["outcome"] == "accepted" else Refusal(reply["stage"], reply["text"]) for reply in replies]

    def _compile(self, folder: Path) -> dict[str, Refusal]:
        """What the compiler objects to, by the number of the definition."""
        classes = folder / "classes"
        classes.mkdir()
        request = {"op": "compile", "sources": str(folder / "sources"), "classes": str(classes)}
        [reply] = self._running.exchange([request])
        return {Path(file).parts[0]: Refusal("compiled", text) for file, text in reply["complaints"].items()}

    @property
    def _running(self) -> JsonLinesProcess:
        if self._process is None:
            raise RuntimeError("KafkaGenerator is a context manager: use it in a `with` statement")
        return self._process
