"""Answers outlive an edit: what an edit does not touch is kept, and all answers are of one edition.

A kept answer is compared with that of a service that was started after the edit, byte for byte.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest
from conftest import Visit, examples
from contract.visitor import NOW, FakeClock, Reply, Visitor
from gulf import write_site
from pictures import picture

from app.features.changes.cdn import purge_tags, touched_since
from app.web.pipeline.cached_responses import CachedResponses
from app.web.pipeline.layers import LAYERS
from knowledge.views.edit_effects import INDEXES

pytestmark = pytest.mark.slow

HTML = {"Accept": "text/html"}
MARKDOWN = {"Accept": "text/markdown"}
TAGS = ("vat", "stock", "payroll", "c++", "ضريبة")
CATEGORIES = ("guides", "news", "أخبار")


def post(title: str, day: int = 1, more: str = "", body: str = "Text.") -> str:
    """Return the file of a post, published some days before the test."""
    date = f"{NOW - timedelta(days=day):%Y-%m-%d}"
    return f"---\ntitle: {title}\npublishedAt: {date}\n{more}---\n{body}\n"


def page(title: str, body: str = "Text.", more: str = "") -> str:
    """Return the file of a page."""
    return f"---\ntitle: {title}\n{more}---\n{body}\n"


SITE: Mapping[str, str | bytes] = {
    "site/settings.md": "---\nname: Wahat\n---\n",
    "site/navigation.md": "---\nheader:\n  - {label: Blog, href: /blog}\n"
    "  - {label: Shop, href: /products}\n  - {label: Customers, href: /testimonials}\n---\n",
    "pages/about.md": page("About", "See [one](../posts/one.md) and [old](/former)."),
    "pages/help.md": page("Help", "![A plan](../images/plan.png)"),
    "posts/one.md": post("One", 9, "tags: [vat, stock]\ncategory: guides\n"),
    "posts/two.md": post("Two", 8, "tags: [vat]\ncategory: guides\nseries: Books\n"),
    "posts/three.md": post("Three", 7, "tags: [stock]\nseries: Books\n"),
    "posts/four.md": post("Four", 6, "category: news\naliases: [/former]\n"),
    "posts/five.md": post("Five", 5, "", "See [two](/blog/two) and [six](/blog/six)."),
    "posts/ضريبة.md": post("ضريبة القيمة", 4, "tags: [vat]\n"),
    "categories/guides.md": page("Guides"),
    "cities/riyadh.md": "---\ncountryCode: sa\nname: {en: Riyadh, ar: الرياض}\n---\nText.\n",
    "products/till.md": page("Till", "A till.", "price: 100\n"),
    "testimonials/huda.md": "---\nname: Huda\nquote: Good.\n---\n",
    "images/plan.png": picture("PNG", 60, 20),
}
PAGES = (
    *("/sa/en", "/sa/en/about", "/sa/en/help", "/sa/en/blog", "/ae/ar", "/ae/ar/blog"),
    *(f"/sa/en/blog/{slug}" for slug in ("one", "two", "three", "four", "five", "six", "moved")),
    "/ae/ar/blog/%D8%B6%D8%B1%D9%8A%D8%A8%D8%A9",
    *("/sa/en/blog/category/guides", "/sa/en/blog/category/news", "/sa/en/blog/tag/vat"),
    *("/sa/en/products", "/sa/en/products/till", "/sa/en/testimonials", "/sa/en/cities/riyadh"),
    *("/sa/en/cities/jeddah", "/sa/ar/cities"),
)
FILES = (
    *("/sitemap.xml", "/llms.txt", "/sa/en/llms.txt", "/robots.txt", "/sa/en/blog/feed.xml"),
    *("/sa/en/blog/category/guides/feed.json", "/images/plan.png", "/files/terms.pdf"),
    *("/former", "/sa/en/former", "/openapi.json", "/sa/en/search?q=vat", "/favicon.ico"),
    *(
        f"/api/public/v1/{path}country=sa&lang=en"
        for path in ("blog/posts?", "blog/posts/one?", "blog/categories?", "site?", "pages/about?")
    ),
)


class Folder:
    """The content folder of a service, and that service."""

    def __init__(self, root: Path, visitor: Visitor) -> None:
        self.root = root
        self.visitor = visitor
        self.services = visitor.quart.extensions["majlis"]

    def write(self, path: str, content: str | bytes) -> None:
        """Write one file, and load it."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
        self.services.content_store.reload({path})

    def delete(self, path: str) -> None:
        """Delete one file, and load the rest."""
        (self.root / path).unlink()
        self.services.content_store.reload({path})

    def is_kept(self, target: str, headers: Mapping[str, str] = HTML) -> bool:
        """Return whether a request is answered from the cache; it fills it otherwise."""
        hits = self.services.cache.hits
        self.visitor.get(target, headers)
        return bool(self.services.cache.hits > hits)


