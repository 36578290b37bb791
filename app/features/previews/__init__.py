"""Previews: signed links to pages that are not yet published."""

from pathlib import Path

from app.feature import Feature
from app.platform.settings import ServiceSettings


class PreviewSettings(ServiceSettings):
    """Previews."""

    preview_key_file: Path = Path("var/preview.key")
    """Key that signs the links of `majlis preview`; made at first use, delete it to revoke all
    links; [one for all machines](several-machines.md#keys)."""


FEATURE = Feature(
    name="previews",
    settings="app.features.previews:PreviewSettings",
    install="app.features.previews.routes:install",
    commands={"preview": "app.features.previews.commands:preview"},
    keys={"preview.key": "preview_key_file"},
)
