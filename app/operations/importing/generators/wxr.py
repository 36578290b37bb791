"""WXR: the export of WordPress as a stream of items, and what is said once about the site."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from app.operations.importing.exports import InvalidExport
from app.operations.importing.html_texts import plain_text
from knowledge.markdown.slugs import slugify

_CONTROLS = dict.fromkeys([*range(9), 11, 12, *range(14, 32), 0xFFFE, 0xFFFF])
"""Characters that XML does not have, and exports do."""


_PREFIXES = (
    "atom",
    "content",
    "dc",
    "excerpt",
    "georss",
    "itunes",
    "media",
    "slash",
    "sy",
    "wfw",
    "wp",
)
"""Prefixes that plugins write and not all exports declare."""


class _Stream:
    """The characters of a file for the parser of XML, with the declarations that it lacks."""

    def __init__(self, path: Path) -> None:
        self._file = path.open(encoding="utf-8-sig", errors="replace")
        self._is_start = True

    def read(self, size: int = -1) -> str:
        text = self._file.read(size).translate(_CONTROLS)
        if self._is_start and (start := text.find("<rss")) >= 0:
            self._is_start = False
            head = text[start : text.find(">", start)]
            missing = (each for each in _PREFIXES if f"xmlns:{each}=" not in head)
            declared = "".join(f' xmlns:{each}="urn:{each}"' for each in missing)
            text = f"{text[: start + 4]}{declared}{text[start + 4 :]}"
        return text

    def close(self) -> None:
        self._file.close()


_WIDEST = timedelta(hours=14)


def _parsed(text: str) -> datetime | None:
    """Return a time without a zone; None for `0000-00-00 00:00:00` and other texts."""
    try:
        return datetime.fromisoformat(text).replace(tzinfo=None)
    except ValueError:
        return None


@dataclass(slots=True)
class Item:
    """A post, page, attachment, menu entry or other item of an export."""

    texts: Mapping[str, str]
    """Its elements by their local names."""

    terms: Sequence[tuple[str, str, str]]
    """Domain, slug and name of each of its terms."""

    meta: Mapping[str, str]
    comments: int = 0
    path: str = ""
    """The path of its file below that of its type, without a language."""

    def __getitem__(self, name: str) -> str:
        return self.texts.get(name, "")

    @property
    def kind(self) -> str:
        """The post type."""
        return self["post_type"] or "post"

    @property
    def slug(self) -> str:
        """Its name in addresses, decoded."""
        return unquote(self["post_name"]) or slugify(plain_text(self["title"])) or self["post_id"]

    @property
    def language(self) -> str:
        """The language that Polylang or WPML gives it, `""` without one."""
        polylang = (slug for domain, slug, _ in self.terms if domain == "language")
        return next(polylang, self.meta.get("_wpml_import_language_code", "")).partition("_")[0]

    @property
    def translations(self) -> str:
        """The name that it shares with its translations, `""` without any."""
        polylang = (slug for domain, slug, _ in self.terms if domain == "post_translations")
        return next(polylang, self.meta.get("_wpml_import_translation_group", ""))

    @property
    def offset(self) -> timedelta | None:
        """The offset of the site's zone at its date, None if it is not known."""
        return self._offset("post_date")

    def _offset(self, name: str) -> timedelta | None:
        local, utc = _parsed(self[name]), _parsed(self[f"{name}_gmt"])
        found = local - utc if local and utc else None
        return found if found is not None and abs(found) <= _WIDEST else None

    def moment(self, name: str, usual: timedelta) -> datetime | None:
        """Return one of its times; `usual` is the offset of one that states none."""
        local, offset = _parsed(self[name]), self._offset(name)
        zone = timezone(usual if offset is None else offset)
        return local.replace(tzinfo=zone) if local else None

    def of(self, domain: str) -> list[str]:
        """Return the names of its terms of one domain."""
        return [plain_text(name) for each, _, name in self.terms if each == domain]


_SITE = ("title", "link", "description", "language", "base_blog_url", "base_site_url")
_MAX_META = 500
"""More characters than a value has that is read; page builders keep whole pages in others."""
_TERMS = ("category", "tag", "term", "author")


