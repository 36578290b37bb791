"""Blocks in HTML: each by the template of its type, else as its CommonMark."""

from collections.abc import Callable, Iterable, Sequence

from jinja2 import TemplateNotFound, pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from knowledge.addresses.addresses import file_at
from knowledge.blocks.block import Block
from knowledge.blocks.section import DocumentSection, SectionBlock
from knowledge.resources.base import Resource
from knowledge.resources.site_page import PageModel
from renderers.blocks.page_blocks import PageBlocks, context_of, page_part
from renderers.blocks.rendering import rendering_of_block


@pass_context
def shown(context: Context, place: str, around: str = "", look: str = "") -> Markup:
    """Render the blocks that a page's template shows in one place; skip one that raises.

    `around` is the class of the element around each, and `look` is that of what is in it.
    """
    blocks = _at(context, place)
    if not blocks:
        return Markup()
    page: PageModel[Resource] | None = context.get("page")
    if page is None:
        return shown_by_site(context, place, around, look)
    snapshot = page.view.snapshot

    def rendered() -> Markup:
        found = snapshot.left_out.each(
            enumerate(blocks, 1),
            lambda each: _rendered(context, *each, around=around, look=look),
            lambda _: file_at(snapshot, page.address),
        )
        return Markup().join(found)

    if any(isinstance(each, SectionBlock) and each.form for each in blocks):
        return rendered()  # with what the visitor wrote
    return page_part(page, ("html", place, around, look), rendered)


@pass_context
def made_once(context: Context, name: str, caller: Callable[[], Markup]) -> Markup:
    """Render head or header of a page, once for all visitors who get the plain page."""
    page: PageModel[Resource] | None = context.get("page")
    if page is None or context["suggestion"] or context["chrome"] is not page.chrome:
        return caller()
    if name == "head" and context["forms"]:  # which tells what became of them
        return caller()
    return page_part(page, ("html", name), caller)


@pass_context
def shown_by_site(context: Context, place: str, around: str = "", look: str = "") -> Markup:
    """Render blocks in a template of a site, which is not used if one of them raises."""
    found = enumerate(_at(context, place), 1)
    return Markup().join(_rendered(context, *each, around=around, look=look) for each in found)


def _at(context: Context, place: str) -> Sequence[Block]:
    """Return the blocks at a place; a page for one visitor has none."""
    blocks: PageBlocks | None = context.get("blocks")
    return blocks.at(place) if blocks else ()


def _rendered(context: Context, number: int, block: Block, *, around: str, look: str) -> Markup:
    """Render a block with the variables of its page."""
    if isinstance(block, SectionBlock):
        section: Markup = context["parts"].section_of_type(block.section)
        return section
    env, name = context.environment, type(block).__module__.rpartition(".")[2]
    try:
        template = env.get_template(f"blocks/{name}.html")
    except TemplateNotFound:
        template = env.get_template("blocks/text.html")
        text = rendering_of_block(type(block)).text(block, context_of(context["page"]))
        block = block.model_copy(update={"text": text})
    variables = {"block": block, "number": number, "around": around, "look": look}
    inner = template.new_context(context.get_all(), shared=True, locals=variables)
    return Markup("".join(template.root_render_func(inner)))  # noqa: S704  # it escapes values


def sections_of(
    page: PageModel[Resource],
    sections: Iterable[DocumentSection],
    macro: Callable[[DocumentSection], Markup],
) -> Markup:
    """Render the sections of a page with a template macro; skip a section that raises."""
    snapshot = page.view.snapshot
    rendered = snapshot.left_out.each(sections, macro, lambda _: file_at(snapshot, page.address))
    return Markup().join(rendered)
