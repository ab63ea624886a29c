"""What commands that run on Spark share: their options, and their errors."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from conformance.pipeline.session import LOCAL
from reference import newest_release, releases

if TYPE_CHECKING:
    from collections.abc import Iterator


def _settings(_context: click.Context, _parameter: click.Parameter, given: tuple[str, ...]) -> dict[str, str]:
    pairs = [setting.partition("=") for setting in given]
    for key, equals, _ in pairs:
        if not key or not equals:
            raise click.BadParameter(f"{key!r} is not KEY=VALUE, as in spark.driver.memory=2g")
    return {key: value for key, _, value in pairs}


master_option = click.option(
    "--master", default=LOCAL, show_default=True, metavar="URL", help="Spark's master: local[2], spark://host:7077, ..."
)
settings_option = click.option(
    "--conf", "settings", multiple=True, callback=_settings, metavar="KEY=VALUE", help="A setting of Spark; repeatable."
)
release_option = click.option(
    "--release",
    type=click.Choice(releases()),
    default=newest_release(),
    show_default=True,
    help="Kafka release.",
)
seed_option = click.option("--seed", default="1", show_default=True, help="Any text; other seeds give other rows.")


@contextmanager
def pipeline_errors() -> Iterator[None]:
    """Turn errors of files into errors of the command; `main` does so for all others."""
    try:
        yield
    except OSError as error:
        raise click.ClickException(str(error)) from error
