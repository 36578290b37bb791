"""Editions: content from a git repository, which all machines switch together."""

from app.feature import Feature

FEATURE = Feature(
    name="editions",
    settings="app.features.editions.settings:EditionSettings",
    switch="content_git",
    tables=("app.features.editions.store",),
    parts="app.features.editions.service:open_parts",
    routes=("app.features.editions.routes:routes",),
    folders=("content_git_dir",),
    receivers="app.features.editions.service:receivers",
    advice="app.features.editions.service:advice",
)
