"""JSON-LD: the content of a page as a schema.org graph with absolute ids, and its nodes."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from markupsafe import Markup

from knowledge.addresses.addresses import Address
from knowledge.blocks.section import PlanPrice, QuestionItem, SectionItem
from knowledge.fields.content_types import MODULE
from knowledge.fields.prices import merchant_price
from knowledge.locales.locale import localized_text
from knowledge.markdown.inline import plain_lines, plain_text
from knowledge.markdown.slugs import slugify
from knowledge.resources.base import Resource
from knowledge.resources.described_values import place
from knowledge.resources.document_page import DocumentPage, section_forms
from knowledge.resources.home import HOME_PAGE
from knowledge.resources.search import SEARCH_PAGE
from knowledge.resources.site_chrome import brand, site_chrome, site_type
from knowledge.resources.site_page import PageModel
from knowledge.views.content_view import ContentView, cached_per_snapshot
from renderers.blocks.section import section_text
from renderers.html.commonmark import render_markdown, safe_href
from renderers.html.head import HeadMetadata
from renderers.l10n.formats import local_moment
from renderers.markdown.navigation import canonical
from renderers.page_rendering import Node, breadcrumb_title, rendering_of

_ABOUT_THE_COMPANY = {"AboutPage", "ContactPage"}


def graph(page: PageModel[Resource], head: HeadMetadata) -> Markup:
    """Return the graph of a page as the text of a `script` element; it contains no `<`."""
    nodes = [*_site_nodes(page.view), *_page_nodes(page, head)]
    return Markup(encode({"@context": "https://schema.org", "@graph": nodes}))  # noqa: S704


def encode(value: Node) -> str:
    r"""Serialize to JSON without `<`, so that it cannot close the `script` element.

    >>> encode({"a": "</script>"})
    '{"a":"\\u003c/script>"}'
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")


def _page_nodes(page: PageModel[Resource], head: HeadMetadata) -> Iterator[Node]:
    nodes_of = rendering_of(page.address.page).nodes or main_entity
    shown = [*nodes_of(page), *_plans(page)]
    yield _web_page(page, head, shown)
    if page.breadcrumbs:
        yield _breadcrumbs(page, head)
    yield from shown


@cached_per_snapshot
def _site_nodes(view: ContentView) -> Sequence[Node]:
    """Return the nodes of the company and of its site, which all pages of a locale have."""
    chrome = site_chrome(view, Address(HOME_PAGE))
    contact, logo = chrome.contact, safe_href(chrome.logo_url or "")
    registration = {
        "@type": "PropertyValue",
        "propertyID": "commercial registration",
        "value": contact.commercial_registration,
    }
    company = without_empty(
        {
            "@type": site_type(view) or "Organization",
            "@id": organization_id(view),
            "name": brand(view),
            "url": view.absolute("/"),
            "logo": view.absolute(logo) if logo else None,
            "email": contact.email,
            "telephone": contact.phone,
            **(place({"address": contact.address}, None) if contact.address else {}),
            "vatID": contact.vat_number,
            "identifier": registration if contact.commercial_registration else None,
            "sameAs": [profile.url for profile in contact.profiles],
        }
    )
    website = {
        "@type": "WebSite",
        "@id": _website_id(view),
        "name": brand(view),
        "url": view.absolute("/"),
        "inLanguage": [choice.code for choice in chrome.languages],
        "publisher": {"@id": organization_id(view)},
        **({} if view.is_static else {"potentialAction": _search_action(view)}),
    }
    return company, website


def _website_id(view: ContentView) -> str:
    return view.absolute("/#website")


def _search_action(view: ContentView) -> Node:
    """Return how to search the pages of the reader's locale."""
    path = view.locale.path + SEARCH_PAGE.path
    parameter, term = SEARCH_PAGE.parameters[0], "search_term_string"
    template = f"{view.base_url}{path}?{parameter}={{{term}}}"
    return {
        "@type": "SearchAction",
        "target": {"@type": "EntryPoint", "urlTemplate": template},
        "query-input": f"required name={term}",
    }


