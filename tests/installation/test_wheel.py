from pathlib import Path
from zipfile import ZipFile

from tests.installation.environments import CONSUMERS, DATA, PACKAGES, Environment


def names_in(wheel: Path) -> set[str]:
    with ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_every_file_of_the_packages_is_in_the_wheel_and_no_other(checkout: Path, wheel: Path) -> None:
    files = {
        str(path.relative_to(checkout))
        for package in (*PACKAGES, DATA)
        for path in (checkout / package).rglob("*")
        if path.is_file() and not {"__pycache__", CONSUMERS} & set(path.parts)
    }
    assert {name for name in names_in(wheel) if ".dist-info/" not in name} == files


def test_entry_points_are_one_command_and_no_pytest_plugin(installed: Environment) -> None:
    [entry_points] = installed.folder.glob("lib/python*/site-packages/kafka_wire*.dist-info/entry_points.txt")
    assert entry_points.read_text().split() == [
        "[console_scripts]",
        "kafka-conformance",
        "=",
        "conformance.commands.main:main",
    ]