@pytest.fixture
def folder(visit: Visit, tmp_path: Path) -> Folder:
    """A small site, whose pages have been read."""
    made = Folder(tmp_path / "content", visit(SITE))
    for target in (
        *PAGES[:12],
        *PAGES[-6:],
        "/images/plan.png",
        "/sa/en/blog/category/guides",
        "/sitemap.xml",
    ):
        made.visitor.get(target, HTML)
    return made


def test_an_edit_of_a_text_drops_only_the_pages_that_show_it(folder: Folder) -> None:
    """Lists and neighbours show the beginning of a text; other pages are kept."""
    terms = "tags: [vat]\ncategory: guides\nseries: Books\n"
    folder.write("posts/two.md", post("Two", 8, terms, "New."))
    for target in (
        *("/sa/en/blog/two", "/sa/en/blog", "/sa/en/blog/category/guides"),
        *("/sa/en/blog/one", "/sa/en/blog/three"),
    ):
        assert not folder.is_kept(target), target
    for target in ("/sa/en/about", "/sa/en/help", "/sa/en/blog/four", "/images/plan.png"):
        assert folder.is_kept(target), target


def test_an_edit_of_a_page_keeps_the_posts(folder: Folder) -> None:
    """A page without a place in the menu is shown by itself only."""
    folder.write("pages/about.md", page("About", "New text."))
    assert not folder.is_kept("/sa/en/about")
    for target in ("/sa/en/help", "/sa/en/blog", "/sa/en/blog/one"):
        assert folder.is_kept(target), target


def test_a_new_post_drops_its_lists_its_neighbours_and_links_to_it(folder: Folder) -> None:
    """Other posts are kept."""
    folder.visitor.get("/sa/en/blog/category/news", HTML)
    folder.write("posts/six.md", post("Six", 1, "category: news\n"))
    for target in ("/sa/en/blog", "/sa/en/blog/category/news", "/sa/en/blog/five"):
        assert not folder.is_kept(target), target
    for target in ("/sa/en/about", "/sa/en/blog/category/guides", "/sa/en/blog/two"):
        assert folder.is_kept(target), target


CITY = "---\ncountryCode: {country}\nname: {{en: {name}, ar: مدينة}}\n---\n{text}\n"
ELSEWHERE = ("/sa/en/about", "/sa/en/blog", "/sa/en/blog/one", "/ae/ar/blog", "/images/plan.png")


@pytest.mark.parametrize(
    ("path", "text"),
    [
        pytest.param(
            "cities/riyadh.md",
            "---\ncountryCode: sa\nname: {en: Riyadh, ar: الرياض}\n---\nNew.\n",
            id="city",
        ),
        pytest.param("products/till.md", page("Till", "New.", "price: 120\n"), id="product"),
        pytest.param("testimonials/huda.md", "---\nname: Huda\nquote: Fine.\n---\n", id="words"),
    ],
)
def test_what_headers_and_footers_only_name_keeps_other_pages(
    folder: Folder, path: str, text: str
) -> None:
    """They read it, but what they show of it is the same, also after several edits."""
    for more in ("", "More.\n"):
        folder.write(path, text + more)
        for target in ELSEWHERE:
            assert folder.is_kept(target), target


def test_another_name_in_the_footer_drops_the_pages_of_that_country(folder: Folder) -> None:
    """Those of other countries do not show it."""
    folder.write("cities/riyadh.md", CITY.format(country="sa", name="Diriyah", text="Text."))
    assert not folder.is_kept("/sa/en/about")
    assert b"Diriyah" in folder.visitor.get("/sa/en/about", HTML).body
    assert folder.is_kept("/ae/ar/blog")


def test_a_new_city_drops_the_pages_of_its_country(folder: Folder) -> None:
    """Also if that is its first one."""
    folder.write("cities/dubai.md", CITY.format(country="ae", name="Dubai", text="Text."))
    assert not folder.is_kept("/ae/ar/blog")
    assert folder.is_kept("/sa/en/about")


