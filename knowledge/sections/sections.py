"""Sections: the parts of a page, as front matter lists them, each of one section type."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from importlib import import_module
from itertools import chain
from pkgutil import iter_modules

from knowledge.diagnostics.diagnostic import Diagnostic, DiagnosticKind
from knowledge.diagnostics.messages import Text
from knowledge.documents.document import Document
from knowledge.fields.content_types import HOME, SITE
from knowledge.markdown import document_cache
from knowledge.markdown.inline import plain_line, titles
from knowledge.markdown.parsed_blocks import Directive, ParsedBlock, parse_blocks, split_anchor
from knowledge.markdown.slugs import Anchor, Anchors, Heading, allocate, former_slug, slugify
from knowledge.sections import types as section_types
from knowledge.sections.section_type import (
    CALL_TO_ACTION,
    RICH_TEXT,
    SECTION_TYPES,
    Item,
    Section,
    SectionTypes,
)
from knowledge.snapshot.layer_resolution import Entry, Resolved

_OPTION = re.compile(r" {0,3}:([\w-]+):(.*)")


@document_cache(512)
def document_sections(document: Document) -> tuple[Section, ...]:
    """Return the sections of one file in order, with unique ids."""
    anchors = Anchors()  # numbers duplicates, so that no section replaces another by accident
    sections = _split(parse_blocks(document.body))
    return tuple(replace(each, id=anchors.claim("", each.id)) for each in sections)


def merged_sections(resolved: Resolved) -> tuple[tuple[Section, Document], ...]:
    """Merge the sections of all layers: the same id replaces in place, others are appended.

    A call to action that ends the page stays its end; `after` and `before` place any section.
    """
    merged: dict[str, tuple[Section, Document]] = {}
    order: list[str] = []
    for document in resolved.bodies:
        current = {former_slug(each): each for each in merged if not each.isascii()}
        layer = tuple(
            replace(each, id=current[each.id])
            if each.id not in merged and each.id in current
            else each
            for each in document_sections(document)
        )
        merged.update({section.id: (section, document) for section in layer})
        added = [section.id for section in layer if section.id not in order]
        end = order[-1:] if order and merged[order[-1]][0].type == CALL_TO_ACTION else []
        order = _placed([*order[: len(order) - len(end)], *added, *end], layer)
    return tuple([merged[each] for each in order])


def _placed(order: list[str], layer: Iterable[Section]) -> list[str]:
    """Return the ids of a page's sections with those of a layer at the places that they name."""
    last_after: dict[str, str] = {}
    for section in layer:
        beside = section.after or section.before
        if beside == section.id or beside not in order:
            continue
        order.remove(section.id)
        if section.after:
            order.insert(order.index(last_after.get(beside, beside)) + 1, section.id)
            last_after[beside] = section.id
        else:
            order.insert(order.index(beside), section.id)
    return order


INTRO = "intro"
HOME_BLOCKS = ("hero", "stats", "kinds", "modules", "industries", "about", "testimonials", "posts")
"""The blocks of the home page after which its author may place sections."""


def unknown_places(entry: Entry, document: Document) -> Iterator[tuple[Section, str]]:
    """Yield the sections of a file that name an id which their page lacks, with that id."""
    placed = [each for each in document_sections(document) if each.after or each.before]
    if not placed:
        return
    layers = entry.covering(document.layer.country, document.layer.city)
    same_language = (each for each in layers if each.language is document.language)
    known = {each.id for layer in same_language for each in document_sections(layer)}
    known |= {*HOME_BLOCKS} if (entry.kind, entry.slug) == (SITE, HOME.slug) else set()
    for section in placed:
        beside = section.after or section.before
        if beside not in known - {section.id}:
            yield section, beside


def section_anchors(sections: Iterable[Section]) -> tuple[tuple[Anchor, ...], ...]:
    """Return the anchors of a page: for each section its own, then for each of its questions.

    Those of the headings in a section's body, or in an answer, follow in the same tuple.
    """
    groups: list[tuple[Heading, ...]] = []
    for section in sections:
        groups.append((Heading("", section.id), *section.headings))
        if section.items:
            groups += [(Heading(item.title, item.id), *item.headings) for item in section.items]
    return allocate(tuple(groups))


