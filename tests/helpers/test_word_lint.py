import ast

from tests.helpers.word_lint import Count, old_names, old_texts, public_definitions


def counted(*docstrings: str) -> Count:
    count = Count()
    for docstring in docstrings:
        count.add("a.py", ast.parse(f"def f():\n    '''{docstring}'''\n\ndef g(): ..."))
    return count


def test_a_name_of_the_old_vocabulary_is_reported_with_its_line_and_the_new_term() -> None:
    [place] = old_names("a.py", ast.parse("kept = 1\nis_tamed = 2"))
    assert str(place).startswith("a.py:2: ")
    assert {"is_tamed", "adapted"} <= set(str(place).split())


def test_a_text_with_an_old_word_is_reported() -> None:
    text = "one\nall sorts of bytes, gravest first"
    assert [place.line for place in old_texts("a.md", text)] == [2]


def test_a_first_line_with_a_colon_is_out_of_form() -> None:
    line = "Bytes: four of them."
    problems = counted(line).problems("reference")
    assert any("one statement" in each and each.endswith(f": {line}") for each in problems)


def test_two_relative_words_in_a_hundred_are_too_many() -> None:
    few, many = counted(f"Bytes. {'that ' * 1} {'word ' * 98}"), counted(f"Bytes. {'that ' * 2} {'word ' * 97}")
    assert not any("relative" in each for each in few.problems("reference"))
    assert any("relative" in each for each in many.problems("reference"))


def test_too_few_docstrings_are_a_problem() -> None:
    assert any("33 % of public definitions" in each for each in counted("Bytes.").problems("reference"))


def test_private_definitions_need_no_docstring() -> None:
    text = """
def f():
    def inner(): ...
def _g(): ...
class C:
    def __len__(self): ...
    @property
    def size(self): ...
class _D:
    def h(self): ...
"""
    named = [getattr(node, "name", "module") for node in public_definitions("a.py", ast.parse(text))]
    assert named == ["module", "f", "C", "size"]
    assert list(public_definitions("package/__init__.py", ast.parse("")))
    assert not list(public_definitions("package/_a.py", ast.parse(text)))


def test_one_name_of_twenty_tests_with_a_clause_is_too_many() -> None:
    names = ["test_that_is_seen", *(f"test_fact_{number}" for number in range(19))]
    count = Count()
    count.add("tests/a.py", ast.parse("\n".join(f"def {name}(): ..." for name in names)))
    assert any("5.0 %" in each and "clause" in each for each in count.problems("tests"))
    count.add("tests/b.py", ast.parse("def test_another(): ..."))
    assert not any("clause" in each for each in count.problems("tests"))
