"""Former addresses: where a reader is led who asks for a page where it no longer is.

Four sources lead from them, in this order: slugs as they were before combining marks belonged to
words (308), the old addresses that documents list (301), the rules of the file `_redirects`, and
the former paths of kinds (301). Then the path of a page without a locale leads to it in that of the
visitor.
They are asked only when there is no page, so none of them hides one. All lead to a page that is
published, or to another site, in one step: a chain is followed here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import pairwise
from unicodedata import normalize
from urllib.parse import parse_qsl, quote, unquote

from knowledge.addresses.addresses import (
    UNLOCALIZED,
    Address,
    entry_at,
    is_visible,
    nearest_locale,
    page_of,
    parse_address,
    route_of,
    split_locale,
)
from knowledge.addresses.link_index import asset_index
from knowledge.documents.assets import find_file
from knowledge.fields.content_types import AUTHOR, CATEGORY, POST, TAG, AnyContentType
from knowledge.locales.locale import Locale
from knowledge.markdown.slugs import slugify, term_slug
from knowledge.snapshot.layer_resolution import resolve
from knowledge.snapshot.named_terms import tag_slug
from knowledge.snapshot.old_addresses import OldAddress, normal_path
from knowledge.snapshot.redirect_rules import GONE, REDIRECTS_FILE, RedirectRule, RuleMatch
from knowledge.snapshot.snapshot import Snapshot, former_category

_FEEDS = ("/feed.xml", "/feed.json")
"""Files below the list of posts and each category."""


@dataclass(frozen=True, slots=True)
class Redirect:
    """The answer to a former address: status, and location unless the page is gone.

    `location` is percent-encoded, and the path of a page if `is_page`. `sources` are the places
    that led to it.
    """

    status: int
    location: str
    sources: tuple[str, ...]
    is_page: bool = False
    parameters: AbstractSet[str] = frozenset()
    """The query parameters that a rule named, which the new address does not get."""

    def moved(self, location: str) -> Redirect:
        """Return the same redirect to another location."""
        return replace(self, location=location)


_CATEGORY_FOLDERS = frozenset(("category", "categories"))
_SERVICE_FILES = UNLOCALIZED | {"/llms-full.txt", "/robots.txt"}
_RENAMED, _MOVED = 308, 301
_MAX_STEPS = 8
"""How many rules with placeholders one request may pass; circles end here."""


def former_address(
    snapshot: Snapshot, path: str, reader: Locale, now: datetime, query: str = ""
) -> Redirect | None:
    """Return where a decoded path leads that is no page, or None.

    `reader` is the locale of readers whose path names none, `query` that of the request.
    """
    renamed = current_path(snapshot, path, now)
    search = AddressSearch(snapshot, reader, now, query)
    if renamed != path:
        own = Redirect(_RENAMED, quote(renamed), ("a former slug",))
        return search.found(renamed) or own  # in one step
    composed = None if path.isascii() else _composed(snapshot, path, now)
    return composed or search.found(path)


def _composed(snapshot: Snapshot, path: str, now: datetime) -> Redirect | None:
    """Return the redirect to what a path names if its letters are composed in another way.

    Addresses are composed (NFC); files have the names of the disk, which macOS decomposes (NFD).
    """
    composed, source = normalize("NFC", path), ("a path with letters composed in another way",)
    files = asset_index(snapshot).composed
    file = find_file(files, composed[1:])
    if file is not None:
        location = f"/{files[file.path]}"
        return Redirect(_RENAMED, quote(location), source) if location != path else None
    if composed == path:
        return None
    locale, below = split_locale(composed)
    address = parse_address(below, snapshot)
    is_page = bool(locale and address and is_visible(snapshot, address, locale, now))
    if is_page or (path.startswith("/api/") and _names_document(snapshot, composed, now)):
        return Redirect(_RENAMED, quote(composed), source, is_page)
    return None


def _names_document(snapshot: Snapshot, path: str, now: datetime) -> bool:
    """Return whether the last part of a path is the slug of a published document."""
    slug = path.rpartition("/")[2]
    entries = (by_slug.get(slug) for by_slug in snapshot.entries.values())
    return any(
        resolve(entry, locale, now)
        for entry in entries
        if entry
        for locale in snapshot.open_locales
    )


_LOCALE_FILES = frozenset({"/llms.txt", "/llms-full.txt", "/opensearch.xml"})
"""Files that exist below each locale."""

_USUAL_FEEDS = frozenset(
    f"/{name}" for name in ("feed.xml", "index.xml", "rss.xml", "atom.xml", "feed", "rss", "atom")
)
"""Where other generators have the feed of a site."""


@dataclass(frozen=True, slots=True)
class AddressSearch:
    """A search for the place to which a path leads, at one instant."""

    snapshot: Snapshot
    reader: Locale
    now: datetime
    query: str = ""

    def found(self, path: str) -> Redirect | None:
        """Follow the rules step by step, and from the last step to the end of a long chain."""
        queried = self.queried(path)
        if queried:
            return queried
        sources: tuple[str, ...] = ()
        status, rule = _MOVED, None
        for _ in range(_MAX_STEPS):
            search = self.at(path)
            claim = search.claim(path)
            if claim:
                return search.claimed(claim, status, sources)
            match = search.match(path)
            if match is None:
                present = search.of_kind(path)
                if present is None:
                    return search.usual(path)
                path, sources = present, (*sources, "the former address of a kind")
                redirect = search.to(path, status, sources)
                if redirect:
                    return redirect
                continue
            status = match.rule.status if rule is None else status
            rule, location = match.rule, match.rule.location(match.values)
            sources = (*sources, _place(rule))
            redirect = search.target(rule, location, status, sources)
            if redirect:
                return redirect
            path = unquote(_split(location)[0])
        last = self.snapshot.redirects.last.get(rule) if rule else None
        return (
            self.target(last, last.location({}), status, (*sources, _place(last))) if last else None
        )

    def at(self, path: str) -> AddressSearch:
        """Return the search for a reader at a path, which may name another locale."""
        locale, _ = split_locale(path)
        return replace(self, reader=locale) if locale else self

    def claim(self, path: str) -> OldAddress | None:
        """Return the document that lists a path, with or without its locale."""
        old = self.snapshot.old_addresses
        claims = (old.get(normal_path(each)) for each in _spellings(path))
        return next(filter(None, claims), None)

    def match(self, path: str) -> RuleMatch | None:
        """Return the rule for a path, with or without its locale."""
        rules = self.snapshot.redirects
        return next(filter(None, map(rules.match, _spellings(path))), None)

    def queried(self, path: str) -> Redirect | None:
        """Return where a rule leads that names parameters of the query, or None."""
        rules = self.snapshot.redirects
        if not (self.query and rules.queries):
            return None
        asked = frozenset(parse_qsl(self.query, keep_blank_values=True))
        matching = (rules.of_query(each, asked) for each in _spellings(path))
        rule = next(filter(None, matching), None)
        if rule is None:
            return None
        location, sources = rule.location({}), (_place(rule),)
        found = self.target(rule, location, rule.status, sources)
        if found is None:
            found = replace(self, query="").found(unquote(_split(location)[0]))
            if found and found.status != GONE:
                found = replace(found, status=rule.status)
            found = found and replace(found, sources=(*sources, *found.sources))
        names = frozenset(name for name, _ in rule.query)
        return found and replace(found, parameters=names)

    def claimed(self, claim: OldAddress, status: int, sources: tuple[str, ...]) -> Redirect | None:
        """Return the redirect to the page of a document, or None if it is not published."""
        address = route_of(self.snapshot, claim.entry)
        path = self.page(address, None) if address else None
        if path is None:
            return None
        return Redirect(status, quote(path), (*sources, claim.document.path), is_page=True)

    def of_kind(self, path: str) -> str | None:
        """Return the path to which the kind of a page moved, or None."""
        locale, below = split_locale(path)
        present = self.snapshot.kinds.present_path(normal_path(below).removesuffix(".html"))
        return present and f"{locale.path if locale else ''}{present}"

    def usual(self, path: str) -> Redirect | None:
        """Return the redirect from where most sites have a page, a list or a feed, or None."""
        locale, below = split_locale(path)
        if below.rstrip("/") in _USUAL_FEEDS:
            feed = self.served(f"{locale.path if locale else ''}{next(_blog_feeds(self.snapshot))}")
            return Redirect(_MOVED, quote(feed), ("a feed",)) if feed else None
        later = _LATER_PAGE.fullmatch(below)
        if later and later["list"]:
            return self.found(f"{locale.path if locale else ''}{later['list']}")
        listed = _blog(self.snapshot) if later else usual_page(self.snapshot, below)
        plain = normal_path(path).removesuffix(".html").lower()
        own = None if locale else parse_address(plain, self.snapshot)
        found = {"an address without a locale": own, "a usual address": listed}
        for source, address in found.items():
            page = self.page(address, locale) if address else None
            if page:
                return Redirect(_MOVED, quote(page), (source,), is_page=True)
        return None

    def target(
        self, rule: RedirectRule, target: str, status: int, sources: tuple[str, ...]
    ) -> Redirect | None:
        """Return the redirect to the location of a rule, or None if there is nothing."""
        if rule.status == GONE:
            return Redirect(GONE, "", sources)
        if rule.is_external:
            return Redirect(status, target, sources)
        encoded, rest = _split(target)
        return self.to(normal_path(unquote(encoded)), status, sources, rest)

    def to(
        self, path: str, status: int, sources: tuple[str, ...], rest: str = ""
    ) -> Redirect | None:
        """Return the redirect to the file or page at a decoded path, or None if there is none."""
        served = self.served(path)
        if served is not None:
            return Redirect(status, quote(served) + rest, sources)
        locale, below = split_locale(path)
        address = parse_address(below, self.snapshot)
        page = self.page(address, locale) if address else None
        return Redirect(status, quote(page) + rest, sources, is_page=not rest) if page else None

    def served(self, path: str) -> str | None:
        """Return the path of a file that is there, in the reader's locale if it has one."""
        locale, below = split_locale(path)
        if path[1:] in self.snapshot.assets or path in _SERVICE_FILES:
            return path
        files = (*_LOCALE_FILES, *_blog_feeds(self.snapshot))
        if below in files and (locale or self.reader) in self.snapshot.open_locales:
            return (locale or self.reader).path + below
        category = _category_of(self.snapshot, below)
        page = self.page(category, locale) if category else None
        return page and page + below[below.rindex("/") :]

    def page(self, address: Address, locale: Locale | None) -> str | None:
        """Return the path of a page for the reader; None if it is not published."""
        if locale is not None and is_visible(self.snapshot, address, locale, self.now):
            return locale.path + address.path
        nearest = nearest_locale(self.snapshot, address, locale or self.reader, self.now)
        if not is_visible(self.snapshot, address, nearest, self.now):
            return None
        return nearest.path + address.path


