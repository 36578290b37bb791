"""Changes: what was published, changed, moved or taken away, and who is told of it."""

from app.feature import Deliveries, Feature

FEATURE = Feature(
    name="changes",
    settings="app.features.changes.settings:ChangeSettings",
    tables=("app.features.changes.log",),
    parts="app.features.changes.service:open_parts",
    api=("app.features.changes.routes:routes",),
    install="app.features.changes.service:install",
    delivery_kinds=(
        Deliveries(kind="change"),
        Deliveries(kind="indexnow"),
        Deliveries(kind="cdn"),
    ),
    receivers="app.features.changes.service:receivers",
)
