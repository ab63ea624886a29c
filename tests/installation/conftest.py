from pathlib import Path

import pytest

from tests.installation.environments import (
    Environment,
    build_wheel,
    copy_checkout,
    make_environment,
    write_codecs,
)


@pytest.fixture(scope="session")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_checkout(tmp_path_factory.mktemp("checkout"))


@pytest.fixture(scope="session")
def wheel(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(checkout, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="session")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    return make_environment(tmp_path_factory.mktemp("bare"))


@pytest.fixture(scope="session")
def editable(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    environment = make_environment(tmp_path_factory.mktemp("editable"))
    environment.install("--editable", str(checkout))
    return environment


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """The installed wheel, without the checkout on its path."""
    environment = make_environment(tmp_path_factory.mktemp("installed"))
    environment.install(str(wheel))
    return environment


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with a codec and its adapter, and with a second codec of reversed bytes."""
    return write_codecs(tmp_path)
