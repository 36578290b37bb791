"""Plans: cards with prices, what each includes, and a button."""

from __future__ import annotations

from collections.abc import Iterator

from knowledge.fields.prices import ON_REQUEST, PERIODS, amounts, price
from knowledge.markdown.blocks import list_items
from knowledge.sections.section_type import (
    SECTION_TYPES,
    Fields,
    Item,
    Lack,
    Section,
    SectionContext,
    SectionType,
    text_item,
)

_YES = ("true", "yes", "on")


def _fields(section: Section, context: SectionContext) -> Iterator[Fields]:
    for item in section.items:
        yield {
            **text_item(item),
            "prices": list(_prices(item, context)) or None,
            "recommended": item.options.get("recommended", "").lower() in _YES or None,
            "features": list_items(item.text) or None,
        }


def _prices(item: Item, context: SectionContext) -> Iterator[Fields]:
    """Yield the price for the period, which is a month by default, then that for a year."""
    period = item.options.get("period", PERIODS[0])
    written = (("price", period if period in PERIODS else PERIODS[0]), ("yearly", "year"))
    for option, each in written:
        found = price(item.options.get(option, ""), each, context.currency, context.vat_rate)
        if found is not None:
            yield found


def _lacks(section: Section) -> Iterator[Lack]:
    if not section.items:
        yield Lack(section.line, "The section has no plans.", "Add a heading ### for each plan.")
    for item in section.items:
        options = item.options
        if not any(amounts(options.get("price", ""))) and options.get("price") != ON_REQUEST:
            message = f"The plan “{item.title}” has no price."
            suggestion = "Add a line :price: 399 below its heading, or :price: request."
            yield Lack(item.line, message, suggestion)
        if options.get("period", PERIODS[0]) not in PERIODS:
            message = f"The plan “{item.title}” has the unknown period “{options['period']}”."
            yield Lack(item.line, message, f"Use one of {', '.join(PERIODS)}.")


SECTION_TYPES.declare(
    SectionType(
        name="plans",
        other_names=("pricing",),
        has_items=True,
        item_options=frozenset({"price", "period", "yearly", "recommended"}),
        fields=_fields,
        lacks=_lacks,
    )
)
