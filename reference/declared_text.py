"""Print a message at one version in the names of `reference.declared`, alone or as a program.

>>> from reference import load_release, newest_release
>>> print(declaration(load_release(newest_release()).schema("ListTransactionsRequest", 0)))
# ListTransactionsRequest, version 0: request, API key 66, flexible
ListTransactionsRequest_v0 = Fields(
    "StateFilters" / CompactArray(CompactString),
    "ProducerIdFilters" / CompactArray(Int64),
    Tags(),
    Absent("DurationFilter", INT64, -1),
    Absent("TransactionalIdPattern", str, None),
)
"""

from __future__ import annotations

import ast
import inspect
import re
from collections import Counter
from functools import cache
from json import dumps
from symtable import symtable
from typing import TYPE_CHECKING, Any, NamedTuple

from reference import declared
from reference.declared_messages import kind_of, spelling, whole_default
from reference.schema import ArrayType, PrimitiveType, StructType

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from reference.schema import FieldSchema, MessageSchema

WIDTH = 120
INDENT = "    "


class Term(NamedTuple):
    """An expression with parts, which is printed on one line or on several."""

    before: str
    parts: tuple[Term, ...] = ()
    after: str = ""

    def __str__(self) -> str:
        return f"{self.before}{', '.join(map(str, self.parts))}{self.after}"

    def lines(self, indent: str = "", *, open_: bool = False) -> Iterator[str]:
        """Yield the lines of the expression. With `open_`, each part has lines of its own."""
        parts = ", ".join(map(str, self.parts))
        if not self.parts or (not open_ and len(f"{indent}{self},") <= WIDTH):
            yield f"{indent}{self}"
        elif not open_ and len(f"{indent}{INDENT}{parts},") <= WIDTH:
            yield from (f"{indent}{self.before}", f"{indent}{INDENT}{parts},", f"{indent}{self.after}")
        else:
            yield f"{indent}{self.before}"
            for part in self.parts:
                *rest, last = part.lines(indent + INDENT) if isinstance(part, Term) else (f"{indent}{INDENT}{part}",)
                yield from (*rest, f"{last},")
            yield f"{indent}{self.after}"


def declaration(schema: MessageSchema) -> str:
    """Return the declaration of a message at one version as text, without a final line break.

    With the names of `reference.declared` it evaluates to a construct that reads and writes the message. A struct used
    more than once is declared before the message.
    """
    return "\n".join(_Printer(schema).lines())


def program(schema: MessageSchema) -> str:
    """Return a Python program with the declaration of a message, without a final line break.

    It has the part of the source of `reference.declared` that the message needs, and imports construct and the standard
    library alone.
    """
    text = declaration(schema)
    return "\n".join((*_needed(text), "", text))


def name_of(schema: MessageSchema) -> str:
    """Return the name defined by the declaration of a message."""
    return f"{schema.message}_v{schema.version}"


class _Printer:
    def __init__(self, schema: MessageSchema) -> None:
        self.schema = schema
        counts: Counter[StructType] = Counter()
        _count(schema.struct, counts)
        # Two different structs of one name cannot both be declared by that name.
        names = Counter(struct.name for struct, count in counts.items() if count > 1)
        self.shared = {
            struct
            for struct, count in counts.items()
            if count > 1 and names[struct.name] == 1 and struct.name not in vars(declared)
        }

    def lines(self) -> Iterator[str]:
        schema = self.schema
        key = "" if schema.api_key is None else f", API key {schema.api_key}"
        flexible = ", flexible" if schema.flexible else ""
        yield f"# {schema.message}, version {schema.version}: {schema.kind}{key}{flexible}"
        for struct in _inner_first(schema.struct):
            if struct in self.shared:
                yield from self.struct(struct, f"{struct.name} = ").lines()
        yield from self.struct(schema.struct, f"{name_of(schema)} = ").lines(open_=True)

    def struct(self, struct: StructType, before: str = "", after: str = "") -> Term:
        fields = [
            self.field(field, struct.dialect, f'"{field.name}" / ') for field in struct.fields if field.tag is None
        ]
        if struct.flexible:
            name = declared.named("Tags", struct.dialect)
            at_head = vars(declared)[name].at_head
            fields.insert(0 if at_head else len(fields), self.tags(struct, name, elsewhere=not at_head))
        return Term(f"{before}Fields(", (*fields, *map(_absent, struct.absent_fields)), f"){after}")

    def tags(self, struct: StructType, name: str, *, elsewhere: bool) -> Term:
        known = sorted((field.tag, field) for field in struct.fields if field.tag is not None)
        parts = [self.tagged(tag, field, struct.dialect) for tag, field in known]
        if struct.tags_elsewhere and elsewhere:
            parts.append(Term(f"elsewhere={{{', '.join(map(str, sorted(struct.tags_elsewhere)))}}}"))
        return Term(f"{name}(", tuple(parts), ")")

    def tagged(self, tag: int, field: FieldSchema, dialect: str) -> Term:
        whole = whole_default(field)
        after = ")" if repr(whole) == repr(field.default) else f", {_literal(whole)})"
        return self.field(field, dialect, f'Tag({tag}, {_literal(field.default)}, "{field.name}" / ', after)

    def field(self, field: FieldSchema, dialect: str, before: str, after: str = "") -> Term:
        name = spelling(field)
        match field.data_type:
            case ArrayType(element):
                return self.field(element, dialect, f"{before}{name}(", f"){after}")
            case StructType() as struct:
                if field.nullable:
                    before, after = f"{before}{declared.named(name, dialect)}(", f"){after}"
                shared = struct in self.shared
                return Term(f"{before}{struct.name}{after}") if shared else self.struct(struct, before, after)
            case PrimitiveType(_, encoding):
                return Term(f"{before}{f'Encoded({dumps(encoding)})' if encoding else name}{after}")


