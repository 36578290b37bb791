"""The 404 of a page that is published, but not for the requested locale."""

from __future__ import annotations

import re

import pytest
from cases import cases
from conftest import Visit
from contract.schemas import ERROR_ENVELOPE, MISSING_LOCALE_ENVELOPE
from contract.validation import violations
from contract.visitor import BASE_URL, NOW, Reply, Visitor

from app.services import services_of
from knowledge.resources.site_map import site_map

API = "/api/public/v1"


def missing(reply: Reply) -> dict[str, object]:
    """Assert the shape of such a 404, and return its fallback."""
    assert reply.status == 404
    assert violations(MISSING_LOCALE_ENVELOPE, reply.json) == []
    assert reply.json["meta"]["missing"] is True
    fallback: dict[str, object] = reply.json["fallback"]
    return fallback


def posts(locales: str) -> dict[str, str]:
    """Return a post that is published only for these locales."""
    return {
        f"posts/x.{each.replace('/', '.')}.md": "---\ntitle: X\n---\nText.\n"
        for each in locales.split()
    }


@cases(
    ("published", "requested", "nearest"),
    [
        pytest.param("sa/en ae/ar ae/en qa/en", "SA/ar", "sa/en", id="same country first"),
        pytest.param("ae/ar ae/en qa/ar", "SA/ar", "ae/ar", id="then AE in the same language"),
        pytest.param("ae/en qa/ar bh/ar", "SA/ar", "ae/en", id="then AE in English"),
        pytest.param("bh/en qa/ar", "SA/ar", "qa/ar", id="then the first there is"),
        pytest.param("bh/ar bh/en", "SA/ar", "bh/en", id="English first in that one"),
        pytest.param("ae/ar sa/en", "AE/en", "ae/ar", id="asked in AE"),
        pytest.param("kw/ar", "AE/en", "kw/ar", id="one locale only"),
    ],
)
def test_the_fallback_is_the_nearest_locale_where_it_is_published(
    shared_visit: Visit, published: str, requested: str, nearest: str
) -> None:
    """The order is: same country, AE in the same language, AE/en, the first; `href` is absolute."""
    country, lang = requested.split("/")
    reply = shared_visit(posts(published)).get(f"{API}/blog/posts/x?country={country}&lang={lang}")
    assert missing(reply) == {
        "countryCode": nearest[:2].upper(),
        "lang": nearest[3:],
        "href": f"{BASE_URL}/{nearest}/blog/x",
    }
    assert (reply.json["slug"], reply.json["countryCode"], reply.json["lang"]) == (
        "x",
        country,
        lang,
    )


ONLY_SAUDI = "---\ntitle: X\ncountries: [SA]\n---\nText.\n"


@cases(
    ("file", "path", "page"),
    [
        pytest.param("pages/x.md", "pages/x", "/sa/en/x", id="page"),
        pytest.param("registry/erp.md", "locale-content/erp", "/sa/en/erp", id="registry"),
        pytest.param(
            "modules/x.md", "locale-content/software/module/x", "/sa/en/modules/x", id="module"
        ),
        pytest.param(
            "industries/x.md",
            "locale-content/software/industry/x",
            "/sa/en/industries/x",
            id="industry",
        ),
        pytest.param("posts/x.md", "blog/posts/x", "/sa/en/blog/x", id="post"),
    ],
)
def test_every_kind_of_page_says_where_else_it_is(
    shared_visit: Visit, file: str, path: str, page: str
) -> None:
    """The URL is below BASE_URL."""
    visitor = shared_visit({file: ONLY_SAUDI})
    assert visitor.get(f"{API}/{path}?country=SA").status == 200
    assert missing(visitor.get(f"{API}/{path}?country=QA"))["href"] == BASE_URL + page


def test_a_layer_that_hides_does_not_fall_through(shared_visit: Visit) -> None:
    """`published: false` for Saudi Arabia does not affect the other five countries."""
    visitor = shared_visit(
        {
            "pages/x.md": "---\ntitle: X\n---\nText.\n",
            "pages/x.sa.md": "---\npublished: false\n---\n",
        }
    )
    assert missing(visitor.get(f"{API}/pages/x?country=SA"))["countryCode"] == "AE"
    assert visitor.get(f"{API}/pages/x?country=KW").status == 200


