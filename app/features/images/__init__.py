"""Images: smaller variants, social cards and icons at the first request, and diagrams."""

from app.feature import Feature

FEATURE = Feature(
    name="images",
    settings="app.features.images.settings:ImageSettings",
    is_static=True,
    folders=("image_dir",),
    parts="app.features.images.pictures:open_parts",
    routes=("app.features.images.routes:routes",),
    commands={"images": "app.features.images.commands:images"},
)
