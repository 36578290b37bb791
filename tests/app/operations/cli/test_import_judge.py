"""`majlis import --built`: the old site's own output says whether the import is whole."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from contract.visitor import write_tree
from imported_sites import LAYOUTS, metadata, run
from pictures import picture

HUGO: Mapping[str, str | bytes] = {
    "hugo.toml": 'baseURL = "https://s.example/"\ntitle = "S"\n'
    '[permalinks]\nposts = "/:year/:month/:slug/"\n',
    "content/_index.md": "---\ntitle: S\n---\nWelcome words.\n",
    "content/about.md": "---\ntitle: About us\n---\nWe make rooms. ![A](/a.png)\n",
    "content/shop/team.md": "---\ntitle: Shop team\n---\nShop people.\n",
    "content/posts/hello.md": "---\ntitle: Hello\ndate: 2024-03-04\n---\nFirst words.\n",
    "static/a.png": picture("PNG", 2, 2),
}


def page(title: str, text: str, day: str = "", language: str = "en") -> str:
    """Return a built page with a header that is no part of its text."""
    date = f'<meta property="article:published_time" content="{day}T00:00:00Z">' if day else ""
    return (
        f"<!doctype html><html lang={language}><head><title>{title} | S</title>{date}</head><body>"
        f"<header>Menu</header><main><h1>{title}</h1>{text}</main><footer>Imprint</footer></body>"
    )


BUILT: Mapping[str, str | bytes] = {
    "index.html": page("S", "<p>Welcome words.</p>"),
    "about/index.html": page("About us", '<p>We make rooms. <img src="/a.png" alt="A"></p>'),
    "shop/team/index.html": page("Shop team", "Shop people."),
    "2024/03/hello/index.html": page("Hello", "<p>First words.</p>", "2024-03-04"),
    "posts/index.html": page("Posts", "<a href='/2024/03/hello/'>Hello</a>"),
    "old/index.html": '<meta http-equiv="refresh" content="0; url=/about/">',
    "404.html": page("Missing", "Nothing"),
    "a.png": picture("PNG", 2, 2),
}


def test_a_whole_import_passes(tmp_path: Path) -> None:
    """Each old address leads to its page, also at the root of the site."""
    about = "---\ntitle: About us\naliases: [/old/]\n---\nWe make rooms. ![A](/a.png)\n"
    source = {**HUGO, "content/about.md": about}
    write_tree(tmp_path / "source", source)
    write_tree(tmp_path / "public", BUILT)
    report = tmp_path / "report.txt"
    done = run(
        tmp_path / "source", tmp_path / "content",
        "--built", str(tmp_path / "public"), "--report", str(report),
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    assert "6 of 6 old addresses lead to a page." in done.output
    assert "12 of 12 words are on their pages." in done.output
    assert "/shop/team/\t/en/team" in report.read_text("utf-8")
    assert "/about/\t/en/about" in report.read_text("utf-8")


def test_a_moment_in_another_zone_and_a_large_picture_are_no_differences(tmp_path: Path) -> None:
    """Some tools write each moment in UTC; a large picture that moved leads to a smaller one."""
    hello = "---\ntitle: Hello\ndate: 2024-03-04T01:30:00+03:00\n---\nFirst words. ![A](a.png)\n"
    shown = page("Hello", 'First words. <img src="a.png" alt="A">', "2024-03-03")
    write_tree(
        tmp_path / "source",
        {
            "hugo.toml": HUGO["hugo.toml"],
            "content/posts/hello/index.md": hello,
            "content/posts/hello/a.png": picture("PNG", 3000, 2),
        },
    )
    write_tree(
        tmp_path / "public",
        {
            "2024/03/hello/index.html": shown,
            "2024/03/hello/a.png": picture("PNG", 3000, 2),
        },
    )
    done = run(tmp_path / "source", tmp_path / "content", "--built", str(tmp_path / "public"))
    assert done.exit_code == 0, done.output
    assert "1 of 1 old addresses" in done.output
    assert "other dates" not in done.output
    assert "lost pictures" not in done.output


def test_each_difference_is_named(tmp_path: Path) -> None:
    """By kind; an address that is lost or a text that was not public makes it fail."""
    hidden = {"content/note.md": "---\ntitle: Note\n---\nSecret.\n"}
    write_tree(tmp_path / "source", {**HUGO, **hidden})
    changed = {
        "gone/index.html": page("Gone", "Text"),
        "about/index.html": page(
            "Who we are", '<img src="/b.png"><img src="/never.png"> Further', language="ar"
        ),
        "2024/03/hello/index.html": page("Hello", "First words.", "2024-03-05"),
    }
    picture_of_old = {"b.png": BUILT["a.png"]}
    write_tree(tmp_path / "public", {**BUILT, **changed, **picture_of_old})
    report = tmp_path / "report.txt"
    done = run(
        tmp_path / "source", tmp_path / "content",
        "--built", str(tmp_path / "public"), "--report", str(report),
    )  # fmt: skip
    assert done.exit_code == 1
    text = report.read_text("utf-8")
    for line in (
        "2 lost addresses:\n  /gone/ (404)\n  /old/ (404)",
        "1 texts that the old site did not publish:\n  /note",
        "1 other titles:\n  /about/ at /en/about",
        "1 other languages:\n  /about/ at /en/about: en",
        "1 other dates:\n  /2024/03/hello/ at /en/blog/hello: 2024-03-04, not 2024-03-05",
        "1 lost pictures:\n  /b.png on /about/",
        "3 of the others stand in no file of the source.",
        "1 pages without words that stand in no file of the source:",
        "  /about/ at /en/about: 3, are further who",
    ):
        assert line in text


def test_words_that_the_source_has_are_told_from_made_ones(tmp_path: Path) -> None:
    """A word of a data file is lost; a formula is shown as signs and is no word."""
    data = {"data/team.json": '{"bio": "First\\nSalma"}'}
    write_tree(tmp_path / "source", {**HUGO, **data})
    about = page("About us", r"We make rooms \(\alpha\). Salma. Printed. <img src=/a.png>")
    write_tree(tmp_path / "public", {**BUILT, "about/index.html": about})
    write_tree(tmp_path / "source" / "public", {"old.html": "Printed"})
    (tmp_path / "public").rename(tmp_path / "source" / "public" / "new")
    built = tmp_path / "source" / "public"
    done = run(tmp_path / "source", tmp_path / "content", "--built", str(built / "new"))
    assert "2 of" not in done.output
    assert "1 pages without some words:\n  /about/ at /en/about: 2, printed salma" in done.output
    done = run(tmp_path / "source", tmp_path / "again", "--built", str(built))
    assert "1 of the others stand in no file of the source." in done.output


def test_pages_of_one_title_are_told_by_their_language(tmp_path: Path) -> None:
    """Where programs compute addresses; folders of languages may be below others."""
    files: dict[str, str | bytes] = {
        **LAYOUTS["Eleventy"].files,
        "tools/en-CA/kit.md": "---\ntitle: Kit\n---\nWords.\n",
        "tools/fr/kit.md": "---\ntitle: Kit\n---\nMots. [Carte](../la-carte/#a) [Ici](#b)\n",
        "tools/en-CA/map.md": "---\ntitle: The map\n---\nMap. [Kit](../kit) ![A](a.png)\n",
        "tools/fr/map.md": "---\ntitle: La carte\n---\nCarte.\n",
        "tools/en-CA/a.png": picture("PNG", 2, 2),
    }
    built = {
        "t/kit/index.html": page("Kit", "Words."),
        "t/the-map/index.html": page("The map", "Map. <a href=../kit>Kit</a>"),
        "fr/o/kit/index.html": page("Kit", "Mots.", language="fr"),
        "fr/o/la-carte/index.html": page("La carte", "Carte.", language="fr"),
    }
    write_tree(tmp_path / "source", files)
    write_tree(tmp_path / "built", built)
    content = tmp_path / "content"
    done = run(tmp_path / "source", content, "--built", str(tmp_path / "built"))
    assert done.exit_code == 0, done.output
    assert "4 of 4 old addresses lead to a page." in done.output
    assert "other languages" not in done.output
    assert (content / "pages/tools/en-CA/map.md").read_text().endswith("[Kit](/kit) ![A](a.png)\n")
    french = next((content / "pages/tools/fr").glob("*kit*")).read_text()
    assert "[Carte](/fr-map#a) [Ici](#b)" in french


def test_a_title_that_templates_make_is_that_of_the_built_page(tmp_path: Path) -> None:
    """One that a text states itself stays."""
    computed = '{"eleventyComputed": {"title": "Room: {{ name }}"}}'
    files = {
        **LAYOUTS["Eleventy"].files,
        "rooms/rooms.json": computed,
        "rooms/a.md": "---\nname: Sea\n---\nWords.\n",
        "own.md": "---\ntitle: Own\n---\nWords.\n",
        "none.md": "Words.\n",
    }
    write_tree(tmp_path / "source", files)
    for address, title in (("rooms/a", "Room: Sea"), ("own", "Other"), ("none", "Nothing")):
        write_tree(tmp_path / "built", {f"{address}/index.html": page(title, "Words.")})
    run(tmp_path / "source", tmp_path / "content", "--built", str(tmp_path / "built"))
    titles = {each: metadata(tmp_path / "content", f"pages/{each}.md")["title"] for each in TITLED}
    assert titles == TITLED


TITLED = {"rooms/a": "Room: Sea", "own": "Own", "none": "Nothing"}


@pytest.mark.parametrize(
    "places",
    [
        {"sitemap.xml": "<urlset><url><loc>https://s.example/about/</loc></url></urlset>"},
        {
            "sitemap.xml": "<sitemapindex><loc>https://s.example/en.xml</loc></sitemapindex>",
            "en.xml": "<urlset><url><loc>https://s.example/about/</loc></url></urlset>",
        },
        {"addresses.txt": "https://s.example/about/\n"},
    ],
    ids=["sitemap", "index of sitemaps", "list"],
)
def test_addresses_alone_are_enough(tmp_path: Path, places: dict[str, str]) -> None:
    """A site that is not built has a sitemap, or a list."""
    write_tree(
        tmp_path / "source", {each: HUGO[each] for each in ("hugo.toml", "content/about.md")}
    )
    write_tree(tmp_path / "old", places)
    place = tmp_path / "old" / next(iter(places))
    done = run(tmp_path / "source", tmp_path / "content", "--built", str(place))
    assert done.exit_code == 0, done.output
    assert "1 of 1 old addresses lead to a page." in done.output
    place.write_text("/none/\n/about/\n")
    done = run(tmp_path / "source", tmp_path / "other", "--built", str(place))
    assert done.exit_code == 1
    assert "1 of 2 old addresses lead to a page.\n1 lost addresses:\n  /none/ (404)" in done.output


OLD = {
    "Hugo": ("content/about.md", "/about/"),
    "Jekyll": ("about.md", "/about.html"),
    "Zola": ("content/about.md", "/about/"),
    "Astro": ("src/pages/about.md", "/about/"),
    "Starlight": ("src/content/docs/about.md", "/about/"),
    "Docusaurus": ("docs/about.md", "/docs/about/"),
    "Eleventy": ("about.md", "/about/"),
    "VitePress": ("docs/about.md", "/about.html"),
    "MkDocs": ("docs/about.md", "/about/"),
}
"""A page of each generator, and its address."""


@pytest.mark.parametrize("generator", OLD)
def test_a_root_page_keeps_its_address(generator: str, tmp_path: Path) -> None:
    """Also where only the slash or the suffix differs; a picture beside it answers, too."""
    file, address = OLD[generator]
    text = "---\ntitle: About\n---\n\nWords.\n\n![A](a.png)\n"
    beside = file.removesuffix("about.md") + "a.png"
    texts: Mapping[str, str | bytes] = LAYOUTS[generator].source({file: text})
    source = {**texts, beside: picture("PNG", 2, 2)}
    write_tree(tmp_path / "source", source)
    name = f"{address.strip('/')}/index.html" if address.endswith("/") else address[1:]
    shown = {"Hugo": "/a.png", "Zola": "/a.png", "Jekyll": "/a.png"}.get(generator, "")
    html = page("About", f"<p>Words.</p>{f'<img src={shown}>' if shown else ''}")
    write_tree(tmp_path / "public", {name: html})
    done = run(tmp_path / "source", tmp_path / "out", "--built", str(tmp_path / "public"))
    assert done.exit_code == 0, done.output
    assert "1 of 1 old addresses lead to a page." in done.output
    assert "lost" not in done.output