@cases(
    ("files", "path"),
    [
        pytest.param({}, "pages/x", id="no file"),
        pytest.param({"pages/x.md": "---\npublished: false\n---\nText.\n"}, "pages/x", id="draft"),
        pytest.param(
            {"pages/x.md": "---\npublishedAt: 2099-01-01\n---\nText.\n"}, "pages/x", id="scheduled"
        ),
        pytest.param(
            {"pages/x.md": "---\nunpublishAt: 2020-01-01\n---\nText.\n"}, "pages/x", id="expired"
        ),
        pytest.param(
            {"pages/x.md": "---\ncountries: []\n---\nText.\n"}, "pages/x", id="no country"
        ),
        pytest.param({}, "locale-content/erp", id="registry page without a file"),
        pytest.param({}, "locale-content/city/riyadh/erp", id="unknown city and page"),
    ],
)
def test_what_is_published_nowhere_is_a_plain_404(
    shared_visit: Visit, files: dict[str, str], path: str
) -> None:
    """The body is the envelope, without a fallback."""
    reply = shared_visit(files).get(f"{API}/{path}")
    assert reply.status == 404
    assert violations(ERROR_ENVELOPE, reply.json) == []


RIYADH = "---\ncountryCode: SA\nname: {en: Riyadh, ar: الرياض}\n---\nThe capital.\n"
ERP = "---\ntitle: ERP\n---\nText.\n"


def test_an_unknown_city_is_answered_with_the_page_of_the_country(shared_visit: Visit) -> None:
    """`slug` is that of the page, `countryCode` is AE, and the flags name the city."""
    reply = shared_visit({"registry/erp.md": ERP}).get(f"{API}/locale-content/city/atlantis/erp")
    assert missing(reply) == {"countryCode": "AE", "lang": "en", "href": f"{BASE_URL}/ae/en/erp"}
    assert (reply.json["slug"], reply.json["countryCode"]) == ("erp", "AE")
    assert reply.json["meta"]["requestedCity"] == "atlantis"


@cases(("country", "name"), [("SA", "Saudi Arabia"), ("kw", "Kuwait"), ("", "the United Arab")])
def test_an_unknown_city_is_missing_in_the_country_that_was_asked_for(
    shared_visit: Visit, country: str, name: str
) -> None:
    """Its pages and its own; without a country it is the main one."""
    visitor, query = shared_visit({"registry/erp.md": ERP}), f"?country={country}"
    page = visitor.get(f"{API}/locale-content/city/atlantis/erp{query}").json
    assert page["countryCode"] == (country.upper() or "AE")
    assert f"/{country.lower() or 'ae'}/en/erp" in page["fallback"]["href"]
    own = visitor.get(f"{API}/locale-content/city/atlantis/index{query}").json["error"]
    assert f"There is no city “atlantis” in {name.removeprefix('the ')}" in own["message"]


def test_an_unknown_page_of_a_city_is_a_404(shared_visit: Visit) -> None:
    """This is the case if no city and no country has the page."""
    visitor = shared_visit({"cities/riyadh.md": RIYADH})
    reply = visitor.get(f"{API}/locale-content/city/riyadh/no-such")
    assert reply.status == 404
    assert violations(ERROR_ENVELOPE, reply.json) == []


def test_a_page_that_a_citys_country_lacks_says_where_it_is(shared_visit: Visit) -> None:
    """The country of the city counts, whatever the request says."""
    files = {"cities/riyadh.md": RIYADH, "registry/erp.md": "---\ncountries: [AE]\n---\nText.\n"}
    reply = shared_visit(files).get(f"{API}/locale-content/city/riyadh/erp?country=AE")
    assert missing(reply)["countryCode"] == "AE"
    assert reply.json["countryCode"] == "SA"


def test_a_city_without_a_layer_shows_the_page_and_says_so(shared_visit: Visit) -> None:
    """The response is 200 with `cityFallback` and the requested city."""
    files = {"cities/riyadh.md": RIYADH, "registry/erp.md": ERP}
    reply = shared_visit(files).get(f"{API}/locale-content/city/riyadh/erp")
    assert reply.status == 200
    assert reply.json["meta"] == {
        "resolvedFrom": "global",
        "inherited": False,
        "fallbackUsed": False,
        "cityFallback": True,
        "missing": False,
        "requestedCity": "riyadh",
    }
    assert reply.json["page"]["citySlug"] == "riyadh"


