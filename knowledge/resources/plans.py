"""The lowest price of the plans of a site, as pages of other sections name it."""

from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from knowledge.addresses.addresses import page_of
from knowledge.blocks.section import PlanPrice, SectionItem
from knowledge.fields.content_types import PAGE, REGISTRY
from knowledge.resources.listing import is_listed
from knowledge.resources.page_sections import page_sections
from knowledge.sections.section_type import PLANS
from knowledge.sections.sections import merged_sections
from knowledge.views.content_view import ContentView, cached_per_snapshot


class LowestPrice(NamedTuple):
    """A price, and the path of the section with all plans."""

    price: PlanPrice
    path: str


@cached_per_snapshot
def lowest_price(view: ContentView) -> LowestPrice | None:
    """Return the lowest price of the plans on listed pages, None where there is none.

    Those with another currency or period than the first one cannot be compared with it.
    """
    found = [*_prices(view)]
    compared = [
        each
        for each in found
        if (each.price.currency, each.price.period)
        == (found[0].price.currency, found[0].price.period)
    ]
    return min(compared, key=lambda each: Decimal(each.price.amount), default=None)


def _prices(view: ContentView) -> Iterator[LowestPrice]:
    """Yield the first price of each plan."""
    for resolved in (*view.resolve_all(REGISTRY), *view.resolve_all(PAGE)):
        if all(section.type != PLANS for section, _ in merged_sections(resolved)):
            continue
        address = page_of(resolved.entry.kind, resolved.entry.slug, view.snapshot)
        if not is_listed(resolved, address):
            continue
        for section in page_sections(view, resolved)[0]:
            path = f"{view.locale.path}{address.path}#{section.anchor.id or section.id}"
            for item in section.items or ():
                if isinstance(item, SectionItem) and item.prices:
                    yield LowestPrice(item.prices[0], path)
