"""WordPress: its export (WXR), read as a stream, in two passes: what there is, then the texts."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, unquote, urlsplit

from app.operations.importing.exports import Export, InvalidExport, host_of
from app.operations.importing.generators.shortcodes import MORE, readable
from app.operations.importing.generators.wxr import Item, Site, elements, read_item
from app.operations.importing.html_texts import markdown_of, plain_text
from app.operations.importing.site_files import front_matter_text
from app.operations.importing.source import (
    PAGES,
    POST_FOLDERS,
    POSTS,
    MenuLink,
    SiteConfiguration,
    Source,
)
from knowledge.addresses.link_index import INDEX_NAMES
from knowledge.fields.content_types import CONTENT_TYPES
from knowledge.markdown.slugs import slugify, term_slug

_INTERNAL = frozenset(
    (
        *(
            "acf",
            "block",
            "changeset",
            "coupon",
            "css",
            "elementor",
            "entries",
            "entry",
            "feedback",
        ),
        *("field", "fields", "flamingo", "footer", "form", "forms", "header", "invoice", "layout"),
        *("library", "log", "logs", "oembed", "order", "orders", "payment", "payments", "popup"),
        *("refund", "request", "revision", "section", "snippet", "submission", "submissions"),
        *("subscriber", "subscription", "template", "templates", "wp", "wpcf7", "wpforms"),
    )
)
"""Words in the names of post types that are no pages, such as `wp_block` or `shop_order`."""

_RESTRICTIONS = (
    *("_members_access_role", "rcp_access_level", "rcp_subscription_level", "rcp_user_level"),
    *("_wpmem_block", "_pp_restricted", "_private_content"),
)
"""Keys of plugins that show a text to members only."""

_READ_TERMS = frozenset(
    ("category", "post_tag", "language", "post_translations", "nav_menu", "post_format")
)
_QUERIES = {"page": "page_id", "attachment": "attachment_id"}


def read_wordpress(path: Path, folder: Path, uploads: Path | None) -> Source:
    """Return what an export publishes, written into an empty folder; raises InvalidExport."""
    site = Site()
    site.read(path)
    if not site.items:
        raise InvalidExport(f"{path} is no export of WordPress: it has no items")
    return _Reader(site, Export(folder), uploads).source(path)


class _Reader:
    """Writes the texts of an export."""

    def __init__(self, site: Site, export: Export, uploads: Path | None) -> None:
        self.site, self.export, self.uploads = site, export, uploads
        link = site.texts.get("base_blog_url") or site.texts.get("link", "")
        urls = [link, site.texts.get("link", ""), site.texts.get("base_site_url", "")]
        export.hosts |= {host_of(url) for url in urls} - {"", "wordpress.com"}
        export.base = unquote(urlsplit(link).path).rstrip("/")
        self.url = link
        language = site.texts.get("language", "").replace("-", "_").partition("_")[0]
        self.language = language.lower()
        self.now = datetime.now(UTC)
        self.offset = self._usual_offset()
        self.published = {key: each for key, each in site.items.items() if self._is_public(each)}
        self.media = dict(self._media())
        self.by_url = {
            _identity(item[name]): self.media[number]
            for number, item in self.published.items()
            for name in ("attachment_url", "link")
            if number in self.media
        }
        self.names = self._kind_names()
        self._place()

    def source(self, path: Path) -> Source:
        for name, element in elements(path):
            if name == "item":
                item = read_item(element)
                known = self.published.get(item["post_id"])
                if known and item.kind not in ("attachment", "nav_menu_item"):
                    known.texts = {**known.texts, "encoded": item.texts.get("encoded", "")}
                    self._write(known)
                    known.texts = {**known.texts, "encoded": ""}
        self._add_terms()
        copied = self._copy_uploads()
        configuration = SiteConfiguration(
            title=plain_text(self.site.texts.get("title", "")),
            description=plain_text(self.site.texts.get("description", "")),
            base_url=self.url,
            language=self.language,
            menu=self._menu(),
        )
        remaining = list(self._remaining(copied))
        return self.export.source("WordPress", configuration, remaining)

    def _remaining(self, copied: int) -> Iterator[str]:
        yield "Themes, widgets, forms and comments are not imported."
        comments = sum(each.comments for each in self.site.items.values())
        if comments:
            yield f"{comments} comments were left out."
        sticky = [each for each in self.published.values() if each["is_sticky"] == "1"]
        if sticky:
            names = ", ".join(each["title"] for each in sticky)
            yield f"Posts that stood at the top: {names}."
        if self.media and not copied:
            count = len(self.media)
            yield f"{count} uploaded files are not in an export: give their folder by --uploads."
        keys = Counter(
            key
            for each in self.published.values()
            for key, value in each.meta.items()
            if f"_{key}" in each.meta and value  # as Advanced Custom Fields has them
        )
        if keys:
            shown = ", ".join(f"{key} ({count})" for key, count in keys.most_common(20))
            yield f"Custom fields are not imported, as templates may not show them: {shown}."

    def _is_public(self, item: Item) -> bool:
        """Return whether visitors could see an item; of others, note why not."""
        reason = self._reason(item)
        until = item.moment("post_date", self.offset) if item["status"] == "future" else None
        shown = reason or (until and f"until {until:%Y-%m-%d %H:%M%z}")
        if shown and item.kind not in ("revision", "nav_menu_item", "attachment"):
            title = plain_text(item["title"]) or item.slug
            self.export.withheld.append((f"{item.kind} {item['post_id']}: {title}", shown))
        return not reason

    def _reason(self, item: Item) -> str:
        kind, status = item.kind, item["status"]
        if kind == "attachment":
            parent = self.site.items.get(item["post_parent"])
            is_open = status in ("inherit", "publish") and not item["post_password"]
            return "" if is_open and not (parent and self._reason(parent)) else "private"
        is_internal = not _INTERNAL.isdisjoint(re.split(r"[_-]", kind))
        if kind not in ("post", "page", "nav_menu_item") and (
            is_internal or not self._has_address(item)
        ):
            return "its post type has no pages"
        if item["post_password"]:
            return "a password"
        if any(item.meta.get(key, "") not in ("", "0") for key in _RESTRICTIONS):
            return "for members only"
        if status == "future":
            moment = item.moment("post_date", self.offset)
            return "" if moment and moment > self.now else "status: future"
        return "" if status == "publish" else f"status: {status}"

    def _has_address(self, item: Item) -> bool:
        """Return whether an item of another type has a page: its address says so."""
        path, _, query = (self.export.path_of(item["link"]) or "").partition("?")
        return item.kind in parse_qs(query) if query else path.strip("/") != ""

    def _usual_offset(self) -> timedelta:
        """Return the offset of the site's zone in most of its dates."""
        offsets = Counter(filter(None, (each.offset for each in self.site.items.values())))
        return offsets.most_common(1)[0][0] if offsets else timedelta()

    def _media(self) -> Iterator[tuple[str, str]]:
        """Yield the new path of each uploaded file by what follows the host in its address."""
        for item in self.site.items.values():
            url = item["attachment_url"]
            if item.kind == "attachment" and url:
                yield item["post_id"], f"/wp-content/uploads/{_upload(url)}"

    def _kind_names(self) -> Mapping[str, str]:
        """Return the folder of each post type: the first part of its addresses, if it is one."""
        first: dict[str, Counter[str]] = defaultdict(Counter)
        for item in self.published.values():
            if item.kind not in ("attachment", "nav_menu_item"):
                path = self.export.path_of(item["link"]) or ""
                parts = path.partition("?")[0].strip("/").split("/")
                if item.language and parts[0] == item.language:
                    del parts[0]
                first[item.kind][parts[0] if len(parts) > 1 else ""] += 1
        names = {"post": POSTS, "page": PAGES}
        for kind, found in first.items():
            if kind not in names:
                common, count = found.most_common(1)[0]
                named = common if common and count == found.total() else kind
                name = re.sub(r"[^a-z]+", "-", named.lower()).strip("-") or "entries"
                taken = CONTENT_TYPES.of_folder(name) is not None or name in names.values()
                names[kind] = f"{name}-pages" if taken else name
                word = kind.replace("_", " ").replace("-", " ").capitalize()
                self.export.kinds[names[kind]] = {
                    "singular": {"en": word, "ar": word},
                    "plural": {"en": word, "ar": word},
                }
        return names

    def _place(self) -> None:
        """Give each item the path of its file, which its translations share."""
        leaders: dict[str, Item] = {}
        for item in sorted(
            self.published.values(), key=lambda each: each.language != self.language
        ):
            leader = leaders.setdefault(item.translations or item["post_id"], item)
            item.path = leader.path or self._path(item)
            self.export.languages |= {item.language} - {""}

    def _path(self, item: Item) -> str:
        if item.kind == "page" and self._is_home(item):
            return "index"
        above = [each.slug for each in self.site.ancestors(item)] if item.kind == "page" else []
        names = [each.replace("/", "-").lstrip("_.") for each in (*reversed(above), item.slug)]
        if slugify(names[-1]) in INDEX_NAMES:
            names[-1] += "-page"
        return "/".join(names)

    def _is_home(self, item: Item) -> bool:
        path = (self.export.path_of(item["link"]) or "?").removeprefix(f"/{item.language}")
        return path in ("", "/")

    def _is_blog(self, item: Item) -> bool:
        """Return whether a page is the list of posts: it has the name of one, and no text."""
        return item.kind == "page" and not item["has_text"] and item.slug in POST_FOLDERS

    def _addresses(self, item: Item) -> list[str]:
        """Return the addresses at which WordPress has an item."""
        number = item["post_id"]
        path = self.export.path_of(item["link"])
        found = [path] if path and path != "/" else []
        found.append(f"/?{_QUERIES.get(item.kind, 'p')}={number}")
        if item.kind == "page":
            found.append(f"/?p={number}")
        former = item.meta.get("_wp_old_slug")
        if former and path and path.rstrip("/").endswith(f"/{item.slug}"):
            found.append(f"{path.rstrip('/').removesuffix(item.slug)}{unquote(former)}/")
        return list(dict.fromkeys(found))

    def _write(self, item: Item) -> None:
        if self._is_blog(item):
            self.export.moved |= dict.fromkeys(self._addresses(item), "/blog")
            return
        target = self.names[item.kind]
        is_main = item.language in ("", self.language)
        path = item.path if is_main else f"{item.path}.{item.language}"
        pictures = partial(self._pictures, item)
        html = readable(item["encoded"], self.site.blocks, pictures, self.export.left_out)
        body = markdown_of(html, self._rewritten).replace(MORE, "<!--more-->")
        self.export.add(target, path, self._metadata(item, target), body, self._addresses(item))
        if item["status"] == "future":
            del self.export.published[-1]

    def _metadata(self, item: Item, target: str) -> Mapping[str, Any]:
        is_post = target == POSTS
        excerpt = plain_text(item["excerpt"])
        date = item.moment("post_date", self.offset)
        changed = item.moment("post_modified", self.offset)
        picture = self._attached(item.meta.get("_thumbnail_id", ""))
        categories = item.of("category")
        is_dated = item.kind != "page" or item["status"] == "future"
        found: dict[str, Any] = {
            "title": plain_text(item["title"]),
            "publishedAt": date.isoformat() if date and is_dated else None,
            "updatedAt": changed.isoformat() if changed and changed != date else None,
            "excerpt" if is_post else "shortDescription": excerpt,
            "seo": _seo(item.meta),
        }
        if is_post:
            found |= {
                "author": self.site.authors.get(item["creator"]),
                "category": next(iter(categories), None),
                "categories": categories[1:] and categories,
                "tags": item.of("post_tag"),
                "coverImage": picture[0],
                "coverImageAlt": picture[1],
            }
        elif item["menu_order"] not in ("", "0"):
            found["sortOrder"] = int(item["menu_order"])
        for domain, _, _ in item.terms:
            if domain not in _READ_TERMS:
                self.export.left_out[f"terms of {domain}"] += 1
        return found

    def _pictures(self, item: Item, numbers: str) -> Iterator[tuple[str, str]]:
        """Yield the pictures of a gallery: those named, else all that belong to the item."""
        own = (
            key for key, each in self.published.items() if each["post_parent"] == item["post_id"]
        )
        for number in numbers.split(",") if numbers else own:
            picture = self._attached(number.strip())
            if picture[0]:
                yield picture

    def _attached(self, number: str) -> tuple[str, str]:
        """Return the path of an attachment and its alternative text; `""` if it is private."""
        item = self.published.get(number)
        if item is None or number not in self.media:
            return "", ""
        return quote(self.media[number]), plain_text(item.meta.get("_wp_attachment_image_alt", ""))

    def _rewritten(self, target: str) -> str:
        """Return where a link or picture leads in the new site."""
        file = self.by_url.get(_identity(target))
        if file:
            return quote(file)
        path = self.export.path_of(target)
        if path is None:
            return target
        path, _, query = path.partition("?")
        if "/wp-content/uploads/" in path:
            return quote(f"/wp-content/uploads/{_upload(path)}")
        numbers = parse_qs(query)
        for name in ("p", "page_id", "attachment_id"):
            for number in numbers.get(name, ()):
                if number in self.media:
                    return quote(self.media[number])
                linked = self.published.get(number)
                own = self.export.path_of(linked["link"]) if linked else None
                path = own if own and "?" not in own else path
        fragment = urlsplit(target).fragment
        kept = f"?{query}" if query and not numbers.keys() & {"p", "page_id"} else ""
        return quote(path) + kept + (f"#{fragment}" if fragment else "")

    def _add_terms(self) -> None:
        """Write the texts of categories, and note the addresses of terms and authors."""
        used = Counter(term[:2] for each in self.published.values() for term in each.terms)
        for (domain, slug), values in self.site.terms.items():
            first = {"category": "category", "post_tag": "tag"}.get(domain)
            name = plain_text(values.get("cat_name") or values.get("tag_name") or "")
            new = term_slug(name)
            if first is None or not (name and used[domain, slug]):
                continue
            above, parent = "", values.get("category_parent", "")
            if parent and parent != slug:
                above = f"{unquote(parent)}/"
                self.export.moved[f"/{first}/{above}{slug}/"] = f"/{first}/{new}"
            if slug != new:
                self.export.moved[f"/{first}/{slug}/"] = f"/{first}/{new}"
            text = plain_text(values.get("category_description", ""))
            if first == "category" and text and new:
                fields = {"name": name, "description": text}
                self.export.files[f"categories/{new}.md"] = front_matter_text(fields)
        for login, name in self.site.authors.items():
            if name and slugify(login) != slugify(name):
                self.export.moved[f"/author/{slugify(login)}/"] = f"/author/{slugify(name)}"

    def _menu(self) -> Sequence[MenuLink]:
        """Return the top entries of the main menu: that of a usual name, else the largest."""
        menus: dict[str, list[tuple[int, MenuLink]]] = defaultdict(list)
        for item in self.published.values():
            link = self._menu_link(item) if item.kind == "nav_menu_item" else None
            if link and item.meta.get("_menu_item_menu_item_parent", "0") in ("", "0"):
                order = int(item["menu_order"] or 0)
                for domain, slug, _ in item.terms:
                    if domain == "nav_menu":
                        menus[slug].append((order, link))
        usual = [each for each in menus if re.search("main|primary|header|top|menu-1", each)]
        name = max(usual or menus, key=lambda each: len(menus[each]), default="")
        return [link for _, link in sorted(menus[name], key=lambda each: each[0])]

    def _menu_link(self, item: Item) -> MenuLink | None:
        number, kind = item.meta.get("_menu_item_object_id", ""), item.meta.get("_menu_item_type")
        label, target = plain_text(item["title"]), item.meta.get("_menu_item_url", "")
        if kind == "post_type":
            linked = self.published.get(number)
            if linked is None:
                return None
            label = label or plain_text(linked["title"])
            target = self.export.path_of(linked["link"]) or ""
        elif kind == "taxonomy":
            terms = self.site.terms.items()
            found = next(
                ((key, each) for key, each in terms if each.get("term_id") == number), None
            )
            if found is None:
                return None
            label = label or found[1].get("cat_name", "")
            target = f"/category/{term_slug(found[1].get('cat_name', ''))}"
        else:
            target = self.export.path_of(target) or target
        return MenuLink(label, target) if label and target and target != "#" else None

    def _copy_uploads(self) -> int:
        """Publish the uploaded files of published items, in all sizes; return their number."""
        if self.uploads is None:
            return 0
        own = {_original(_upload(path)) for path in self.by_url.values()}
        place = "wp-content/uploads"
        count = self.export.link(self.uploads, place, lambda name: _original(name) in own)
        for number, path in self.media.items():
            if number in self.published and (self.export.static / path[1:]).exists():
                addresses = self._addresses(self.published[number])
                self.export.moved |= dict.fromkeys(addresses, quote(path))
        return count


