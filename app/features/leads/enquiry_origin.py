"""The origin of an enquiry: product, page and campaign, from the address that led to the form.

Other pages link to the form with a query such as `?productService=till&page=/sa/en/products/till`.
A campaign leads readers to any page; from there, the browser's `Referer` has its parameters, so
that no other page depends on them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple
from urllib.parse import parse_qsl, urlsplit

from quart import request

from app.features.leads.model import CAMPAIGN_PARAMETERS, MAX_CAMPAIGN
from app.platform.submitted_fields import is_absent
from app.services import services
from app.web.http.request_context import has_campaign
from knowledge.addresses.addresses import parse_address, split_locale
from knowledge.fields.content_types import INDUSTRY, MODULE, PRODUCT
from knowledge.resources.document_page import title_of
from knowledge.resources.seo import is_visible_route, resolve_route
from knowledge.resources.site import lead_topics
from knowledge.views.content_view import ContentView
from renderers.l10n.translation import translate

_PLAN = re.compile(r"\w[\w .&-]{0,79}")
_SEARCHED = (PRODUCT, MODULE, INDUSTRY)
"""The content types of which the query names a document by its slug."""

_MAX_REFERER = 4_096


class EnquiryOrigin(NamedTuple):
    """What the form sends besides what the reader types, and what it shows of it.

    `fields` are by their API name. `about` is the title of the product, plan or page.
    """

    fields: Mapping[str, str]
    about: str | None = None
    topic: str | None = None


def read_origin(view: ContentView) -> EnquiryOrigin:
    """Read the origin from the current request; values that mean nothing here are ignored."""
    before, campaign = _page_before()
    args = {name: value for name, value in request.args.items() if not is_absent(value)}
    sent = campaign | args
    topic, page = sent.get("topic"), sent.get("page") or before
    fields = {
        "productService": _product(view, sent),
        "page": page if _page_title(view, page) else None,
        **{
            name: sent[name]
            for name in CAMPAIGN_PARAMETERS
            if 0 < len(sent.get(name, "")) <= MAX_CAMPAIGN
        },
    }
    given = {name: value for name, value in fields.items() if value}
    topics = lead_topics(view.snapshot)
    return EnquiryOrigin(given, about_text(view, given), topic if topic in topics else None)


def about_text(view: ContentView, fields: Mapping[str, str]) -> str | None:
    """Return the title of what an enquiry is about: a product, a plan, or the page before."""
    product = fields.get("productService")
    return (_product_title(view, product) or product) or _page_title(view, fields.get("page"))


def _product(view: ContentView, sent: Mapping[str, str]) -> str | None:
    """Return the slug of a product, module or industry, or the name of a plan."""
    slug, plan = sent.get("productService"), sent.get("plan", "").strip()
    if slug and _product_title(view, slug):
        return slug
    return plan if _PLAN.fullmatch(plan) else None


def _product_title(view: ContentView, slug: str | None) -> str | None:
    found = (view.resolve(content_type, slug) for content_type in _SEARCHED if slug)
    return next((title_of(resolved) for resolved in found if resolved), None)


def _page_title(view: ContentView, path: str | None) -> str | None:
    """Return the title of a page of the site below its home pages; None for any other path."""
    locale, rest = split_locale(path or "")
    address = parse_address(rest) if locale in view.snapshot.open_locales else None
    if locale is None or address is None or not address.path:
        return None
    view = view.for_locale(locale)
    if not is_visible_route(view, address):
        return None
    resolved = resolve_route(view, address)
    title = address.page.title
    return title_of(resolved) if resolved else translate(title, locale.language) if title else None


def _page_before() -> tuple[str | None, dict[str, str]]:
    """Return path and parameters of the page of this site before, if a campaign led there."""
    referer = request.headers.get("Referer", "")
    if len(referer) > _MAX_REFERER or not has_campaign(referer.encode()):
        return None, {}
    try:
        parts = urlsplit(referer)
        query = dict(_campaign_of(parts.query))
    except ValueError:
        return None, {}
    is_own = parts.netloc in (request.host, urlsplit(services().settings.public_url).netloc)
    return (parts.path, query) if is_own else (None, {})


def _campaign_of(query: str) -> Iterator[tuple[str, str]]:
    pairs = parse_qsl(query, errors="strict", max_num_fields=100)
    return (pair for pair in pairs if pair[0] in CAMPAIGN_PARAMETERS and "\0" not in pair[1])