def _blog(snapshot: Snapshot) -> Address:
    """Return the list of all posts."""
    return Address(snapshot.page_types.lists[POST])


def _blog_feeds(snapshot: Snapshot) -> Iterator[str]:
    return (_blog(snapshot).path + name for name in _FEEDS)


def _category_of(snapshot: Snapshot, path: str) -> Address | None:
    """Return the category whose feed has a path below a locale, None for other paths."""
    list_path = next((path[: -len(name)] for name in _FEEDS if path.endswith(name)), None)
    address = parse_address(list_path, snapshot) if list_path else None
    return address if address and address.page.content_types == (CATEGORY,) else None


_USUAL_LIST = re.compile(
    r"/(?P<kind>tags?|categor(?:y|ies)|authors?)/(?P<name>[^/]+?)(?:\.html|/(?:index\.html)?)?",
    re.IGNORECASE,
)
_USUAL_INDEX = re.compile(
    r"(?:/blog)?/(?:tags|categories|authors|archives?|(?:archives?/)?(?:19|20)\d\d(?:/\d\d?){0,2})"
    r"(?:\.html|/(?:index\.html)?)?",
    re.IGNORECASE,
)
"""Lists of all tags, categories or authors, or of a period; here the blog has them."""

_LATER_PAGE = re.compile(
    r"(?P<list>(?:/[^/]+)*?)/(?:page/\d+(?:\.html|/(?:index\.html)?)?|index-?\d+\.html)"
)
"""A further page of a list; here the list has all of them."""

