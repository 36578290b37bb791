"""The judge: compares what the old site published with what the imported content is served as."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from urllib.parse import unquote

from app.operations.export.pages import SiteFiles
from app.operations.importing.old_site import Page, words_of
from knowledge.addresses.addresses import (
    Address,
    entry_at,
    is_visible,
    parse_address,
    split_locale,
    variants,
)
from knowledge.fields.content_types import AUTHOR, CATEGORY, TAG
from knowledge.resources.site_map import addresses_of

LOST, EXPOSED = "lost addresses", "texts that the old site did not publish"
LOST_WORDS = "pages without some words"
MADE_WORDS = "pages without words that stand in no file of the source"
FAILING = (LOST, EXPOSED)
_REDIRECTS = (301, 302, 307, 308)


@dataclass(slots=True)
class Verdict:
    """What the judge found: each old address with its new one, and differences by kind."""

    addresses: dict[str, str] = field(default_factory=dict)
    """The path of the page to which each leads, `""` for none."""

    differences: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    words: int = 0
    lost_words: int = 0
    made_words: int = 0
    """Those of the lost words that stand in no file of the source."""

    written: AbstractSet[str] = frozenset()
    """The words of all files of the source, if they are known."""

    @property
    def has_failed(self) -> bool:
        """Whether an address is lost, or a text exposed."""
        return any(self.differences.get(each) for each in FAILING)

    def lines(self, most: int | None = 10) -> Iterator[str]:
        """Yield the report, with the first differences of each kind."""
        found = sum(map(bool, self.addresses.values()))
        yield f"{found} of {len(self.addresses)} old addresses lead to a page."
        if self.words:
            yield f"{self.words - self.lost_words} of {self.words} words are on their pages."
        if self.made_words:
            yield f"{self.made_words} of the others stand in no file of the source."
        for kind, each in sorted(self.differences.items()):
            yield f"{len(each)} {kind}:"
            yield from (f"  {line}" for line in each[:most])

    def report(self) -> str:
        """Return all differences, and each address with its new one."""
        lines = [*self.lines(None), "", *(f"{old}\t{new}" for old, new in self.addresses.items())]
        return "".join(f"{line}\n" for line in lines)


async def judged(
    site: SiteFiles,
    pages: Iterable[tuple[str, Page | None]],
    own: Collection[str],
    written: AbstractSet[str],
) -> Verdict:
    """Return what differs; `own` are the pages that the import made of texts of others."""
    verdict = Verdict(written=written)
    pictures: dict[str, str] = {}
    async with site.running():
        for address, old in pages:
            language = old.language if old else ""
            path, html, shown_in = await _followed(site, address, language, is_read=old is not None)
            verdict.addresses[address] = path
            if not path:
                verdict.differences[LOST].append(f"{address} ({html})")
            elif old is not None:
                _compare(verdict, site, address, old, path, html, shown_in)
                pictures |= dict.fromkeys(old.pictures(address), address)
        for picture, address in pictures.items():
            # a large picture leads to a smaller one
            if not (await _followed(site, picture, "", is_read=True, steps=3))[0]:
                verdict.differences["lost pictures"].append(f"{picture} on {address}")
    known = {split_locale(unquote(path))[1] for path in verdict.addresses.values()}
    for path in _served(site):
        if path not in known and path not in own:
            verdict.differences[EXPOSED].append(path)
    return verdict


async def _followed(
    site: SiteFiles, address: str, language: str, *, is_read: bool, steps: int = 2
) -> tuple[str, str, str]:
    """Return the path of the page at an address, and its HTML and language if it is read.

    Without a page, return no path, and why.
    """
    path = address
    for _ in range(steps):
        file = await site.response(path, language)
        with file.body:
            if file.status == 200:
                is_html = file.media_type.startswith("text/html")
                html = file.body.read().decode() if is_html else ""
                return path, html, file.headers.get("content-language", "")
        location = file.headers.get("location", "").partition("#")[0]
        if file.status not in _REDIRECTS:
            return "", str(file.status), ""
        if not location.startswith("/") or (not is_read and _is_there(site, location)):
            return location, "", ""
        path = location
    return "", "more than one redirect", ""


def _is_there(site: SiteFiles, location: str) -> bool:
    """Return whether a page is published at a path."""
    locale, below = split_locale(unquote(location.partition("?")[0]))
    address = parse_address(below, site.snapshot)
    return bool(locale and address and is_visible(site.snapshot, address, locale, site.now))


def _compare(
    verdict: Verdict, site: SiteFiles, address: str, old: Page, path: str, html: str, language: str
) -> None:
    """Note how a page differs from the old one; lists of pages are not compared."""
    found = parse_address(split_locale(unquote(path))[1], site.snapshot)
    if found is None or not _is_text(site, found):
        return
    shown, new = f"{address} at {path}", Page(html)
    if new.heading not in old.titles:
        verdict.differences["other titles"].append(shown)
    if old.language and old.language != language.partition("-")[0]:
        verdict.differences["other languages"].append(f"{shown}: {language}")
    if old.days and new.days and set(old.days).isdisjoint(new.days):
        verdict.differences["other dates"].append(f"{shown}: {new.days[0]}, not {old.days[0]}")
    lost = old.words - words_of(html)
    verdict.words += len(old.words)
    verdict.lost_words += len(lost)
    made = lost - verdict.written if verdict.written else frozenset()
    verdict.made_words += len(made)
    for kind, words in {LOST_WORDS: lost - made, MADE_WORDS: made}.items():
        if words:
            some = " ".join(sorted(words)[:5])
            verdict.differences[kind].append(f"{shown}: {len(words)}, {some}")


def _served(site: SiteFiles) -> Iterator[str]:
    """Yield the paths of published texts, without a locale."""
    snapshot = site.snapshot
    for address in addresses_of(snapshot, snapshot.page_types.listed):
        if _is_text(site, address) and variants(snapshot, address, site.now).locales:
            yield address.path


_TERMS = frozenset((AUTHOR, CATEGORY, TAG))


def _is_text(site: SiteFiles, address: Address) -> bool:
    """Return whether a page has a text of its own, and is no list."""
    is_list = address.page.is_list or not _TERMS.isdisjoint(address.page.content_types)
    return not is_list and bool(address.slug) and entry_at(site.snapshot, address) is not None
