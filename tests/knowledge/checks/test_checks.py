"""The content linter: each type of diagnostic, and none on the shipped sample."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from cases import cases
from conftest import NOW, Content
from pictures import picture

import knowledge
from knowledge.checks.content_linter import check_content
from knowledge.diagnostics.diagnostic import DiagnosticKind, Severity
from knowledge.snapshot.loading import load_content
from knowledge.views.content_view import currency_of

SAMPLE = Path(knowledge.__file__).parent / "content"
BILINGUAL = "---\ntitle: {en: A, ar: ا}\n---\n"
WARNING, NOTICE, ERROR = Severity.WARNING, Severity.NOTICE, Severity.ERROR


@pytest.mark.parametrize(
    ("files", "location", "severity", "words"),
    [
        pytest.param(
            {"pages/a.md": "---\na: [\n---\n"}, "pages/a.md:3", ERROR, "YAML", id="broken"
        ),
        pytest.param(
            {"pages/a.md": "---\ntitle: no\n---\nx"},
            "pages/a.md:2",
            WARNING,
            "not quoted",
            id="unquoted",
        ),
        pytest.param(
            {"pages/a.md": f"{BILINGUAL}\n[x](/gone)"}, "pages/a.md:5", WARNING, "/gone", id="link"
        ),
        pytest.param(
            {"pages/a.md": f"{BILINGUAL}\n![x](/a.svg)", "a.sa.svg": "<svg/>"},
            "pages/a.md:5",
            WARNING,
            "/a.svg",
            id="picture of one country",
        ),
        pytest.param(
            {"pages/a.md": f"{BILINGUAL}\n[x](b.md)"}, "pages/a.md:5", WARNING, "b.md", id="file"
        ),
        pytest.param(
            {"pages/a.md": f"{BILINGUAL}\n[x](#gone)"},
            "pages/a.md:5",
            WARNING,
            "#gone",
            id="anchor",
        ),
        pytest.param(
            {"pages/a.md": f"{BILINGUAL}\n[x](/b#gone)", "pages/b.md": f"{BILINGUAL}\n## Here"},
            "pages/a.md:5",
            WARNING,
            "#gone",
            id="anchor elsewhere",
        ),
        pytest.param(
            {"pages/a.md": f"{BILINGUAL}\n:::{{cta}} Ask us\nNow.\n:::"},
            "pages/a.md:5",
            WARNING,
            "no link",
            id="call to action without a link",
        ),
        pytest.param(
            {
                "pages/a.md": f"{BILINGUAL}\n## One\n\n1",
                "pages/a.sa.md": ":::{stats} A\n:after: one\n- **1**: a\n:::\n\n"
                ":::{stats} B\n:before: two\n- **1**: b\n:::",
            },
            "pages/a.sa.md:6",
            WARNING,
            "names “two”",
            id="section beside an unknown one",
        ),
        pytest.param(
            {"posts/a.md": f"{BILINGUAL}", "_redirects": "# old\n\n/x /blog/none"},
            "_redirects:3",
            WARNING,
            "/blog/none does not exist",
            id="redirect to nothing",
        ),
        *(
            pytest.param(
                {"posts/a.md": f"{BILINGUAL}", "_redirects": rule},
                "_redirects:1",
                WARNING,
                f"which {rule.split()[0]} has not",
                id=f"a placeholder without a value: {rule}",
            )
            for rule in (
                "/n/:year/:slug.html /blog/:slgu?y=:year",
                "/n/:slug https://a.example/x-:slgu",
                "/n /blog/:splat",
            )
        ),
        pytest.param(
            {"posts/a.md": f"{BILINGUAL}", "_redirects": "/x /y\n/y /x"},
            "_redirects:2",
            WARNING,
            "in a circle",
            id="redirects in a circle",
        ),
        pytest.param(
            {"posts/a.md": f"{BILINGUAL}", "_redirects": "/x /blog/a\n/x/ /blog"},
            "_redirects:2",
            WARNING,
            "in line 1, which wins",
            id="the same redirect twice",
        ),
        pytest.param(
            {"posts/a.md": f"{BILINGUAL}", "_redirects": "/blog/a /blog"},
            "_redirects:1",
            WARNING,
            "the address of posts/a.md",
            id="redirect from a page",
        ),
        pytest.param(
            {"posts/a.md": f"{BILINGUAL}", "_redirects": "/x //evil.example"},
            "_redirects:1",
            WARNING,
            "neither a path nor a complete URL",
            id="redirect to another host",
        ),
        pytest.param(
            {"posts/a.md": "---\ntitle: A\naliases: /x\n---\nx", "_redirects": "/x /blog"},
            "_redirects:1",
            WARNING,
            "posts/a.md, which lists it",
            id="redirect that an alias hides",
        ),
        pytest.param(
            {
                "posts/a.md": "---\ntitle: A\naliases: /x\n---\nx",
                "posts/b.md": "---\ntitle: B\nredirect_from: /x/\n---\nx",
            },
            "posts/b.md:1",
            WARNING,
            "leads to posts/a.md already",
            id="one old address for two documents",
        ),
        pytest.param(
            {
                "posts/a.md": "---\ntitle: A\naliases: /blog/b\n---\nx",
                "posts/b.md": "---\ntitle: B\n---\nx",
            },
            "posts/a.md:1",
            WARNING,
            "is the address of posts/b.md",
            id="old address that is a page",
        ),
        pytest.param(
            {"posts/a.md": "---\ntitle: A\npermalink: /:year/:title/\n---\nx"},
            "posts/a.md:1",
            NOTICE,
            "“/:year/:title/” is ignored",
            id="old address with an unknown part",
        ),
        pytest.param(
            {"posts/a.md": "---\ntitle: A\n---\n## Here\n\n[x](#gone)"},
            "posts/a.md:6",
            WARNING,
            "#gone",
            id="anchor in a post",
        ),
        pytest.param(
            {
                "pages/a.md": f"{BILINGUAL}\n[x](/b)",
                "pages/b.md": "---\npublished: no\ntitle: x\n---\n",
            },
            "pages/a.md:5",
            WARNING,
            "not published",
            id="link to a hidden page",
        ),
        pytest.param(
            {"pages/a.md": f"{BILINGUAL}\n![x](i.png)"},
            "pages/a.md:5",
            WARNING,
            "i.png",
            id="image",
        ),
        pytest.param(
            {"pages/a.md": f"{BILINGUAL}\n![](i.png)", "pages/i.png": "x"},
            "pages/a.md:5",
            WARNING,
            "no alternative text",
            id="image without alt text",
        ),
        pytest.param(
            {"posts/a.md": "---\ntitle: x\ncoverImage: i.png\n---\nx"},
            "posts/a.md:1",
            WARNING,
            "coverImage",
            id="missing cover",
        ),
        pytest.param(
            {"posts/a.md": "---\ntitle: x\ncoverImage: i.png\n---\nx", "posts/i.png": "x"},
            "posts/a.md:1",
            WARNING,
            "no alternative text",
            id="cover without alt text",
        ),
        pytest.param(
            {"site/navigation.md": "---\nheaderLinks: [{id: a, href: /gone}]\n---\n"},
            "site/navigation.md:1",
            WARNING,
            "/gone",
            id="menu",
        ),
        pytest.param(
            {"site/navigation.md": "---\nfooterColumns: [{links: [{href: /gone}]}]\n---\n"},
            "site/navigation.md:1",
            WARNING,
            "/gone",
            id="footer",
        ),
        pytest.param(
            {"pages/a.md": "x", "pages/a/index.md": "y"},
            "pages/a.md:1",
            ERROR,
            "already used by",
            id="slugs collide",
        ),
        pytest.param(
            {
                "pages/a.md": "---\ntitle: x\nupdatedAt: 2026-05-02\n---\nx",
                "pages/a.ar.md": "---\nupdatedAt: 2026-05-01\n---\nx",
            },
            "pages/a.ar.md:1",
            NOTICE,
            "The translation is of 2026-05-01, pages/a.md of 2026-05-02.",
            id="outdated translation",
        ),
        pytest.param(
            {
                "pages/a.sa.md": "x\n\n## A {#a}\n\n:::{cta} B\n:id: b\n\nx\n:::\n",
                "pages/a.sa.ar.md": "س\n\n## ا {#a}\n\n:::{cta} ب\n\nس\n:::\n",
            },
            "pages/a.sa.ar.md:5",
            NOTICE,
            "in pages/a.sa.md it is “b”",
            id="section without id",
        ),
        pytest.param(
            {"pages/a.md": "---\ntitle: x\n---\nx", "pages/b.ar.md": "x"},
            "pages/a.md:1",
            NOTICE,
            "Arabic",
            id="no Arabic",
        ),
        pytest.param(
            {"pages/a.ar.md": "---\ntitle: x\n---\nx", "pages/b.md": "x"},
            "pages/a.ar.md:1",
            NOTICE,
            "English",
            id="no English",
        ),
        pytest.param(
            {"pages/a.sa.md": BILINGUAL}, "pages/a.sa.md:1", WARNING, "no base document", id="base"
        ),
        pytest.param(
            {"posts/a.md": "---\ntitle: x\ndate: 2026-09-01T08:00+04:00\n---\nx"},
            "posts/a.md:1",
            NOTICE,
            "published on 2026-09-01 at 04:00 UTC",
            id="scheduled",
        ),
        pytest.param(
            {"pages/a.md": "---\ntitle: x\nunpublishAt: 2026-09-01\n---\nx"},
            "pages/a.md:1",
            NOTICE,
            "withdrawn on 2026-09-01",
            id="withdrawn",
        ),
        pytest.param({"pages/a.md": "x"}, "pages/a.md:1", WARNING, "title", id="no title"),
        pytest.param(
            {"testimonials/a.md": "---\nquote: x\n---\n"},
            "testimonials/a.md:1",
            WARNING,
            "customerName",
            id="no customer",
        ),
        pytest.param(
            {"products/a.md": "---\ntitle: x\nsku: x\nid: 1\n---\n"},
            "products/a.md:1",
            WARNING,
            "prices",
            id="no price",
        ),
        pytest.param(
            {"posts/a.md": "---\ntitle: x\n---\nx", "posts/b.md": "---\ntitle: y\n---\nx"},
            "posts/a.md:1",
            NOTICE,
            "Posts without a date: 2",
            id="no date",
        ),
        pytest.param(
            {"cities/a.md": "---\ncountryCode: SA\nname: x\nindustries: [gone]\n---\n"},
            "cities/a.md:1",
            WARNING,
            "unknown industry “gone”",
            id="industry",
        ),
        pytest.param(
            {"products/a.md": "---\ntitle: x\nprices: {KWD: 1.25}\n---\n"},
            "products/a.md:1",
            WARNING,
            "KWD 1.25 must have 3 decimals",
            id="decimals",
        ),
        pytest.param(
            {"products/a.md": "---\nid: 7\n---\n", "products/b.md": "---\nid: 7\n---\n"},
            "products/b.md:1",
            WARNING,
            "already used by products/a.md",
            id="product id",
        ),
        pytest.param(
            {"pages/a.md": f"{BILINGUAL}:::{{sidebar}} x\n:::"},
            "pages/a.md:4",
            WARNING,
            "sidebar",
            id="unknown directive",
        ),
        pytest.param(
            {"pages/a.md": "---\ntitle: A\ncountries: [sa, fr]\n---\nText."},
            "pages/a.md:1",
            WARNING,
            "the site has no country FR",
            id="country of another site",
        ),
        pytest.param(
            {"countries/gulf.md": "---\nname: Gulf\n---\n"},
            "countries/gulf.md:1",
            ERROR,
            "“gulf” is not the code of a country",
            id="no country",
        ),
        pytest.param(
            {"cities/cairo.md": "---\nname: Cairo\ncountryCode: EG\n---\n"},
            "cities/cairo.md:1",
            ERROR,
            "the site does not have its country",
            id="city of another site",
        ),
    ],
)
def test_each_problem_is_reported(
    files: dict[str, str], location: str, severity: Severity, words: str, content: Content
) -> None:
    """With its location, its severity and a suggestion."""
    diagnostics = check_content(load_content(content(dict(files))), NOW)
    matches = [
        diagnostic
        for diagnostic in diagnostics
        if diagnostic.location == location and diagnostic.severity is severity
    ]
    assert any(words in diagnostic.message for diagnostic in matches), list(map(str, diagnostics))
    assert all(diagnostic.suggestion for diagnostic in diagnostics)


def test_valid_content_has_no_diagnostics(content: Content) -> None:
    """Valid links of every type are accepted."""
    files: dict[str, str | bytes] = {
        "pages/a.md": f"{BILINGUAL}## Part\n\n[1](/b#here) [2](b.md) [3](#part) [4](https://x.test)"
        " [5](/developers) ![a shot](../images/a.png) [6](/) [7](/blog) [8](/feed.xml)"
        " [9](/index.xml) [10](/blog/feed.json) [11](/llms.txt) [12](/sitemap.xml) [13](/shop)"
        " [14](/logo.png) [15](/news.xml) [16](/blog/category/tax/feed.xml)",
        "posts/2026-01-01-p.md": BILINGUAL.replace("title", "category: Tax\ntitle"),
        "_redirects": "/shop https://x.test\n/logo.png /images/a.png\n/news.xml /blog/feed.xml\n"
        "/b/ /en/b\n/a/ /a\n/?p=20 /b\n",
        "pages/a.ar.md": "## جزء {#part}\n\n[1](/b)",
        "pages/b.md": f"{BILINGUAL}## Here",
        "pages/b.ar.md": "## هنا {#here}",
        "images/a.png": picture("PNG", 2, 2),
        "site/navigation.md": "---\nheaderLinks: [{href: /a}, {href: 'mailto:a@x.test'}]\n---\n",
    }
    assert check_content(load_content(content(files)), NOW) == []


def test_diagnostics_are_sorted_by_location(content: Content) -> None:
    """By path and line, without duplicates."""
    files: dict[str, str | bytes] = {"pages/b.md": "[x](/y)\n\n[x](/z)", "pages/a.md": "[x](/y)"}
    diagnostics = check_content(load_content(content(files)), NOW)
    locations = [(diagnostic.path, diagnostic.line) for diagnostic in diagnostics]
    assert locations == sorted(locations)
    assert len(set(diagnostics)) == len(diagnostics)


@cases(
    ("name", "is_title"),
    [
        ("Opening hours", True),
        ("Meeting of 3 May", True),
        ("Tax", True),
        ("مواعيد العمل", True),
        ("opening-hours", False),
        ("tax", False),
        ("مواعيد-العمل", False),
    ],
)
@pytest.mark.parametrize("folder", ["posts", "pages"])
def test_a_name_that_is_the_title_needs_no_other(
    folder: str, name: str, is_title: bool, content: Content
) -> None:
    """As in a vault of notes, in which the name of a file is what readers see."""
    root = content({f"{folder}/{name}.md": "---\npublishedAt: 2026-01-01\n---\nText."})
    found = kinds(root)
    assert (DiagnosticKind.MISSING_FIELD not in found) == is_title
    (root / folder / f"{name}.md").unlink()


def test_the_shipped_sample_has_no_errors_or_warnings() -> None:
    """Notices are allowed."""
    diagnostics = check_content(load_content(SAMPLE), datetime(2026, 11, 21, tzinfo=UTC))
    assert [
        str(diagnostic) for diagnostic in diagnostics if diagnostic.severity > Severity.NOTICE
    ] == []


def test_all_anchors_of_headings_are_known(content: Content) -> None:
    """Of sections, questions, headings in bodies and in posts; explicit, encoded, former."""
    targets = (
        "#a #q #b-2 #x /blog/p#here /blog/p#y /c#فورًا /c#فور-ا /c#%D9%81%D9%88%D8%B1%D9%8B%D8%A7"
    )
    links = "\n".join(f"[x]({target})" for target in targets.split())
    faq = ":::{faq} Ask\n:id: a\n\n### Q {#q}\n\nYes.\n:::"
    body = f"{faq}\n\n## B\n\n### B\n\n> # C {{#x}}\n\n{links}"
    files = {
        "pages/a.md": f"---\ntitle: A\n---\n{body}",
        "pages/c.md": "---\ntitle: C\n---\n## فورًا",
        "posts/p.md": "---\ntitle: P\n---\n## Here\n\n### There {#y}",
    }
    loaded = load_content(content(files))
    found = check_content(loaded, NOW)
    assert [each for each in found if "nchor" in each.message] == []


ENGLISH, ARABIC = "x\n\n## A {#a}\n\nx\n\n## B {#b}\n\nx\n", "س\n\n## ا\n\nس\n\n## ب {#b}\n\nس\n"


def kinds(folder: Path) -> list[DiagnosticKind]:
    """Return the kinds of all diagnostics."""
    return [diagnostic.kind for diagnostic in check_content(load_content(folder), NOW)]


@pytest.mark.parametrize(
    ("original", "translation"),
    [
        pytest.param(ENGLISH, ARABIC + "\n## ج\n", id="another section"),
        pytest.param(ENGLISH, ARABIC.replace("{#b}", "{#c}"), id="another id"),
        pytest.param(ENGLISH, ARABIC.replace("## ا", ":::{cta} ا\n:::"), id="another type"),
        pytest.param(ENGLISH.replace(" {#a}", ""), ARABIC, id="no id in the original"),
    ],
)
def test_sections_that_may_be_others_need_no_id(
    original: str, translation: str, content: Content
) -> None:
    """Only the same sections in the same order are certain."""
    same = kinds(content({"pages/x.md": ENGLISH, "pages/x.ar.md": ARABIC}))
    assert DiagnosticKind.MISSING_SECTION_ID in same
    other = kinds(content({"pages/x.md": original, "pages/x.ar.md": translation}))
    assert DiagnosticKind.MISSING_SECTION_ID not in other


@pytest.mark.parametrize("path", ["pages/a.md", "pages/a.ar.md"])
def test_a_site_of_one_language_has_no_notice_about_the_other(path: str, content: Content) -> None:
    """As soon as one page has both languages, it has such notices."""
    assert DiagnosticKind.MISSING_TRANSLATION not in kinds(
        content({path: "---\ntitle: x\n---\nx"}, False)
    )
    both = content({"pages/b.md": "x", "pages/b.ar.md": "x"}, False)
    assert DiagnosticKind.MISSING_TRANSLATION in kinds(both)


@pytest.mark.parametrize(("target", "is_reported"), [("pages/b", False), ("posts/b", True)])
def test_a_link_to_a_page_in_the_other_language_works_where_that_is_shown(
    target: str, is_reported: bool, content: Content
) -> None:
    """Readers see the page in the other language, but no post."""
    link = f"[x](../{target}.md)"
    made = content({f"{target}.md": "---\ntitle: b\n---\nx", "pages/a.ar.md": link})
    assert (DiagnosticKind.UNPUBLISHED_LINK in kinds(made)) is is_reported


def test_a_translation_without_a_date_is_not_outdated(content: Content) -> None:
    """Nobody knows when it changed."""
    dated = "---\nupdatedAt: 2026-05-02\n---\nx"
    assert DiagnosticKind.OUTDATED_TRANSLATION not in kinds(
        content({"pages/a.md": dated, "pages/a.ar.md": "x"})
    )


@pytest.mark.parametrize(
    ("replaced_by", "message"),
    [
        ("no-such", "replacedBy: unknown product “no-such”."),
        ("a", "replacedBy: the products replace each other: a → a."),
        ("b", "replacedBy: the products replace each other: a → b → a."),
        ("c", None),
    ],
)
def test_replacements_that_lead_nowhere_are_reported(
    content: Content, replaced_by: str, message: str | None
) -> None:
    """A slug without a product, and circles."""
    text = "---\ntitle: T\nid: {}\nsku: s{}\nprices: {{}}\nreplacedBy: {}\n---\nx\n"
    files = {
        "products/a.md": text.format(1, 1, replaced_by),
        "products/b.md": text.format(2, 2, "a"),
        "products/c.md": text.format(3, 3, "''"),
    }
    diagnostics = check_content(load_content(content(files)), NOW)
    found = [each.message for each in diagnostics if each.path == "products/a.md"]
    assert [each for each in found if "replacedBy" in each] == ([message] if message else [])


def test_similar_names_of_specifications_are_reported(content: Content) -> None:
    """As they would stand in two rows of a comparison."""
    text = (
        "---\ntitle: T\nid: {}\nsku: s{}\nprices: {{}}\nspecs: [{{name: {}, value: x}}]\n---\nx\n"
    )
    names = ("Interface", "interfaces", "Interface", "Internet")
    files = {
        f"products/{number}.md": text.format(number, number, name)
        for number, name in enumerate(names, start=1)
    }
    diagnostics = check_content(load_content(content(files)), NOW)
    found = [each.message for each in diagnostics if each.kind is DiagnosticKind.SIMILAR_NAMES]
    assert found == ["specs: “interfaces” is “Interface” in products/1.md."]


def test_pictures_of_a_gallery_are_checked(content: Content) -> None:
    """Their files and their alternative texts."""
    gallery = "gallery: [{image: /no.svg, imageAlt: x}, {image: /a.svg}]"
    files = {
        "a.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
        "products/a.md": f"---\ntitle: T\nid: 1\nsku: s\nprices: {{}}\n{gallery}\n---\nx\n",
    }
    diagnostics = check_content(load_content(content(files)), NOW)
    messages = [each.message for each in diagnostics]
    assert "gallery.0.image: the image /no.svg does not exist." in messages
    assert "gallery.1.image has no alternative text." in messages


def test_a_screen_of_the_sample_shows_the_currency_and_tax_of_its_country() -> None:
    """Those of countries without VAT name no tax."""
    countries = load_content(SAMPLE).snapshot.countries
    for country, settings in countries.items():
        screens = [*(SAMPLE / "images/screens").glob(f"*.{country.slug}*.svg")]
        assert screens or country.slug == "ae"
        for path in screens:
            words = " ".join(re.findall(">([^<>]*)</text>", path.read_text(encoding="utf-8")))
            codes = set(re.findall(r"\b(?:AED|SAR|QAR|KWD|BHD|OMR)\b", words))
            rates = set(re.findall(r"(?:VAT|ضريبة)\D+?(\d+)%", words))
            assert codes <= {currency_of(country, settings)}, path
            assert rates <= {str(settings.vat_rate)}, path
            assert settings.vat_rate or not re.search("VAT|ضريبة", words), path


def test_pictures_of_the_sample_have_a_dark_ground_on_dark_pages() -> None:
    """The ground is what covers the whole picture last."""
    for path in (*(SAMPLE / "images").rglob("*.svg"), *(SAMPLE / "posts").rglob("*.svg")):
        text = path.read_text(encoding="utf-8")
        _, _, width, height = re.search(r'viewBox="(.*?)"', text)[1].split()  # type: ignore[index]
        whole = rf'width="{width}" height="{height}"|M0 0h{width}v{height}H0z'
        shapes = [
            each for each in re.findall("<(?:rect|path)[^>]*>", text) if "opacity" not in each
        ]
        grounds = [each for each in shapes if re.search(whole, each)]
        fills = re.findall(r'fill="#(\w{6})"', " ".join(grounds[-1:]))
        is_light = any(min(bytes.fromhex(fill)) > 0x90 for fill in fills)
        assert not is_light or "(prefers-color-scheme:dark)" in text, path