def _split(blocks: Sequence[ParsedBlock]) -> Iterator[Section]:
    heading: ParsedBlock | None = None
    content: list[ParsedBlock] = []
    for block in blocks:
        if block.directive is None and not (block.type == "heading" and block.level == 2):
            content.append(block)
            continue
        yield from _rich_text(heading, content)
        heading, content = (block, []) if block.directive is None else (None, [])
        if block.directive is not None:
            yield _from_directive(block.directive, block.line, _text_line(block, block.directive))
    yield from _rich_text(heading, content)


def _text_line(block: ParsedBlock, directive: Directive) -> int:
    """Return the line of a directive's text in the body."""
    lines, first = block.text.split("\n"), directive.text.partition("\n")[0]
    return block.line + (lines.index(first, 1) if first in lines[1:] else 1)


def _rich_text(heading: ParsedBlock | None, content: list[ParsedBlock]) -> Iterator[Section]:
    body = _joined(content)
    if heading is None:
        if body:
            line, headings = content[0].line, _headings(content)
            yield Section(INTRO, RICH_TEXT, body=body, line=line, headings=headings)
        return
    title = plain_line(heading.heading)
    section_id = heading.anchor or slugify(title) or "section"
    headings = _headings(content)
    yield Section(section_id, RICH_TEXT, title, body, line=heading.line, headings=headings)


def _joined(blocks: Iterable[ParsedBlock]) -> str:
    return "\n\n".join([block.text for block in blocks])


def _headings(blocks: Iterable[ParsedBlock]) -> tuple[Heading, ...]:
    return tuple(chain.from_iterable([block.headings for block in blocks]))


def _from_directive(directive: Directive, line: int, text_line: int) -> Section:
    title, anchor = split_anchor(directive.title)
    heading, options = plain_line(title), directive.options
    section_type = DECLARED_SECTIONS.named(directive.name)
    section = Section(
        id=options.get("id") or anchor or slugify(heading) or directive.name.lower(),
        type=section_type.name,
        heading=heading,
        visible=options.get("visible", "true").lower() not in ("false", "no", "off"),
        line=line,
        after=options.get("after", ""),
        before=options.get("before", ""),
        options={key: options[key] for key in section_type.options & options.keys()},
    )
    blocks = parse_blocks(directive.text)
    is_item = [section_type.has_items and block.level == 3 for block in blocks]
    starts = [number for number, begins in enumerate(is_item) if begins]
    content = tuple(_flat(blocks[: starts[0]] if starts else blocks))
    body, headings = _joined(content), _headings(content)
    if section_type.has_terms:
        headings = tuple(_with_terms(body, headings))
    items = tuple(
        _item(blocks[start], blocks[start + 1 : end], section_type.item_options, text_line)
        for start, end in zip(starts, [*starts[1:], len(blocks)], strict=False)
    )
    return replace(section, body=body, items=items, headings=headings)


def _with_terms(body: str, headings: Iterable[Heading]) -> Iterator[Heading]:
    """Yield the headings of a feature grid, with the terms of its list in their places."""
    rest = iter(headings)
    for is_term, text in titles(body):
        yield Heading(text) if is_term else next(rest, Heading(text))


MAX_NESTING = 8
"""Maximum depth of nested directives; deeper ones are rendered as text, without fences."""

_FENCES = re.compile(r"^ {0,3}:{3,}.*\n?", re.MULTILINE)


def _flat(blocks: Iterable[ParsedBlock], nesting: int = 1) -> Iterator[ParsedBlock]:
    """Yield blocks; an inner directive is replaced by its content."""
    for block in blocks:
        if block.directive is None:
            yield block
        elif nesting < MAX_NESTING:
            yield from _flat(parse_blocks(block.directive.text), nesting + 1)
        else:
            yield from parse_blocks(_FENCES.sub("", block.directive.text))


