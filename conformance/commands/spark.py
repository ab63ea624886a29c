"""The options of commands that run on Spark."""

from __future__ import annotations

import click

from conformance.pipeline.session import LOCAL


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
