"""The types of sections in HTML, in markdown and in passages."""

from __future__ import annotations

import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import pytest
from conftest import ViewOf, locale_of
from guide_sections import EXAMPLES

from knowledge.addresses.addresses import parse_address
from knowledge.resources.queries import PageQuery
from knowledge.resources.site_page import site_page
from knowledge.sections.sections import DECLARED_SECTIONS
from knowledge.views.content_view import ContentView
from renderers.html import renderer as html
from renderers.html.commonmark import render_markdown
from renderers.markdown import renderer as markdown
from renderers.markdown.passages import page_passages

TEXTS = [text for _, text in EXAMPLES]
PICTURE = b'<svg xmlns="http://www.w3.org/2000/svg" width="4" height="3"/>'
FILES: dict[str, str | bytes] = {
    **dict.fromkeys(re.findall(r"(?<=\(/)images/[\w./-]+", "".join(TEXTS)), PICTURE),
    "pages/a.md": "---\ntitle: A\n---\n" + "\n\n".join(TEXTS),
    "pages/a.ar.md": "---\ntitle: ا\n---\n" + "\n\n".join(TEXTS),
    "registry/contact.md": "---\ntitle: Contact\n---\nx",
    "countries/ae.md": '---\nvatRate: "5"\n---\n',
    "countries/kw.md": "",
    "testimonials/al-noor-markets.md": "---\nquote: We count.\ncustomerName: Saeed\n---\n",
    "files/sheet.pdf": b"x" * 12_300,
}
VOID = frozenset({"img", "source", "br", "hr", "meta", "link", "input"})
WORD = re.compile(r"[^\W_]+")


class Words(HTMLParser):
    """The words of a document's main part, besides buttons and labels for screen readers."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.counted: Counter[str] = Counter()
        self.open: list[str] = []
        self.feed(source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open an element."""
        if tag not in VOID:
            self.open.append("actions" if ("class", "actions") in attrs else tag)

    def handle_endtag(self, tag: str) -> None:
        """Close an element."""
        assert tag in VOID or self.open.pop() in (tag, "actions")

    def handle_data(self, data: str) -> None:
        """Count words."""
        if not {"nav", "form", "header"} & set(self.open) and {"main", "article"} & set(self.open):
            self.counted.update(WORD.findall(data))


@pytest.fixture
def view(view_of: ViewOf) -> ContentView:
    """A site whose page has all examples of the guide."""
    return view_of(FILES)


def shown(view: ContentView, locale: str = "ae/en") -> str:
    """Return the HTML of the page."""
    local = view.for_locale(locale_of(locale))
    address = parse_address("/a")
    assert address is not None
    return html.render(site_page(local, address, PageQuery())).body.decode()


@pytest.mark.parametrize("locale", ["ae/en", "kw/ar"])
def test_every_word_of_all_types_is_in_all_representations(view: ContentView, locale: str) -> None:
    """Each word of HTML is in markdown and in the passages, which have no title of the page."""
    local = view.for_locale(locale_of(locale))
    address = parse_address("/a")
    assert address is not None
    page = site_page(local, address, PageQuery())
    in_html = Words(shown(view, locale)).counted
    text = markdown.render(page).body.decode()
    in_markdown = Words(f"<main>{render_markdown(text)}</main>").counted
    passages = "\n\n".join(
        "\n\n".join((*each.headings, each.text)) for each in page_passages(local, address)
    )
    in_passages = Words(f"<main>{render_markdown(passages)}</main>").counted
    assert set(in_html) <= set(in_markdown)
    assert set(in_html) - set(in_passages) <= {"A", "ا"}


def test_the_examples_have_all_types() -> None:
    """Each has a template of its own."""
    names = set(DECLARED_SECTIONS.names[1:])
    assert dict(EXAMPLES).keys() == names
    folder = Path(html.__file__).parents[1] / "templates" / "parts" / "sections"
    assert names <= {path.stem for path in folder.glob("*.html")}


@pytest.mark.parametrize(
    "expected",
    [
        pytest.param(
            '<p class="price"><bdi dir="ltr">AED\xa0399</bdi> <span>per month</span></p>',
            id="price",
        ),
        pytest.param(
            '<p class="beside-price"><span>AED\xa0418.95 per month incl. VAT</span><br><span>',
            id="other prices",
        ),
        pytest.param('<p class="meta">excl. 5% VAT</p>', id="rate of VAT, once"),
        pytest.param("<li><b>Everything in Starter</b></li>", id="included plan"),
        pytest.param(
            'href="/ae/en/contact?page=/ae/en/a&amp;plan=Growth">Ask for a demo</a>', id="call"
        ),
        pytest.param('<li class="card recommended">', id="recommended"),
        pytest.param(
            'href="/ae/en/contact?page=/ae/en/a&amp;plan=Starter">Try it</a>', id="enquiry"
        ),
        pytest.param('<span class="tick"><span class="hidden">yes</span></span>', id="tick"),
        pytest.param('<span class="tick off"><span class="hidden">no</span></span>', id="dash"),
        pytest.param("<blockquote><p>We count.</p>", id="testimonial"),
        pytest.param('<p class="role">Chief executive</p>', id="role"),
        pytest.param('<details name="for-whom" open>', id="tabs"),
        pytest.param("<figcaption>For the queue.</figcaption>", id="caption"),
        pytest.param(
            '<a class="play" href="https://video.example/sale" rel="noopener">',
            id="video elsewhere",
        ),
        pytest.param("</a> (PDF, 12 kB)", id="download"),
    ],
)
def test_the_markup_of_the_examples(view: ContentView, expected: str) -> None:
    """What the styles and screen readers need: classes, directions, hidden words."""
    assert expected in shown(view)


def test_a_country_without_a_rate_has_one_price(view: ContentView) -> None:
    """Which says nothing about VAT; that of a rate of 0 does."""
    text = shown(view, "kw/en")
    assert "KWD\xa033</bdi> <span>per month</span></p>" in text
    assert not re.search(r"no VAT|incl\.|excl\.", text)


def test_a_video_of_the_site_is_played_on_the_page(view_of: ViewOf) -> None:
    """Nothing of it is loaded before."""
    text = "---\ntitle: A\n---\n:::{video} V\n[![Sale](/p.png)](/v.mp4)\nTwo minutes.\n:::"
    files: dict[str, str | bytes] = {"pages/a.md": text, "v.mp4": b"x", "p.png": b"x"}
    found = shown(view_of(files))
    assert '<video controls preload="none" poster="/p.png" aria-label="Sale">' in found
    assert '<source src="/v.mp4" type="video/mp4">' in found


@pytest.mark.parametrize(
    "text",
    [
        "[![x](javascript:a)](javascript:b)",
        "[![<script>](/a.png)](data:text/html,x)",
        "> <script>alert(1)</script>\n\n[x](vbscript:y)",
        "| a |\n|---|\n| <script>yes</script> |",
    ],
)
@pytest.mark.parametrize("name", DECLARED_SECTIONS.names[1:])
def test_no_type_lets_a_script_in(view_of: ViewOf, name: str, text: str) -> None:
    """Neither in its body nor in an item."""
    body = f":::{{{name}}} <script>\n{text}\n\n### <script>\n{text}\n:::"
    found = shown(view_of({"pages/a.md": f"---\ntitle: A\n---\n{body}"}))
    main = found[found.index("<main") : found.index("</main>")]
    assert not re.search(r"<script|(href|src|poster)=\"(javascript|data|vbscript):", main)