_SIZE = re.compile(r"(?:-\d{1,5}x\d{1,5}|-scaled|-rotated)(?=\.\w{2,5}$)")


def _original(path: str) -> str:
    """Return the path of the picture of which one is a size.

    >>> _original("2024/01/a-300x200.jpg")
    '2024/01/a.jpg'
    """
    return _SIZE.sub("", path)


def _upload(url: str) -> str:
    """Return the path of an uploaded file in the folder of uploads."""
    path = unquote(urlsplit(url).path)
    return path.partition("/uploads/")[2] or path.lstrip("/")


def _identity(url: str) -> str:
    return f"{host_of(url)}/{_original(_upload(url))}"


def _seo(meta: Mapping[str, str]) -> Mapping[str, Any]:
    """Return what Yoast and Rank Math say to search engines; `%` begins one of their variables."""
    title = meta.get("_yoast_wpseo_title") or meta.get("rank_math_title") or ""
    text = meta.get("_yoast_wpseo_metadesc") or meta.get("rank_math_description") or ""
    robots = meta.get("rank_math_robots", "")
    is_hidden = meta.get("_yoast_wpseo_meta-robots-noindex") == "1" or "noindex" in robots
    found = {
        "pageTitle": "" if "%" in title else plain_text(title),
        "metaDescription": "" if "%" in text else plain_text(text),
        "noIndex": is_hidden,
    }
    return {key: value for key, value in found.items() if value}
