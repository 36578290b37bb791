"""Hostile content and input: shown as text on pages, or not at all."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import pytest
import yaml
from cases import cases
from conftest import Visit
from contract.visitor import BASE_URL, Visitor
from gulf import write_site
from page_scripts import own_sources, without_common_scripts

from renderers.html.styles import FOLDER, scripts

HTML = {"Accept": "text/html"}
MARKUP = "</script></title></textarea><script>alert(1)</script><img src=x onerror=alert(1)>\" ' x"
SCRIPT = "JaVa\tscript:alert(1)"
PICTURE = "data:image/svg+xml,<svg onload=alert(1)>"
BODY = f"""{MARKUP}

[link]({SCRIPT.replace(chr(9), "")}) [link](<data:text/html,x> "{MARKUP.replace('"', "'")}")
![{MARKUP}](data:image/svg+xml,x) ![{MARKUP}](/x.png) <javascript:alert(1)>

| {MARKUP} | b |
|---|--:|
| {MARKUP} | [x](vbscript:x) |

`{MARKUP}`

```"><script>alert(1)</script>
{MARKUP}
```

## {MARKUP} {{#{MARKUP.replace(" ", "")}}}

:::{{faq}} {MARKUP}

### {MARKUP}

{MARKUP}
:::

:::{{cta}} {MARKUP}

Ask. [{MARKUP}](javascript:alert(1))
:::

:::{{image}} {MARKUP}

![{MARKUP}](data:image/svg+xml,x)
:::

:::{{stats}} {MARKUP}

- **{MARKUP}**: {MARKUP}
:::

:::{{featureGrid}} {MARKUP}

