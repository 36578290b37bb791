"""llms.txt, read by a parser of its format: structure, size limits and links."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from urllib.parse import urlsplit

import pytest
from cases import cases
from conftest import ViewOf, locale_of
from contract.visitor import BASE_URL, Visitor
from gulf import all_locales, write_site
from llms_txt import parse_llms_file

from knowledge.resources.site_map import SiteMap, site_map
from knowledge.snapshot.loading import load_content
from knowledge.views.content_view import ContentView
from llms import llms_txt
from llms.phrases import guide_path

GUIDES = ["/llms.txt", *(guide_path(locale) for locale in all_locales())]
LINK = re.compile(r"- \[([^\]\[]+)\]\((https://[^()\s]+)\): \S.*")


def parsed(text: str) -> dict[str, list[dict[str, str]]]:
    """Return the links of each section, as the parser of the format reads them."""
    sections: dict[str, list[dict[str, str]]] = parse_llms_file(text).sections
    return sections


def urls(text: str) -> set[str]:
    """Return all URLs that the file links to."""
    return {link["url"] for links in parsed(text).values() for link in links}


@cases("path", GUIDES)
def test_every_file_follows_the_format(sample: Visitor, path: str) -> None:
    """It has an h1, a one-line quote, a paragraph, private paths, and then only lists of links."""
    response = sample.get(path)
    assert response.status == 200
    text = response.text
    guide = parse_llms_file(text)
    title, first_blank, quote, second_blank, paragraph, *rest = text.split("\n")
    assert (title, quote) == (f"# {guide.title}", f"> {guide.summary}")
    assert (first_blank, second_blank) == ("", "")
    assert guide.info.split("\n")[0] == paragraph
    assert len(text) < llms_txt.LIMIT
    assert not text.startswith("\ufeff")
    assert "\r" not in text
    assert text.endswith("\n")
    lists = [line for line in rest if line and line not in guide.info]
    assert [line for line in lists if not LINK.fullmatch(line) and line[:3] != "## "] == []


@cases("path", GUIDES)
def test_headings_are_unique_and_optional_is_last(sample: Visitor, path: str) -> None:
    """A parser would overwrite a section that has the same heading."""
    headings = re.findall(r"^## (.*)$", sample.get(path).text, re.MULTILINE)
    assert len(headings) == len(set(headings))
    assert headings[-1] == "Optional"


@cases("path", GUIDES)
def test_every_file_lists_the_private_paths(sample: Visitor, path: str) -> None:
    """As text, so that nobody follows a link that is called like a path that is private."""
    info = parse_llms_file(sample.get(path).text).info
    listed = ["/api/admin/", "/cms/", "/cart", "/checkout", "/account"]
    assert re.findall(r"^- `([^`]+)`: \S", info, re.MULTILINE) == listed
    assert "](" not in info


@cases("path", GUIDES)
def test_no_file_links_to_the_full_text(sample: Visitor, path: str) -> None:
    """Agents should read single pages unless they request llms-full.txt themselves."""
    assert "llms-full" not in sample.get(path).text


def test_a_file_is_in_its_locale_s_language(sample: Visitor) -> None:
    """Titles and descriptions come from the documents in that language."""
    arabic = sample.get("/sa/ar/llms.txt")
    assert arabic.headers["Content-Language"] == "ar"
    assert "[نماذج الأعمال](https://www.wahat.example/sa/ar/business-models.md)" in arabic.text
    assert "/sa/en/erp.md" not in arabic.text
    english = sample.get("/sa/en/llms.txt")
    assert english.headers["Content-Language"] == "en"
    assert not re.search(r"[\u0600-\u06ff]", english.text)


def test_the_service_file_links_to_every_locale_and_the_api(sample: Visitor) -> None:
    """It also lists the pages of AE in English."""
    linked = urls(sample.get("/llms.txt").text)
    assert {BASE_URL + guide_path(locale) for locale in all_locales()} <= linked
    assert f"{BASE_URL}/developers.md" in linked
    assert f"{BASE_URL}/ae/en/erp.md" in linked


@cases("path", GUIDES)
def test_every_link_leads_to_markdown(sample: Visitor, path: str) -> None:
    """Agents read all links; the contract alone would fill their context."""
    others = {url for url in urls(sample.get(path).text) if not urlsplit(url).path.endswith(".md")}
    assert {urlsplit(url).path.rpartition("/")[2] for url in others} <= {"llms.txt"}


def test_what_is_linked_is_there_and_markdown(sample: Visitor) -> None:
    """Of the service and of a locale, in which the other files are linked too."""
    linked = urls(sample.get("/llms.txt").text) | urls(sample.get("/sa/ar/llms.txt").text)
    paths = {urlsplit(url).path for url in linked if url.startswith(f"{BASE_URL}/")}
    replies = [sample.get(path) for path in paths]
    assert len(linked) - len(paths) <= 6  # sections of the guide to the API
    assert {(reply.status, reply.headers["Content-Type"]) for reply in replies} == {
        (200, "text/markdown; charset=utf-8")
    }


def test_sections_of_the_guide_to_the_api_exist(sample: Visitor) -> None:
    """The links to search, health and status have the ids of its headings."""
    linked = {urlsplit(url) for url in urls(sample.get("/llms.txt").text)}
    sections = {each.fragment for each in linked if each.path == "/developers.md"} - {""}
    html = sample.get("/developers", headers={"Accept": "text/html"}).text
    ids = set(re.findall(r' id="([^"]+)"', html))
    assert sections
    assert sections <= ids


def test_all_pages_of_the_sitemap_are_linked(sample: Visitor) -> None:
    """The thirteen files link to the Markdown URL of every page."""
    linked = set().union(*(urls(sample.get(path).text) for path in GUIDES))
    pages = set(re.findall("<loc>(.*?)</loc>", sample.get("/sitemap.xml").text))
    homes = {BASE_URL + locale.path for locale in all_locales()}
    markdown_urls = {f"{page}/index.md" if page in homes else f"{page}.md" for page in pages}
    assert markdown_urls <= linked


def test_rendering_is_deterministic(view_of: ViewOf) -> None:
    """The file does not depend on the order in which content files are loaded."""
    files = {f"pages/{name}.md": f"---\ntitle: {name}\n---\nText.\n" for name in "cab"}
    view = view_of(files)
    reordered = view_of(dict(reversed(files.items())))
    assert guide(view) == guide(reordered)


def guide(view: ContentView) -> str:
    """Return the llms.txt of the view's locale."""
    return llms_txt.render_locale(view, site_map_of(view)).body.decode()


