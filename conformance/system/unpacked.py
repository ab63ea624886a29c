"""Files of an archive from which this project is imported, as by workers of Spark.

Programs that need files get them from an unpacked copy.
"""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path
from tempfile import mkdtemp


def extracted_path(path: Path) -> Path:
    """Return the path of a file or folder, in the unpacked copy if it is in an archive."""
    for archive in path.parents:
        if archive.is_file():
            return unpacked(archive) / path.relative_to(archive)
    return path


def unpacked(archive: Path) -> Path:
    """Return the folder beside one of the suite's archives with its content, unpacked by the first process in need."""
    folder = archive.with_suffix(".unpacked")
    if not folder.exists():
        temporary = Path(mkdtemp(dir=archive.parent, prefix=f".{folder.name}."))
        try:  # the new name appears at once with all files; another process may have come first
            with zipfile.ZipFile(archive) as content:
                content.extractall(temporary)
            temporary.rename(folder)
        except BaseException:
            shutil.rmtree(temporary, ignore_errors=True)
            if not folder.exists():
                raise
    return folder
