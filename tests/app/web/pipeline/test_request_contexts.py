"""Request contexts: what is decided once about a request, before it is handled."""

from __future__ import annotations

import pytest
from cases import cases
from contract.visitor import Visitor
from hypothesis import given
from hypothesis import strategies as st

from app.features.leads.submission import LEADS_BUCKET as LEADS
from app.platform.limits.rate_limits import HEALTH, READS, UNCACHED, Bucket
from app.web.pipeline.request_contexts import negotiate
from renderers.representation import API_MEDIA_TYPES

API = "/api/public/v1"


@cases(
    ("path", "query", "read"),
    [
        pytest.param("/ae/en", "x=1", "", id="a page reads none"),
        pytest.param("/ae/en/erp.md", "page=2&search=x", "", id="nor does its markdown"),
        pytest.param("/ae/en/blog", "x=1&page=2&search=a+b", "search=a+b&page=2", id="the blog"),
        pytest.param("/ae/en/blog.json", "category=tax", "category=tax", id="and its JSON"),
        pytest.param("/ae/en/search", "page=2&q=x&search=y", "q=x&page=2", id="the search page"),
        pytest.param("/ae/en/contact", "sent=1&x=1", "sent=1", id="the contact page"),
        pytest.param("/openapi.json", "x=1", "", id="the contract"),
        pytest.param("/developers", "x=1", "", id="the manual"),
        pytest.param("/llms-full.txt", "page=1", "", id="a map"),
        pytest.param(f"{API}/pages", "lang=ar&x=1&country=SA", "country=SA&lang=ar", id="the API"),
        pytest.param("/api/public/pages", "lang=ar&x=1", "lang=ar", id="an alias"),
        pytest.param("/ae/en/no-such", "q=1", "", id="a missing page"),
        pytest.param("/api/no-such", "lang=ar", "", id="no route"),
        pytest.param("/images/logo.svg", "v=1", "", id="a file"),
        pytest.param("/ae/en/blog", "page=2&page=3", "page=2", id="the first of two counts"),
        pytest.param("/ae/en/blog", "page=", "page=", id="an empty one alone"),
        pytest.param("/ae/en/blog", "page=&page=3", "page=3", id="an empty one does not count"),
        pytest.param("/ae/en/blog", "p%61ge=%32", "page=2", id="percent-encoding"),
        pytest.param("/ae/en", "x=%zz", "x=%zz", id="malformed"),
        pytest.param("/ae/en", "x=%00", "x=%00", id="with NUL"),
        pytest.param("/ae/en", "x=%ff", "x=%ff", id="no UTF-8"),
        pytest.param("/" + "x" * 2_000, "q=1", "", id="a long path"),
    ],
)
def test_only_what_is_read_counts(sample: Visitor, path: str, query: str, read: str) -> None:
    """The parameters are in the order of their declaration."""
    assert sample.context("GET", f"{path}?{query}").query == read.encode()


@cases(
    "target", ["/ae/en/erp", "/openapi.json", "/sitemap.xml", "/ae/en/blog?page=2", f"{API}/cities"]
)
def test_unknown_parameters_make_no_entry(sample: Visitor, target: str) -> None:
    """This holds for any number of them."""
    cache = sample.quart.extensions["majlis"].cache
    first = sample.get(target)
    misses = cache.misses
    mark = "&" if "?" in target else "?"
    for number in range(20):
        reply = sample.get(f"{target}{mark}utm_{number}={number}")
        assert (reply.status, reply.body) == (200, first.body)
    # The search index that is made after the start replaces the edition once.
    assert cache.misses <= misses + 1


@cases("query", ["x=%zz", "x=%00", "x=%ff"])
def test_a_malformed_query_is_refused_though_the_page_is_in_the_cache(
    sample: Visitor, query: str
) -> None:
    """It is an error even if the page reads no parameters."""
    assert sample.get("/ae/en/erp").status == 200
    assert sample.get(f"/ae/en/erp?{query}").status == 400


def test_a_redirect_keeps_the_whole_query(sample: Visitor) -> None:
    """Analytics tools read parameters that the page ignores."""
    for number in range(2):
        reply = sample.get(f"/ae/en/erp/?utm={number}")
        assert (reply.status, reply.headers["Location"]) == (308, f"/ae/en/erp?utm={number}")


@cases(
    ("method", "path", "bucket"),
    [
        pytest.param("GET", "/api/public/v1/pages", READS, id="stable path"),
        pytest.param("HEAD", "/api/public/v1/pages", READS, id="HEAD"),
        pytest.param("GET", "/api/homepage", READS, id="alias"),
        pytest.param("GET", "/api/no-such", READS, id="unknown path"),
        pytest.param("GET", "/api/", READS, id="the root of the API"),
        pytest.param("DELETE", "/api/public/v1/pages", READS, id="another method"),
        pytest.param("GET", "/api/public/v1/leads", READS, id="leads cannot be read"),
        pytest.param("POST", "/api/public/v1/pages", READS, id="pages cannot be sent"),
        pytest.param("GET", "/api/public/v1/health", HEALTH, id="health"),
        pytest.param("GET", "/api/health", HEALTH, id="health's alias"),
        pytest.param("PUT", "/api/health", HEALTH, id="another method of health"),
        pytest.param("POST", "/api/public/v1/leads", LEADS, id="leads"),
        pytest.param("POST", "/api/leads", LEADS, id="leads' alias"),
        pytest.param("POST", "/sa/ar/contact", LEADS, id="the contact form"),
        pytest.param("POST", "/zz/zz/contact", LEADS, id="the form of an unknown locale"),
        pytest.param("POST", "/SA/AR/contact", LEADS, id="in capitals, which it answers too"),
        pytest.param("GET", "/sa/ar/contact", UNCACHED, id="a page"),
        pytest.param("GET", "/sa/ar/erp.json", UNCACHED, id="a page as JSON"),
        pytest.param("GET", "/api", UNCACHED, id="a page named api"),
        pytest.param("GET", "/llms.txt", UNCACHED, id="llms.txt"),
        pytest.param("POST", "//api/leads", UNCACHED, id="two slashes are no path of the API"),
        pytest.param("GET", "//api/orders", UNCACHED, id="nor of partners"),
        pytest.param("POST", "//sa/ar/contact", UNCACHED, id="nor the form"),
    ],
)
def test_where_a_request_counts(sample: Visitor, method: str, path: str, bucket: Bucket) -> None:
    """One for reads, one for leads, one for health, and one for what is not in the cache."""
    assert sample.context(method, path).route.policy.bucket is bucket


@given(accept=st.binary(max_size=2_000), coding=st.binary(max_size=2_000))
def test_any_bytes_as_accept_headers_give_one_of_few_keys(accept: bytes, coding: bytes) -> None:
    """No header value creates a cache entry of its own."""
    page = negotiate(accept, coding, is_api=False)
    assert page.media_type in {"text/html", "text/markdown", "application/json", None}
    assert page.coding in {"identity", "gzip", "br", "zstd"}
    resource = negotiate(accept, coding, is_api=True)
    assert resource.media_type in API_MEDIA_TYPES
    assert (resource.error_media_type, resource.coding) == ("application/json", page.coding)