def _nests_too_deep(directive: Directive, nesting: int = 1) -> bool:
    if nesting > MAX_NESTING:
        return True
    inner = (block.directive for block in parse_blocks(directive.text))
    return any(_nests_too_deep(child, nesting + 1) for child in inner if child is not None)


def _item(
    heading: ParsedBlock, blocks: Sequence[ParsedBlock], options: Collection[str], text_line: int
) -> Item:
    found: dict[str, str] = {}
    if options and blocks and blocks[0].type == "paragraph":
        found, rest = _options(blocks[0].text, options)
        first = (replace(blocks[0], text=rest),) if rest else ()
        blocks = (*first, *blocks[1:])
    content = tuple(_flat(blocks))
    return Item(
        title=plain_line(heading.heading),
        text=_joined(content),
        options=found,
        id=heading.anchor,
        line=text_line + heading.line - 1,
        headings=_headings(content),
    )


def _options(text: str, names: Collection[str]) -> tuple[dict[str, str], str]:
    """Split the leading `:key: value` lines with one of some names off a text."""
    options: dict[str, str] = {}
    lines = text.split("\n")
    for line in lines:
        match = _OPTION.fullmatch(line)
        if match is None or match[1] not in names:
            break
        options[match[1]] = match[2].strip()
    return options, "\n".join(lines[len(options) :]).strip("\n")


def section_diagnostics(document: Document) -> Iterator[Diagnostic]:
    """Report unknown, unclosed and too deeply nested directives, and duplicate section ids."""
    body = document.body
    if not document.kind.has_sections and ":::" not in body:
        return
    blocks = parse_blocks(body)
    for block in blocks:
        if block.directive is not None:
            yield from _directive_diagnostics(document, block, block.directive)
    seen: set[str] = set()
    for section in _split(blocks) if document.kind.has_sections else ():
        if section.visible:
            for lack in DECLARED_SECTIONS.named(section.type).lacks(section):
                kind = DiagnosticKind.INCOMPLETE_SECTION
                yield _warning(document, lack.line, kind, lack.message, lack.suggestion)
        if section.id in seen and section.id != INTRO:
            message = Text("Duplicate section id “{}”; this section gets a number.", section.id)
            yield _warning(
                document,
                section.line,
                DiagnosticKind.DUPLICATE_SECTION_ID,
                message,
                Text("Set another id with {#another-id}."),
            )
        seen.add(section.id)


def _directive_diagnostics(
    document: Document, block: ParsedBlock, directive: Directive
) -> Iterator[Diagnostic]:
    if not DECLARED_SECTIONS.is_directive(directive.name):
        names = tuple(DECLARED_SECTIONS.directives)
        message = Text("Unknown directive “{}”; it is served as plain text.", directive.name)
        yield _warning(
            document,
            block.line,
            DiagnosticKind.UNKNOWN_DIRECTIVE,
            message,
            Text("Use one of {}.", names),
        )
    if not block.text.rstrip().endswith(":::"):
        message = Text("The directive “{}” is never closed.", directive.name)
        yield _warning(
            document,
            block.line,
            DiagnosticKind.UNCLOSED_DIRECTIVE,
            message,
            Text("Add a line ::: after its last line."),
        )
    if _nests_too_deep(directive):
        message = Text(
            "Directives are nested more than {} deep; the inner ones are text.", MAX_NESTING
        )
        yield _warning(
            document,
            block.line,
            DiagnosticKind.NESTED_DIRECTIVES,
            message,
            Text("Close each one before the next begins."),
        )


def _warning(
    document: Document, line: int, kind: DiagnosticKind, message: Text, suggestion: Text
) -> Diagnostic:
    number = document.file_line(line)
    return kind.warning(document.path, message, suggestion, number)


def _declare_all() -> SectionTypes:
    for module in iter_modules(section_types.__path__):
        import_module(f"{section_types.__name__}.{module.name}")
    return SECTION_TYPES


DECLARED_SECTIONS = _declare_all()
"""The section types of the service, complete."""