def _web_page(page: PageModel[Resource], head: HeadMetadata, shown: Sequence[Node]) -> Node:
    """Return the node of the page; what it is about are its questions, else what it shows."""
    resource, kind = page.answer.resource, _schema_type(page.address)
    sections = resource.document.sections if isinstance(resource, DocumentPage) else ()
    questions = [
        {
            "@type": "Question",
            "name": item.question,
            "acceptedAnswer": {"@type": "Answer", "text": plain_text(item.answer)},
        }
        for section in sections
        for item in section.items or ()
        if isinstance(item, QuestionItem)
    ]
    return without_empty(
        {
            "@type": [kind, "FAQPage"] if questions else kind,
            "@id": f"{head.canonical}#webpage",
            "url": head.canonical,
            "name": head.title,
            "description": head.description,
            "inLanguage": page.language,
            "isPartOf": {"@id": _website_id(page.view)},
            "breadcrumb": {"@id": _breadcrumbs_id(head)} if page.breadcrumbs else None,
            "dateModified": iso_date(page.answer.updated_at, page),
            "mainEntity": questions or _main_entity(page, shown),
            "potentialAction": [] if page.view.is_static else _wishes(page),
        }
    )


def _wishes(page: PageModel[Resource]) -> list[Node]:
    """Return what people can do with the forms of a page."""
    return [
        {
            "@type": form.wanted.action,
            "name": localized_text(form.title, page.locale.language),
            "target": {"@type": "EntryPoint", "urlTemplate": page.view.absolute(form.path)},
        }
        for form in section_forms(page.answer.resource)
        if form.wanted
    ]


def _schema_type(address: Address) -> str:
    page = address.page
    return page.slug_schema_types.get(address.slug, page.schema_type)


def _main_entity(page: PageModel[Resource], shown: Sequence[Node]) -> Node | None:
    """Return a reference to the first node that the page shows; on a contact page the company."""
    if _schema_type(page.address) in _ABOUT_THE_COMPANY:
        return {"@id": organization_id(page.view)}
    return {"@id": shown[0]["@id"]} if shown else None


def _breadcrumbs_id(head: HeadMetadata) -> str:
    return f"{head.canonical}#breadcrumbs"


def _breadcrumbs(page: PageModel[Resource], head: HeadMetadata) -> Node:
    return {
        "@type": "BreadcrumbList",
        "@id": _breadcrumbs_id(head),
        "itemListElement": [
            {
                "@type": "ListItem",
                "position": position,
                "name": breadcrumb_title(breadcrumb, page.locale.language),
                "item": page.view.absolute(breadcrumb.path),
            }
            for position, breadcrumb in enumerate(page.breadcrumbs, start=1)
        ],
    }


def _plans(page: PageModel[Resource]) -> Iterator[Node]:
    """Yield the plans of a page that have a price, as software if the site has some.

    The prices are those of the reader's country; each period has an offer.
    """
    resource = page.answer.resource
    sections = resource.document.sections if isinstance(resource, DocumentPage) else ()
    items = (item for section in sections for item in section.items or ())
    for item in items:
        if isinstance(item, SectionItem) and item.prices:
            is_software = page.view.snapshot.has(MODULE)
            lines, features = plain_lines(item.text or ""), item.features or []
            properties = {
                "@type": "SoftwareApplication" if is_software else "Service",
                "name": item.title,
                "description": lines[0] if lines and lines[0] not in features else None,
                "applicationCategory": "BusinessApplication" if is_software else None,
                "featureList": features if is_software else None,
                "provider": {"@id": organization_id(page.view)},
                "offers": [_plan_offer(page, item, price) for price in item.prices],
            }
            yield entity(page, item.anchor.id or slugify(item.title or ""), properties)


_BILLING: Mapping[str, str] = {"month": "P1M", "year": "P1Y"}
"""The duration that a price is for, by period; that of a single payment has none."""


