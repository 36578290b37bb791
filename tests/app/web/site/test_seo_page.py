"""seo-page: metadata of any public site path, with absolute URLs."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import quote

import pytest
from cases import cases
from conftest import Visit
from contract.schemas import SEO_PAGE
from contract.validation import violations
from contract.visitor import BASE_URL, Visitor

ENGLISH = "---\ntitle: ERP\nshortDescription: All in one.\n---\nText.\n"
ARABIC = "---\ntitle: نظام\n---\nنص.\n"


def seo(visitor: Visitor, path: str, headers: dict[str, str] | None = None) -> Any:
    """Return the metadata of a path, after a check of its shape."""
    reply = visitor.get(f"/api/public/v1/seo-page?path={quote(path, safe='')}", headers)
    assert reply.status == 200
    assert violations(SEO_PAGE, reply.json) == []
    return reply.json


def alternates(body: Any) -> dict[str, str]:
    """Return the alternate URLs by language tag."""
    by_tag = {link["hreflang"]: link["href"] for link in body["alternates"]}
    assert len(by_tag) == len(body["alternates"])
    return by_tag


def test_a_page_in_both_languages_has_an_alternate_in_every_locale(shared_visit: Visit) -> None:
    """There are twelve locales, two languages, and x-default."""
    body = seo(
        shared_visit({"registry/erp.md": ENGLISH, "registry/erp.ar.md": ARABIC}), "/sa/ar/erp"
    )
    assert (body["path"], body["canonical"]) == ("/sa/ar/erp", f"{BASE_URL}/sa/ar/erp")
    assert (body["lang"], body["dir"], body["title"]) == ("ar", "rtl", "نظام")
    assert body["noIndex"] is False
    by_tag = alternates(body)
    assert by_tag["ar-SA"] == f"{BASE_URL}/sa/ar/erp"
    assert by_tag["en"] == by_tag["en-AE"] == by_tag["x-default"] == f"{BASE_URL}/ae/en/erp"
    assert by_tag["ar"] == f"{BASE_URL}/ae/ar/erp"
    assert len(by_tag) == 15


def test_a_page_that_fell_back_is_canonical_in_the_language_served(shared_visit: Visit) -> None:
    """It has no alternate in a language in which it does not exist."""
    body = seo(shared_visit({"registry/erp.md": ENGLISH}), "/sa/ar/erp")
    assert body["canonical"] == f"{BASE_URL}/sa/en/erp"
    assert (body["lang"], body["dir"]) == ("en", "ltr")
    assert {tag[:2] for tag in alternates(body)} == {"en", "x-"}


@cases(
    "path",
    [
        pytest.param("/sa/en/no-such", id="unknown page"),
        pytest.param("/sa/en/draft", id="a draft"),
        pytest.param("/sa/en/later", id="scheduled"),
        pytest.param("/kw/en/only-saudi", id="published elsewhere"),
        pytest.param("/sa/en/blog/no-such", id="unknown post"),
        pytest.param("/fr/fr/erp", id="a locale not served"),
        pytest.param("/erp", id="no locale"),
        pytest.param("//evil.example/erp", id="another host"),
        pytest.param("https://evil.example/sa/en/erp", id="a whole URL"),
        pytest.param("javascript:alert(1)", id="no path at all"),
        pytest.param("/sa/en/../../etc/passwd", id="dots"),
        pytest.param("/sa/en/" + "x" * 3_000, id="a long path"),
    ],
)
def test_what_shows_nothing_is_not_to_be_indexed(shared_visit: Visit, path: str) -> None:
    """The response is 200 with `noIndex` and no alternates; the canonical stays on this site."""
    visitor = shared_visit(
        {
            "registry/erp.md": ENGLISH,
            "pages/draft.md": "---\npublished: false\n---\nText.\n",
            "pages/later.md": "---\npublishedAt: 2099-01-01\n---\nText.\n",
            "pages/only-saudi.md": "---\ncountries: [SA]\n---\nText.\n",
        }
    )
    body = seo(visitor, path)
    assert (body["noIndex"], body["alternates"]) == (True, [])
    assert body["robots"].startswith("noindex")
    assert body["canonical"].startswith(f"{BASE_URL}/")


def test_an_authors_no_index_is_kept(shared_visit: Visit) -> None:
    """The directive for links is kept as well."""
    text = "---\ntitle: X\nseo: {noIndex: true, robotsFollow: nofollow}\n---\nText.\n"
    body = seo(shared_visit({"pages/x.md": text}), "/ae/en/x")
    assert (body["noIndex"], body["robots"], body["alternates"]) == (True, "noindex, nofollow", [])


@cases(
    "path",
    [
        "/",
        "/sa/ar",
        "/ae/en/blog",
        "/ae/en/testimonials",
        "/ae/en/products",
        "/sa/ar/erp",
        "/sa/ar/cities/riyadh",
        "/sa/ar/cities/riyadh/erp",
        "/kw/en/modules/finance",
        "/qa/ar/pricing",
        "/ae/en/blog/choosing-an-erp-in-the-gulf",
        "/ae/en/blog/category/erp-guides",
    ],
)
def test_alternates_are_absolute_and_name_each_other(sample: Visitor, path: str) -> None:
    """Every page of a set of alternates has the same set, with itself in it."""
    body = seo(sample, path)
    assert body["noIndex"] is False
    by_tag = alternates(body)
    assert body["canonical"] in by_tag.values()
    assert "x-default" in by_tag
    for tag, href in by_tag.items():
        assert href.startswith(f"{BASE_URL}/")
        other = seo(sample, href.removeprefix(BASE_URL))
        assert alternates(other) == by_tag
        assert other["canonical"] == href
        if "-" in tag and tag != "x-default":
            assert (other["lang"], other["noIndex"]) == (tag[:2], False)


@cases(
    "headers",
    [
        pytest.param({"Host": "evil.example"}, id="Host"),
        pytest.param({"X-Forwarded-Host": "evil.example"}, id="X-Forwarded-Host"),
        pytest.param({"Forwarded": "host=evil.example;proto=https"}, id="Forwarded"),
        pytest.param({"X-Forwarded-Proto": "gopher"}, id="X-Forwarded-Proto"),
    ],
)
def test_absolute_urls_come_from_base_url_never_from_the_request(
    sample: Visitor, headers: dict[str, str]
) -> None:
    """Otherwise an attacker could have links to another host cached."""
    plain = sample.get("/api/public/v1/seo-page?path=/sa/ar/erp")
    reply = sample.get("/api/public/v1/seo-page?path=/sa/ar/erp", headers)
    assert reply.body == plain.body
    assert BASE_URL in reply.text


@cases("path", ["/sa/en/erp/", "/sa/en/erp?utm_source=x", "/sa/en/erp#top"])
def test_every_spelling_of_a_page_has_one_canonical(shared_visit: Visit, path: str) -> None:
    """The canonical has no trailing slash, query or fragment."""
    body = seo(shared_visit({"registry/erp.md": ENGLISH}), path)
    assert body["canonical"] == f"{BASE_URL}/sa/en/erp"


@cases("path", ["/50%", "/[a]", "/a#b#c", "/a?b#c", "/%zz", "/جرد"])
def test_a_canonical_url_is_a_url_whatever_was_asked(shared_visit: Visit, path: str) -> None:
    """Invalid characters are encoded, and the fragment is removed."""
    body = seo(shared_visit({}), path)
    assert re.fullmatch(r"https://(?:[\w/.?&=-]|%[0-9A-F]{2})+", body["canonical"], re.ASCII)


def test_the_manual_is_a_page_to_be_found(shared_visit: Visit) -> None:
    """It has no locale but is in both languages; its per-format URLs are not indexed."""
    visitor = shared_visit({})
    body = seo(visitor, "/developers#versioning")
    assert body["canonical"] == f"{BASE_URL}/developers"
    assert (body["noIndex"], body["lang"], body["dir"]) == (False, "en", "ltr")
    assert body["title"]
    paths = {"en": "/developers", "ar": "/developers/ar", "x-default": "/developers"}
    alternates = [{"hreflang": tag, "href": BASE_URL + path} for tag, path in paths.items()]
    assert body["alternates"] == alternates
    arabic = seo(visitor, "/developers/ar")
    assert (arabic["lang"], arabic["dir"], arabic["alternates"]) == ("ar", "rtl", alternates)
    assert seo(visitor, "/developers.md")["noIndex"] is True
