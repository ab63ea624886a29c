import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent

import pytest
from syrupy.assertion import SnapshotAssertion

from conformance.adapter import AdapterError
from conformance.codec.bridge.loading import NOT_LOADED, harness_words, known_failures_file, load_codec
from conformance.targets import DECODE, Ask, Body
from conformance.targets.outcome import Kind, Outcome
from reference import load_release, newest_release
from tests.helpers.adapters import load_adapter
from tests.helpers.releases import BASE
from tests.helpers.runs import forked

Install = Callable[..., str]

SOUND = """
    def supported():
        return {"ApiVersionsRequest": range(5)}

    def decode(schema, data):
        return {}
"""

TAKES_NO_TAGS = """
    capabilities = frozenset({"unknown-tags"})
    def encode_frame(release, direction, api_key, api_version, correlation_id, client_id, value): return b""
"""

MISTAKES = {
    "no-codec": "del decode",
    "encode-not-callable": "encode = 3",
    "no-supported": "del supported",
    "supported-fails": "def supported(): return 1 / 0",
    "supported-leaves": "def supported(): raise SystemExit(3)",
    "versions-without-end": "def supported(): return {'FetchRequest': range(10**12)}",
    "supported-a-list": "def supported(): return ['FetchRequest']",
    "supported-empty": "def supported(): return {}",
    "direction-without-function": "def supported(): return {'encode': {'FetchRequest': [4]}}",
    "direction-a-list": "def supported(): return {'decode': ['FetchRequest']}",
    "versions-not-integers": "def supported(): return {'FetchRequest': ['4']}",
    "versions-a-text": "def supported(): return {'FetchRequest': '4-17'}",
    "versions-truth-values": "def supported(): return {'FetchRequest': [True]}",
    "unknown-message": "def supported(): return {'FetchReqest': [4]}",
    "name-not-text": "name = 3",
    "version-not-text": "version = (1, 2)",
    "rejections-a-class": "rejections = ValueError",
    "rejections-an-instance": "rejections = (ValueError('no'),)",
    "rejections-beyond-exceptions": "rejections = (KeyboardInterrupt,)",
    "capability-unknown": "capabilities = frozenset({'unknown-tag'})",
    "capabilities-a-text": "capabilities = 'unknown-tags'",
    "unknown-tags-but-none-in-headers": TAKES_NO_TAGS,
    "encode-one-parameter": "def encode(value): return b''",
    "decode-three-parameters": "def decode(schema, version, data): return {}",
    "decode-by-keyword": "def decode(schema, *, data): return {}",
    "supported-with-a-parameter": "def supported(release): return {}",
    "classify-two-parameters": "def classify(kind, error): pass",
    "frame-too-short": "def decode_frame(data): return data",
    "supported-cannot-be-read": (
        "class Odd(dict):\n    def items(self): raise RuntimeError('no')\ndef supported(): return Odd()"
    ),
    "name-cannot-be-shown": "class Odd:\n    def __repr__(self): raise RuntimeError('no')\nname = Odd()",
    "size-not-callable": "size = 12",
}


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """A function to write sources into one importable module, returning the module's name."""
    name = "an_adapter"

    def write(*sources: str) -> str:
        tmp_path.joinpath(f"{name}.py").write_text("\n".join(dedent(each) for each in sources), encoding="utf-8")
        importlib.invalidate_caches()
        return name

    monkeypatch.syspath_prepend(str(tmp_path))
    yield write
    sys.modules.pop(name, None)


