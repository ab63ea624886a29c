"""The command `kafka-conformance rules`, which lists the rule catalogue, or shows one rule with a worked example."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click
from rich.table import Table
from rich.text import Text

from conformance.definitions.catalogue import LEVELS, SIDES, Rule, catalogue
from conformance.report.explain.explained_rules import explain_rule, rule_as_json
from conformance.system.terminal import echo, new_console
from reference.suggestions import suggestion

if TYPE_CHECKING:
    from collections.abc import Iterable

STYLES = {"must": "bold red", "should": "yellow", "unspecified": "cyan"}


@click.command()
@click.argument("rule_id", metavar="[RULE|FAMILY]", required=False)
@click.option("--level", type=click.Choice(LEVELS), help="Only rules of this level.")
@click.option("--side", type=click.Choice(SIDES), help="Only rules of writers, of readers, or of definitions.")
@click.option("--json", "in_json", is_flag=True, help="Print JSON.")
def rules(rule_id: str | None, level: str | None, side: str | None, *, in_json: bool) -> None:
    """List all rules or those of a family, such as `kip-625`, or explain one rule.

    The explanation is what the rule says, where it comes from, and an example byte by byte.
    """
    prefix = "" if rule_id is None else f"{rule_id.removesuffix('.')}."
    listed = [rule for rule in catalogue().values() if rule_id is None or rule.id.startswith(prefix)]
    if listed:
        chosen = [rule for rule in listed if level in {None, rule.level} and side in {None, rule.side}]
        _list(chosen, in_json=in_json)
    elif level or side:
        raise click.UsageError("--level and --side choose from the list: leave them out, or the rule")
    else:
        _explain(_found(rule_id or ""), in_json=in_json)


def _found(rule_id: str) -> Rule:
    rule = catalogue().get(rule_id)
    if rule is None:
        hint = suggestion(rule_id, catalogue(), "`kafka-conformance rules` lists them all")
        raise click.ClickException(f"there is no rule {rule_id!r}: {hint}")
    return rule


def _list(chosen: Iterable[Rule], *, in_json: bool) -> None:
    if in_json:
        echo(json.dumps([rule_as_json(rule) for rule in chosen], indent=2))
        return
    console = new_console()
    if not console.is_terminal:
        for rule in chosen:
            echo(f"{rule.id}\t{rule.level}\t{rule.side}\t{rule.text}")
        return
    table = Table("rule", "level", "side", "text", box=None, pad_edge=False)
    for rule in chosen:
        table.add_row(rule.id, Text(rule.level, STYLES[rule.level]), rule.side, rule.text)
    console.print(table)


def _explain(rule: Rule, *, in_json: bool) -> None:
    explanation = explain_rule(rule)
    if in_json:
        echo(json.dumps(explanation.as_json(), indent=2))
        return
    for line in explanation.lines():
        echo(line)
