import copy
import json
import random
from collections.abc import Iterator
from typing import Any

from conformance.generate.definitions.drawn_definitions import sample_definition
from reference.definitions.parse import LOADER, broken_rules
from reference.definitions.rules import HARMLESS

JUNK: tuple[Any, ...] = (
    True,
    0,
    -1,
    "x",
    "[]",
    "int24",
    "99999",
    [],
    {},
    [1],
    ["a"],
    [{}],
    {"name": "Other"},
    "[][]int32",
)
SEEDS = 300


def places(tree: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    pairs = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for step, inner in pairs:
        yield (*path, step)
        yield from places(inner, (*path, step))


def damaged(seed: int) -> str:
    chance = random.Random(seed)  # noqa: S311 - nothing here is secret
    definition = copy.deepcopy(sample_definition(f"follow-ups {seed}"))
    *path, last = chance.choice(list(places(definition)))
    holder: Any = definition
    for step in path:
        holder = holder[step]
    if isinstance(holder, dict) and chance.random() < 0.3:
        del holder[last]
    else:
        holder[last] = chance.choice(JUNK)
    return json.dumps(definition)


def test_nothing_follows_from_unreadable_parts() -> None:
    texts = [damaged(seed) for seed in range(SEEDS)]
    unread = {text: LOADER._read(LOADER.tree(text, "Sample.json"))[1] for text in texts}
    harmful = {text: own for text, own in unread.items() if any(each.rule not in HARMLESS for each in own)}
    found = {text: [each.problem for each in broken_rules(text, "Sample.json")] for text in harmful}
    assert [text for text in harmful if found[text] != harmful[text]] == []
    assert len(harmful) > SEEDS // 2, "most damage can be read, and this proves little"