_USUAL_LISTS: Mapping[str, tuple[AnyContentType, Callable[[str], str]]] = {
    **dict.fromkeys(("tag", "tags"), (TAG, tag_slug)),
    **dict.fromkeys(("category", "categories"), (CATEGORY, term_slug)),
    **dict.fromkeys(("author", "authors"), (AUTHOR, slugify)),
}


def usual_page(snapshot: Snapshot, path: str) -> Address | None:
    """Return the list of posts that most generators have at a path, such as `/tags/vat/`."""
    if _USUAL_INDEX.fullmatch(path):
        return _blog(snapshot)
    match = _USUAL_LIST.fullmatch(path)
    if match is None:
        return None
    kind, slug_of = _USUAL_LISTS[match["kind"].lower()]
    slug = slug_of(match["name"])
    return page_of(kind, slug, snapshot) if slug else None


def _spellings(path: str) -> Iterator[str]:
    """Yield a path, without its locale, and both as generators write them without `.html`."""
    locale, below = split_locale(path)
    for each in (path, below) if locale else (path,):
        yield each
        if each.endswith(".html"):
            yield each.removesuffix(".html")


def _split(target: str) -> tuple[str, str]:
    """Split a URL into its path and the rest, which begins with ? or #."""
    path = target.partition("#")[0].partition("?")[0]
    return path, target[len(path) :]


