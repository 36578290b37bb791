"""Editions: content from a git repository, which all machines switch together."""

from app.feature import Feature
from app.platform.observability.metrics import Family, MetricType

CONTENT_COMMIT = Family(
    "majlis_content_commit", MetricType.MAX, "1 for the commit that is served.", ("commit",)
)

FEATURE = Feature(
    name="editions",
    settings="app.features.editions.settings:EditionSettings",
    switch="content_git",
    tables=("app.features.editions.store",),
    parts="app.features.editions.service:open_parts",
    routes=("app.features.editions.routes:routes",),
    folders=("content_git_dir",),
    metrics=(CONTENT_COMMIT,),
    receivers="app.features.editions.service:receivers",
    advice="app.features.editions.service:advice",
)
