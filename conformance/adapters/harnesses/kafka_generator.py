"""Apache Kafka's own generator of message classes, run in a JVM to learn whether it accepts a definition.

    text = '{"type": "data", "name": "A", "validVersions": "0+", "flexibleVersions": "0+"}'
    with KafkaGenerator() as generator:
        [refusal] = generator.refusals([text])
        refusal.stage, refusal.text    # "generated", "... Message A does not specify a maximum version."

The program is in `java-generator/`; Maven builds it once, into the user's cache. It gives each definition to the
generator as Kafka's build does. On demand, it also compiles the generated classes.
"""

from __future__ import annotations

import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Self

from conformance.adapters.harnesses.java_programs import JVM_OPTIONS, build_java, newest_built
from conformance.adapters.harnesses.toolchains import tool
from conformance.codec.bridge.child_client import Client, Policy
from conformance.codec.bridge.transport import JsonLinesProcess, program

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PROGRAM = "java-generator"
MAIN_CLASS = "kafkawire.generator.Judge"
PACKAGE = "org/apache/kafka/common/message"
"""The folder of the message classes in a jar of Apache Kafka."""

DEFINITIONS = "common/message"
"""The folder of their definitions."""

DEADLINE = 300.0
"""Seconds for the compilation of one batch."""


@dataclass(frozen=True)
class Complaint:
    """The reason why the generator, or the Java compiler after it, refuses a definition."""

    stage: str
    """`read`, `generated` or `compiled`."""
    text: str
    """The exception, or the messages of the compiler."""


class KafkaGenerator(Client):
    """One JVM with the generator, by default of the newest release with a published one. It is not thread-safe."""

    def __init__(self, release: str = "") -> None:
        self.release = release or newest_built(PROGRAM)
        super().__init__(self._jvm, Policy.RAISE, deadline=DEADLINE)

    def __enter__(self) -> Self:
        self.start()
        return self

    def _jvm(self, _request: object) -> JsonLinesProcess:
        class_path = str(build_java(PROGRAM, self.release) / "*")
        return JsonLinesProcess(program((tool("java"), *JVM_OPTIONS, "-cp", class_path, MAIN_CLASS)))

    def refusals(self, texts: Sequence[str], *, compiled: bool = False) -> list[Complaint | None]:
        """Return the complaint about each definition in order, or None for an accepted one.

        With `compiled` the classes of all are compiled together, some hundreds at a time, which takes most of the time.
        The `HarnessError` of a JVM that does not start or answer has its standard error.
        """
        with tempfile.TemporaryDirectory() as folder:
            packages = [f"definition{number}" for number in range(len(texts))]
            refusals = self._generate(texts, packages, Path(folder))
            complaints = self._compile(Path(folder)) if compiled else {}
        return [refusal or complaints.get(str(number)) for number, refusal in enumerate(refusals)]

    def jar(self, definitions: Mapping[str, str], jar: Path) -> None:
        """Write a jar with definitions, by message, and their classes, in the layout of Apache Kafka's own jars.

        Raises:
            ValueError: one of them is refused.
            HarnessError: the JVM does not start or does not answer.
        """
        with tempfile.TemporaryDirectory() as folder:
            texts = list(definitions.values())
            refusals = self._generate(texts, [PACKAGE.replace("/", ".")] * len(texts), Path(folder))
            complaints = self._compile(Path(folder))
            if refused := [refusal for refusal in (*refusals, *complaints.values()) if refusal]:
                raise ValueError(f"{len(refused)} of the definitions have no classes; the first: {refused[0]}")
            with zipfile.ZipFile(jar, "w") as archive:
                for name, text in definitions.items():
                    archive.writestr(f"{DEFINITIONS}/{name}.json", text)
                for file in sorted((Path(folder) / "classes").rglob("*.class")):
                    archive.write(file, file.relative_to(Path(folder) / "classes"))

    def _generate(self, texts: Sequence[str], packages: Sequence[str], folder: Path) -> list[Complaint | None]:
        sources = folder / "sources"
        sources.mkdir()
        replies = self.ask_many(
            [
                {"op": "generate", "definition": text, "package": package, "sources": str(sources / str(number))}
                for number, (text, package) in enumerate(zip(texts, packages, strict=True))
            ]
        )
        return [None if each["outcome"] == "accepted" else Complaint(each["stage"], each["text"]) for each in replies]

    def _compile(self, folder: Path) -> dict[str, Complaint]:
        classes = folder / "classes"
        classes.mkdir()
        reply = self.ask({"op": "compile", "sources": str(folder / "sources"), "classes": str(classes)})
        return {Path(file).parts[0]: Complaint("compiled", text) for file, text in reply["complaints"].items()}
