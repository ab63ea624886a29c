"""The official names of the weaknesses that `specs/rules.toml` numbers.

The CWE (https://cwe.mitre.org/) is the list of kinds of weaknesses that scanners and advisories share. A rule has the
numbers of those that a reader or a server shows by breaking it.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import NamedTuple

SITE = "https://cwe.mitre.org/"

NAMES = MappingProxyType(
    {
        20: "Improper Input Validation",
        125: "Out-of-bounds Read",
        130: "Improper Handling of Length Parameter Inconsistency",
        190: "Integer Overflow or Wraparound",
        197: "Numeric Truncation Error",
        248: "Uncaught Exception",
        306: "Missing Authentication for Critical Function",
        354: "Improper Validation of Integrity Check Value",
        400: "Uncontrolled Resource Consumption",
        409: "Improper Handling of Highly Compressed Data (Data Amplification)",
        460: "Improper Cleanup on Thrown Exception",
        674: "Uncontrolled Recursion",
        772: "Missing Release of Resource after Effective Lifetime",
        789: "Memory Allocation with Excessive Size Value",
        835: "Loop with Unreachable Exit Condition ('Infinite Loop')",
        839: "Numeric Range Comparison Without Minimum Check",
        1284: "Improper Validation of Specified Quantity in Input",
        1286: "Improper Validation of Syntactic Correctness of Input",
        1335: "Incorrect Bitwise Shift of Integer",
    }
)
"""By number, those that rules have and no others."""


class Weakness(NamedTuple):
    """A weakness by its number and its official name."""

    number: int
    name: str

    @property
    def label(self) -> str:
        """The number as texts cite it: `CWE-789`."""
        return f"CWE-{self.number}"

    @property
    def address(self) -> str:
        """The address of its page at MITRE."""
        return f"{SITE}data/definitions/{self.number}.html"


def weakness(number: int) -> Weakness:
    """Return the weakness of a number that a rule names."""
    return Weakness(number, NAMES[number])
