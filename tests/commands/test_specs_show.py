import pytest
from click.testing import CliRunner, Result
from rich.console import Console
from syrupy.assertion import SnapshotAssertion

from conformance.commands import specs
from conformance.commands.main import main
from reference import declaration, load_release
from tests.helpers.releases import NEWEST
from tests.helpers.runs import error_of

DRAFT = "kip-482-first-draft"


def show(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["specs", "show", *arguments])


@pytest.mark.parametrize(
    ("arguments", "release", "message", "version", "header"),
    [
        (("MetadataRequest", "12"), "4.3.0", "MetadataRequest", 12, "RequestHeader-v2"),
        (("MetadataRequest-v12",), "4.3.0", "MetadataRequest", 12, "RequestHeader-v2"),
        (("MetadataRequest",), "4.3.0", "MetadataRequest", 13, "RequestHeader-v2"),
        (("LeaderAndIsrRequest", "7", "--release", "3.9.1"), "3.9.1", "LeaderAndIsrRequest", 7, "RequestHeader-v2"),
        (("OffsetDeleteRequest", "--release", "kip-1313"), "kip-1313", "OffsetDeleteRequest", 1, "RequestHeader-v3"),
        (
            ("FooResponse", "--release", "kip-482-first-draft"),
            "kip-482-first-draft",
            "FooResponse",
            9,
            "ResponseHeader-v0",
        ),
        (("RequestHeader", "2"), "4.3.0", "RequestHeader", 2, ""),
    ],
)
def test_it_prints_the_declaration(
    arguments: tuple[str, ...], release: str, message: str, version: int, header: str
) -> None:
    """The version is the requested or the newest one, and without a terminal the text has no colours."""
    result = show(*arguments)
    comment = f"# after {header}\n" if header else ""
    text = declaration(load_release(release).schema(message, version))
    assert (result.exit_code, result.output) == (0, f"{comment}{text}\n")


ERRORS: dict[str, tuple[tuple[str, ...], int]] = {
    "mistyped message": (("MetadataRequst", "12"), 1),
    "unknown version": (("MetadataRequest", "99"), 1),
    "two versions": (("MetadataRequest-v12", "12"), 2),
    "no versions any more": (("StopReplicaRequest",), 1),
}


@pytest.mark.parametrize(("arguments", "status"), ERRORS.values(), ids=ERRORS)
def test_error_is_shown_without_a_traceback(
    arguments: tuple[str, ...], status: int, snapshot: SnapshotAssertion
) -> None:
    assert error_of(show(*arguments), status).replace(NEWEST, "…") == snapshot


def test_unknown_release_is_named() -> None:
    assert "of release '1.0.0'" in error_of(show("MetadataRequest", "--release", "1.0.0"), 2)


@pytest.mark.parametrize(
    ("form", "text"), [("program", "class Fields(Adapter):"), ("kaitai", '"id": "metadata_request_v12"')]
)
def test_it_prints_other_forms(form: str, text: str) -> None:
    result = show("MetadataRequest", "--version", "12", "--as", form)
    assert result.exit_code == 0
    assert text in result.output


def test_it_takes_one_version() -> None:
    result = show("MetadataRequest", "12", "--version", "11")
    assert result.exit_code == 2
    assert "two versions, 12 and 11" in result.output


def test_it_is_coloured_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    console = Console(force_terminal=True, color_system="standard", width=100, record=True)
    monkeypatch.setattr(specs, "new_console", lambda: console)
    assert show("HeartbeatRequest", "4").exit_code == 0
    assert "\x1b[" in console.export_text(styles=True, clear=False)
    shown = [line.rstrip() for line in console.export_text().splitlines()]
    assert shown[1:] == declaration(load_release("4.3.0").schema("HeartbeatRequest", 4)).splitlines()