def _place(rule: RedirectRule) -> str:
    return f"{REDIRECTS_FILE}:{rule.line}"


def redirected_path(snapshot: Snapshot, path: str) -> str | None:
    """Return a path that a rule leads to another site, a file or a feed, or None.

    Rules with placeholders do not count, as in `page_of_old_address`.
    """
    rule = snapshot.redirects.literal.get(normal_path(path))
    if rule is None or rule.status == GONE:
        return None
    target = rule.target_path
    is_file = target[1:] in snapshot.assets or locale_file(snapshot, target) is not None
    return path if rule.is_external or is_file else None


def locale_file(snapshot: Snapshot, path: str) -> str | None:
    """Return the path below a locale of the feed or other file that a path means, or None."""
    if path in _LOCALE_FILES - UNLOCALIZED:
        return path
    if path.rstrip("/") in _USUAL_FEEDS:
        return next(_blog_feeds(snapshot))
    if not path.endswith(_FEEDS):
        return None
    path = snapshot.kinds.present_path(path) or path
    category = _category_of(snapshot, path)
    is_there = category and entry_at(snapshot, category)
    return path if is_there or path in _blog_feeds(snapshot) else None


def page_of_old_address(snapshot: Snapshot, path: str) -> Address | None:
    """Return the page to which an old address leads, published or not, or None.

    Rules with placeholders do not count: one for all paths would hide that a link is broken.
    """
    normal = normal_path(path)
    claim = snapshot.old_addresses.get(normal)
    if claim:
        return route_of(snapshot, claim.entry)
    rule = snapshot.redirects.literal.get(normal)
    if rule is None:
        present = snapshot.kinds.present_path(normal)
        return parse_address(present, snapshot) if present else usual_page(snapshot, path)
    if rule.is_external or rule.status == GONE:
        return None
    target = split_locale(normal_path(rule.target_path))[1]
    return parse_address(snapshot.kinds.present_path(target) or target, snapshot)


def current_path(snapshot: Snapshot, path: str, now: datetime | None = None) -> str:
    """Return a path with the present slugs of documents instead of their former ones.

    With `now`, only documents that are published then count.
    """
    pairs = pairwise(("", *path.split("/")))
    return "/".join(_current_part(snapshot, folder, part, now) for folder, part in pairs)


def _current_part(snapshot: Snapshot, folder: str, part: str, now: datetime | None) -> str:
    slug, dot, suffix = part.partition(".")
    entry = snapshot.former_slugs.get(slug)
    if entry is None and folder in _CATEGORY_FOLDERS:
        entry = snapshot.former_slugs.get(former_category(slug))
    if entry is None:
        return part
    if now is not None and not any(resolve(entry, each, now) for each in snapshot.open_locales):
        return part
    return f"{entry.slug}{dot}{suffix}"
