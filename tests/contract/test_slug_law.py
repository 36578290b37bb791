"""Every slug that `majlis check` accepts is a page like any other, on a site made by `init`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from contract.test_sitemap_law import entries
from contract.visitor import NOW, Visitor
from gulf import COUNTRIES

from app.operations.starters import write_starter
from app.platform.settings import SAMPLE_CONTENT
from knowledge.checks.content_linter import check_content
from knowledge.diagnostics.diagnostic import DiagnosticKind, Severity
from knowledge.fields.content_types import REGISTRY, content_folders
from knowledge.locales.locale import Language
from knowledge.resources.listing import private_paths
from knowledge.snapshot.loading import load_content

API = "/api/public/v1"
WORD = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
OF_THE_VENDOR = ("account", "cart", "checkout", "cms")
"""Private on the sample site alone."""

OF_A_SHOP = ("account", "cart", "checkout")
PRODUCT = {"products/pump.md": "---\nid: 1\nsku: P1\ntitle: Pump\n---\nA pump.\n"}


def words_of_the_code(sample: Visitor) -> list[str]:
    """Return the words of routes, folders and locales, and those of the sample's addresses."""
    snapshot = load_content(SAMPLE_CONTENT).snapshot
    rules = (rule.rule for rule in sample.quart.url_map.iter_rules())
    words = {
        *(word for rule in rules for word in WORD.findall(re.sub("<[^>]*>", "", rule))),
        *(word for path in private_paths(snapshot) for word in WORD.findall(path)),
        *(folder.strip("_") for folder in content_folders()),
        *(country.lower() for country in COUNTRIES),
        *(*snapshot.entries[REGISTRY], *Language, *OF_THE_VENDOR),
    }
    return sorted(word for word in words if len(word) > 1)


def token(number: int) -> str:
    """Return a word that no other page has, nor one like it."""
    return "zu" + "u".join("bcdfghjklm"[int(digit)] for digit in f"{number:03}") + "uz"


@dataclass(frozen=True)
class Site:
    """A site made by `init`, with a page of each slug in both languages."""

    visitor: Visitor
    folder: Path
    words: dict[str, str]
    """A word of each page, by slug."""

    root: str

    def told(self) -> dict[str, set[DiagnosticKind | None]]:
        """Return what `check` says of each page, without notices."""
        loaded = load_content(self.folder)
        found: dict[str, set[DiagnosticKind | None]] = {}
        for each in (*loaded.diagnostics, *check_content(loaded, NOW)):
            if each.severity is not Severity.NOTICE and each.path.startswith("pages/"):
                slug = each.path.removeprefix("pages/").partition(".")[0]
                found.setdefault(slug, set()).add(each.kind)
        return found

    def faults(self) -> dict[str, list[str]]:
        """Return by slug where its page is missing."""
        ask, root = self.visitor.get, self.root
        country, language = root.strip("/").rpartition("/")[::2]
        query = f"lang={language}" + (f"&country={country}" if country else "")
        listed = entries(ask("/sitemap.xml", {"Accept": "application/xml"}))
        alternates = {urlsplit(url).path: links for url, (_, links) in listed.items()}
        replies = [ask(f"{root}/llms{part}.txt") for part in ("", "-2", "-3")]
        guides = "".join(each.text for each in replies if each.status == 200)
        menu = ask(f"{API}/navigation?{query}").json["headerLinks"]
        targets = {link["href"] for link in menu}

        def missing(path: str, word: str) -> Iterator[str]:
            found = ask(f"{API}/search?q={word}&{query}").json["items"]
            seo = ask(f"{API}/seo-page?path={path}").json
            html = ask(path, {"Accept": "text/html"})
            is_in = {
                "the site": html.status == 200 and word in html.text,
                "the index": not seo["noIndex"] and "noindex" not in html.text,
                "the sitemap": path in alternates,
                "alternates": bool(alternates.get(path) and seo["alternates"]),
                "llms.txt": f"{path}.md" in guides,
                "menus": path in targets,
                "search": path in {each["page"]["path"] for each in found},
            }
            yield from (place for place, is_there in is_in.items() if not is_there)

        faults = {slug: [*missing(f"{root}/{slug}", word)] for slug, word in self.words.items()}
        return {slug: places for slug, places in faults.items() if places}


@pytest.fixture(scope="module")
def site_of(
    sample: Visitor, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[..., Site]]:
    """Makes sites with these countries and further files."""
    with ExitStack() as started:

        def make(*countries: str, **files: str) -> Site:
            folder = tmp_path_factory.mktemp("site") / "content"
            write_starter(folder, "company", "Noor", (*Language,), countries, date(2026, 1, 1))
            words = {slug: token(number) for number, slug in enumerate(words_of_the_code(sample))}
            links = "".join(f"  - {{label: {slug}, href: /{slug}}}\n" for slug in words)
            (folder / "site" / "navigation.md").write_text(f"---\nheaderLinks:\n{links}---\n")
            (folder / "site" / "navigation.ar.md").unlink()
            pages = {
                f"pages/{slug}{suffix}.md": f"---\ntitle: Page {word}\n---\nA text of {word}.\n"
                for slug, word in words.items()
                for suffix in ("", ".ar")
            }
            for path, text in {**pages, **files}.items():
                (folder / path).parent.mkdir(exist_ok=True)
                (folder / path).write_text(text)
            visitor = started.enter_context(Visitor(content_dir=folder))
            return Site(visitor, folder, words, f"/{countries[0]}/en" if countries else "/en")

        yield make


@pytest.mark.parametrize(
    "countries", [(), pytest.param(("sa", "ae"), marks=pytest.mark.slow)], ids=["no country", "two"]
)
def test_a_slug_without_a_warning_is_in_all_that_lists_pages(
    site_of: Callable[..., Site], countries: tuple[str, ...]
) -> None:
    """Also one that is a word of a route, of a folder or of the sample's vendor."""
    site = site_of(*countries)
    told, faults = site.told(), site.faults()
    assert {slug: places for slug, places in faults.items() if slug not in told} == {}
    assert not set(OF_THE_VENDOR) & told.keys()
    assert len(told) < len(site.words) / 4
    shown = (site.visitor.get(f"/{name}").text for name in ("robots.txt", "llms.txt"))
    assert not re.search(
        r"/(?:account|cart|checkout|cms)\b(?!\.md)|assistant tools", "".join(shown)
    )


def test_check_names_the_pages_at_private_paths(site_of: Callable[..., Site]) -> None:
    """Of a shop, or of the settings; no map has them, and pages tell search engines so."""
    shop = site_of(**PRODUCT)
    told, faults = shop.told(), shop.faults()
    private = {slug for slug, kinds in told.items() if DiagnosticKind.PRIVATE_ADDRESS in kinds}
    assert private == set(OF_A_SHOP)
    lists = ["the index", "the sitemap", "alternates", "llms.txt", "search"]
    assert {tuple(faults[slug]) for slug in private} == {tuple(lists)}
    assert {slug: places for slug, places in faults.items() if slug not in told} == {}
    assert "Disallow: /en/account\n" in shop.visitor.get("/robots.txt").text