- **{MARKUP}**: {MARKUP}
:::
"""
BOTH = {"en": MARKUP, "ar": MARKUP}
SEO = {"title": MARKUP, "description": MARKUP, "keywords": MARKUP}
LINK = {"id": "x", "label": MARKUP, "href": SCRIPT}
TEXTS: dict[str, Any] = {"title": MARKUP, "shortDescription": MARKUP, "seo": SEO}


def document(body: str = "", **fields: object) -> str:
    """Return a content file."""
    return f"---\n{yaml.safe_dump(fields, allow_unicode=True)}---\n{body}"


FILES = {
    "site/settings.md": document(
        header={"logoUrl": PICTURE},
        seo={"pageTitle": MARKUP, "metaDescription": MARKUP},
        siteSettings={
            "primaryEmail": MARKUP,
            "phoneDisplay": MARKUP,
            "officeAddress": BOTH,
            "facebookUrl": SCRIPT,
            "linkedinUrl": PICTURE,
        },
    ),
    "site/navigation.md": document(
        headerLinks=[LINK], footerColumns=[{"title": MARKUP, "links": [LINK]}]
    ),
    "site/home.md": document(
        **TEXTS,
        hero={"title": BOTH, "sub": BOTH, "body": BOTH},
        stats={"title": BOTH, "items": [{"id": "x", "value": MARKUP, "label": BOTH}]},
        about={"title": BOTH, "paragraphs": [BOTH]},
        demoCta={"enabled": True, "title": BOTH},
    ),
    "site/testimonials.md": document(
        section={
            "enabled": True,
            "eyebrow": BOTH,
            "heading": BOTH,
            "supportingText": BOTH,
            "viewAllLabel": BOTH,
            "viewAllUrl": SCRIPT,
            "showViewAll": True,
        },
        page={"enabled": True, "title": BOTH, "intro": BOTH},
    ),
    "site/blog.md": document(**TEXTS, homepage={"enabled": True, "title": MARKUP}),
    "pages/a.md": document(BODY, **TEXTS, heading=MARKUP),
    "registry/erp.md": document(BODY, **TEXTS),
    "modules/m.md": document(BODY, **TEXTS),
    "industries/i.md": document(BODY, **TEXTS),
    "cities/dubai.md": document(
        BODY, **TEXTS, countryCode="AE", name=BOTH, focus=BOTH, services=["m"], industries=["i"]
    ),
    "categories/c.md": document(name=MARKUP, description=MARKUP),
    "posts/p.md": document(
        BODY,
        title=MARKUP,
        excerpt=MARKUP,
        category="c",
        tags=[MARKUP],
        coverImage=PICTURE,
        coverImageAlt=MARKUP,
        publishedAt="2026-01-01",
    ),
    "testimonials/t.md": document(
        quote=MARKUP,
        customerName=MARKUP,
        designation=MARKUP,
        company=MARKUP,
        city=MARKUP,
        image=SCRIPT,
        rating=5,
        featuredOnHomepage=True,
    ),
    "products/x.md": document(
        BODY,
        **TEXTS,
        id=1,
        sku=MARKUP,
        brand=MARKUP,
        barcode=MARKUP,
        image=PICTURE,
        imageAlt=MARKUP,
        prices={"AED": "1.00"},
        specs=[{"name": BOTH, "value": BOTH}],
    ),
}
PAGES = [
    "",
    "/a",
    "/erp",
    "/modules/m",
    "/industries/i",
    "/cities/dubai",
    "/blog",
    "/blog/category/c",
    "/blog/p",
    "/testimonials",
    "/products",
    "/products/x",
    "/no-such-page",
]


class Elements(HTMLParser):
    """Collects every element of a page with its attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Record an element."""
        self.found.append((tag, {name: value or "" for name, value in attrs}))


def harm(text: str) -> Iterator[str]:
    """Yield everything in a page that would run a script, or link to one."""
    for tag, attributes in Elements(text).found:
        if tag == "script" and attributes != {"type": "application/ld+json"}:
            yield f"<{tag}>"
        if tag in {"style", "iframe", "object", "embed", "base", "svg"}:
            yield f"<{tag}>"
        for name, value in attributes.items():
            bare = "".join(value.split()).lower()
            if name.startswith("on") or name in {"style", "srcdoc"}:
                yield f"<{tag} {name}>"
            if bare.startswith(("javascript:", "data:", "vbscript:")):
                yield f"<{tag} {name}={value}>"


@cases(
    "text",
    [
        "<img src=x onerror=a()>",
        "<a href=' java\tscript:a()'>",
        "<script>a()</script>",
        "<p style='color:red'>",
        "<img src='data:image/svg+xml,x'>",
    ],
)
def test_the_check_is_at_work(text: str) -> None:
    """The check detects harmful markup."""
    assert list(harm(text))


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    """Return a client of a site with hostile content everywhere."""
    folder = tmp_path_factory.mktemp("hostile")
    for path, text in FILES.items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    write_site(folder, {})
    with Visitor(content_dir=folder) as visitor:
        yield visitor


@cases("locale", ["/ae/en", "/ae/ar"])
@cases("page", PAGES)
def test_nothing_an_author_writes_runs(page: str, locale: str, hostile: Visitor) -> None:
    """Titles, texts, tables, images, links and structured data contain only text."""
    reply = hostile.get(locale + page, HTML)
    assert reply.headers["Content-Type"] == "text/html; charset=utf-8"
    text = without_common_scripts(reply.text)
    for each in scripts(text):
        text = text.replace(f"<script>{each}</script>", "", 1)
    assert list(harm(text)) == []
    assert text.count("<script") == text.count("</script>") <= 1


@cases("page", [each for each in PAGES if each != "/no-such-page"])
def test_data_for_machines_stays_data(page: str, hostile: Visitor) -> None:
    """The JSON-LD graph parses, and contains no script URL."""
    text = hostile.get(f"/ae/en{page}", HTML).text
    graph = json.loads(text.partition('ld+json">')[2].partition("</script>")[0])
    assert graph["@context"] == "https://schema.org"
    assert [each for each in _strings(graph) if each.lower().startswith(("java", "data:"))] == []


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    children = value.values() if isinstance(value, dict) else value
    if isinstance(value, (dict, list)):
        for child in children:  # type: ignore[attr-defined]  # of either kind
            yield from _strings(child)


@cases(
    "target",
    [
        pytest.param("/ae/en/<script>alert(1)</script>", id="path"),
        pytest.param("/ae/ar/%3Cimg%20src=x%20onerror=alert(1)%3E", id="encoded path"),
        pytest.param("/%22%3E%3Cscript%3Ealert(1)%3C/script%3E", id="outside a locale"),
        pytest.param("/ae/en/blog?search=%22%3E%3Cscript%3Ealert(1)%3C/script%3E", id="search"),
        pytest.param("/ae/en/blog?page=%3Cscript%3Ealert(1)%3C/script%3E", id="page number"),
        pytest.param("/ae/en/erp?x=%22onload=alert(1)", id="unknown parameter"),
        pytest.param("/ae/en/%ff%00<b>", id="broken encoding"),
    ],
)
def test_nothing_a_visitor_asks_for_runs(target: str, sample: Visitor) -> None:
    """A URL is shown as text, if at all."""
    reply = sample.get(target, HTML)
    assert list(harm(without_common_scripts(reply.text))) == []
    assert "<script>alert" not in reply.text
    assert "<b>" not in reply.text


@cases("target", ["/ae/en", "/ae/en/no-such", "/sa/ar/blog?search=x"])
def test_the_policy_of_pages_allows_the_scripts_of_all_pages_and_nothing_else_inline(
    target: str, sample: Visitor
) -> None:
    """It is sent on errors too, and allows only what a page needs."""
    page = sample.get(target, HTML)
    policy = page.headers["Content-Security-Policy"]
    rules = {rule.split()[0]: rule.split()[1:] for rule in policy.split(";")}
    assert rules["default-src"] == ["'none'"]
    assert rules["frame-ancestors"] == rules["base-uri"] == ["'none'"]
    assert own_sources(page.headers) == set()
    assert "unsafe" not in policy
    assert "*" not in policy
    assert "data:" not in policy


@cases(
    "headers",
    [
        pytest.param({"Host": "evil.example"}, id="Host"),
        pytest.param({"X-Forwarded-Host": "evil.example"}, id="X-Forwarded-Host"),
        pytest.param({"Forwarded": "host=evil.example"}, id="Forwarded"),
    ],
)
@cases("target", ["/ae/en/erp", "/ae/en/no-such", "/", "/ae/en/erp/"])
def test_no_header_of_a_visitor_names_the_site(
    target: str, headers: dict[str, str], sample: Visitor
) -> None:
    """Absolute URLs depend on BASE_URL alone."""
    reply = sample.get(target, {**HTML, **headers})
    assert "evil.example" not in reply.text + str(reply.headers)
    assert BASE_URL in reply.text + str(reply.headers)


def test_a_hostile_site_is_read_whole(hostile: Visitor) -> None:
    """Every file of the site is loaded; otherwise the tests would prove nothing."""
    assert hostile.get("/api/public/v1/health").json["bootstrapError"] is None
    assert hostile.get("/ae/en/blog/p", HTML).status == 200
    assert hostile.get("/ae/en/products/x", HTML).status == 200


def test_the_search_shows_what_was_typed(visit: Visit) -> None:
    """It is shown as text in the search field."""
    text = visit({}).get("/ae/en/blog?search=%3Cb%3E", HTML).text
    assert 'value="&lt;b&gt;"' in text


def test_templates_of_blocks_check_each_link() -> None:
    """An author may write any scheme; a filter leaves out those that run something."""
    folder = FOLDER.with_name("templates")
    paths = [*folder.glob("blocks/*.html"), folder / "parts" / "cards.html"]
    texts = "".join(path.read_text(encoding="utf-8") for path in paths)
    links = re.findall(r'href="{{ ([^}]*[.]href[^}]*) }}"', texts)
    assert len(links) > 10
    assert [each for each in links if not each.endswith(("|href", "|src"))] == []
