"""The checks of the book's examples, one for each form of table, by the names of its columns.

A table with one of these headers is checked row by row. Any other table is prose, and must not have a column with a
name ending in `bytes`.
"""

from collections.abc import Callable, Mapping

import pytest

from conformance.definitions.book import TableRow, bytes_of, form_of
from conformance.definitions.catalogue import ENCODE, UNSPECIFIED, catalogue
from reference import Result, Unencodable, load_release, newest_release
from reference.definitions.model import Definition
from reference.headers import request_header_version, response_header_version
from tests.specs.definition_examples import DEFINITION_CHECKS
from tests.specs.notation import subject_of
from tests.specs.record_batches import RECORD_CHECKS
from tests.specs.release_examples import RELEASE_CHECKS

Definitions = Mapping[str, Definition]
Check = Callable[[TableRow, Definitions], None]

REFUSES = "refuses"
REJECTS = "rejects"
NOTHING = "-"


def check_valid(row: TableRow, definitions: Definitions) -> None:
    """Check that the value has these bytes, and these bytes the value."""
    subject = subject_of(row["type"], definitions)
    value, wire = subject.value(form_of(row["value"])), bytes_of(row["bytes"])
    assert subject.encode(value).hex(" ") == wire.hex(" ")
    judgement = subject.judge(wire)
    assert (judgement.result, judgement.rules) == (Result.VALID, ())
    assert subject.equal(judgement.value, value)


def check_dropped(row: TableRow, definitions: Definitions) -> None:
    """Check that the value has these bytes, and these bytes another value, after a loss by the writer."""
    subject = subject_of(row["type"], definitions)
    wire = bytes_of(row["bytes"])
    assert subject.encode(subject.value(form_of(row["value given"]))).hex(" ") == wire.hex(" ")
    judgement = subject.judge(wire)
    assert (judgement.result, judgement.rules) == (Result.VALID, ())
    assert subject.equal(judgement.value, subject.value(form_of(row["value read"])))


def check_not_canonical(row: TableRow, definitions: Definitions) -> None:
    """Check that every reader must read these bytes as the value, though a writer writes others."""
    subject = subject_of(row["type"], definitions)
    judgement = subject.judge(bytes_of(row["valid bytes"]))
    assert judgement.result is Result.VALID
    assert judgement.rules
    assert subject.equal(judgement.value, subject.value(form_of(row["value"])))
    assert subject.encode(judgement.value).hex(" ") == bytes_of(row["written as"]).hex(" ")


def check_invalid(row: TableRow, definitions: Definitions) -> None:
    """Check that the oracle rejects these bytes with this reason, offset and rules."""
    judgement = subject_of(row["type"], definitions).judge(bytes_of(row["invalid bytes"]))
    assert judgement.result is Result.INVALID
    assert not judgement.accepted
    assert (str(judgement.reason or NOTHING), str(judgement.offset)) == (row["reason"], row["offset"])
    assert judgement.rules == tuple(row["rules"].split())


def check_unspecified(row: TableRow, definitions: Definitions) -> None:
    """Check that these bytes are unspecified, and how Apache Kafka reads and writes them, or rejects them."""
    subject = subject_of(row["type"], definitions)
    judgement = subject.judge(bytes_of(row["unspecified bytes"]))
    assert judgement.result is Result.UNSPECIFIED
    assert judgement.rules == tuple(row["rules"].split())
    assert judgement.accepted == (row["Apache Kafka reads"] not in (REJECTS, NOTHING))
    if not judgement.accepted:
        assert row["and writes"] == NOTHING
        return
    assert subject.equal(judgement.value, subject.value(form_of(row["Apache Kafka reads"])))
    if row["and writes"] == REFUSES:
        with pytest.raises(Unencodable):
            subject.encode(judgement.value)
    else:
        assert subject.encode(judgement.value).hex(" ") == bytes_of(row["and writes"]).hex(" ")


def check_refused(row: TableRow, definitions: Definitions) -> None:
    """Check that a writer refuses the value for this reason, by this rule."""
    subject = subject_of(row["type"], definitions)
    value = subject.value(form_of(row["refused value"]))
    with pytest.raises(Unencodable) as caught:
        subject.encode(value)
    assert (str(caught.value.reason), caught.value.rule) == (row["refusal"], row["rule"])


def check_unspecified_value(row: TableRow, definitions: Definitions) -> None:
    """Check that the reference refuses the value by an unspecified rule, while tests/adapters asks Apache Kafka."""
    subject = subject_of(row["type"], definitions)
    value = subject.value(form_of(row["unspecified value"]))
    with pytest.raises(Unencodable) as caught:
        subject.encode(value)
    assert caught.value.rule == row["rule"]
    assert catalogue()[row["rule"]].level_of(ENCODE) == UNSPECIFIED


def check_header_version(row: TableRow, definitions: Definitions) -> None:
    """Check that the message has this version of the header before it."""
    assert not definitions.get(row["message"])
    name, version, *of_release = row["message"].split(" ")
    release = load_release(of_release[-1] if of_release else newest_release())
    definition = release.definition(name)
    assert definition.api_key is not None
    answer = request_header_version if definition.kind == "request" else response_header_version
    assert str(answer(definition.api_key, int(version.removeprefix("v")), release)) == row["header version"]


CHECKS: dict[tuple[str, ...], Check] = {
    ("type", "value", "bytes"): check_valid,
    ("type", "value given", "bytes", "value read"): check_dropped,
    ("type", "valid bytes", "value", "written as"): check_not_canonical,
    ("type", "invalid bytes", "reason", "offset", "rules"): check_invalid,
    ("type", "unspecified bytes", "rules", "Apache Kafka reads", "and writes"): check_unspecified,
    ("type", "refused value", "refusal", "rule"): check_refused,
    ("type", "unspecified value", "rule", "Apache Kafka writes"): check_unspecified_value,
    ("message", "header version"): check_header_version,
    **DEFINITION_CHECKS,
    **RELEASE_CHECKS,
    **RECORD_CHECKS,
}
