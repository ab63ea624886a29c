"""`kafka-conformance nightly --master`: a night as a campaign on Spark, over one or more implementations."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from conformance.bridge.isolation import Limits
from conformance.commands import common
from conformance.commands.campaign import named, run_to_end
from conformance.pipeline.session import require_packages

if TYPE_CHECKING:
    from collections.abc import Mapping

    from conformance.campaign.night import Morning
    from reference import Release


class NightOptions(NamedTuple):
    """What was asked for: adapters, definitions, messages, seconds, and Spark's master and settings."""

    impls: tuple[str, ...]
    release: Release
    messages: tuple[str, ...]
    seconds: float
    master: str
    settings: Mapping[str, str]


def run_night(options: NightOptions, state: str) -> bool:
    """Run a night, or the rest of one; print the morning report, and return whether anything is new."""
    require_packages()
    from conformance.campaign.claim import held  # noqa: PLC0415  # pyarrow is an extra
    from conformance.campaign.night import morning, planned_night  # noqa: PLC0415
    from conformance.campaign.preparation import Wanted, prepared  # noqa: PLC0415
    from conformance.implementation.selection import parse_selection, select  # noqa: PLC0415
    from conformance.pipeline.storage import Storage  # noqa: PLC0415

    folder = Storage.named(state)
    with held(folder, "night"):
        pairs = len(select(list(options.release.schemas()), parse_selection(options.messages)))
        night = planned_night(folder, pairs, options.seconds)
        ready = prepared(
            Wanted(
                *(options.impls, options.release, night.cases, f"night-{night.number}", None),
                fixed=False,
                messages=options.messages,
                limits=Limits(),
                moves=True,
            )
        )
        run_to_end(ready, folder.within(night.folder), options.master, options.settings)
        report = morning(folder, night, ready.parameters)
    _print(report)
    return bool(report.told.new)


def _print(report: Morning) -> None:
    """Print the five lines of the morning."""
    console, told = common.plain_console(), report.told
    console.print(f"new: {len(told.new)}{named(told.new)}", style="bold red" if told.new else None)
    console.print(f"gone: {len(told.gone)}{named(told.gone)}", style="green" if told.gone else None)
    oldest = f", the oldest since {min(told.known.values())}" if told.known else ""
    console.print(f"known: {len(told.known)}{oldest}")
    console.print(f"cases: {report.cases:,}")
    console.print(f"deaths: {report.deaths:,}")
