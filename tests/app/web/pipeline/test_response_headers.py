"""HTTP behaviour: conditional requests, HEAD, CORS, caching, and Content-Language."""

from __future__ import annotations

import pytest
from cases import cases
from conftest import Visit
from contract.visitor import Visitor

API = "/api/public/v1"
PAGE = f"{API}/locale-content/erp"


def test_an_etag_is_strong_and_lasts_as_long_as_the_answer(sample: Visitor) -> None:
    """Equal responses have equal tags, and different ones different tags."""
    etag = sample.get(PAGE).headers["ETag"]
    assert etag.startswith('"')
    assert sample.get(PAGE).headers["ETag"] == etag
    assert sample.get(f"{PAGE}?lang=ar").headers["ETag"] != etag


@cases(
    "condition",
    [
        pytest.param("{etag}", id="the tag"),
        pytest.param("W/{etag}", id="a weak one, as proxies make them"),
        pytest.param('"other", {etag}, W/"third"', id="one of several"),
        pytest.param("*", id="any"),
    ],
)
@cases("method", ["GET", "HEAD"])
def test_a_known_etag_gets_304(sample: Visitor, method: str, condition: str) -> None:
    """It has no body, but the headers that a cache needs."""
    cached = sample.get(PAGE)
    reply = sample.ask(
        method, PAGE, {"If-None-Match": condition.format(etag=cached.headers["ETag"])}
    )
    assert (reply.status, reply.body) == (304, b"")
    for name in ("ETag", "Cache-Control", "Vary", "Access-Control-Allow-Origin"):
        assert reply.headers[name] == cached.headers[name]
    assert "Content-Type" not in reply.headers


@cases("condition", ['"other"', "other", '"', "", 'W/"other", "x"'])
def test_another_etag_gets_200(sample: Visitor, condition: str) -> None:
    """An unknown or malformed tag is ignored."""
    reply = sample.get(PAGE, {"If-None-Match": condition})
    assert (reply.status, reply.body) == (200, sample.get(PAGE).body)


def test_a_condition_never_hides_an_error(sample: Visitor) -> None:
    """Only a 200 becomes a 304."""
    assert sample.get(f"{API}/pages/no-such", {"If-None-Match": "*"}).status == 404
    assert sample.get(f"{PAGE}?lang=fr", {"If-None-Match": "*"}).status == 400


@cases("coding", ["identity", "gzip", "br"])
def test_head_is_get_without_the_body(sample: Visitor, coding: str) -> None:
    """Length and tag are those of the response to GET."""
    headers = {"Accept-Encoding": coding}
    head, get = sample.ask("HEAD", PAGE, headers), sample.get(PAGE, headers)
    assert (head.status, head.body) == (200, b"")
    assert head.headers == get.headers
    assert int(head.headers["Content-Length"]) == len(get.body)


EXPOSED = {
    "RateLimit-Limit",
    "RateLimit-Remaining",
    "RateLimit-Reset",
    "RateLimit",
    "RateLimit-Policy",
    "ETag",
    "Link",
    "Deprecation",
    "Sunset",
}


@cases(
    "target",
    [
        pytest.param(PAGE, id="200"),
        pytest.param("/api/homepage", id="an alias"),
        pytest.param(f"{API}/pages/no-such", id="404"),
        pytest.param(f"{PAGE}?lang=fr", id="400"),
        pytest.param(f"{API}/locale-hint", id="a personal answer"),
        pytest.param("/sa/ar/erp.json", id="a page"),
        pytest.param("/llms.txt", id="a map"),
        pytest.param("/images/logo.svg", id="a picture"),
    ],
)
def test_scripts_of_every_origin_may_read_the_response(sample: Visitor, target: str) -> None:
    """They may not send credentials, and may read the headers they need."""
    headers = sample.get(target, {"Origin": "https://shop.example"}).headers
    assert headers["Access-Control-Allow-Origin"] == "*"
    exposed = {name.strip() for name in headers["Access-Control-Expose-Headers"].split(",")}
    assert exposed >= EXPOSED
    assert "Access-Control-Allow-Credentials" not in headers


@cases("path", [PAGE, "/api/homepage", f"{API}/blog/posts"])
def test_a_preflight_is_answered(sample: Visitor, path: str) -> None:
    """Browsers send one before a GET with a custom header."""
    reply = sample.ask(
        "OPTIONS",
        path,
        {
            "Origin": "https://shop.example",
            "Access-Control-Request-Method": "GET",
            "Access-Control-Request-Headers": "if-none-match",
        },
    )
    assert reply.status in (200, 204)
    assert reply.body == b""
    assert reply.headers["Access-Control-Allow-Origin"] == "*"
    assert {"GET", "HEAD"} <= set(
        reply.headers["Access-Control-Allow-Methods"].replace(" ", "").split(",")
    )
    allowed = reply.headers["Access-Control-Allow-Headers"].lower()
    assert "*" in allowed or "if-none-match" in allowed
    assert int(reply.headers["Access-Control-Max-Age"]) > 0


PUBLIC = "public, max-age=60, stale-while-revalidate=300"


