"""Shows record batches for `kafka-conformance replay`: each byte of the field, and of what is compressed in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from conformance.catalogue.annotated_bytes import plain_hex, rows_of, table
from reference import ApacheKafka, records_layers

if TYPE_CHECKING:
    from conformance.implementation.targets import RecordsField
    from reference import Layer, Observed, RecordsVerdict


def show_records(target: RecordsField, wire: bytes) -> Any:
    """Show the bytes of a field, what comes out of its streams, and the verdict; return its value, if there is one."""
    verdict = target.observe(wire)
    for layer in records_layers(wire):
        _show_layer(layer, verdict)
    where = f" at byte {verdict.offset}" if verdict.offset is not None else ""
    where += f", byte {verdict.within} of the decompressed records" if verdict.within is not None else ""
    place = f", in {verdict.path}" if verdict.path else ""
    rules = f" (rules {', '.join(verdict.rules)})" if verdict.rules else ""
    detail = f": {verdict.detail}" if verdict.detail else ""
    click.echo(f"reference   {verdict.result}{where}{place}{rules}{detail}")
    for name, observed in {"consumer": verdict.client, "broker": verdict.broker}.items():
        if observed is not None:
            click.echo(f"Apache Kafka's {name} {_deed(observed)}")
    return verdict.value


def _show_layer(layer: Layer, verdict: RecordsVerdict) -> None:
    if layer.path:
        click.echo(f"decompressed, of {layer.path}")
    for line in table(rows_of(layer.wire, layer.spans)) if layer.spans else ():
        click.echo(line)
    read = layer.spans[-1].end if layer.spans else 0
    fault = verdict.within if layer.path else verdict.offset
    if read < len(layer.wire):
        for line in plain_hex(layer.wire, read if fault is None else max(fault, read), start=read):
            click.echo(f"    {line}")


def _deed(observed: Observed) -> str:
    if observed.does is ApacheKafka.ACCEPTS:
        return "accepts it"
    return f"rejects it: {observed.exception} (rule {observed.rule})"
