"""Previews: signed links to pages that are not yet published."""

from app.feature import Feature

FEATURE = Feature(
    name="previews",
    settings="app.features.previews.settings:PreviewSettings",
    install="app.features.previews.routes:install",
    commands={"preview": "app.features.previews.commands:preview"},
    keys={"preview.key": "preview_key_file"},
)
