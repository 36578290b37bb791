"""llms.txt as agents and their parsers have it: whole, in bounds, leading everywhere."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from conftest import ViewOf, locale_of
from contract.visitor import BASE_URL, Visitor, write_tree
from llms_txt import parse_llms_file

from knowledge.content_view import ContentView
from knowledge.loading import load_content
from knowledge.locale import all_locales
from knowledge.resources.site_map import PRIVATE_PATHS, SiteMap, site_map
from llms import llms_txt
from llms.lines import guide_path
from llms.messages import MESSAGES, Heading

GUIDES = ["/llms.txt", *(guide_path(locale) for locale in all_locales())]
LINK = re.compile(r"- \[([^\]\[]+)\]\((https://[^()\s]+)\): \S.*")


def parsed(text: str) -> dict[str, list[dict[str, str]]]:
    """The links of each section, by the format's own parser."""
    sections: dict[str, list[dict[str, str]]] = parse_llms_file(text).sections
    return sections


def urls(text: str) -> set[str]:
    """Every URL that the file leads to."""
    return {link["url"] for links in parsed(text).values() for link in links}


@pytest.mark.parametrize("path", GUIDES)
def test_every_guide_parses_and_keeps_to_the_format(sample: Visitor, path: str) -> None:
    """H1, a quote of one line, a paragraph, then nothing but lists of links."""
    reply = sample.get(path)
    assert reply.status == 200
    text = reply.text
    guide = parse_llms_file(text)
    title, blank, quote, blank_too, paragraph, *rest = text.split("\n")
    assert (title, quote) == (f"# {guide.title}", f"> {guide.summary}")
    assert (blank, blank_too) == ("", "")
    assert guide.info == paragraph
    assert len(text) < llms_txt.LIMIT
    assert not text.startswith("\ufeff")
    assert "\r" not in text
    assert text.endswith("\n")
    assert [line for line in rest if line and not LINK.fullmatch(line) and line[:3] != "## "] == []


@pytest.mark.parametrize("path", GUIDES)
def test_no_two_headings_are_alike_and_optional_is_last(sample: Visitor, path: str) -> None:
    """A parser would overwrite the one with the other."""
    headings = re.findall(r"^## (.*)$", sample.get(path).text, re.MULTILINE)
    assert len(headings) == len(set(headings))
    assert headings[-1] == "Optional"


@pytest.mark.parametrize("path", GUIDES)
def test_every_guide_names_the_private_paths(sample: Visitor, path: str) -> None:
    """As bullets, each led to the rules that say so."""
    text = sample.get(path).text
    headings = {each.headings[Heading.PRIVATE] for each in MESSAGES.values()}
    (links,) = (links for heading, links in parsed(text).items() if heading in headings)
    assert [link["title"] for link in links] == list(PRIVATE_PATHS)
    assert {link["url"] for link in links} == {f"{BASE_URL}/robots.txt"}


@pytest.mark.parametrize("path", GUIDES)
def test_nothing_steers_agents_to_the_full_text(sample: Visitor, path: str) -> None:
    """It is there for those who know what they ask for."""
    assert "llms-full" not in sample.get(path).text


def test_a_guide_speaks_its_locales_language(sample: Visitor) -> None:
    """Titles and descriptions are those of the documents."""
    arabic = sample.get("/sa/ar/llms.txt")
    assert arabic.headers["Content-Language"] == "ar"
    assert "[نماذج الأعمال](https://www.wahat.example/sa/ar/business-models.md)" in arabic.text
    assert "/sa/en/erp.md" not in arabic.text
    english = sample.get("/sa/en/llms.txt")
    assert english.headers["Content-Language"] == "en"
    assert not re.search(r"[\u0600-\u06ff]", english.text)


def test_the_services_guide_leads_to_every_locale_and_to_the_api(sample: Visitor) -> None:
    """And shows the pages of AE in English."""
    found = urls(sample.get("/llms.txt").text)
    assert {BASE_URL + guide_path(locale) for locale in all_locales()} <= found
    assert {f"{BASE_URL}/openapi.json", f"{BASE_URL}/developers.md"} <= found
    assert f"{BASE_URL}/ae/en/erp.md" in found


