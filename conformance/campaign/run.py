"""The run of a campaign to its end, from whatever its folder has."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import uuid4

from conformance.campaign.campaign_reports import write_reports
from conformance.campaign.distil import FOUND, distilled, finding_rows, reduce_cases, write_findings
from conformance.campaign.folder import batches_of, finish, manifest_of_batches, prepare, publish, reopen
from reference import load_release

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from conformance.campaign.pipeline.engines import Engine
    from conformance.campaign.pipeline.storage import Storage
    from conformance.campaign.preparation import Campaign


class CampaignProgress(NamedTuple):
    """The ways to show the progress of a campaign.

    Attributes:
        parts: called with the number of finished parts before each batch.
        warning: called with what is wrong with a batch, or with the outcomes of a finished campaign.
        steps: shows the steps under a title, and yields a function for the numbers of finished and of all steps.
    """

    parts: Callable[[int], object]
    warning: Callable[[str], object]
    steps: Callable[[str], AbstractContextManager[Callable[[int, int], None]]]


def run_to_end(
    engine: Engine, ready: Campaign, output: Storage, shown: CampaignProgress, form: str = "parquet"
) -> dict[str, Any]:
    """Run the missing batches of a campaign, find its findings, and return its manifest.

    A finished campaign is checked, and run again only if its outcomes are not those of its manifest.

    Raises:
        NotThisCampaign: the folder holds something else, and is unchanged.
        StorageFailed: the folder cannot be read or written.
        JobFailed: the work failed; finished batches are kept.
    """
    began, parameters = time.monotonic(), ready.parameters
    prepare(output, parameters, form)
    found = reopen(output, engine)
    if isinstance(found, dict):
        return found
    batches = batches_of(output, ready, uuid4().hex, form)
    written = batches.write_missing(engine, shown.parts)
    for problem in filter(None, [found, *written.wrong]):
        shown.warning(problem)
    publish(engine, batches)
    manifest = manifest_of_batches(engine, batches, parameters, written.sums, time.monotonic() - began)
    with shown.steps("findings reduced") as progress:
        findings = distilled(parameters, finding_rows(engine, batches.dataset, written.sums))
        reduce_cases(findings, parameters, output.within(FOUND), progress)
    write_findings(output, findings, load_release(parameters.release))
    write_reports(output, parameters, manifest, findings)
    finish(output, manifest)
    return manifest