def test_a_page_made_while_an_edit_is_compared_is_dropped(folder: Folder, clock: FakeClock) -> None:
    """What it shares with others would not be compared with the next edition."""
    snapshot = folder.services.content_store.current.snapshot
    snapshot.shared.close(snapshot.next_change_at(clock.now))
    folder.visitor.get("/om/en/about", HTML)
    folder.write("cities/muscat.md", CITY.format(country="om", name="Muscat", text="Text."))
    assert b"Muscat" in folder.visitor.get("/om/en/about", HTML).body


def test_another_picture_drops_the_pages_that_show_it(folder: Folder) -> None:
    """Its size and its variants are in their HTML."""
    folder.write("images/plan.png", picture("PNG", 61, 20))
    assert not folder.is_kept("/sa/en/help")
    assert not folder.is_kept("/images/plan.png")
    assert folder.is_kept("/sa/en/blog/one")


@pytest.mark.parametrize(
    ("path", "text"),
    [
        pytest.param(
            "site/navigation.md", "---\nheader:\n  - {label: B, href: /blog}\n---\n", id="menu"
        ),
        pytest.param("site/settings.md", "---\nname: Other\n---\n", id="settings"),
        pytest.param("site/words.md", "---\naskUs: {en: Ask}\n---\n", id="words"),
        pytest.param("countries/ae.md", "---\nsortOrder: 99\n---\n", id="country"),
        pytest.param("_redirects", "/a /about 301\n", id="redirects"),
        pytest.param("_static/site.css", "main { color: red }", id="stylesheet"),
    ],
)
def test_what_all_pages_show_drops_all(folder: Folder, path: str, text: str) -> None:
    """Also pages for which it would make no difference."""
    folder.write(path, text)
    for target in ("/sa/en/about", "/sa/en/blog", "/images/plan.png"):
        assert not folder.is_kept(target), target


def test_maps_and_searches_are_made_again_after_each_edit(folder: Folder) -> None:
    """They depend on everything."""
    folder.visitor.get("/sa/en/search?q=text", HTML)
    folder.write("pages/about.md", page("About", "New text."))
    for target in ("/sitemap.xml", "/llms.txt", "/sa/en/search?q=text"):
        assert not folder.is_kept(target), target


def test_several_edits_before_the_next_reader_count_together(folder: Folder) -> None:
    """A page is kept if none of them touched it."""
    folder.write("posts/four.md", post("Four", 6, "category: news\n", "New text."))
    folder.write("pages/about.md", page("About", "New text."))
    assert not folder.is_kept("/sa/en/blog/four")
    assert not folder.is_kept("/sa/en/about")
    assert folder.is_kept("/sa/en/help")
    folder.write("site/settings.md", "---\nname: Other\n---\n")
    folder.write("pages/about.md", page("About", "Newer text."))
    assert not folder.is_kept("/sa/en/help")


def test_a_scheduled_publication_drops_what_shows_it(folder: Folder, clock: FakeClock) -> None:
    """Lists, neighbours and links; other pages are kept, also through later edits."""
    folder.write("posts/six.md", post("Six", -2, "category: news\n"))
    for target in PAGES:
        folder.visitor.get(target, HTML)
    clock.move(timedelta(days=3))
    for target in ("/sa/en/blog", "/sa/en/blog/category/news", "/sa/en/blog/five"):
        assert not folder.is_kept(target), target
    for target in ("/sa/en/about", "/sa/en/help", "/sa/en/blog/one", "/ae/ar/blog"):
        assert folder.is_kept(target), target
    folder.write("pages/help.md", page("Help", "New text."))
    assert folder.is_kept("/sa/en/about")


def test_a_scheduled_withdrawal_drops_what_showed_it(folder: Folder, clock: FakeClock) -> None:
    """Other pages are kept."""
    until = f"unpublishAt: {NOW + timedelta(days=2):%Y-%m-%d}\n"
    folder.write("products/till.md", page("Till", "A till.", f"price: 100\n{until}"))
    folder.write("posts/two.md", post("Two", 8, f"category: guides\n{until}"))
    for target in PAGES:
        folder.visitor.get(target, HTML)
    clock.move(timedelta(days=3))
    for target in ("/sa/en/blog/two", "/sa/en/blog", "/sa/en/products"):
        assert not folder.is_kept(target), target
    for target in ("/sa/en/about", "/sa/en/help", "/images/plan.png"):
        assert folder.is_kept(target), target


