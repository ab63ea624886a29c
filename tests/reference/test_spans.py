import pytest

from conformance.definitions.catalogue import catalogue
from conformance.generate.edge_values import populated, with_unknown_tags
from reference import MessageSchema, decode, encode, encode_with_spans, load_release, proposals
from tests.helpers.releases import BASE
from tests.helpers.sweeps import swept
from tests.reference.inline import message, one_field

RELEASE = load_release(BASE)
ROLES = frozenset(("length", "count", "marker", "number", "payload", "tag-count", "tag", "tag-size"))

Piece = tuple[str, str, str, str]
PIECES: list[tuple[str, MessageSchema, object, list[Piece]]] = [
    (
        "legacy string",
        one_field('"type": "string", "versions": "0+"', flexible="none"),
        "ab",
        [("0002", "Some", "length", "string.length"), ("6162", "Some", "payload", "string.utf8")],
    ),
    (
        "legacy null",
        one_field('"type": "string", "versions": "0+", "nullableVersions": "0+"', flexible="none"),
        None,
        [("ffff", "Some", "length", "null.legacy")],
    ),
    (
        "compact null",
        one_field('"type": "[]int8", "versions": "0+", "nullableVersions": "0+"'),
        None,
        [("00", "Some", "count", "null.compact"), ("00", "", "tag-count", "tag.section")],
    ),
    (
        "array",
        one_field('"type": "[]int16", "versions": "0+"', flexible="none"),
        [5],
        [("00000001", "Some", "count", "array.count"), ("0005", "Some[0]", "number", "int.width-and-order")],
    ),
    (
        "records",
        one_field('"type": "records", "versions": "0+"', flexible="none"),
        b"\xca",
        [("00000001", "Some", "length", "records.length"), ("ca", "Some", "payload", "records.payload")],
    ),
    (
        "bool",
        one_field('"type": "bool", "versions": "0+"', flexible="none"),
        True,
        [("01", "Some", "number", "bool.byte")],
    ),
    (
        "float64",
        one_field('"type": "float64", "versions": "0+"', flexible="none"),
        1.5,
        [("3ff8000000000000", "Some", "number", "float64.bits")],
    ),
    (
        "nullable struct in a tagged field",
        one_field(
            '"type": "Inner", "versions": "0+", "nullableVersions": "0+", "tag": 0, "taggedVersions": "0+",'
            '"fields": [{ "name": "X", "type": "int8", "versions": "0+" }]'
        ),
        {"X": 5},
        [
            ("01", "", "tag-count", "tag.section"),
            ("00", "", "tag", "tag.ascending"),
            ("03", "Some", "tag-size", "tag.size"),
            ("01", "Some", "marker", "struct.tagged-marker"),
            ("05", "Some.X", "number", "int.width-and-order"),
            ("00", "Some", "tag-count", "tag.nested-section"),
        ],
    ),
    (
        "nullable struct",
        one_field(
            '"type": "Inner", "versions": "0+", "nullableVersions": "0+",'
            '"fields": [{ "name": "X", "type": "int8", "versions": "0+" }]',
            flexible="none",
        ),
        {"X": 5},
        [("01", "Some", "marker", "struct.marker"), ("05", "Some.X", "number", "int.width-and-order")],
    ),
]


@pytest.mark.parametrize("case", PIECES, ids=lambda case: case[0])
def test_each_piece_has_its_role_and_rule(case: tuple[str, MessageSchema, object, list[Piece]]) -> None:
    _, schema, value, expected = case
    encoded = encode_with_spans(schema, {"Some": value})
    found = [(encoded.wire[span.start : span.end].hex(), span.path, span.role, span.rule) for span in encoded.spans]
    assert found == expected


def test_spans_cover_the_wire_without_gaps_or_overlaps() -> None:
    for schema in swept(RELEASE.name):
        for value in (populated(schema), with_unknown_tags(schema.body, populated(schema))):
            encoded = encode_with_spans(schema, value)
            edges = [0, *(span.end for span in encoded.spans)]
            assert [span.start for span in encoded.spans] == edges[:-1], str(schema)
            assert edges[-1] == len(encoded.wire), str(schema)


def test_spans_have_known_roles_and_rules() -> None:
    for schema in swept(RELEASE.name):
        spans = encode_with_spans(schema, populated(schema)).spans
        assert {span.role for span in spans} <= ROLES, str(schema)
        assert {span.rule for span in spans} <= set(catalogue()), str(schema)


FORMS = {
    "string.length": "fixed",
    "null.legacy": "fixed",
    "struct.marker": "fixed",
    "int.width-and-order": "fixed",
    "string.compact-length": "varint",
    "array.compact-count": "varint",
    "null.compact": "varint",
    "struct.tagged-marker": "varint",
    "tag.section": "varint",
    "tag.ascending": "varint",
    "tag.size": "varint",
    "string.utf8": "raw",
    "records.payload": "raw",
    "tag.unknown-kept": "raw",
    "kip-625.fixed": "fixed",
    "kip-625.packed": "coded-varint",
    "kip-482-first-draft.tag": "fixed",
    "kip-482-first-draft.length": "varint",
    "kip-482-second-draft.tag-header": "coded-varint",
}
"""The form of a span's value, by the rule of the span."""


@pytest.mark.parametrize("name", [RELEASE.name, *proposals()])
def test_form_of_a_span_follows_from_its_rule(name: str) -> None:
    forms = {
        (span.rule, span.form)
        for schema in swept(name)
        for span in encode_with_spans(schema, with_unknown_tags(schema.body, populated(schema))).spans
    }
    assert len(forms) == len(dict(forms))
    assert {rule: form for rule, form in forms if rule in FORMS}.items() <= FORMS.items()


def test_reader_and_writer_agree_on_spans() -> None:
    schema = RELEASE.schema("FetchResponse", 16)
    encoded = encode_with_spans(schema, populated(schema))
    assert decode(schema, encoded.wire).spans == encoded.spans


def test_message_without_bytes_has_no_spans() -> None:
    schema = message("", flexible="none")
    assert encode(schema, {}) == b""
    assert encode_with_spans(schema, {}).spans == ()
