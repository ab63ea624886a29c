import pytest
from syrupy.assertion import SnapshotAssertion

from reference.definitions.errors import BrokenDefinition, Place, Position
from reference.definitions.json_flavour import Number, Tree, locate, read_tree

READABLE: list[tuple[str, str, Tree]] = [
    ("a comment on a line of its own", '// one\n{ "a": "b" }', {"a": "b"}),
    ("a comment after a value", '{ "a": "b" // one\n}', {"a": "b"}),
    ("a comment at the very end", '{ "a": "b" } // one', {"a": "b"}),
    ("a comment between stars", '{ "a": /***** one *****/ "b" }', {"a": "b"}),
    ("a comment over several lines", '{ /* one\n two */ "a": "b" }', {"a": "b"}),
    ("slashes in a string", '{ "a": "b // c" }', {"a": "b // c"}),
    ("stars in a string", '{ "a": "/* b */" }', {"a": "/* b */"}),
    ("a quote in a comment", '{ // "one\n "a": "b" }', {"a": "b"}),
    ("an escaped quote before slashes", '{ "a": "\\"// b" }', {"a": '"// b'}),
    ("one comment inside another", '{ // /* one\n "a": "b" }', {"a": "b"}),
    ("tabs between values", '{\t"a":\t"b"\t}', {"a": "b"}),
    ("a repeated key, of which the last wins", '{ "a": "b", "a": "c" }', {"a": "c"}),
    ("a number as it is written", '{ "a": 1.50 }', {"a": Number("1.50")}),
    ("no properties", "{}", {}),
]


@pytest.mark.parametrize("case", READABLE, ids=lambda case: case[0])
def test_flavour_reads(case: tuple[str, str, Tree]) -> None:
    assert read_tree(case[1], "Sample.json") == case[2]


UNREADABLE: list[tuple[str, str, Position]] = [
    ("a comma before a brace", '{ "a": "b", }', Position(1, 11)),
    ("a comment that begins with a hash", '# one\n{ "a": "b" }', Position(1, 1)),
    ("single quotes", "{ 'a': 'b' }", Position(1, 3)),
    ("something after the value", '{ "a": "b" } "c"', Position(1, 14)),
    ("a comment that is never closed", '{ "a": "b" }\n /* one', Position(2, 2)),
    ("NaN", '{ "a": NaN }', Position(1, 8)),
    ("Infinity", '{ "b": "c",\n  "a": Infinity }', Position(2, 8)),
    ("negative Infinity", '{ "a": -Infinity }', Position(1, 8)),
    ("a tab in a string", '{ "a": "b\tc" }', Position(1, 10)),
    ("nothing", "", Position(1, 1)),
    ("an array", "[]", Position(1, 1)),
    ("more nesting than can be read", "[" * 100_000, Position(1, 1)),
]


@pytest.mark.parametrize("case", UNREADABLE, ids=lambda case: case[0])
def test_refusal_of_the_flavour_has_its_position(case: tuple[str, str, Position]) -> None:
    with pytest.raises(BrokenDefinition) as caught:
        read_tree(case[1], "Sample.json")
    error = caught.value
    assert (error.source, error.problem.rule) == ("Sample.json", "definition.json")
    assert error.position == case[2]


IN_WORDS: dict[str, tuple[str, Position]] = {
    "comma in an object": ('{ "a": 1, }', Position(1, 9)),
    "comma in an array": ('{ "a": [1, // one\n ] }', Position(1, 10)),
    "no value": ('{ "a": }', Position(1, 8)),
    "name without quotes": ("{ a: 1 }", Position(1, 3)),
    "no colon": ('{ "a" 1 }', Position(1, 7)),
    "no comma": ('{ "a": 1 "b": 2 }', Position(1, 10)),
    "further text": ('{ "a": 1 } }', Position(1, 12)),
    "no closing quote": ('{ "a": "b }', Position(1, 8)),
    "line break": ('{ "a": "b\n" }', Position(1, 10)),
    "unknown escape": ('{ "a": "\\x" }', Position(1, 9)),
}


@pytest.mark.parametrize(("text", "position"), IN_WORDS.values(), ids=IN_WORDS)
def test_error_is_in_words_of_json(text: str, position: Position, snapshot: SnapshotAssertion) -> None:
    """The same ones with every version of Python."""
    with pytest.raises(BrokenDefinition) as caught:
        read_tree(text, "Sample.json")
    assert caught.value.problem.what == snapshot
    assert caught.value.position == position


def test_position_is_not_moved_by_comments() -> None:
    text = '{ /* one\n two */ "fields": [ // three\n  { "name": "A" }, { "name": "B", "tag": 0 } ] }'
    assert locate(text, Place(("fields", 1, "tag"))) == Position(3, 42)


def test_position_of_a_missing_property_is_its_owners() -> None:
    assert locate('{ "fields": [\n  { "name": "A" } ] }', Place(("fields", 0, "type"))) == Position(2, 3)


def test_position_of_a_repeated_key_is_its_last_one() -> None:
    assert locate('{ "a": 1,\n "a": 2 }', Place(("a",))) == Position(2, 7)