def site_map_of(view: ContentView) -> SiteMap:
    """Return the site map of the view."""
    return site_map(view.snapshot, view.now)


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        pytest.param("Tax [draft]", "Tax (draft)", id="brackets"),
        pytest.param("A](http://x.test) b", "A)(http://x.test) b", id="a link's end"),
        pytest.param("One\\n\\n## Two", "One ## Two", id="line feeds"),
        pytest.param("Word " * 60, "Word " * 19 + "Word…", id="very long"),
    ],
)
def test_titles_are_escaped(view_of: ViewOf, title: str, shown: str) -> None:
    """With any title, the parser finds one link."""
    view = view_of({"pages/x.md": f'---\ntitle: "{title}"\nshortDescription: "{title}"\n---\nT.\n'})
    links = [link for links in parsed(guide(view)).values() for link in links]
    assert [link["title"] for link in links if link["url"].endswith("/x.md")] == [shown]


def many_files(count: int) -> dict[str, str]:
    """Return `count` posts with long titles, 9 pages and 400 modules."""
    day = "publishedAt: 20{:02}-01-{:02}"
    posts = {
        f"posts/post-{number}.md": f"---\ntitle: A post on stock and tax, number {number}\n"
        f"{day.format(number % 20, number % 28 + 1)}\nexcerpt: {'Words. ' * 60}\n---\nText.\n"
        for number in range(count)
    }
    pages = {f"pages/page-{number}.md": "---\ntitle: Page\n---\nText.\n" for number in range(9)}
    modules = {f"modules/m-{number}.md": "---\ntitle: M\n---\nText.\n" for number in range(400)}
    return posts | pages | modules


