import pytest

from reference.definitions.errors import BrokenDefinition
from reference.proposals.kip625 import ENCODINGS, KIP_625, TYPES
from tests.reference.proposals.kip625 import PAIRS, field_text, found, mistakes, text_of

OTHER_TYPES = ("bool", "int8", "uint16", "uint32", "float64", "string", "uuid", "bytes", "records")


HERE = "fields[0].encoding (Some)"

MISTAKES: dict[str, tuple[str, list[tuple[str, str, str]]]] = {
    "the name of the document's own example": ('"unsigned32"', [("kip-625.encoding-name", "line 4", HERE)]),
    "a name in capitals": ('"Fixed32"', [("kip-625.encoding-name", "line 4", HERE)]),
    "a name with a blank": ('"fixed32 "', [("kip-625.encoding-name", "line 4", HERE)]),
    "a name with another width": ('"fixed8"', [("kip-625.encoding-name", "line 4", HERE)]),
    "a name with no width": ('"packed"', [("kip-625.encoding-name", "line 4", HERE)]),
    "a name with something before": ('"uupacked32"', [("kip-625.encoding-name", "line 4", HERE)]),
    "an empty name": ('""', [("kip-625.encoding-name", "line 4", HERE)]),
    "a name for some versions": (
        '{ "0": "fixed32",\n "1+": "varint" }',
        [("kip-625.encoding-name", "line 5", "fields[0].encoding.1+ (Some)")],
    ),
    "more bits than the type": ('"fixed64"', [("kip-625.encoding-width", "line 4", HERE)]),
    "more bits than the type in some versions": (
        '{ "0": "fixed32",\n\n "1+": "upacked64" }',
        [("kip-625.encoding-width", "line 6", "fields[0].encoding.1+ (Some)")],
    ),
    "versions that are missing in the end": ('{ "0-1": "fixed32" }', [("kip-625.encoding-versions", "line 4", HERE)]),
    "versions that are missing in between": (
        '{ "0-1": "fixed32", "3+": "packed32" }',
        [("kip-625.encoding-versions", "line 4", HERE)],
    ),
    "versions that are missing at first": ('{ "1+": "fixed32" }', [("kip-625.encoding-versions", "line 4", HERE)]),
    "versions that intersect": (
        '{ "0-2": "fixed32",\n "2+": "packed32" }',
        [("kip-625.encoding-overlap", "line 5", "fields[0].encoding.2+ (Some)")],
    ),
    "a range inside another one": (
        '{ "0+": "fixed32",\n "2": "packed32" }',
        [("kip-625.encoding-overlap", "line 5", "fields[0].encoding.2 (Some)")],
    ),
    "versions in two spellings": (
        '{ "0-0": "fixed32", "1+": "packed32",\n "0": "packed32" }',
        [("kip-625.encoding-overlap", "line 5", "fields[0].encoding.0 (Some)")],
    ),
    "no versions": (
        '{ "none": "fixed32",\n "0+": "packed32" }',
        [("kip-625.encoding-form", "line 4", "fields[0].encoding.none (Some)")],
    ),
    "inverted versions": (
        '{ "0+": "fixed32",\n "2-1": "packed32" }',
        [("kip-625.encoding-form", "line 5", "fields[0].encoding.2-1 (Some)")],
    ),
    "blank versions": (
        '{ "0+": "fixed32",\n "": "packed32" }',
        [("definition.versions-syntax", "line 5", "fields[0].encoding. (Some)")],
    ),
    "versions that are a word": (
        '{ "0+": "fixed32",\n "all": "packed32" }',
        [("definition.versions-syntax", "line 5", "fields[0].encoding.all (Some)")],
    ),
    "negative versions": (
        '{ "0--3": "fixed32" }',
        [("definition.versions-not-negative", "line 4", "fields[0].encoding.0--3 (Some)")],
    ),
    "the same versions twice": (
        '{ "0+": "fixed32",\n "0+": "packed32" }',
        [("kip-625.encoding-form", "line 5", "fields[0].encoding.0+ (Some)")],
    ),
    "no ranges": ("{}", [("kip-625.encoding-form", "line 4", HERE)]),
    "a number": ("32", [("kip-625.encoding-form", "line 4", HERE)]),
    "a truth value": ("true", [("kip-625.encoding-form", "line 4", HERE)]),
    "an array": ('["fixed32"]', [("kip-625.encoding-form", "line 4", HERE)]),
    "a number for some versions": (
        '{ "0+": 32 }',
        [("kip-625.encoding-form", "line 4", "fields[0].encoding.0+ (Some)")],
    ),
    "null for some versions": (
        '{ "0": "fixed32",\n "1+": null }',
        [("kip-625.encoding-form", "line 5", "fields[0].encoding.1+ (Some)")],
    ),
    "everything at once": (
        '{ "0-2": "fixed64",\n "2-3": "int32",\n "9+": "packed32" }',
        [
            ("kip-625.encoding-name", "line 5", "fields[0].encoding.2-3 (Some)"),
            ("kip-625.encoding-width", "line 4", "fields[0].encoding.0-2 (Some)"),
            ("kip-625.encoding-versions", "line 4", HERE),
            ("kip-625.encoding-overlap", "line 5", "fields[0].encoding.2-3 (Some)"),
        ],
    ),
    "every malformed key at once": (
        '{ "": "fixed32",\n "none": "fixed32",\n "0+": 1 }',
        [
            ("definition.versions-syntax", "line 4", "fields[0].encoding. (Some)"),
            ("kip-625.encoding-form", "line 5", "fields[0].encoding.none (Some)"),
            ("kip-625.encoding-form", "line 6", "fields[0].encoding.0+ (Some)"),
        ],
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_named_with_its_place(mistake: str) -> None:
    encoding, expected = MISTAKES[mistake]
    assert found(mistakes(encoding)) == expected


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_refused(mistake: str) -> None:
    encoding, expected = MISTAKES[mistake]
    with pytest.raises(BrokenDefinition) as caught:
        KIP_625.loader.parse(field_text(encoding), "A.json")
    assert caught.value.problem.rule == expected[0][0]
    assert str(caught.value).startswith("A.json, line ")
    assert "\n  try:  " in str(caught.value)


@pytest.mark.parametrize("type_name", [*OTHER_TYPES, "[]int32", "[]int16", "[]int64", "Other", "[]Other"])
def test_other_types_have_no_encoding(type_name: str) -> None:
    inner = ', "fields": [{ "name": "In", "type": "int8", "versions": "0+" }]' if "Other" in type_name else ""
    errors = mistakes('"fixed16"', f'"type": "{type_name}", "versions": "0+"{inner}')
    assert found(errors) == [("kip-625.encoding-type", "line 4", HERE)]
    assert type_name in errors[0].problem.what


@pytest.mark.parametrize(("type_name", "name"), [(each, name) for each in TYPES for name in ENCODINGS])
def test_a_type_has_the_encodings_of_its_bits_and_of_fewer(type_name: str, name: str) -> None:
    """Three for an int16, six for an int32, all for an int64."""
    errors = mistakes(f'"{name}"', f'"type": "{type_name}", "versions": "0+"')
    assert found(errors) == ([] if (type_name, name) in PAIRS else [("kip-625.encoding-width", "line 4", HERE)])


def test_mistakes_of_other_kinds_are_found_beside() -> None:
    fields = """{ "name": "Some", "type": "int32", "versions": "0+", "encoding": "fixed64" },
                { "name": "Some", "type": "int32", "versions": "0+", "nullableVersions": "0+" }"""
    rules = [each.problem.rule for each in KIP_625.loader.broken_rules(text_of(fields), "Some.json")]
    assert rules == ["kip-625.encoding-width", "definition.field-names-unique", "definition.nullable-type"]