def test_all_pages_of_the_sitemap_are_reachable(sample: Visitor) -> None:
    """By the twins that the thirteen guides name."""
    reached = set().union(*(urls(sample.get(path).text) for path in GUIDES))
    pages = set(re.findall("<loc>(.*?)</loc>", sample.get("/sitemap.xml").text))
    homes = {BASE_URL + locale.path for locale in all_locales()}
    twins = {f"{page}/index.md" if page in homes else f"{page}.md" for page in pages}
    assert twins <= reached


def test_a_guide_is_the_same_whenever_it_is_written(view_of: ViewOf) -> None:
    """Nothing in it depends on order of reading or time of day."""
    files = {f"pages/{name}.md": f"---\ntitle: {name}\n---\nText.\n" for name in "cab"}
    view = view_of(files)
    again = view_of(dict(reversed(files.items())))
    assert guide(view) == guide(again)


def guide(view: ContentView) -> str:
    """The locale's guide."""
    return llms_txt.render_locale(view, table(view)).body.decode()


def table(view: ContentView) -> SiteMap:
    """The view's site map."""
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
def test_no_title_breaks_its_line(view_of: ViewOf, title: str, shown: str) -> None:
    """Whatever an author writes, a parser reads one link."""
    view = view_of({"pages/x.md": f'---\ntitle: "{title}"\nshortDescription: "{title}"\n---\nT.\n'})
    links = [link for links in parsed(guide(view)).values() for link in links]
    assert [link["title"] for link in links if link["url"].endswith("/x.md")] == [shown]


def many(count: int) -> dict[str, str]:
    """So many posts with long titles, and a few pages of other kinds."""
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
def crowd(tmp_path_factory: pytest.TempPathFactory) -> ContentView:
    """A locale with thousands of pages."""
    folder = write_tree(tmp_path_factory.mktemp("crowd"), many(3_000))
    now = datetime(2026, 6, 1, tzinfo=UTC)
    return ContentView(load_content(folder).snapshot, locale_of("ae/en"), now, BASE_URL)


def test_a_guide_keeps_its_limit_whatever_there_is(crowd: ContentView) -> None:
    """A fair share for each section: the small ones whole, the large ones cut."""
    text = guide(crowd)
    assert len(text) < llms_txt.LIMIT
    sections = parsed(text)
    assert len(sections["Company and service"]) == 11
    assert 100 < len(sections["Software modules"]) < 400
    assert 100 < len(sections["Blog"]) < 3_000
    assert len(text) > llms_txt.LIMIT * 0.8
    service = llms_txt.render_service(crowd, table(crowd)).body.decode()
    assert len(service) < llms_txt.LIMIT
    (more,) = parsed(service)["More pages"]
    assert more["url"] == f"{BASE_URL}/ae/en/llms.txt"


def test_what_a_guide_has_no_room_for_stands_in_further_files(crowd: ContentView) -> None:
    """Each of them named by the first, each within the limit, and together they hold all."""
    pages, first = table(crowd), guide(crowd)
    reached = urls(first)
    parts = [link["url"] for link in parsed(first)["More pages"]]
    for number, url in enumerate(parts, start=2):
        assert url == BASE_URL + guide_path(crowd.locale, number)
        part = llms_txt.render_part(crowd, pages, number)
        assert part is not None
        text = part.body.decode()
        assert len(text) < llms_txt.LIMIT
        assert urls(text) >= {BASE_URL + guide_path(crowd.locale)}
        reached |= urls(text)
    assert llms_txt.render_part(crowd, pages, 1) is None
    assert llms_txt.render_part(crowd, pages, len(parts) + 2) is None
    twins = {
        f"{BASE_URL}{crowd.locale.path}{address.path}.md"
        for address in pages.addresses(crowd.locale)
        if address.path
    }
    assert len(twins) > 3_400
    assert twins <= reached


def test_the_newest_posts_stand_in_the_first_file(crowd: ContentView) -> None:
    """What has to wait is what is old."""
    blog = [link["title"] for link in parsed(guide(crowd))["Blog"]]
    years = [int(title.rpartition(" ")[2]) % 20 for title in blog if title.startswith("A post")]
    assert years == sorted(years, reverse=True)
    assert years[0] == 19
