"""Items of sections as text: with the facts that pages show beside it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from knowledge.resources.base import DocumentSection, SectionItem
from renderers.l10n.plan_prices import price_words
from renderers.markdown.context import MarkdownContext, paragraphs


def with_facts(
    sections: Iterable[DocumentSection], context: MarkdownContext
) -> Iterator[DocumentSection]:
    """Yield sections with the roles and prices of their items in the texts of these."""
    for section in sections:
        facts = [_facts(section, item, context) for item in section.items or ()]
        if not any(facts):
            yield section
            continue
        pairs = zip(section.items or (), facts, strict=True)
        items = [
            item.model_copy(update={"text": paragraphs((*own, item.text))}) for item, own in pairs
        ]
        yield section.model_copy(update={"items": items})


def _facts(section: DocumentSection, item: object, context: MarkdownContext) -> tuple[str, ...]:
    if not isinstance(item, SectionItem) or item.anchor.id == "":
        return ()
    recommended = f"*{context.gettext('Recommended')}*" if item.recommended else ""
    prices = list(_prices(item, context)) if section.type == "plans" else ()
    return tuple(filter(None, (item.role, recommended, *prices)))


def _prices(item: SectionItem, context: MarkdownContext) -> Iterator[str]:
    """Yield the prices of a plan, with plain spaces instead of no-break spaces."""
    for price in item.prices or ():
        words = price_words(price, context.locale)
        amount = " ".join(f"**{words.amount}** {words.period} {words.note}".split())
        yield context.join((amount, " ".join(words.with_vat.split())))
    if not item.prices:
        yield context.gettext("Price on request")
