"""The READMEs keep what they promise: their code runs, and their commands exist."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def example() -> str:
    """The adapter in the README of the suite."""
    text = (ROOT / "conformance" / "README.md").read_text(encoding="utf-8")
    found = re.search(r"```python\n(.*?)```", text, re.DOTALL)
    assert found is not None
    return found[1]


def run_example(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """The suite on that adapter, saved in a folder of its own."""
    (folder / "my_adapter.py").write_text(example(), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", str(ROOT / "conformance"), "-c", str(ROOT / "pyproject.toml")]
    command += ["--impl=my_adapter", "-p", "no:cacheprovider", *options]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)  # noqa: S603


def test_the_adapter_of_ten_minutes_is_sound(tmp_path: Path) -> None:
    """--smoke finds nothing wrong with the adapter in the README, nor with its codec but the limit of strings."""
    result = run_example(tmp_path, "--smoke")
    assert "at fault" not in result.stdout
    assert "no new findings" in result.stdout, result.stdout


def test_the_adapter_of_ten_minutes_is_short() -> None:
    """It has about thirty lines of code."""
    lines = [line for line in example().splitlines() if line.strip() and not line.startswith('"""')]
    assert len(lines) <= 32


def test_the_oracle_says_what_the_readme_shows() -> None:
    """The lines that the example prints are the comment behind it."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    found = re.search(r"```python\n(from reference import judge.*?)# (.*?)\n```", text, re.DOTALL)
    assert found is not None
    done = subprocess.run([sys.executable, "-c", found[1]], cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S603
    assert done.stdout.strip() == found[2]
