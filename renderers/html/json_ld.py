"""JSON-LD: the content of a page as a schema.org graph with absolute ids."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from knowledge.addresses import Page
from knowledge.inline import plain_text
from knowledge.resources.base import PageSection, QuestionItem, Resource
from knowledge.resources.blog import PostDetail
from knowledge.resources.localized import LocalizedContent
from knowledge.resources.pages import PageDetail
from knowledge.resources.products import ProductBody, ProductDetail
from knowledge.resources.site_page import PageModel
from renderers.html.commonmark import is_external, safe_href
from renderers.html.head import HeadMetadata, brand, breadcrumb_title

Node = dict[str, Any]

_LISTS = (Page.BLOG, Page.CATEGORY, Page.PRODUCTS, Page.TESTIMONIALS)


def graph(page: PageModel[Resource], head: HeadMetadata) -> str:
    """Return the graph of a page as the text of a `script` element; it contains no `<`."""
    nodes = [_organization(page), _website(page), *_page_nodes(page, head)]
    return encode({"@context": "https://schema.org", "@graph": nodes})


def encode(value: Node) -> str:
    r"""Serialize to JSON without `<`, so that it cannot close the `script` element.

    >>> encode({"a": "</script>"})
    '{"a":"\\u003c/script>"}'
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")


def _page_nodes(page: PageModel[Resource], head: HeadMetadata) -> Iterator[Node]:
    yield _web_page(page, head)
    if page.breadcrumbs:
        yield _breadcrumbs(page, head)
    resource = page.answer.resource
    if isinstance(resource, PostDetail):
        yield _posting(page, head, resource)
    if isinstance(resource, ProductDetail):
        yield _product(page, head, resource.product)


def _organization_id(page: PageModel[Resource]) -> str:
    return page.view.absolute("/#organization")


def _website_id(page: PageModel[Resource]) -> str:
    return page.view.absolute("/#website")


def _organization(page: PageModel[Resource]) -> Node:
    company = page.chrome.company
    return _without_empty(
        {
            "@type": "Organization",
            "@id": _organization_id(page),
            "name": brand(page.view),
            "url": page.view.absolute("/"),
            "logo": _picture(page, page.chrome.logo_url),
            "email": company.primary_email,
            "telephone": company.phone_display,
            "address": page.chrome.office_address,
            "sameAs": [
                url
                for url in (company.linkedin_url, company.facebook_url)
                if url and is_external(url)
            ],
        }
    )


def _website(page: PageModel[Resource]) -> Node:
    return {
        "@type": "WebSite",
        "@id": _website_id(page),
        "name": brand(page.view),
        "url": page.view.absolute("/"),
        "inLanguage": [choice.code for choice in page.chrome.languages],
        "publisher": {"@id": _organization_id(page)},
    }


def _web_page(page: PageModel[Resource], head: HeadMetadata) -> Node:
    questions = list(_questions(page.answer.resource))
    kind = "CollectionPage" if page.address.page in _LISTS else "WebPage"
    return _without_empty(
        {
            "@type": [kind, "FAQPage"] if questions else kind,
            "@id": f"{head.canonical}#webpage",
            "url": head.canonical,
            "name": head.title,
            "description": head.description,
            "inLanguage": page.language,
            "isPartOf": {"@id": _website_id(page)},
            "breadcrumb": {"@id": _breadcrumbs_id(head)} if page.breadcrumbs else None,
            "dateModified": page.answer.updated_at and page.answer.updated_at.isoformat(),
            "mainEntity": [_question(item) for item in questions],
        }
    )


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


def _questions(resource: Resource) -> Iterator[QuestionItem]:
    for section in _sections(resource):
        yield from section.items or ()


def _sections(resource: Resource) -> Sequence[PageSection]:
    if isinstance(resource, (LocalizedContent, PageDetail)):
        return resource.page.sections
    if isinstance(resource, ProductDetail):
        return resource.product.sections
    return ()


def _question(item: QuestionItem) -> Node:
    return {
        "@type": "Question",
        "name": item.question,
        "acceptedAnswer": {"@type": "Answer", "text": plain_text(item.answer)},
    }


def _posting(page: PageModel[Resource], head: HeadMetadata, detail: PostDetail) -> Node:
    post, updated = detail.post, page.answer.updated_at
    return _without_empty(
        {
            "@type": "BlogPosting",
            "@id": f"{head.canonical}#article",
            "headline": post.title,
            "description": post.excerpt,
            "inLanguage": page.language,
            "datePublished": post.published_at and post.published_at.isoformat(),
            "dateModified": updated and updated.isoformat(),
            "image": _picture(page, post.cover_image),
            "keywords": post.tags,
            "author": {"@id": _organization_id(page)},
            "publisher": {"@id": _organization_id(page)},
            "mainEntityOfPage": {"@id": f"{head.canonical}#webpage"},
        }
    )


def _product(page: PageModel[Resource], head: HeadMetadata, product: ProductBody) -> Node:
    return _without_empty(
        {
            "@type": "Product",
            "@id": f"{head.canonical}#product",
            "name": product.heading,
            "description": product.short_description,
            "sku": product.sku,
            "gtin13": product.barcode if product.barcode and len(product.barcode) == 13 else None,
            "brand": {"@type": "Brand", "name": product.brand} if product.brand else None,
            "image": _picture(page, product.image),
            "url": head.canonical,
            "offers": _offer(page, head, product),
            "mainEntityOfPage": {"@id": f"{head.canonical}#webpage"},
        }
    )


def _offer(page: PageModel[Resource], head: HeadMetadata, product: ProductBody) -> Node | None:
    """Return the offer of a product, or None if it has no price."""
    if product.price is None:
        return None
    price = {"price": product.price.amount, "priceCurrency": product.price.currency}
    return {
        "@type": "Offer",
        "@id": f"{head.canonical}#offer",
        "url": head.canonical,
        **price,
        "priceSpecification": {
            "@type": "UnitPriceSpecification",
            **price,
            "valueAddedTaxIncluded": False,
        },
        "availability": f"https://schema.org/{product.availability}",
        "areaServed": page.locale.country.value,
        "seller": {"@id": _organization_id(page)},
    }


def _picture(page: PageModel[Resource], path: str | None) -> str | None:
    """Return the absolute URL of an image, or None if there is none or its scheme is unsafe."""
    target = safe_href(path or "")
    return page.view.absolute(target) if target else None


def _without_empty(node: Node) -> Node:
    """Return the node without None and empty values."""
    return {name: value for name, value in node.items() if value not in (None, "", [], {})}