def test_a_citys_own_layer_is_no_fallback(shared_visit: Visit) -> None:
    """`resolvedFrom` names the override, and `inherited` what it did not change."""
    files = {
        "cities/riyadh.md": RIYADH,
        "registry/erp.md": ERP,
        "registry/erp.sa.riyadh.md": "---\ntitle: ERP in Riyadh\n---\n",
    }
    body = shared_visit(files).get(f"{API}/locale-content/city/riyadh/erp").json
    assert body["page"]["title"] == "ERP in Riyadh"
    assert body["meta"]["resolvedFrom"] == "city_override"
    assert (body["meta"]["cityFallback"], body["meta"]["inherited"]) == (False, True)


def test_the_landing_page_of_a_city_is_its_index(shared_visit: Visit) -> None:
    """Its body comes from the file of the city."""
    reply = shared_visit({"cities/riyadh.md": RIYADH}).get(
        f"{API}/locale-content/city/riyadh/index"
    )
    assert reply.status == 200
    assert "The capital." in reply.text


def test_the_fallback_really_answers(shared_visit: Visit) -> None:
    """The URL suggested by a 404 responds 200."""
    visitor = shared_visit(posts("kw/ar"))
    nearest = missing(visitor.get(f"{API}/blog/posts/x"))
    query = f"country={nearest['countryCode']}&lang={nearest['lang']}"
    assert visitor.get(f"{API}/blog/posts/x?{query}").status == 200
    assert visitor.get(str(nearest["href"]).removeprefix(BASE_URL)).status == 200


def test_a_country_without_a_language_proposes_the_page_in_each(sample: Visitor) -> None:
    """Of all types of pages, in all countries, whatever the form of the error."""
    snapshot = services_of(sample.quart).content_store.current.snapshot
    tried = set()
    for page in site_map(snapshot, NOW).pages:
        for country in {locale.country for locale in page.locales}:
            if not country or not page.address.path or (page.address.page, country) in tried:
                continue
            tried.add((page.address.page, country))
            path = f"/{country.slug}{page.address.path}"
            shown = [each for each in page.locales if each.country == country]
            proposed = [each.path + page.address.path for each in shown]
            for accept, end in (("text/html", ""), ("text/markdown", ".md"), (JSON, "")):
                reply = sample.get(path, {"Accept": accept})
                assert (reply.status, reply.headers["Content-Type"].partition(";")[0]) == (
                    404,
                    accept,
                )
                text = reply.json["error"]["resolution"] if accept == JSON else reply.text
                places = [text.find(f"{each}{end}") for each in proposed]
                assert -1 not in places, (path, accept)
                assert places == sorted(places)
    assert len({page for page, _ in tried}) > 10


JSON = "application/json"


@cases(
    ("path", "first"),
    [
        ("/kw/pricing", "/kw/en/pricing"),
        ("/KW/Pricing", "/kw/en/pricing"),
        ("/kw/prcing", "/kw/en/pricing"),
        ("/kw/ar/prcing", "/kw/ar/pricing"),
        ("/en/pricing", "/ae/en/pricing"),
        ("/ar/pricing", "/ae/ar/pricing"),
        ("/us/ar/pricing", "/ae/ar/pricing"),
        ("/prcing", "/ae/en/pricing"),
        ("/kw/pricing.json", "/kw/en/pricing"),
        ("/kw/blog/arabic-invoices-that-read-well", "/kw/ar/blog/arabic-invoices-that-read-well"),
    ],
)
def test_what_a_path_means_is_proposed_first(sample: Visitor, path: str, first: str) -> None:
    """A page of the country or language that it names, in the language of the page."""
    reply = sample.get(path, {"Accept": JSON})
    assert reply.status == 404
    proposed = reply.json["error"]["resolution"].partition(": ")[2]
    fallback = reply.json.get("fallback", {}).get("href")
    assert (fallback or re.split("[,.] ", proposed)[0]) == BASE_URL + first
    home = first[: len("/kw/en")]
    markdown = sample.get(path, {"Accept": "text/markdown"}).text
    assert f"{BASE_URL}{first}.md" in markdown
    assert "404" in markdown.splitlines()[0]
    is_other = path.startswith("/kw/blog")  # the error itself is in the first language
    assert is_other or f"{BASE_URL}{home}/llms.txt" in markdown
