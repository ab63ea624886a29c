"""The command `python -m conformance.adapters.harnesses`, for the builds of harnesses, and lock files in Rust."""

from __future__ import annotations

from pathlib import Path

import click

from conformance.adapters.harnesses.crates import lock_crates, renew_list
from conformance.adapters.harnesses.libraries import BUILDERS
from conformance.adapters.harnesses.toolchains import tool
from conformance.codec.bridge.harness_errors import HarnessStartError
from conformance.system.terminal import echo


@click.group()
def main() -> None:
    """Build what the harnesses of other languages need."""


@main.command()
@click.argument("language", type=click.Choice(list(BUILDERS)))
def build(language: str) -> None:
    """Build the harness of a language and print its folder."""
    echo(BUILDERS[language]())


@main.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--renew", is_flag=True, help="Write the list.")
def crates(folder: Path, *, renew: bool) -> None:
    """Make the lock file of a project with the crates of its list."""
    (renew_list if renew else lock_crates)(tool("cargo"), folder)


if __name__ == "__main__":
    try:
        main()
    except HarnessStartError as error:
        raise SystemExit(f"Error: {error}") from error
