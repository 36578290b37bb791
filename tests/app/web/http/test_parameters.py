"""Query parameters: the values they accept, and the errors for other values."""

from __future__ import annotations

import re
from urllib.parse import quote

import pytest
from cases import cases
from contract.schemas import ERROR_ENVELOPE
from contract.validation import violations
from contract.visitor import Reply, Visitor

from app.web.http.parameters import NOT_BLANK

API = "/api/public/v1"
POSTS = f"{API}/blog/posts"


def refused(reply: Reply, *named: str) -> None:
    """Assert a 400 whose message names the parameter and what it accepts."""
    assert reply.status == 400
    assert violations(ERROR_ENVELOPE, reply.json) == []
    error = reply.json["error"]
    assert error["code"] == "VALIDATION_ERROR"
    text = error["message"] + error["resolution"]
    assert [word for word in named if word not in text] == []


@cases("written", ["SA", "sa", "Sa", "sA"])
def test_country_is_a_code_or_slug_in_any_case(sample: Visitor, written: str) -> None:
    """All spellings get the same response."""
    reply = sample.get(f"{API}/cities?country={written}")
    assert {city["countryCode"] for city in reply.json["cities"]} == {"SA"}
    assert reply.body == sample.get(f"{API}/cities?country=SA").body


@cases("written", ["ar", "AR", "Ar"])
def test_lang_is_accepted_in_any_case(sample: Visitor, written: str) -> None:
    """The response is in that language."""
    reply = sample.get(f"{API}/locale-content/erp?lang={written}")
    assert reply.headers["Content-Language"] == "ar"


@cases("path", ["homepage", "cities", "testimonials", "blog/posts", "pages"])
def test_country_and_lang_default_to_ae_and_en(sample: Visitor, path: str) -> None:
    """The response is the same with and without the parameters."""
    written = sample.get(f"{API}/{path}?country=AE&lang=en")
    assert sample.get(f"{API}/{path}").body == written.body
    assert sample.get(f"{API}/{path}?country=SA&lang=ar").body != written.body


@cases("query", ["lang=&lang=ar", "lang=%20&lang=ar&lang=en", "lang=ar&lang=x"])
def test_of_a_repeated_parameter_the_first_that_is_not_empty_counts(
    sample: Visitor, query: str
) -> None:
    """Also where another value follows it."""
    reply = sample.get(f"{API}/cities?country=SA&{query}")
    assert reply.body == sample.get(f"{API}/cities?country=SA&lang=ar").body


def test_an_empty_value_hides_no_wrong_one(sample: Visitor) -> None:
    """A form may send an empty field before the one with the value."""
    refused(sample.get(f"{API}/cities?lang=&lang=xx"), "lang")


TAKE_COUNTRY = (
    "homepage",
    "site",
    "navigation",
    "pages",
    "pages/about",
    "locale-content/erp",
    "locale-content/software/module/finance",
    "cities",
    "testimonials",
    "blog/posts",
    "blog/posts/choosing-an-erp-in-the-gulf",
    "blog/homepage",
)
TAKE_LANG = (*TAKE_COUNTRY, "countries", "blog/categories", "locale-content/city/riyadh/erp")


@cases("path", TAKE_COUNTRY)
@cases("written", ["FR", "UAE", "A", "AE,SA", "%20AE", "null", "%D8%A7"])
def test_a_country_outside_the_six_is_refused(sample: Visitor, path: str, written: str) -> None:
    """The error names the parameter and all values that it accepts."""
    reply = sample.get(f"{API}/{path}?country={written}")
    refused(reply, "country", "AE", "SA", "QA", "OM", "KW", "BH")


@cases("path", TAKE_LANG)
@cases("written", ["fr", "arabic", "en,ar", "en-US", "1", "%D8%B9"])
def test_a_language_outside_the_two_is_refused(sample: Visitor, path: str, written: str) -> None:
    """The error names the parameter and all values that it accepts."""
    refused(sample.get(f"{API}/{path}?lang={written}"), "Send lang as en or ar.")


