"""The operations of a site: those that have nothing to return are in no manual."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from app.services import Services
from app.web.extensions import PartnerInterface
from app.web.openapi.route_specs import RouteSpec
from knowledge.fields.content_types import (
    CATEGORY,
    CITY,
    COUNTRY,
    INDUSTRY,
    MODULE,
    POST,
    PRODUCT,
    REGISTRY,
    TESTIMONIAL,
    AnyContentType,
)
from knowledge.resources.site_parts import has_any
from knowledge.snapshot.snapshot import Snapshot

_PARTNER_TAGS = "erp-"
_KINDS: Mapping[str, tuple[AnyContentType, ...]] = {
    "blog": (POST, CATEGORY),
    "cities": (CITY,),
    "countries": (COUNTRY,),
    "localized": (REGISTRY, MODULE, INDUSTRY, CITY),
    "software": (MODULE, INDUSTRY),
    "testimonials": (TESTIMONIAL,),
}
"""The content types of which an operation returns documents, by tag."""


def has_partners(snapshot: Snapshot, services: Services) -> bool:
    """Return whether the partner interface is configured, or there are products for it."""
    partners = services.find(PartnerInterface)
    return partners is not None and (partners.is_configured or has_any(snapshot, PRODUCT))


def site_operations(
    specs: Iterable[RouteSpec], snapshot: Snapshot, *, partners: bool
) -> list[RouteSpec]:
    """Return the operations that the content of a site makes useful; of an empty one, all."""
    if not snapshot.entries:
        return list(specs)
    return [spec for spec in specs if _is_useful(spec, snapshot, partners)]


def _is_useful(spec: RouteSpec, snapshot: Snapshot, partners: bool) -> bool:
    tag = spec.tag.name
    if tag.startswith(_PARTNER_TAGS):
        return partners
    return tag not in _KINDS or has_any(snapshot, *_KINDS[tag])
