"""Tests of the tool `fetch`."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from cases import cases
from conftest import Visit
from contract.visitor import BASE_URL, NOW, FakeClock, Visitor
from mcp_calls import call, context_of

from app.features.mcp.tool import ToolError
from app.services import services_of
from knowledge.markdown.tokens import estimate_tokens
from knowledge.resources.site_map import site_map

LONG = "Stock is counted every week, branch by branch, before the doors open." * 40
LINK = re.compile(rf"(?<!!)\[[^\]\[]*\]\(<?((?:{BASE_URL})?/[a-z]{{2}}/(?:en|ar)(?:/[^)\s>]*)?)")
"""A link to a page of the site, but no picture."""
PAGE = "---\ntitle: Guide\nupdatedAt: 2026-10-01\n---\n"


def _front_matter_and_text(visitor: Visitor, path: str) -> tuple[str, str]:
    front_matter, text = visitor.get(f"{path}.md").text.split("\n---\n", 1)
    return front_matter, text.strip()


@cases("path", ["/ae/en/erp", "/sa/ar/erp", "/sa/ar/blog", "/kw/en/products"])
def test_a_page_is_its_markdown_without_front_matter(sample: Visitor, path: str) -> None:
    """What that told is in the metadata: language, date and tokens."""
    front_matter, text = _front_matter_and_text(sample, path)
    fetched = call(sample, "fetch", id=path)
    assert (fetched["id"], fetched["url"], fetched["text"]) == (path, BASE_URL + path, text)
    assert fetched["title"] in front_matter
    assert fetched["metadata"]["lang"] == path[4:6]
    assert fetched["metadata"].get("updated", "") in front_matter
    assert fetched["metadata"]["tokens"] == str(estimate_tokens(text))


def test_every_page_of_the_site_map_is_fetched_by_its_path(sample: Visitor) -> None:
    """Each page in one of its locales, so that all locales have their turn."""
    view = context_of(sample).view(context_of(sample).locale)
    pages = site_map(view.snapshot, view.now)
    localized = [
        entry.locales[number % len(entry.locales)].path + entry.address.path
        for number, entry in enumerate(pages.pages)
    ]
    for path in (*localized, *pages.unlocalized):
        assert call(sample, "fetch", id=path)["url"] == view.absolute(path)


def test_the_manual_of_the_api_is_fetched_as_its_markdown(sample: Visitor) -> None:
    """It has no locale."""
    fetched = call(sample, "fetch", id="/developers.md")
    assert fetched["id"] == "/developers"
    assert fetched["text"] == _front_matter_and_text(sample, "/developers")[1]
    assert fetched["title"] in fetched["text"]


@cases(
    "spelling",
    [
        "sa/ar/erp",
        "/SA/AR/ERP/",
        " /sa/ar//erp ",
        "/sa/ar/erp.md",
        "/sa/ar/erp.json",
        f"{BASE_URL}/sa/ar/erp",
        f"{BASE_URL.removeprefix('https://')}/sa/ar/erp",
        f"{BASE_URL.upper()}/sa/ar/erp.md",
        f"{BASE_URL}/sa/ar/%65rp?utm_source=x",
    ],
)
def test_other_spellings_of_an_id_are_understood(sample: Visitor, spelling: str) -> None:
    """Whole URLs, other letter case, per-format URLs, slashes and queries."""
    assert call(sample, "fetch", id=spelling)["id"] == "/sa/ar/erp"


@cases(
    ("spelling", "path"),
    [("/erp", "/sa/ar/erp"), ("/", "/sa/ar"), ("/sa/ar/index.md", "/sa/ar"), ("/qa/en", "/qa/en")],
)
def test_an_id_without_locale_is_in_that_of_the_call(
    sample: Visitor, spelling: str, path: str
) -> None:
    """One with a locale keeps its own."""
    assert call(sample, "fetch", "/sa/ar", id=spelling)["id"] == path


def test_a_section_is_its_text_alone_with_the_id_of_its_page(sample: Visitor) -> None:
    """It costs a fraction of the tokens; its links lead to markdown."""
    fetched = call(sample, "fetch", id="/ae/en/erp#compliance")
    page = call(sample, "fetch", id="/ae/en/erp")
    assert fetched["id"] == "/ae/en/erp#compliance"
    assert fetched["url"] == f"{BASE_URL}/ae/en/erp#compliance"
    assert fetched["text"].startswith("## UAE e-invoicing and VAT\n\nThe UAE is introducing")
    assert f"({BASE_URL}/ae/en/blog/uae-peppol-e-invoicing-basics.md)" in fetched["text"]
    assert fetched["title"] == f"{page['title']}: UAE e-invoicing and VAT"
    assert fetched["metadata"]["page"] == "/ae/en/erp"
    assert int(fetched["metadata"]["tokens"]) < int(page["metadata"]["tokens"]) / 4


def test_a_section_has_its_smaller_headings_and_nothing_after_them(sample: Visitor) -> None:
    """One of those may be asked for alone."""
    text = call(sample, "fetch", id="/ae/en/erp#rollout")["text"]
    headings = [line for line in text.splitlines() if line.startswith("#")]
    assert headings == ["## What a rollout includes", "### Workshop", "### Import", "### Training"]
    workshop = call(sample, "fetch", id="/ae/en/erp#workshop")["text"]
    assert workshop == (
        "### Workshop\n\nWe agree accounts, items, branches and approval steps with you."
    )


def test_a_section_that_begins_with_a_smaller_heading_is_found(sample: Visitor) -> None:
    """There is no text between the two."""
    assert call(sample, "fetch", id="/ae/en/erp#faq")["text"].startswith(
        "## Common questions\n\n### Do we have to start"
    )


def test_the_section_of_the_level_1_heading_is_the_page(sample: Visitor) -> None:
    """It begins where the page does."""
    page = call(sample, "fetch", id="/ae/en/erp")
    anchor = re.sub(r"\W+", "-", page["title"].lower())
    assert call(sample, "fetch", id=f"/ae/en/erp#{anchor}") == page


def test_every_anchor_of_a_page_in_html_names_a_section(sample: Visitor) -> None:
    """Agents take them from URLs that people send."""
    for path in ("/ae/en/erp", "/sa/ar/faqs", "/sa/ar/erp"):
        html = sample.get(path, {"Accept": "text/html"}).text
        main = html[html.index("<main") : html.index("</main")]
        anchors = re.findall(r"<(?:h[2-4]|section)[^>]* id=\"([^\"]+)\"", main)
        assert anchors
        for anchor in anchors:
            assert call(sample, "fetch", id=f"{path}#{anchor}")["text"], anchor


def test_arabic_anchors_are_understood_encoded_or_not(sample: Visitor) -> None:
    """By the readable anchor and the short one; the URL of the answer is encoded."""
    (first, *_) = call(sample, "search", query="كم يستغرق التطبيق")["results"]
    page, _, short = first["id"].partition("#")
    readable = next(
        re.findall(rf'id="([^"]+)">[^<]*(?:<span id="[^"]+"></span>)*<span id="{short}">', html)[0]
        for html in (sample.get(page, {"Accept": "text/html"}).text,)
    )
    assert (short.isascii(), readable) == (True, "كم-يستغرق-تطبيق-النظام")
    fetched = call(sample, "fetch", id=f"{page}#{readable}")
    assert "%" in fetched["url"]
    assert fetched == call(sample, "fetch", id=fetched["url"])
    assert fetched == call(sample, "fetch", id=fetched["id"].replace("#", "%23"))
    assert call(sample, "fetch", id=first["url"])["text"] == fetched["text"]


def test_an_unknown_section_is_refused_with_those_of_the_page(sample: Visitor) -> None:
    """So that the next call finds one."""
    with pytest.raises(ToolError, match=r"no section “nope”\. Its sections: #intro, #overview,"):
        call(sample, "fetch", id="/ae/en/erp#nope")


@pytest.mark.parametrize("asked", ["/ae/en/epr", "/ae/en/blog/multi-branch-invntory"])
def test_an_unknown_page_is_refused_with_similar_ids(sample: Visitor, asked: str) -> None:
    """The first of them is a page."""
    with pytest.raises(ToolError, match="There is no page") as refusal:
        call(sample, "fetch", id=asked)
    near = re.findall(r"/ae/en/[\w/-]+(?= \()", str(refusal.value))
    assert near
    assert call(sample, "fetch", id=near[0])["id"] == near[0]


@cases(
    "asked",
    [
        "https://elsewhere.test/ae/en/erp",
        "http://[",
        "/xx/yy/zz",
        "/" + "a" * 5_000,
        "/\x00",
        "/é#%",
    ],
)
def test_what_is_no_id_is_refused_briefly(sample: Visitor, asked: str) -> None:
    """Other sites, malformed URLs and long texts; nothing of them fills the context."""
    with pytest.raises(ToolError) as refusal:
        call(sample, "fetch", id=asked)
    assert len(str(refusal.value)) < 1_000


@pytest.mark.parametrize("path", ["/sitemap.xml"])
def test_of_a_file_that_is_no_page_the_address_is_told(sample: Visitor, path: str) -> None:
    """It has no markdown."""
    with pytest.raises(ToolError, match=f"Read it at {BASE_URL}{path}"):
        call(sample, "fetch", id=path)


@cases(
    ("asked", "path"),
    [
        ("/index", "/ae/en"),
        ("/sa/ar/index", "/sa/ar"),
        ("/sa/ar/index.md", "/sa/ar"),
        ("/ae/en/blog/index", "/ae/en/blog"),
        ("/llms.txt", "/ae/en/llms.txt"),
        ("/SA/AR/llms.txt", "/sa/ar/llms.txt"),
        (f"{BASE_URL}/kw/en/llms.txt", "/kw/en/llms.txt"),
    ],
)
def test_the_file_of_a_page_or_of_a_locale_is_fetched(
    sample: Visitor, asked: str, path: str
) -> None:
    """Also without its locale, which is then that of the call."""
    fetched = call(sample, "fetch", id=asked)
    assert (fetched["id"], fetched["url"]) == (path, BASE_URL + path)


def test_a_guide_is_that_of_its_address(site: Visitor) -> None:
    """Word by word, as it names the server too."""
    assert (
        call(site, "fetch", id="/sa/ar/llms.txt")["text"]
        == site.get("/sa/ar/llms.txt").text.strip()
    )


def test_a_further_file_of_a_guide_is_fetched(visit: Visit) -> None:
    """A guide of many pages goes on in files of their own."""
    visitor = visit({f"pages/page-{number}.en.md": PAGE for number in range(700)}, mcp=True)
    fetched = call(visitor, "fetch", id="/ae/en/llms-2.txt")
    assert fetched["text"] == visitor.get("/ae/en/llms-2.txt").text.strip()
    with pytest.raises(ToolError, match="There is no page /ae/en/llms-99"):
        call(visitor, "fetch", id="/ae/en/llms-99.txt")


def test_every_page_that_a_text_links_is_fetched(sample: Visitor) -> None:
    """Of the guide and of all pages of a locale, as agents follow what they read."""
    context = context_of(sample)
    pages = site_map(context.edition.snapshot, context.now).pages_in(context.locale)
    paths = ["/llms.txt", *(context.locale.path + page.address.path for page in pages)]
    texts = [
        sample.get("/llms.txt").text,
        *(call(sample, "fetch", id=each)["text"] for each in paths),
    ]
    linked = {url for text in texts for url in LINK.findall(text)}
    assert len(linked) > 100
    for url in sorted(linked):
        assert call(sample, "fetch", id=url)["text"]


def test_a_page_of_another_locale_is_named(visit: Visit) -> None:
    """With its id there."""
    visitor = visit({"pages/only.sa.en.md": PAGE + "Text"})
    with pytest.raises(ToolError, match=r"not published for en-AE\. Use /sa/en/only instead\."):
        call(visitor, "fetch", id="/ae/en/only")


def test_a_text_in_the_other_language_says_so(visit: Visit) -> None:
    """In the metadata, which has the language of the text; other texts have no such word."""
    visitor = visit({"pages/guide.en.md": PAGE + "Text"})
    metadata = call(visitor, "fetch", id="/ae/ar/guide")["metadata"]
    assert (metadata["lang"], metadata["fallback_used"]) == ("en", "true")
    assert "fallback_used" not in call(visitor, "fetch", id="/ae/en/guide")["metadata"]


def test_a_scheduled_page_is_there_from_its_instant_on(visit: Visit, clock: FakeClock) -> None:
    """Without a reload; before it the answer is that of a missing page."""
    starts = NOW + timedelta(hours=1)
    visitor = visit(
        {"pages/guide.en.md": f"---\ntitle: Guide\npublishedAt: {starts.isoformat()}\n---\nText"}
    )
    with pytest.raises(ToolError, match="There is no page"):
        call(visitor, "fetch", id="/ae/en/guide")
    clock.move(timedelta(hours=2))
    assert "Text" in call(visitor, "fetch", id="/ae/en/guide")["text"]


def test_pages_of_a_hidden_country_are_not_fetched(visit: Visit) -> None:
    """Though those of other countries are."""
    hidden = "---\nenabled: false\ntitle: {en: x, ar: س}\n---\n"
    visitor = visit({"pages/guide.en.md": PAGE + "Text", "countries/sa.md": hidden})
    assert call(visitor, "fetch", id="/ae/en/guide")
    with pytest.raises(ToolError):
        call(visitor, "fetch", id="/sa/en/guide")


def test_a_former_address_leads_to_the_page(visit: Visit) -> None:
    """The id is the present one; a page that is gone is told so."""
    page = PAGE.replace("---\nt", "---\naliases: [/old-guide]\nt")
    visitor = visit({"pages/guide.en.md": page + "Text", "_redirects": "/lost / 410\n"})
    assert call(visitor, "fetch", id="/ae/en/old-guide")["id"] == "/ae/en/guide"
    with pytest.raises(ToolError, match="removed on purpose"):
        call(visitor, "fetch", id="/lost")


def test_an_edit_is_fetched_by_the_next_call(visit: Visit) -> None:
    """No answer of before it is kept."""
    visitor = visit({"pages/guide.en.md": PAGE + "Before"})
    assert "Before" in call(visitor, "fetch", id="/ae/en/guide")["text"]
    store = services_of(visitor.quart).content_store
    (store.content_dir / "pages/guide.en.md").write_text(PAGE + "Afterwards")
    store.reload()
    assert "Afterwards" in call(visitor, "fetch", id="/ae/en/guide")["text"]


def test_a_huge_page_comes_in_parts_that_end_at_sections(visit: Visit) -> None:
    """Each names the next; together they are the whole text, and there is no further part."""
    body = "".join(f"## Section {number}\n\n{LONG}\n\n" for number in range(60))
    visitor = visit({"pages/guide.en.md": PAGE + body})
    parts = [call(visitor, "fetch", id="/ae/en/guide")]
    while "next" in parts[-1]["metadata"]:
        parts.append(call(visitor, "fetch", id=parts[-1]["metadata"]["next"]))
    assert [part["id"] for part in parts[1:]] == [
        f"/ae/en/guide?part={number}" for number in range(2, len(parts) + 1)
    ]
    assert all(len(part["text"]) <= 40_000 for part in parts)
    assert all(part["text"].startswith("## Section") for part in parts[1:])
    assert all(part["url"] == f"{BASE_URL}/ae/en/guide" for part in parts)
    whole = "\n\n".join(part["text"] for part in parts)
    assert whole == _front_matter_and_text(visitor, "/ae/en/guide")[1]
    with pytest.raises(ToolError, match=f"has {len(parts)} parts"):
        call(visitor, "fetch", id=f"/ae/en/guide?part={len(parts) + 1}")


def test_a_huge_page_without_headings_ends_its_parts_at_sentences(visit: Visit) -> None:
    """In Arabic, whose letters cost more tokens."""
    visitor = visit({"pages/guide.ar.md": PAGE + "يُجرد المخزون كل أسبوع قبل فتح الأبواب. " * 2_000})
    first = call(visitor, "fetch", id="/ae/ar/guide")
    assert first["text"].endswith("الأبواب.")
    assert first["metadata"]["part"].startswith("1 of ")
    assert call(visitor, "fetch", id=first["metadata"]["next"])["text"].startswith("يُجرد")


def test_further_pages_of_the_list_of_posts_are_fetched(sample: Visitor) -> None:
    """By the query of their addresses."""
    second = call(sample, "fetch", id="/ae/en/blog?page=2")
    assert second["id"] == "/ae/en/blog?page=2"
    assert second["text"] != call(sample, "fetch", id="/ae/en/blog")["text"]
    assert second["text"] == _text_of(sample, "/ae/en/blog.md?page=2")


def _text_of(visitor: Visitor, target: str) -> str:
    return visitor.get(target).text.split("\n---\n", 1)[1].strip()


@pytest.mark.parametrize("path", ["/ae/en/cities/dubai/erp", "/sa/ar/cities/riyadh"])
def test_pages_of_cities_are_fetched(sample: Visitor, path: str) -> None:
    """Their own ones and those of other pages there."""
    assert call(sample, "fetch", id=path)["text"] == _text_of(sample, f"{path}.md")
