"""The running harness of a library of another language, and the check of any harness."""

from typing import Any

from conformance.adapters.harnesses.libraries import ForeignLibrary
from conformance.codec.bridge.child_client import Client, Policy
from conformance.codec.bridge.harness_check import HarnessUnderCheck, check_hello, run_checks
from conformance.codec.bridge.protocol import hello_request
from conformance.codec.bridge.transport import JsonLinesProcess, program
from reference import load_release
from tests.helpers.releases import BASE

RELEASE = load_release(BASE)


class Library(Client):
    """One running harness, and its reply to `hello`."""

    def __init__(self, *command: str, release: str = BASE) -> None:
        super().__init__(lambda _: JsonLinesProcess(program(command)), Policy.RAISE)
        self.hello = self.ask(hello_request(load_release(release)))

    @classmethod
    def of(cls, language: str, name: str, release: str = BASE) -> "Library":
        """Start the harness of a library."""
        return cls(*ForeignLibrary(language, name).harness_command(), release=release)

    def encode(self, message: str, version: int, value: Any) -> dict[str, Any]:
        return self.ask({"op": "encode", "message": message, "version": version, "value": value})

    def decode(self, message: str, version: int, wire: str) -> dict[str, Any]:
        return self.ask({"op": "decode", "message": message, "version": version, "wire": wire})


def check_harness(*command: str, notes: bool = True) -> dict[str, Any]:
    """Assert that `bridge check` finds a harness sound, without notes unless they are allowed, and return its hello."""
    harness = HarnessUnderCheck(command, RELEASE, 10.0)
    hello, problems = check_hello(harness)
    assert not problems
    assert [each for _, found in run_checks(harness, hello) for each in found if not (notes and each.is_note)] == []
    return hello
