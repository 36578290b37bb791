"""Products beside each other, as a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from knowledge.addresses.addresses import Address
from knowledge.diagnostics.messages import mark as _
from knowledge.resources.product_list import COMPARISON_PAGE, MAX_COMPARED, ProductComparison
from knowledge.resources.products import PRODUCT_PAGE
from knowledge.resources.site_page import PageModel
from renderers.markdown.context import MarkdownContext, link_text, paragraphs
from renderers.page_rendering import PageRendering, Variables, declare_rendering
from renderers.pages.product import AVAILABILITY, price_text
from renderers.representation import MediaType, suffixed_path

TOO_MANY = _("Up to %(num)s products can be compared. Please leave some out:")
NOTHING = _("Choose up to %(num)s products in the list to compare them.")
UNKNOWN = _("These products do not exist:")


def _variables(_page: PageModel[ProductComparison]) -> Variables:
    return {"most": MAX_COMPARED}


def _markdown(comparison: ProductComparison, context: MarkdownContext) -> str:
    """Return a table with a column for each product, and what cannot be compared."""
    unknown = f"{context.gettext(UNKNOWN)} {context.join(comparison.unknown)}"
    return paragraphs([unknown if comparison.unknown else None, _text(comparison, context)])


def _text(comparison: ProductComparison, context: MarkdownContext) -> str:
    if not comparison.items:
        return context.gettext(NOTHING) % {"num": MAX_COMPARED}
    if comparison.too_many:
        titles = context.join(item.title for item in comparison.items)
        return f"{context.gettext(TOO_MANY) % {'num': MAX_COMPARED}} {titles}"
    head, *rows = [_row(cells) for cells in _cells(comparison, context)]
    return "\n".join([head, _row(["---"] * (len(comparison.items) + 1)), *rows])


def _cells(comparison: ProductComparison, context: MarkdownContext) -> Iterator[Sequence[str]]:
    """Yield the cells of each row: titles, prices, availability, specifications."""
    items, gettext = comparison.items, context.gettext
    yield ["", *(_link(item.title, item.slug, context) for item in items)]
    yield [gettext("Price"), *(price_text(item, context) for item in items)]
    yield [gettext("Availability"), *(gettext(AVAILABILITY[item.availability]) for item in items)]
    for row in comparison.rows:
        yield [row.name, *(value or "–" for value in row.values)]


def _link(title: str, slug: str, context: MarkdownContext) -> str:
    path = context.locale.path + Address(PRODUCT_PAGE, slug).path
    return f"[{link_text(title)}]({suffixed_path(path, MediaType.MARKDOWN)})"


def _row(cells: Sequence[str]) -> str:
    escaped = (" ".join(cell.split()).replace("|", "\\|") for cell in cells)
    return f"| {' | '.join(escaped)} |"


declare_rendering(
    PageRendering(resources=(ProductComparison,), markdown=_markdown, variables=_variables),
    COMPARISON_PAGE,
)
