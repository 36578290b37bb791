"""Ghost: its export, a JSON file that holds the texts as HTML."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from app.operations.importing.configuration import menu_links
from app.operations.importing.exports import Export, InvalidExport
from app.operations.importing.html_texts import markdown_of, plain_text
from app.operations.importing.site_files import front_matter_text
from app.operations.importing.source import PAGES, POSTS, SiteConfiguration, Source
from knowledge.markdown.slugs import slugify, term_slug

Row = Mapping[str, Any]
Tables = Mapping[str, Sequence[Row]]


def read_ghost(path: Path, folder: Path, uploads: Path | None) -> Source:
    """Return what an export publishes, written into an empty folder; raises InvalidExport."""
    try:
        read = json.loads(path.read_text(encoding="utf-8-sig"))
        tables: Tables = read["db"][0]["data"] if "db" in read else read["data"]
        posts = list(tables["posts"])
    except (ValueError, KeyError, IndexError, TypeError):
        raise InvalidExport(f"{path} is no export of Ghost or WordPress.") from None
    settings = {each["key"]: each["value"] or "" for each in tables.get("settings", ())}
    export = Export(folder)
    for row in posts:
        _add(export, row, tables)
    for row in tables.get("tags", ()):
        name = row["name"]
        export.moved[f"/tag/{row['slug']}/"] = f"/tag/{term_slug(name)}"
        if row.get("description") and not name.startswith("#"):
            fields = {"name": name, "description": plain_text(row["description"])}
            export.files[f"tags/{term_slug(name)}.md"] = front_matter_text(fields)
    for row in tables.get("users", ()):
        export.moved[f"/author/{row['slug']}/"] = f"/author/{slugify(row['name'])}"
    remaining = ["Themes, members, newsletters and comments are not imported."]
    if uploads is None:
        remaining.append("Pictures are not in an export: give the folder content/ by --uploads.")
    else:
        export.link(uploads, "content", lambda _: True)
    configuration = SiteConfiguration(
        title=plain_text(settings.get("title", "")),
        description=plain_text(settings.get("description", "")),
        language=(settings.get("locale") or settings.get("lang") or "en").partition("-")[0],
        menu=menu_links(json.loads(settings.get("navigation") or "[]"), ("label",), ("url",)),
    )
    return export.source("Ghost", configuration, remaining)


def _reason(row: Row) -> str:
    """Return why visitors could not see a post, `""` if they could."""
    if row.get("status") != "published":
        return f"status: {row.get('status')}"
    visibility = row.get("visibility") or "public"
    return "" if visibility == "public" else f"visibility: {visibility}"


def _joined(tables: Tables, relation: str, post: str, key: str, table: str) -> Iterator[Row]:
    """Yield the rows to which a post is related, in their order."""
    rows = {each["id"]: each for each in tables.get(table, ())}
    related = (each for each in tables.get(relation, ()) if each["post_id"] == post)
    for each in sorted(related, key=lambda each: each.get("sort_order") or 0):
        yield from [rows[each[key]]] if each[key] in rows else ()


def _add(export: Export, row: Row, tables: Tables) -> None:
    """Add a post or page, or note why it stays out."""
    reason = _reason(row)
    if reason:
        export.withheld.append((row.get("title") or row["slug"], reason))
        return
    number = row["id"]
    own = (each for each in tables.get("posts_meta", ()) if each["post_id"] == number)
    meta = {**row, **next(own, {})}
    is_page = row.get("type") == "page" or row.get("page") in (1, True)
    tags = (each["name"] for each in _joined(tables, "posts_tags", number, "tag_id", "tags"))
    authors = _joined(tables, "posts_authors", number, "author_id", "users")
    seo = {"pageTitle": meta.get("meta_title"), "metaDescription": meta.get("meta_description")}
    excerpt = meta.get("custom_excerpt")
    front = {
        "title": plain_text(row.get("title") or ""),
        "updatedAt": row.get("updated_at"),
        "seo": {key: value for key, value in seo.items() if value},
        "shortDescription" if is_page else "excerpt": excerpt,
    }
    if not is_page:
        front |= {
            "publishedAt": row.get("published_at"),
            "authors": [each["name"] for each in authors if "@" not in each["name"]],
            "tags": [each for each in tags if not each.startswith("#")],
            "coverImage": _path(row.get("feature_image") or ""),
            "coverImageAlt": meta.get("feature_image_alt"),
        }
    body = markdown_of(row.get("html") or "", _path)
    target = PAGES if is_page else POSTS
    export.add(target, row["slug"], front, body, [f"/{row['slug']}/", f"/p/{row.get('uuid')}/"])


def _path(target: str) -> str:
    """Return the target of a link or picture without the address of the site."""
    return target.removeprefix("__GHOST_URL__") or "/"