@cases(
    "target",
    [
        pytest.param("countries?country=FR", id="countries takes no country"),
        pytest.param("blog/categories?country=FR", id="categories take no country"),
        pytest.param("site-settings?country=FR&lang=fr", id="site settings take neither"),
        pytest.param("seo-page?path=/sa/ar/erp&country=FR&lang=fr", id="a path has its locale"),
        pytest.param("locale-hint?country=FR", id="a hint is no choice"),
        pytest.param("pages?limit=x&pageSize=x&page=x", id="pages are not paged"),
        pytest.param("homepage?COUNTRY=FR", id="names are case-sensitive"),
        pytest.param("homepage?utm_source=news&fbclid=1&=x&&a", id="what trackers append"),
    ],
)
def test_keys_that_are_not_known_are_ignored(sample: Visitor, target: str) -> None:
    """The response is the same as without them."""
    reply = sample.get(f"{API}/{target}")
    path, _, query = target.partition("?")
    plain = sample.get(f"{API}/{path}" + ("?path=/sa/ar/erp" if "path=" in query else ""))
    assert (reply.status, reply.body) == (200, plain.body)


@cases(
    "query", ["country=", "lang=", "category=", "search=", "page=", "pageSize=", "country=&lang="]
)
def test_an_empty_value_is_an_absent_one(sample: Visitor, query: str) -> None:
    """HTML forms send empty fields."""
    reply = sample.get(f"{POSTS}?{query}")
    assert (reply.status, reply.body) == (200, sample.get(POSTS).body)


@cases(
    ("path", "name", "allowed"),
    [
        pytest.param("blog/posts", "page", ("1",), id="page"),
        pytest.param("blog/posts", "pageSize", ("1", "24"), id="pageSize"),
        pytest.param("blog/homepage", "limit", ("1", "6"), id="limit"),
    ],
)
@cases("written", ["0", "-1", "1.5", "1e1", "0x1", "two", "1,2", "%D9%A3", "NaN", "1_0", "true"])
def test_what_is_no_integer_in_bounds_is_refused(
    sample: Visitor, path: str, name: str, allowed: tuple[str, ...], written: str
) -> None:
    """The error names the parameter and its bounds; Arabic-Indic digits are not accepted."""
    refused(sample.get(f"{API}/{path}?{name}={written}"), name, *allowed)


@cases(
    "target",
    [
        pytest.param("blog/posts?pageSize=25", id="pageSize 25"),
        pytest.param("blog/homepage?limit=7", id="limit 7"),
        pytest.param("blog/posts?pageSize=99999999999999999999999999", id="pageSize huge"),
    ],
)
def test_more_than_the_most_is_refused(sample: Visitor, target: str) -> None:
    """Values out of bounds are not clamped."""
    name = target.partition("?")[2].partition("=")[0]
    refused(sample.get(f"{API}/{target}"), name)


@cases(("page_size", "shown"), [(1, 1), (24, 24), (9, 9)])
def test_the_bounds_of_page_size_are_inside(sample: Visitor, page_size: int, shown: int) -> None:
    """1 and 24 are allowed, and the body repeats the value."""
    body = sample.get(f"{POSTS}?pageSize={page_size}").json
    assert body["pagination"]["pageSize"] == page_size
    assert len(body["items"]) == min(shown, body["pagination"]["total"])


@pytest.mark.parametrize("limit", [1, 6])
def test_limit_counts_the_items_beside_the_featured_post(sample: Visitor, limit: int) -> None:
    """`featured` is extra and not among them."""
    body = sample.get(f"{API}/blog/homepage?limit={limit}").json
    assert len(body["items"]) == limit
    assert body["featured"]["slug"] not in [item["slug"] for item in body["items"]]


def test_defaults_of_lists_are_those_of_the_contract(sample: Visitor) -> None:
    """Page 1, nine posts per page; three posts besides the featured one."""
    assert sample.get(POSTS).body == sample.get(f"{POSTS}?page=1&pageSize=9").body
    preview = sample.get(f"{API}/blog/homepage")
    assert preview.body == sample.get(f"{API}/blog/homepage?limit=3").body


