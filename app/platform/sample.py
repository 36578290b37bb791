"""The sample site: a folder in a checkout; in a wheel one archive, which is much smaller."""

import tarfile
from pathlib import Path
from shutil import copyfile, copytree

from app.platform.settings import SAMPLE_CONTENT

_ARCHIVE = SAMPLE_CONTENT.with_suffix(".tar.xz")
"""What `hatch_build.py` puts into a wheel instead of the folder."""


def read_sample(path: str) -> bytes:
    """Return the bytes of a file of the sample; raises OSError."""
    if SAMPLE_CONTENT.is_dir():
        return (SAMPLE_CONTENT / path).read_bytes()
    with tarfile.open(_ARCHIVE) as archive:
        file = next((archive.extractfile(each) for each in archive if each.name == path), None)
        if file is None:
            raise FileNotFoundError(path)
        return file.read()


def write_sample(folder: Path) -> None:
    """Write the sample with all its pictures into a folder; raises OSError.

    The copy can be written even where the sample cannot.
    """
    if SAMPLE_CONTENT.is_dir():
        copytree(SAMPLE_CONTENT, folder, copy_function=copyfile, dirs_exist_ok=True)
        for each in (folder, *folder.rglob("*/")):
            each.chmod(0o755)
        return
    with tarfile.open(_ARCHIVE) as archive:
        archive.extractall(folder, filter="data")
