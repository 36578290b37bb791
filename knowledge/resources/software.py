"""Software: the pages of modules and industries."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field

from knowledge.diagnostics.messages import mark as _
from knowledge.fields.content_types import INDUSTRY, MODULE
from knowledge.fields.field_types import enum_schema
from knowledge.fields.page_type import PageType
from knowledge.markdown.slugs import slugify
from knowledge.resources import queries
from knowledge.resources.base import LocalizedResource, Resource, localized_resource
from knowledge.resources.document_page import (
    DocumentBody,
    DocumentPage,
    document_fields,
    not_found,
    published,
)
from knowledge.resources.errors import InvalidArgument
from knowledge.resources.localized import LocalizedContent, localized
from knowledge.resources.own_values import OwnBody, own_body
from knowledge.resources.queries import declare_page
from knowledge.snapshot.layer_resolution import Resolved
from knowledge.snapshot.snapshot import Snapshot
from knowledge.views.content_view import ContentView

SOFTWARE_KINDS = {content_type.singular: content_type for content_type in (MODULE, INDUSTRY)}


def software_kinds(snapshot: Snapshot) -> list[str]:
    """Return the kinds of these pages that a site has."""
    return [name for name, kind in SOFTWARE_KINDS.items() if snapshot.has(kind)]


class _Kind(Resource):
    """What comes first in the format of the legacy endpoint."""

    kind: Annotated[str, enum_schema(SOFTWARE_KINDS)]
    """Kind of the page."""


class SoftwareDetail(DocumentBody, _Kind, OwnBody, DocumentPage):
    """A page in the format of the legacy endpoint, which has no blocks."""

    has_blocks: ClassVar[bool] = False

    id: Annotated[str, Field(exclude=True)]

    @property
    def document(self) -> SoftwareDetail:
        """The response itself."""
        return self


def software_page(view: ContentView, kind: str, slug: str) -> LocalizedResource[LocalizedContent]:
    """Return a module or industry; raise InvalidArgument for an unknown kind or malformed slug."""
    return localized(view, _software(view, kind, slug))


def software_detail(view: ContentView, kind: str, slug: str) -> LocalizedResource[SoftwareDetail]:
    """Return a module or industry in the legacy format; raise NotFound for whatever is none."""
    try:
        resolved = _software(view, kind, slug)
    except InvalidArgument:
        raise not_found("software page", f"{kind}/{slug}") from None
    detail = SoftwareDetail.model_validate(
        {**document_fields(view, resolved), **own_body(view, resolved), "kind": kind}
    )
    return localized_resource(detail, resolved)


def _software(view: ContentView, kind: str, slug: str) -> Resolved:
    known = software_kinds(view.snapshot)
    if not known:
        raise not_found("page", f"{kind}/{slug}")
    if kind not in SOFTWARE_KINDS:
        raise InvalidArgument("kind", f"unknown kind “{kind}”", " or ".join(known))
    if slugify(slug) != slug:
        allowed = "lower-case letters, digits and hyphens, such as point-of-sale"
        raise InvalidArgument("slug", f"malformed slug “{slug}”", allowed)
    return published(view, SOFTWARE_KINDS[kind], slug, kind)


MODULE_PAGE = declare_page(
    PageType(
        name="module",
        path="/modules/{slug}",
        content_types=(MODULE,),
        parent="/modules",
        above_parent="/erp",
        group=queries.MODULES,
        reason=_("the question is about that module"),
    ),
    lambda view, address, _: software_page(view, "module", address.slug),
)
INDUSTRY_PAGE = declare_page(
    PageType(
        name="industry",
        path="/industries/{slug}",
        content_types=(INDUSTRY,),
        parent="/industries",
        group=queries.INDUSTRIES,
        reason=_("someone in that business asks what fits"),
    ),
    lambda view, address, _: software_page(view, "industry", address.slug),
)