@cases("page", [1000, 10**12, pytest.param(10**25, id="beyond any machine integer")])
def test_a_page_past_the_end_is_empty_with_true_totals(sample: Visitor, page: int) -> None:
    """It is 200, not an error."""
    first = sample.get(f"{POSTS}?pageSize=5").json["pagination"]
    reply = sample.get(f"{POSTS}?pageSize=5&page={page}")
    assert reply.status == 200
    assert reply.json["items"] == []
    assert reply.json["pagination"] == {**first, "page": page}
    assert first["totalPages"] == -(-first["total"] // 5)


def test_the_pages_together_are_the_whole_list(sample: Visitor) -> None:
    """No post is repeated or left out."""
    whole = sample.get(f"{POSTS}?pageSize=24").json
    pages = range(1, sample.get(f"{POSTS}?pageSize=4").json["pagination"]["totalPages"] + 1)
    items = [
        item
        for page in pages
        for item in sample.get(f"{POSTS}?pageSize=4&page={page}").json["items"]
    ]
    assert items == whole["items"]
    assert len(items) == whole["pagination"]["total"]


@cases(
    "query",
    [
        pytest.param("category=no-such-category", id="unknown category"),
        pytest.param("search=qwertyuiop", id="no hit"),
        pytest.param("search=*", id="star"),
        pytest.param("search=%3F", id="question mark"),
        pytest.param("search=%F0%9F%98%80", id="emoji"),
        pytest.param("search=%22", id="quotation mark"),
    ],
)
def test_what_finds_nothing_is_an_empty_list(sample: Visitor, query: str) -> None:
    """The response is 200 with one empty page."""
    body = sample.get(f"{POSTS}?{query}").json
    assert body["items"] == []
    assert body["pagination"] == {"page": 1, "pageSize": 9, "total": 0, "totalPages": 1}


def test_a_category_is_found_by_slug_and_by_id(sample: Visitor) -> None:
    """Both are in the category list."""
    category = sample.get(f"{API}/blog/categories").json["items"][0]
    by_slug = sample.get(f"{POSTS}?category={category['slug']}")
    assert {item["categorySlug"] for item in by_slug.json["items"]} == {category["slug"]}
    assert sample.get(f"{POSTS}?category={category['id']}").body == by_slug.body


@cases(
    "target",
    [
        pytest.param(f"{POSTS}?search=%", id="a lone percent sign"),
        pytest.param(f"{POSTS}?search=%z", id="one wrong digit"),
        pytest.param(f"{POSTS}?search=%zz", id="no hexadecimal digits"),
        pytest.param(f"{POSTS}?search=%ff", id="no UTF-8"),
        pytest.param(f"{POSTS}?search=%C3", id="half a letter"),
        pytest.param(f"{POSTS}?search=%ED%A0%80", id="a lone surrogate"),
        pytest.param(f"{POSTS}?search=%C0%AF", id="an overlong slash"),
        pytest.param(f"{POSTS}?unknown=%zz", id="in a key that is ignored"),
        pytest.param(f"{POSTS}?%zz=1", id="in a name"),
        pytest.param(f"{API}/pages/%zz", id="in a slug"),
        pytest.param(f"{API}/pages/%ff", id="no UTF-8 in a slug"),
        pytest.param(f"{API}/pages/about%", id="at the end of a slug"),
        pytest.param("/api/no-such/%zz", id="in a path that is not there"),
    ],
)
def test_malformed_percent_encoding_is_refused(sample: Visitor, target: str) -> None:
    """This holds in every part of the URL."""
    refused(sample.get(target))


@cases("query", ["", "?path=", "?Path=/sa/ar", "?lang=ar"])
def test_seo_page_requires_a_path(sample: Visitor, query: str) -> None:
    """It is the one required parameter."""
    refused(sample.get(f"{API}/seo-page{query}"), "path")


def test_a_required_text_that_is_blank_is_missing_by_its_pattern_too(sample: Visitor) -> None:
    """The pattern names what is white space for Python alone."""
    blank = [chr(code) for code in range(1, 0x10000) if chr(code).isspace()]
    named = re.compile(
        NOT_BLANK.replace(r"\s", r"\t-\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000")
    )
    assert not any(named.search(each) for each in blank)
    assert named.search("\x1e/sa")
    refused(sample.get(f"{API}/seo-page?path={quote(''.join(blank))}"), "path")


@cases(
    ("target", "named"),
    [
        pytest.param(
            "locale-content/software/gadget/finance", ("kind", "module", "industry"), id="kind"
        ),
        pytest.param("locale-content/software/Module/finance", ("kind",), id="kind in capitals"),
        pytest.param("locale-content/software/module/Fin_ance", ("slug",), id="slug"),
        pytest.param(
            "locale-content/software/module/-finance", ("slug",), id="slug with a hyphen first"
        ),
        pytest.param(
            "locale-content/software/module/fin%20ance", ("slug",), id="slug with a blank"
        ),
    ],
)
def test_a_kind_or_slug_of_software_that_cannot_be_is_refused(
    sample: Visitor, target: str, named: tuple[str, ...]
) -> None:
    """With 400 at the stable path and 404 at the legacy one, as in their rows of the contract."""
    refused(sample.get(f"{API}/{target}"), *named)
    legacy = sample.get(f"/api/{target.replace('locale-content/software', 'software-detail')}")
    assert (legacy.status, legacy.json["error"]["code"]) == (404, "RESOURCE_NOT_FOUND")