@cases(
    ("target", "policy"),
    [
        pytest.param(f"{API}/homepage", PUBLIC, id="homepage"),
        pytest.param(f"{API}/site-settings", PUBLIC, id="site settings"),
        pytest.param(f"{API}/blog/posts", PUBLIC, id="list"),
        pytest.param(f"{API}/seo-page?path=/", PUBLIC, id="SEO"),
        pytest.param("/api/homepage", PUBLIC, id="alias"),
        pytest.param(f"{API}/locale-hint", "private, no-store", id="hint"),
        pytest.param(f"{API}/locale-routing", "private, no-store", id="routing"),
        pytest.param(f"{API}/health", "no-store", id="health"),
        pytest.param(f"{API}/pages/no-such", "no-store", id="404"),
        pytest.param(f"{PAGE}?lang=fr", "no-store", id="400"),
    ],
)
def test_the_cache_control_of_each_kind_of_response(
    sample: Visitor, target: str, policy: str
) -> None:
    """Content is cached for a minute; personal data, health and errors are not."""
    assert sample.get(target).headers["Cache-Control"] == policy


def test_no_response_may_be_sniffed(sample: Visitor) -> None:
    """Clients must use the declared media type."""
    for target in (PAGE, f"{API}/no-such", "/images/logo.svg"):
        assert sample.get(target).headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize(
    ("files", "requested", "expected", "fell_back"),
    [
        pytest.param(("erp.md",), "en", "en", False, id="English requested and available"),
        pytest.param(("erp.md",), "ar", "en", True, id="Arabic requested, only English available"),
        pytest.param(("erp.ar.md",), "ar", "ar", False, id="Arabic requested and available"),
        pytest.param(
            ("erp.ar.md",), "en", "ar", True, id="English requested, only Arabic available"
        ),
        pytest.param(("erp.md", "erp.ar.md"), "ar", "ar", False, id="both available"),
    ],
)
def test_content_language_is_that_of_the_text(
    visit: Visit, files: tuple[str, ...], requested: str, expected: str, *, fell_back: bool
) -> None:
    """It is not the requested language."""
    text = {"erp.md": "---\ntitle: ERP\n---\nText.\n", "erp.ar.md": "---\ntitle: نظام\n---\nنص.\n"}
    visitor = visit({f"registry/{name}": text[name] for name in files})
    reply = visitor.get(f"{PAGE}?lang={requested}")
    assert reply.headers["Content-Language"] == expected
    assert reply.json["meta"]["fallbackUsed"] is fell_back
    assert reply.json["page"]["title"] == ("ERP" if expected == "en" else "نظام")


def test_posts_never_answer_in_the_other_language(visit: Visit) -> None:
    """Lists contain only posts in the requested language."""
    visitor = visit({"posts/x.md": "---\ntitle: X\n---\nText.\n"})
    assert visitor.get(f"{API}/blog/posts?lang=ar").json["items"] == []
    assert visitor.get(f"{API}/blog/posts/x?lang=ar").status == 404
    assert visitor.get(f"{API}/blog/posts/x?lang=en").headers["Content-Language"] == "en"


HIDDEN = """---
title: X
---
## Shown {#shown}

Text.

:::{richText} Hidden
:id: hidden
:visible: false

A secret plan.
:::

:::{bulletList} Also hidden
:id: also
:visible: false

- a secret point
:::
"""


@pytest.mark.parametrize(
    ("file", "target", "inside"),
    [
        pytest.param("pages/x.md", f"{API}/pages/x", "page", id="page"),
        pytest.param("registry/erp.md", PAGE, "page", id="registry page"),
        pytest.param(
            "modules/x.md", f"{API}/locale-content/software/module/x", "page", id="module"
        ),
        pytest.param("modules/x.md", "/api/software-detail/module/x", None, id="software detail"),
        pytest.param(
            "cities/x.md", f"{API}/locale-content/city/x/index?lang=en", "page", id="city"
        ),
    ],
)
def test_sections_that_are_not_visible_are_left_out(
    visit: Visit, file: str, target: str, inside: str | None
) -> None:
    """Neither the text nor the heading of one of them is there."""
    text = HIDDEN
    if file.startswith("cities"):
        text = HIDDEN.replace("title: X", "title: X\ncountryCode: AE\nname: X")
    reply = visit({file: text}).get(target)
    assert reply.status == 200
    body = reply.json[inside] if inside else reply.json
    assert [section["id"] for section in body["sections"]] == ["shown"]
    assert "secret" not in reply.text
    assert "idden" not in reply.text


@cases(
    ("path", "status"),
    [
        (PAGE, 204),
        (f"{API}/pages/no-such", 204),
        ("/api/no-such", 404),
        (f"{API}/%zz", 400),
    ],
)
def test_a_response_to_options_has_a_body_only_if_its_status_may(
    sample: Visitor, path: str, status: int
) -> None:
    """204 has neither a body nor a length (RFC 9110, section 8.6); errors keep their status."""
    reply = sample.ask("OPTIONS", path, {"Origin": "https://shop.example"})
    assert reply.headers["Access-Control-Allow-Origin"] == "*"
    assert (reply.status, reply.body == b"") == (status, status == 204)
    assert ("Content-Length" in reply.headers) == (status != 204)