def test_the_schedule_while_an_edit_is_compared_drops_what_pages_share(
    folder: Folder, clock: FakeClock
) -> None:
    """It would not be compared with the next edition."""
    folder.write("posts/six.md", post("Six", -2, "category: news\n"))
    folder.visitor.get("/sa/en/about", HTML)
    snapshot = folder.services.content_store.current.snapshot
    snapshot.shared.close(snapshot.next_change_at(clock.now))
    clock.move(timedelta(days=3))
    assert not folder.is_kept("/sa/en/about")
    assert folder.is_kept("/images/plan.png")


def test_an_edit_and_the_schedule_at_once_drop_all(folder: Folder, clock: FakeClock) -> None:
    """What the one touches after the other is not known."""
    folder.write("posts/later.md", post("Later", -2))
    folder.visitor.get("/sa/en/help", HTML)
    assert folder.is_kept("/sa/en/help")
    clock.move(timedelta(days=3))
    folder.write("pages/about.md", page("About", "New text."))
    assert not folder.is_kept("/sa/en/help")


# Random edits: whatever is kept is what a new service would answer.

Edit = Callable[[random.Random, Folder], None]


def _random_post(choose: random.Random) -> str:
    lines = [
        f"tags: {choose.sample(TAGS, choose.randrange(3))}\n".replace("'", '"'),
        choose.choice(("", f"category: {choose.choice(CATEGORIES)}\n")),
        choose.choice(("", "", "series: Books\n", "published: false\n", "noIndex: true\n")),
        choose.choice(("", "", "slug: moved\n", "aliases: [/former]\n", "author: Huda\n")),
        choose.choice(("", "", f"unpublishAt: {NOW + timedelta(days=2):%Y-%m-%d}\n")),
    ]
    link = choose.choice(("one.md", "six.md", "/blog/moved", "/former", "../pages/about.md"))
    body = f"Text {choose.randrange(9)} with [a link]({link}), ![x](../images/plan.png)"
    return post(f"Title {choose.randrange(9)}", choose.randrange(-2, 12), "".join(lines), body)


def _write_post(choose: random.Random, folder: Folder) -> None:
    name = choose.choice(("one", "two", "three", "four", "five", "six", "ضريبة", "two.ar"))
    folder.write(f"posts/{name}.md", _random_post(choose))


def _delete_post(choose: random.Random, folder: Folder) -> None:
    posts = sorted((folder.root / "posts").iterdir())
    folder.delete(f"posts/{choose.choice(posts).name}")


def _rename_post(choose: random.Random, folder: Folder) -> None:
    file = choose.choice(sorted((folder.root / "posts").iterdir()))
    other = file.with_name(choose.choice(("one.md", "six.md", "2020-02-02-one.md", "five.sa.md")))
    file.rename(other)
    folder.services.content_store.reload({f"posts/{file.name}", f"posts/{other.name}"})


def _write_page(choose: random.Random, folder: Folder) -> None:
    path = choose.choice(("pages/about.md", "pages/about.ar.md", "pages/six.md", "pages/help.md"))
    more = choose.choice(("", "slug: moved\n", "aliases: [/former]\n", "published: false\n"))
    folder.write(path, page(f"Page {choose.randrange(9)}", "See [six](/blog/six).", more))


def _random_product(choose: random.Random) -> str:
    price = choose.choice(("1.0", "1.00", "'7.50'", "120"))
    active = choose.choice(("", "", "active: false\n", "published: false\n"))
    day = NOW + timedelta(days=choose.randrange(-3, 6))
    return page(
        f"Till {choose.randrange(9)}",
        f"Text {choose.randrange(9)}.",
        f"price: {price}\n{active}publishedAt: {day:%Y-%m-%d}\n",
    )


def _random_city(choose: random.Random) -> str:
    name = choose.choice(("Riyadh", "Jeddah", "Diriyah"))
    country = choose.choice(("sa", "sa", "ae"))
    return CITY.format(country=country, name=name, text=f"Text {choose.randrange(9)}.")


def _delete_other(choose: random.Random, folder: Folder) -> None:
    parts = ("cities", "products", "testimonials")
    files = sorted(file for part in parts for file in (folder.root / part).glob("*"))
    if files:
        folder.delete(str(choose.choice(files).relative_to(folder.root)))