def _plan_offer(page: PageModel[Resource], item: SectionItem, price: PlanPrice) -> Node:
    """Return the offer of a plan for one period."""
    url = f"{canonical(page)}#{item.anchor.id}" if item.anchor.id else canonical(page)
    prices = Prices(price.currency, price.amount, price.amount_with_vat, price.vat_first)
    properties = {"name": item.title, "url": url, "eligibleRegion": page.locale.country}
    return offer(page, prices, properties, _BILLING.get(price.period))


class Prices(NamedTuple):
    """The amount of an offer without VAT and with it, and which of both pages show first."""

    currency: str
    net: str
    gross: str | None
    gross_first: bool


def offer(
    page: PageModel[Resource],
    prices: Prices,
    properties: Mapping[str, object],
    duration: str | None = None,
) -> Node:
    """Return an offer, with the prices in the order of the page."""
    shown = [(prices.net, False), (prices.gross, True)]
    specifications = [
        without_empty(
            {
                "@type": "UnitPriceSpecification",
                "price": amount,
                "priceCurrency": prices.currency,
                "valueAddedTaxIncluded": with_vat,
                "billingDuration": duration,
            }
        )
        for amount, with_vat in (shown[::-1] if prices.gross_first else shown)
        if amount is not None
    ]
    node = {
        "@type": "Offer",
        "url": canonical(page),
        "price": merchant_price(prices.net, prices.gross, page.locale.country),
        "priceCurrency": prices.currency,
        "priceSpecification": specifications,
        "availability": "https://schema.org/InStock",
        **properties,
        "seller": {"@id": organization_id(page.view)},
    }
    return without_empty(node)


class ListedItem(NamedTuple):
    """A page in a list of pages, by its site path; `name` is None if the text links to it."""

    name: str | None
    path: str


def main_entity(page: PageModel[Resource]) -> Iterator[Node]:
    """Yield the node of what a document describes, if its resource says so."""
    resource = page.answer.resource
    if isinstance(resource, DocumentPage) and resource.main_entity:
        document, thing = resource.document, resource.main_entity
        properties = {
            "name": document.heading,
            "description": document.short_description,
            **thing,
            "url": canonical(page),
        }
        if thing["@type"] == "JobPosting":  # its whole text, as HTML, is what Google asks for
            parts = ((f"### {each.heading}", section_text(each)) for each in document.sections)
            text = "\n\n".join(line for part in parts for line in part if line != "### None")
            properties["description"] = str(render_markdown(text)) or document.short_description
        yield entity(page, page.address.page.name, properties)


def item_list(
    page: PageModel[Resource], items: Iterable[ListedItem], first: int = 1
) -> Iterator[Node]:
    """Yield the list of pages that a page shows, unless it is empty; `first` is its position."""
    elements = [
        without_empty(
            {
                "@type": "ListItem",
                "position": position,
                "name": item.name,
                "url": page.view.absolute(item.path),
            }
        )
        for position, item in enumerate(items, start=first)
    ]
    if elements:
        yield entity(page, "list", {"@type": "ItemList", "itemListElement": elements})


def entity(page: PageModel[Resource], anchor: str, properties: Mapping[str, object]) -> Node:
    """Return the main entity of a page, without empty properties; times become ISO 8601."""
    node = {
        "@type": properties["@type"],
        "@id": f"{canonical(page)}#{anchor}",
        **properties,
        "mainEntityOfPage": {"@id": f"{canonical(page)}#webpage"},
    }
    return without_empty({name: iso_date(value, page) for name, value in node.items()})


def iso_date(value: object, page: PageModel[Resource]) -> object:
    """Return an instant as ISO 8601 with the day of the reader's country; else the value."""
    if not isinstance(value, datetime):
        return value
    return local_moment(value, page.locale).isoformat()


def organization_id(view: ContentView) -> str:
    """Return the id of the site's organization."""
    return view.absolute("/#organization")


def picture(page: PageModel[Resource], path: str | None) -> str | None:
    """Return the absolute URL of an image, or None if there is none or its scheme is unsafe."""
    target = safe_href(path or "")
    return page.view.absolute(target) if target else None


def without_empty(node: Node) -> Node:
    """Return the node without None and empty values."""
    return {name: value for name, value in node.items() if value not in (None, "", [], {})}