def elements(path: Path) -> Iterator[tuple[str, Any]]:
    """Yield the elements directly below the channel; raises InvalidExport."""
    from defusedxml import DefusedXmlException  # noqa: PLC0415  # of an extra
    from defusedxml.ElementTree import ParseError, iterparse  # noqa: PLC0415

    stream, depth = _Stream(path), 0
    channel: Any = None
    try:
        for event, element in iterparse(stream, ("start", "end"), forbid_dtd=True):
            name = _local(element.tag)
            if event == "start":
                depth += 1
                channel = element if name == "channel" else channel
                continue
            depth -= 1
            if depth == 2:  # below <rss><channel>
                yield name, element
                channel.clear()
    except (ParseError, DefusedXmlException) as error:
        raise InvalidExport(f"{path} is no export of WordPress: {error}") from None
    finally:
        stream.close()
    if channel is None:
        raise InvalidExport(f"{path} is no export of WordPress: it has no <channel>")


def _local(tag: str) -> str:
    namespace, _, name = tag.rpartition("}")
    return "excerpt" if name == "encoded" and "excerpt" in namespace else name


def _texts(element: Any) -> dict[str, str]:
    return {_local(each.tag): (each.text or "").strip() for each in element}


def read_item(element: Any) -> Item:
    """Return an item with its text."""
    meta: dict[str, str] = {}
    terms: list[tuple[str, str, str]] = []
    comments = 0
    for each in element:
        name = _local(each.tag)
        if name == "postmeta":
            values = _texts(each)
            meta[values.get("meta_key", "")] = values.get("meta_value", "")[:_MAX_META]
        elif name == "category":
            slug = unquote(each.get("nicename", ""))
            terms.append((each.get("domain", "category"), slug, each.text or ""))
        elif name == "comment":
            comments += 1
    plain = (each for each in element if not len(each))
    texts = {_local(each.tag): (each.text or "").strip() for each in plain}
    return Item(texts, terms, meta, comments)


@dataclass(slots=True)
class Site:
    """What the first pass over an export found."""

    texts: dict[str, str] = field(default_factory=dict)
    authors: dict[str, str] = field(default_factory=dict)
    terms: dict[tuple[str, str], Mapping[str, str]] = field(default_factory=dict)
    items: dict[str, Item] = field(default_factory=dict)
    blocks: dict[str, str] = field(default_factory=dict)
    """The texts of synced patterns, which pages show by their number."""

    def read(self, path: Path) -> None:
        """Read all but the texts."""
        for name, element in elements(path):
            if name in _SITE:
                self.texts.setdefault(name, (element.text or "").strip())
            elif name == "author":
                self._add_author(_texts(element))
            elif name in _TERMS:
                values = _texts(element)
                domain = values.get("term_taxonomy") or ("post_tag" if name == "tag" else name)
                slug = values.get(f"{name}_nicename") or values.get(f"{name}_slug", "")
                self.terms[domain, unquote(slug)] = values
            elif name == "item":
                item = read_item(element)
                text = item.texts.get("encoded", "")
                if item.kind == "wp_block" and item["status"] == "publish":
                    self.blocks[item["post_id"]] = "" if item["post_password"] else text
                short = {key: each for key, each in item.texts.items() if key != "encoded"}
                item.texts = {**short, "has_text": "yes" if text else ""}
                self.items[item["post_id"] or f"#{len(self.items)}"] = item

    def _add_author(self, values: Mapping[str, str]) -> None:
        """Note how an author is shown; an address of mail is nobody's name."""
        full = f"{values.get('author_first_name', '')} {values.get('author_last_name', '')}"
        names = (plain_text(values.get("author_display_name", "")), full.strip())
        name = next((each for each in names if each and "@" not in each), "")
        self.authors[values.get("author_login", "")] = name

    def ancestors(self, item: Item) -> Iterator[Item]:
        """Yield the items above one, the nearest first."""
        seen = {item["post_id"]}
        while (item := self.items.get(item["post_parent"], _NO_ITEM)) is not _NO_ITEM:
            if item["post_id"] in seen:
                return
            seen.add(item["post_id"])
            yield item


_NO_ITEM = Item({}, (), {})
