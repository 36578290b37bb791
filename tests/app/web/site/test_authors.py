"""Pages of authors, and what stands around the text of a post."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest
from cases import cases
from conftest import Visit
from contract.visitor import BASE_URL, Visitor

HTML, MARKDOWN = {"Accept": "text/html"}, {"Accept": "text/markdown"}
JSON = {"Accept": "application/json"}
PAGE = "/ae/en/blog/author/salma-haddad"


def post(*lines: str, text: str = "Text.") -> str:
    """Return a post with these lines of front matter."""
    return "\n".join(("---", *lines, "---", text))


TREE: Mapping[str, str] = {
    "posts/a.md": post("title: A & B", "authors: [salma-haddad]", "date: 2026-04-01"),
    "posts/a.ar.md": post("title: أ"),
    "posts/b.md": post(
        "title: B",
        "authors: [{name: Omar, url: 'https://omar.example', title: Editor}]",
        "date: 2026-05-01",
        "updatedAt: 2026-05-20",
    ),
    "posts/older.md": post(
        "title: O",
        "authors: [{name: Omar, url: 'https://old.example', title: Intern}]",
        "date: 2026-03-01",
        "updatedAt: 2026-03-01",
    ),
    "posts/later.md": post("title: L", "authors: [Nobody]", "date: 2027-05-01"),
    "authors/salma-haddad.md": (
        "---\nname: {en: Salma Haddad, ar: سلمى حداد}\nrole: {en: Consultant, ar: مستشارة}\n"
        "image: /images/salma.png\nimageAlt: Portrait of Salma\n"
        "links: [{label: LinkedIn, url: 'https://www.linkedin.com/in/salma-example'}]\n---\n"
        "Salma advises shops.\n"
    ),
    "registry/contact.md": "---\ntitle: Contact\n---\nText.\n",
}


@pytest.fixture
def site(shared_visit: Visit) -> Visitor:
    """A blog of three authors, one of whom has a file, and one no published post."""
    return shared_visit(TREE)


@cases(
    ("path", "status"),
    [
        pytest.param(PAGE, 200, id="a file"),
        pytest.param("/sa/ar/blog/author/salma-haddad", 200, id="in Arabic"),
        pytest.param("/ae/en/blog/author/omar", 200, id="named by a post"),
        pytest.param("/ae/ar/blog/author/omar", 404, id="no post in Arabic"),
        pytest.param("/ae/en/blog/author/nobody", 404, id="of a scheduled post"),
        pytest.param("/ae/en/blog/author/unknown", 404, id="unknown"),
    ],
)
@cases("accept", [HTML, MARKDOWN, JSON])
def test_an_author_has_a_page(
    site: Visitor, path: str, status: int, accept: dict[str, str]
) -> None:
    """In all three forms, if a file or a published post of the locale names them."""
    assert site.get(path, accept).status == status


def test_the_page_tells_who_the_author_is(site: Visitor) -> None:
    """All forms have the same: role, portrait, text, links and posts."""
    author = site.get(PAGE, JSON).json["author"]
    assert author == {
        "slug": "salma-haddad",
        "name": "Salma Haddad",
        "role": "Consultant",
        "image": "/images/salma.png",
        "imageAlt": "Portrait of Salma",
        "body": [{"type": "paragraph", "text": "Salma advises shops."}],
        "links": [{"label": "LinkedIn", "url": "https://www.linkedin.com/in/salma-example"}],
    }
    page, text = site.get(PAGE, HTML).text, site.get(PAGE, MARKDOWN).text
    for part in ("Salma Haddad", "Consultant", "Salma advises shops.", author["links"][0]["url"]):
        assert part in page
        assert part in text
    assert author["image"] in page
    assert f"[A & B]({BASE_URL}/ae/en/blog/a.md)" in text
    assert 'href="/ae/en/blog/a"' in page
    assert [item["slug"] for item in site.get(PAGE, JSON).json["items"]] == ["a"]
    assert '"@type":"ProfilePage"' in page
    assert '"@type":"Person"' in page


def test_a_page_is_in_the_language_of_its_reader(site: Visitor) -> None:
    """Name and role of a file are in both languages; so is the byline of a post."""
    author = site.get("/sa/ar/blog/author/salma-haddad", JSON).json["author"]
    assert (author["name"], author["role"]) == ("سلمى حداد", "مستشارة")
    assert site.get("/sa/ar/blog/a", JSON).json["post"]["authors"][0] == {
        "name": "سلمى حداد",
        "slug": "salma-haddad",
        "title": "مستشارة",
        "image": "/images/salma.png",
    }


def test_authors_without_a_file_have_what_posts_tell(site: Visitor) -> None:
    """Role and site of the newest post."""
    author = site.get("/ae/en/blog/author/omar", JSON).json["author"]
    assert author["role"] == "Editor"
    assert author["links"] == [{"label": "omar.example", "url": "https://omar.example"}]


def test_maps_list_authors_with_posts(site: Visitor) -> None:
    """The sitemap and llms.txt."""
    for path in ("/sitemap.xml", "/ae/en/llms.txt"):
        text = site.get(path).text
        assert f"{BASE_URL}{PAGE}" in text
        assert "/blog/author/omar" in text
        assert "nobody" not in text


def test_a_post_has_its_reading_time(visit: Visit) -> None:
    """By words, in Arabic at another pace, without code and the targets of links."""
    code = "\n\n```\n" + "code " * 2_000 + "\n```\n"
    site = visit(
        {
            "posts/long.md": post(
                "title: Long", text="[word](/blog/some-long-target) " * 700 + code
            ),
            "posts/long.ar.md": post("title: طويل", text="كلمة " * 700),
            "posts/short.md": post("title: Short"),
        }
    )
    assert site.get("/ae/en/blog/long", JSON).json["post"]["readingMinutes"] == 4
    assert site.get("/ae/ar/blog/long", JSON).json["post"]["readingMinutes"] == 4
    assert site.get("/ae/en/blog/short", JSON).json["post"]["readingMinutes"] == 1
    assert "Reading time: <bdi>4\u00a0minutes</bdi>" in site.get("/ae/en/blog/long", HTML).text
    assert "مدة القراءة: <bdi>4\u00a0دقائق</bdi>" in site.get("/ae/ar/blog/long", HTML).text
    assert "**Reading time**: 4 minutes" in site.get("/ae/en/blog/long", MARKDOWN).text


def test_a_post_tells_when_it_was_changed(site: Visitor) -> None:
    """If that was after its publication."""
    assert site.get("/ae/en/blog/b", JSON).json["post"]["updatedAt"].startswith("2026-05-20")
    assert "updated <bdi>20 May 2026</bdi>" in site.get("/ae/en/blog/b", HTML).text
    assert "**Updated**: 2026-05-20" in site.get("/ae/en/blog/b", MARKDOWN).text
    for slug in ("a", "older"):
        assert "updatedAt" not in site.get(f"/ae/en/blog/{slug}", JSON).json["post"]


def test_share_links_name_title_and_address(site: Visitor) -> None:
    """They are plain links that load nothing and tell the other site nothing of the reader."""
    page = site.get("/ae/en/blog/a", HTML).text
    (share,) = re.findall(r'<nav class="share".*?</nav>', page, re.DOTALL)
    found = re.findall(r'<a rel="noopener nofollow" href="([^"]+)">', share)
    hosts = [urlsplit(unescape(each)).netloc for each in found]
    assert hosts == ["wa.me", "www.linkedin.com", "x.com", ""]
    address = f"{BASE_URL}/ae/en/blog/a"
    whats_app, linked_in, tweet, mail = (parse_qs(urlsplit(unescape(each)).query) for each in found)
    assert whats_app == {"text": [f"A & B {address}"]}
    assert linked_in == {"url": [address]}
    assert tweet == {"text": ["A & B"], "url": [address]}
    assert mail == {"subject": ["A & B"], "body": [address]}


def test_a_post_ends_with_a_call_to_action(site: Visitor, shared_visit: Visit) -> None:
    """Usual words lead to the contact page; without one there is none."""
    page = site.get("/ae/en/blog/a", HTML).text
    assert '<a class="button" href="/ae/en/contact">Contact us</a>' in page
    assert f"[Contact us]({BASE_URL}/ae/en/contact" in site.get("/ae/en/blog/a", MARKDOWN).text
    assert site.get("/ae/en/blog/a", JSON).json["cta"] == {"href": "/ae/en/contact"}


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        pytest.param("", None, id="no contact page"),
        pytest.param("postCta: {enabled: false, href: /about}", None, id="disabled"),
        pytest.param(
            "postCta: {title: Call us, text: Now., label: Call, href: 'tel:+97145550100'}",
            {"title": "Call us", "text": "Now.", "label": "Call", "href": "tel:+97145550100"},
            id="words and target of the site",
        ),
    ],
)
def test_the_site_sets_the_call_to_action(
    visit: Visit, block: str, expected: dict[str, str] | None
) -> None:
    """In `site/blog.md`."""
    site = visit(
        {"posts/a.md": post("title: A"), "site/blog.md": f"---\ntitle: Blog\n{block}\n---\n"}
    )
    assert site.get("/ae/en/blog/a", JSON).json.get("cta") == expected
    page = site.get("/ae/en/blog/a", HTML).text
    assert ('class="cta after"' in page) == (expected is not None)
    for word in expected.values() if expected else ():
        assert word in page


@cases(
    ("language", "heading"),
    [
        pytest.param("en", "Written by Salma Haddad", id="English"),
        pytest.param("ar", "بقلم سلمى حداد", id="Arabic"),
    ],
)
def test_the_articles_of_an_author_have_a_heading(
    site: Visitor, language: str, heading: str
) -> None:
    """In both forms, below what the author tells about themselves."""
    path = f"/ae/{language}/blog/author/salma-haddad"
    assert f"\n## {heading}\n" in site.get(path, MARKDOWN).text
    html = site.get(path, HTML).text
    about, _, articles = html.partition(f">{heading}<")
    assert '<h2 id="' in about[-60:]
    assert "Salma advises shops." in about.partition("<h1")[2]
    assert 'class="card post"' in articles
