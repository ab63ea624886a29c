"""The command `kafka-conformance schema`, for the schema described by an implementation against a release."""

from __future__ import annotations

import json
from dataclasses import asdict
from functools import partial

import click
from rich.text import Text

from conformance.adapter import AdapterError
from conformance.codec.bridge.loading import load_codec
from conformance.codec.selection import is_selected, parse_selection, select
from conformance.commands.common import impl_option, messages_option, plain_console, release_named, release_option
from conformance.definitions.described import Discrepancy, departures
from conformance.system.terminal import echo
from conformance.targets.outcome import Kind

HINT = "Add describe() to the adapter, or the operation `describe` to the harness: docs/reference/bridge.md"


@click.command()
@impl_option()
@release_option
@messages_option
@click.option("--all", "show_all", is_flag=True, help="Show fields that only have another name, too.")
@click.option("--json", "in_json", is_flag=True, help="Print JSON.")
def schema(impl: str, release_name: str | None, messages: tuple[str, ...], *, show_all: bool, in_json: bool) -> None:
    """Print how the implementation's own schema differs from the definitions of a release, before a byte is tried.

    The schema is the implementation's own description; no case is run. The exit status is 1 if anything but names
    differs.
    """
    release = release_named(release_name)
    codec = load_codec(impl, release)
    if "describe" not in codec.claims.functions:
        raise AdapterError(impl, "it does not describe its own schema", HINT)
    outcome = codec.describe()
    if outcome.kind is not Kind.VALUE:
        raise AdapterError(impl, f"describe failed: {outcome}", HINT)
    described = outcome.value
    selectors = parse_selection(messages)
    select(list(release.schemas()), selectors, tuple(described))  # a glob that nothing matches is an error
    chosen = {
        name: message
        for name, message in described.items()
        if not selectors or any(each.matches(name, each.lowest) for each in selectors)
    }
    found = list(departures(release, chosen, partial(is_selected, selectors)))
    relevant = [departure for departure in found if not departure.is_name]
    if in_json:
        echo(json.dumps([asdict(departure) for departure in found], indent=2))
    else:
        _show(
            f"{codec.claims.name} {codec.claims.version}, {release.title}", len(chosen), found if show_all else relevant
        )
        names = len(found) - len(relevant)
        if names and not show_all:
            echo(f"{names} fields only have another name: --all shows them")
    raise SystemExit(1 if relevant else 0)


def _show(title: str, described: int, found: list[Discrepancy]) -> None:
    console = plain_console()
    messages = len({departure.message for departure in found})
    console.print(f"{title}: {described} messages described, {len(found)} departures in {messages} of them")
    last = ""
    for departure in found:
        if departure.message != last:
            last = departure.message
            console.print(Text(departure.message, style="bold"))
        place = departure.path or "the message"
        versions = f", version {departure.versions}" if departure.versions else ""
        console.print(f"  {place}{versions}: {departure.text}")
