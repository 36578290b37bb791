"""MkDocs: `mkdocs.yml`, texts and files in `docs`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from app.operations.importing.configuration import (
    Configuration,
    first_file,
    read_configuration,
    text_at,
)
from app.operations.importing.source import (
    POSTS,
    MenuLink,
    SiteConfiguration,
    Source,
    Tree,
    TreeLayout,
)


def read(root: Path) -> Source | None:
    """Return the source of an MkDocs site, or None."""
    file = first_file(root, "mkdocs.yml", "mkdocs.yaml")
    if file is None:
        return None
    settings = read_configuration(file)
    content = root / (text_at(settings, "docs_dir") or "docs")
    if not content.is_dir():
        return None
    blog = content / "blog"
    has_blog = (blog / "posts").is_dir()
    posts = [Tree(blog, POSTS, "/blog/:year/:month/:day/:name/")] if has_blog else []
    return Source(
        "MkDocs",
        root,
        [*posts, *TreeLayout(post_folders=()).trees(content)],
        SiteConfiguration(
            title=text_at(settings, "site_name"),
            description=text_at(settings, "site_description"),
            base_url=text_at(settings, "site_url"),
            language=text_at(settings, "theme", "language"),
            menu=list(_menu(settings)),
        ),
        not_imported=["The theme, plugins and the nested parts of the navigation."],
    )


def _menu(settings: Configuration) -> Iterator[MenuLink]:
    navigation = settings.get("nav")
    for entry in navigation if isinstance(navigation, list) else ():
        for label, target in entry.items() if isinstance(entry, dict) else ():
            if isinstance(target, str):
                yield MenuLink(str(label), target)