def _absent(field: FieldSchema) -> Term:
    ignorable = ", ignorable=True" if field.ignorable else ""
    return Term(f'Absent("{field.name}", {_kind(kind_of(field))}, {_literal(field.default)}{ignorable})')


def _kind(kind: Any) -> str:
    if isinstance(kind, list):
        return f"[{_kind(kind[0])}]"
    if isinstance(kind, dict):
        return f"{{{', '.join(f'{dumps(name)}: {_kind(each)}' for name, each in kind.items())}}}"
    if isinstance(kind, range):
        return next(name.upper() for name, each in declared.INTEGERS.items() if each == kind)
    return str(kind.__name__)


def _literal(value: Any) -> str:
    if isinstance(value, dict):
        return f"{{{', '.join(f'{dumps(name)}: {_literal(each)}' for name, each in value.items())}}}"
    if isinstance(value, str):
        return dumps(value, ensure_ascii=False)
    text = repr(value)
    # Python has no literals for infinite floats and NaN and prints them like names
    return f'float("{text}")' if text in {"nan", "inf", "-inf"} else text


def _structs(struct: StructType) -> Iterator[StructType]:
    return (field.struct for field in struct.fields if field.struct is not None)


def _count(struct: StructType, counts: Counter[StructType]) -> None:
    """Count the uses of each struct. Structs inside a struct are counted once, however often it is used."""
    for inner in _structs(struct):
        counts[inner] += 1
        if counts[inner] == 1:
            _count(inner, counts)


def _inner_first(struct: StructType) -> Iterable[StructType]:
    found: dict[StructType, None] = {}
    for inner in _structs(struct):
        found |= dict.fromkeys((*_inner_first(inner), inner))
    return found


# The source of a program


class _Statement(NamedTuple):
    text: str
    defined: set[str]
    used: set[str]


def _needed(text: str) -> Iterator[str]:
    """Yield the imports and the definitions that a text needs, in the order of the source."""
    imports, statements = _source()
    needed: set[str] = set()
    further = _used(text)
    while further:
        needed |= further
        further = set().union(*(each.used for each in statements if each.defined & further)) - needed
    yield "from __future__ import annotations\n"
    for module, names in imports:
        chosen = tuple(Term(name) for name in names if name in needed)
        if names == [module] and chosen:
            yield f"import {module}"
        elif chosen:
            line = f"from {module} import {', '.join(map(str, chosen))}"
            yield from [line] if len(line) <= WIDTH else Term(f"from {module} import (", chosen, ")").lines()
    yield from (f"\n{each.text}" for each in statements if each.defined & needed)


@cache
def _source() -> tuple[list[tuple[str, list[str]]], list[_Statement]]:
    """Return the names imported from each module, or its own for the module, and the statements of the source."""
    source = inspect.getsource(declared)
    imports = []
    statements = []
    for node in ast.parse(source).body:
        match node:
            case ast.Import(names=[name]):
                imports.append((name.name, [name.name]))
            case ast.ImportFrom(module=str(module), names=names) if not module.startswith(("reference", "__")):
                imports.append((module, [name.name for name in names]))
            case ast.Assign() | ast.AnnAssign() | ast.FunctionDef() | ast.ClassDef():
                text = re.sub(r"  # (?:type|noqa).*", "", ast.get_source_segment(source, node) or "")
                statements.append(_Statement(text, _defined(node), _used(text)))
    return imports, statements


def _defined(node: ast.stmt) -> set[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return {node.name}
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return {name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)}


def _used(text: str) -> set[str]:
    """Return the names that a text takes from around it, without those of parameters and local variables."""
    used: set[str] = set()
    tables = [symtable(text, "", "exec")]
    while tables:
        table = tables.pop()
        is_module = table.get_type() == "module"
        used |= {
            each.get_name() for each in table.get_symbols() if each.is_referenced() and (is_module or each.is_global())
        }
        tables += table.get_children()
    return used
