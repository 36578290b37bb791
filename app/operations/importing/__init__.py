"""Import of the sources of other site generators into a new content folder."""

from pathlib import Path

from knowledge.diagnostics.messages import Text
from knowledge.fields.content_types import SETTINGS, SITE, content_folders


def foreign_source(folder: Path) -> Text | None:
    """Return what a folder is that has no content, but a content folder or another source in it."""
    if not folder.is_dir() or any((folder / name).is_dir() for name in content_folders()):
        return None
    # Only such a folder needs the parsers of other generators.
    from app.operations.importing.configuration import InvalidConfiguration  # noqa: PLC0415
    from app.operations.importing.generators import read_source  # noqa: PLC0415
    from app.operations.importing.source import UnsupportedSource  # noqa: PLC0415

    try:
        settings = next(folder.glob(f"*/{SITE}/{SETTINGS.slug}.md"), None)
        source = read_source(folder)
    except (InvalidConfiguration, UnsupportedSource, OSError):  # such as `lost+found` of a volume
        return None
    if settings:
        return Text("{} is not a content folder, but {} is one.", folder, settings.parent.parent)
    if source is None:
        return None
    return Text(
        "{0} is the source of a {1} site, not a content folder. "
        "Import it: majlis import {0} --into FOLDER",
        folder,
        source.generator,
    )