@pytest.fixture(scope="module")
def large_view(tmp_path_factory: pytest.TempPathFactory) -> ContentView:
    """Return a view of a locale with 3,400 pages."""
    folder = write_site(tmp_path_factory.mktemp("large"), many_files(3_000), countries=True)
    now = datetime(2026, 6, 1, tzinfo=UTC)
    return ContentView(load_content(folder).snapshot, locale_of("ae/en"), now, BASE_URL)


def test_a_file_with_many_pages_respects_the_limit(large_view: ContentView) -> None:
    """Each section gets a fair share: small sections are complete, large ones are cut."""
    text = guide(large_view)
    assert len(text) < llms_txt.LIMIT
    sections = parsed(text)
    assert len(sections["Company and service"]) == 10
    assert 100 < len(sections["Software modules"]) < 400
    assert 100 < len(sections["Blog"]) < 3_000
    assert len(text) > llms_txt.LIMIT * 0.8
    service = llms_txt.render_service(large_view, site_map_of(large_view)).body.decode()
    assert len(service) < llms_txt.LIMIT
    (more,) = parsed(service)["More pages"]
    assert more["url"] == f"{BASE_URL}/ae/en/llms.txt"


def test_pages_that_do_not_fit_are_in_further_files(large_view: ContentView) -> None:
    """The first file links to each further file; together they link to all pages."""
    pages, first = site_map_of(large_view), guide(large_view)
    linked = urls(first)
    parts = [link["url"] for link in parsed(first)["More pages"]]
    for number, url in enumerate(parts, start=2):
        assert url == BASE_URL + guide_path(large_view.locale, number)
        part = llms_txt.render_part(large_view, pages, number)
        assert part is not None
        text = part.body.decode()
        assert len(text) < llms_txt.LIMIT
        assert urls(text) >= {BASE_URL + guide_path(large_view.locale)}
        linked |= urls(text)
    assert llms_txt.render_part(large_view, pages, 1) is None
    assert llms_txt.render_part(large_view, pages, len(parts) + 2) is None
    markdown_urls = {
        f"{BASE_URL}{large_view.locale.path}{address.path}.md"
        for address in pages.addresses(large_view.locale)
        if address.path
    }
    assert len(markdown_urls) > 3_400
    assert markdown_urls <= linked


def test_the_newest_posts_are_in_the_first_file(large_view: ContentView) -> None:
    """Only older posts move to further files."""
    blog = [link["title"] for link in parsed(guide(large_view))["Blog"]]
    years = [int(title.rpartition(" ")[2]) % 20 for title in blog if title.startswith("A post")]
    assert years == sorted(years, reverse=True)
    assert years[0] == 19


def test_a_very_long_site_name_leaves_space_for_pages(view_of: ViewOf) -> None:
    """The name is in the head and in some lines; it is shortened there."""
    settings = f"---\nseo:\n  pageTitle:\n    en: {'Wahat ' * 10_000}\n---\nText.\n"
    view = view_of({"site/settings.md": settings, "pages/x.md": "---\ntitle: A\n---\nText.\n"})
    assert len(guide(view)) < llms_txt.LIMIT
    assert view.absolute("/ae/en/x.md") in urls(guide(view))


@cases(
    "line",
    [
        "[Home]({}/ae/en/index.md): use when you need an overview of Wahat. ",
        "[Products]({}/ae/en/products.md): use when you compare products and their prices\n",
        "[Testimonials]({}/ae/en/testimonials.md): use when you need customers' own words. ",
        (
            "[الصفحة الرئيسية]({}/sa/ar/index.md): يُستخدم عندما تحتاج إلى نظرة عامة على واحات في"
            " المملكة العربية السعودية. "
        ),
        "[المنتجات]({}/sa/ar/products.md): يُستخدم عندما تقارن بين المنتجات وأسعارها\n",
    ],
)
def test_list_pages_have_names_of_their_own(sample: Visitor, line: str) -> None:
    """They may differ from the headings of the pages, which readers see in their context."""
    country, language = re.findall(r"/(\w\w)/(\w\w)/", line)[0]
    assert f"- {line.format(BASE_URL)}" in sample.get(f"/{country}/{language}/llms.txt").text
