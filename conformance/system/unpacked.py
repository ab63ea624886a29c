"""The files of an archive that this project is imported from, as the workers of Spark do, for what needs files."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path
from tempfile import mkdtemp


def on_disk(path: Path) -> Path:
    """Return the path of a file or folder: in the unpacked archive, if it is in an archive."""
    for archive in path.parents:
        if archive.is_file():
            return unpacked(archive) / path.relative_to(archive)
    return path


def unpacked(archive: Path) -> Path:
    """Return the folder with the content of an archive of ours, beside it; it is unpacked once, whoever comes first."""
    folder = archive.with_suffix(".unpacked")
    if not folder.exists():
        temporary = Path(mkdtemp(dir=archive.parent, prefix=f".{folder.name}."))
        with zipfile.ZipFile(archive) as content:
            content.extractall(temporary)
        try:
            temporary.rename(folder)
        except OSError:
            shutil.rmtree(temporary)
            if not folder.exists():
                raise
    return folder