@pytest.mark.parametrize("mistake", MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_in_an_adapter_is_named(install: Install, mistake: str, snapshot: SnapshotAssertion) -> None:
    module = install(SOUND, mistake)
    with pytest.raises(AdapterError) as caught:
        load_adapter(module)
    assert caught.value.problem == snapshot


TOLERATED = {
    "anything": "def decode(*args, **options): return {}",
    "more-with-defaults": "def decode(schema, data, strict=True, *, deep=False): return {}",
    "other-names": "def decode(what, wire): return {}",
    "decorated": "import functools\n@functools.wraps(print)\ndef decode(*args): return {}",
    "partial": "import functools\ndecode = functools.partial(lambda codec, schema, data: {}, None)",
    "without-signature": "decode = dict",
    "object": "class Call:\n    def __call__(self, schema, data): return {}\ndecode = Call()",
}


@pytest.mark.parametrize("source", TOLERATED.values(), ids=TOLERATED)
def test_callable_object_is_taken_for_a_function(install: Install, source: str) -> None:
    assert load_adapter(install(SOUND, source)).decode is not None


def test_import_error_without_a_text_is_an_adapter_error(install: Install) -> None:
    module = install("class Mute(Exception):\n    def __str__(self): raise RuntimeError('no')\nraise Mute")
    with pytest.raises(AdapterError, match=r"Mute: .*RuntimeError"):
        load_adapter(module)


def test_error_says_the_place_the_mistake_and_its_repair(install: Install, snapshot: SnapshotAssertion) -> None:
    module = install(SOUND, "name = 3")
    with pytest.raises(AdapterError) as caught:
        load_adapter(module)
    assert str(caught.value) == snapshot


def test_a_misspelt_message_gets_a_suggestion(install: Install) -> None:
    module = install(SOUND, "def supported(): return {'FetchReqest': [4]}")
    with pytest.raises(AdapterError, match=r"you mean .*FetchRequest"):
        load_adapter(module)


def test_a_missing_module_is_distinguished_from_a_missing_import_of_it(
    install: Install, snapshot: SnapshotAssertion
) -> None:
    with pytest.raises(AdapterError) as missing:
        load_adapter("no_such_adapter.codec")
    module = install("import no_such_codec")
    with pytest.raises(AdapterError) as incomplete:
        load_adapter(module)
    assert [str(missing.value), str(incomplete.value)] == snapshot


def test_missing_submodule_is_named_itself() -> None:
    with pytest.raises(AdapterError, match=r"'conformance\.no_such_adapter'"):
        load_adapter("conformance.no_such_adapter")


def test_missing_package_is_named_as_on_the_index(install: Install, monkeypatch: pytest.MonkeyPatch) -> None:
    """The module kafka belongs to the package kafka-python, and the package kafka is another one."""
    monkeypatch.setitem(sys.modules, "kafka", None)
    with pytest.raises(AdapterError, match="Install kafka-python "):
        load_adapter(install("import kafka"))
    for name in [each for each in sys.modules if each.startswith("conformance.adapters.kafka_python")]:
        monkeypatch.delitem(sys.modules, name)
    with pytest.raises(AdapterError, match=r"kafka-wire-conformance\[adapters\]"):
        load_adapter("conformance.adapters.kafka_python")


@pytest.mark.parametrize(
    ("source", "error"),
    [("def broken(:", SyntaxError), ("1 / 0", ZeroDivisionError), ("raise SystemExit(3)", SystemExit)],
)
def test_failing_import_of_a_module_is_an_adapter_error(
    install: Install, source: str, error: type[BaseException]
) -> None:
    module = install(source)
    with pytest.raises(AdapterError, match=f"'an_adapter' .*{error.__name__}") as caught:
        load_adapter(module)
    assert isinstance(caught.value.__cause__, error)


def test_error_of_a_missing_attribute_lists_the_existing_ones(install: Install) -> None:
    module = install(SOUND)
    with pytest.raises(AdapterError, match=r"'codec'.*: decode, supported"):
        load_adapter(f"{module}:codec")


@pytest.mark.parametrize("spec", ["", ":adapter", "my adapter", "1.2"])
def test_text_other_than_a_module_name_is_refused(spec: str) -> None:
    with pytest.raises(AdapterError, match=r"--impl=module\[:attribute\]"):
        load_adapter(spec)


@pytest.mark.parametrize(
    ("spec", "error"),
    {
        "stdio:": "there is no command",
        "stdio:./no-such-harness --flag": r"\./no-such-harness cannot be run: No such file or directory",
        "stdio:sh -c 'echo no licence >&2; exit 3'": "exit status 3; standard error: no licence",
        "stdio:sh 'a": "the command cannot be split into words: No closing quotation",
    }.items(),
)
def test_failed_start_of_a_harness_is_an_adapter_error(spec: str, error: str) -> None:
    with pytest.raises(AdapterError, match=error):
        load_adapter(spec)


def test_failed_construction_of_a_class_is_an_adapter_error(install: Install) -> None:
    module = install("class Codec:\n    def __init__(self, level): pass")
    with pytest.raises(AdapterError, match=r"Codec\(\) .*TypeError"):
        load_adapter(f"{module}:Codec")


def test_a_module_with_two_functions_is_an_adapter(install: Install) -> None:
    adapter = load_adapter(install(SOUND))
    assert (adapter.name, adapter.version) == ("an_adapter", "unknown")
    assert (adapter.encode, adapter.size, adapter.classify) == (None, None, None)
    assert (adapter.rejections, adapter.capabilities) == ((), frozenset())


def test_the_attribute_called_adapter_is_the_default(install: Install) -> None:
    """A module's `adapter` takes the place of the module, and is called if it is a class."""
    source = """
        class adapter:
            name = "mine"
            def supported(self): return {"FetchRequest": range(4, 6)}
            def encode(self, schema, value): return b""
    """
    adapter = load_adapter(install(source))
    assert adapter.name == "mine"
    assert adapter.encode is not None


def test_function_making_the_adapter_is_called(install: Install) -> None:
    source = "import sys\ndef make(): return sys.modules[__name__]"
    assert load_adapter(f"{install(SOUND, source)}:make").decode is not None


def test_one_mapping_counts_for_both_directions(install: Install) -> None:
    adapter = load_adapter(install(SOUND, "def encode(schema, value): return b''"))
    assert adapter.supported["encode"] == adapter.supported["decode"] == {"ApiVersionsRequest": frozenset(range(5))}


def test_without_the_capability_frames_have_no_header_tags(install: Install) -> None:
    adapter = load_adapter(install(SOUND, TAKES_NO_TAGS, "capabilities = frozenset()"))
    assert adapter.encode_frame is not None


def test_directions_may_differ(install: Install) -> None:
    source = "def supported(): return {'decode': {'FetchResponse': {4, 5}}}"
    adapter = load_adapter(install(SOUND, source))
    assert adapter.supported == {"encode": {}, "decode": {"FetchResponse": frozenset({4, 5})}}
    assert adapter.pairs() == {("FetchResponse", 4), ("FetchResponse", 5)}


def test_a_direction_without_its_function_offers_nothing(install: Install) -> None:
    adapter = load_adapter(install(SOUND))
    assert adapter.supported["encode"] == {}


def test_decode_of_a_bare_value_reports_no_count_of_consumed_bytes(install: Install) -> None:
    target = Body(load_release(newest_release()).schema("ApiVersionsRequest", 4))
    assert load_codec(install(SOUND)).perform(Ask(DECODE, target, b"")) == Outcome(Kind.VALUE, value={})


def test_a_row_of_a_package_is_named_as_a_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package may have an object with `harness_command` for each program, and its known failures by name."""
    monkeypatch.syspath_prepend(tmp_path)
    package = tmp_path / "codecs_with_rows"
    (package / "known_failures").mkdir(parents=True)
    (package / "__init__.py").write_text(
        f"class Row:\n    def harness_command(self):\n        return {(sys.executable, '-c', 'x')!r}\n\nrust = Row()\n",
        encoding="utf-8",
    )
    listed = package / "known_failures" / "rust.toml"
    listed.touch()
    assert harness_words("codecs_with_rows.rust", load_release(BASE)) == (sys.executable, "-c", "x")
    assert known_failures_file("codecs_with_rows.rust") == listed
    assert known_failures_file("codecs_with_rows.go") is None


def test_adapter_not_loaded_in_time_ends_the_process_and_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the place where it waits."""
    monkeypatch.setattr("conformance.codec.bridge.loading.START_DEADLINE", 0.5)
    done = forked(lambda _: load_adapter("tests.fakes.crashing_codecs:HangsAtOnce"))
    assert done.status == NOT_LOADED
    assert "crashing_codecs:HangsAtOnce: " in done.text
    assert "0.5 seconds" in done.text
    assert "crashing_codecs.py" in done.text