def _write_other(choose: random.Random, folder: Folder) -> None:
    path, text = choose.choice(
        (
            ("images/plan.png", picture("PNG", choose.randrange(20, 90), 20)),
            ("images/new.png", picture("PNG", 20, 20)),
            ("files/terms.pdf", b"%PDF-" + bytes([choose.randrange(255)])),
            ("categories/news.md", page("News", "", f"sortOrder: {choose.randrange(9)}\n")),
            ("categories/guides.md", page(f"Guides {choose.randrange(9)}")),
            ("tags/vat.md", page("VAT", "What it is.")),
            ("products/till.md", _random_product(choose)),
            ("products/scanner.md", _random_product(choose)),
            ("testimonials/huda.md", f"---\nname: Huda\nquote: Good {choose.randrange(9)}.\n---\n"),
            ("cities/riyadh.md", _random_city(choose)),
            ("cities/jeddah.md", _random_city(choose)),
            ("site/blog.md", f"---\ntitle: Blog {choose.randrange(9)}\n---\n"),
            ("authors.yml", f"huda: {{name: Huda {choose.randrange(9)}}}\n"),
        )
    )
    folder.write(path, text)


_OF_THE_MOMENT = {"x-request-id", "last-modified"}
"""A file that was written within the same second has no date of change yet."""

EDITS: tuple[Edit, ...] = (
    *(_write_post, _write_post, _write_post, _rename_post, _delete_post),
    *(_write_page, _write_page, _write_other, _write_other, _write_other, _delete_other),
)


def _answers(visitor: Visitor) -> Iterator[tuple[str, tuple[int, list[tuple[str, str]], bytes]]]:
    for target in (*PAGES, *FILES):
        for headers in (HTML, MARKDOWN) if target in PAGES else (HTML,):
            yield f"{target} as {headers['Accept']}", _visible(visitor.get(target, headers))


def _visible(reply: Reply) -> tuple[int, list[tuple[str, str]], bytes]:
    headers = [pair for pair in reply.headers.items() if pair[0].lower() not in _OF_THE_MOMENT]
    return reply.status, sorted(headers), reply.body


@pytest.mark.parametrize("seed", range(examples(0.02)))
def test_what_is_kept_is_what_a_new_service_answers(
    visit: Visit, tmp_path: Path, clock: FakeClock, seed: int
) -> None:
    """After random edits and scheduled changes, every answer is that of a new service, in bytes."""
    choose = random.Random(seed)
    root = tmp_path / "content"
    folder = Folder(root, visit(SITE))
    kept = 0
    for _ in range(4):
        for _ in range(choose.randrange(3)):
            choose.choice(EDITS)(choose, folder)
        clock.move(timedelta(days=choose.choice((0, 0, 1, 2))))
        hits = folder.services.cache.hits
        answers = dict(_answers(folder.visitor))
        kept += folder.services.cache.hits - hits
        with Visitor(clock, content_dir=write_site(root, {})) as fresh:
            fresh.wrap([layer for layer in LAYERS if layer is not CachedResponses])
            for target, answer in _answers(fresh):
                assert answers[target] == answer, target
    assert kept, "some answers outlive the edits"


@pytest.mark.parametrize("seed", range(examples(0.02)))
def test_what_a_cdn_keeps_after_a_purge_is_what_the_service_answers(
    visit: Visit, tmp_path: Path, clock: FakeClock, seed: int
) -> None:
    """A purge names a tag of each answer that random edits and scheduled changes made another."""
    choose = random.Random(seed)
    folder = Folder(tmp_path / "content", visit(SITE, cdn="vary"))
    copies: dict[str, _Copy] = {}
    kept = 0
    for _ in range(5):
        answers = dict(_copies(folder.visitor))
        for target, copy in copies.items():
            assert copy.body == answers[target].body, target
        kept += len(copies)
        before, edits = clock.now, folder.services.content_store.current.edits
        for _ in range(choose.randrange(3)):
            choose.choice(EDITS)(choose, folder)
        clock.move(timedelta(days=choose.choice((0, 0, 1))))
        edition = folder.services.content_store.current
        touched = touched_since(edition, edits.number, before, clock.now) or INDEXES
        purged = set(purge_tags(touched))
        copies = {target: copy for target, copy in answers.items() if not purged & copy.tags}
    assert kept, "a CDN keeps some answers"


@dataclass(frozen=True)
class _Copy:
    """What a CDN keeps of an answer."""

    body: bytes
    tags: frozenset[str]


def _copies(visitor: Visitor) -> Iterator[tuple[str, _Copy]]:
    for target in (*PAGES, *FILES):
        for headers in (HTML, MARKDOWN) if target in PAGES else (HTML,):
            reply = visitor.get(target, headers)
            if reply.headers["CDN-Cache-Control"] != "no-store":
                tags = frozenset(reply.headers["Cache-Tag"].split(","))
                yield f"{target} as {headers['Accept']}", _Copy(reply.body, tags)
