"""The context and the helpers that all Markdown bodies share, and lists of documents.

Links are site paths here; the caller makes them absolute.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from markupsafe import Markup

from knowledge.addresses.addresses import Address, file_at
from knowledge.fields.content_types import CONTENT_TYPES, AnyContentType
from knowledge.locales.locale import Language, Locale, localized_text
from knowledge.resources.base import Resource
from knowledge.resources.page_sections import DocumentSection
from knowledge.resources.site_page import PageModel
from knowledge.snapshot.snapshot import NO_DOCUMENTS, Snapshot
from renderers.l10n.translation import translations
from renderers.representation import MediaType, suffixed_path


@dataclass(frozen=True, slots=True)
class MarkdownContext:
    """The reader's locale and the content snapshot, which bodies need besides their resource."""

    locale: Locale
    snapshot: Snapshot = NO_DOCUMENTS

    @property
    def language(self) -> Language:
        """The reader's language."""
        return self.locale.language

    def gettext(self, message: str) -> str:
        """Translate an interface text into the reader's language."""
        return translations(self.language).gettext(message)

    def link(self, title: str, address: Address) -> str:
        """Return a link to the Markdown of another page."""
        return link(title, self.locale.path + address.path)

    def localized(self, text: Mapping[str, str] | None) -> str:
        """Return a text in the reader's language, or in the other language as a fallback."""
        return localized_text(text, self.language)

    def bullets(
        self,
        kind: AnyContentType,
        entries: Iterable[Entry],
        line: Callable[[Entry, MarkdownContext], str],
    ) -> str:
        """Return a bullet list of documents; an entry whose line raises an error is skipped."""
        return bullets(
            render_entries(self.snapshot, kind, entries, lambda entry: line(entry, self))
        )

    def join(self, parts: Iterable[str | None]) -> str:
        """Join the non-empty parts with the comma of the reader's language."""
        return self.gettext(", ").join(part for part in parts if part)


def link(title: str, path: str) -> str:
    """Return a link to the Markdown of the page at a site path.

    >>> link("Tax [draft]", "/ae/en/blog/tax")
    '[Tax (draft)](/ae/en/blog/tax.md)'
    """
    return f"[{link_text(title)}]({suffixed_path(path, MediaType.MARKDOWN)})"


def link_text(title: str) -> str:
    """Replace the brackets in a title, so that it cannot end its link."""
    return title.replace("[", "(").replace("]", ")")


def paragraphs(parts: Iterable[str | None]) -> str:
    """Join the non-empty parts with blank lines."""
    return "\n\n".join(part for part in parts if part)


def bullets(lines: Iterable[str]) -> str:
    """Return the lines as a tight bullet list."""
    return "\n".join(f"- {line}" for line in lines)


def labelled(pairs: Iterable[tuple[str, str]]) -> str:
    """Return labels and values as a list; an angle bracket in a value begins no HTML."""
    return bullets(f"**{label}**: {_literal(value)}" for label, value in pairs)


def _literal(value: str) -> str:
    return value.replace("<", "\\<")


def quoted(text: str) -> str:
    """Return a text as a block quote."""
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())


def chapter(title: str, *parts: str | None) -> str:
    """Return the parts below a level-2 heading; `""` if all of them are empty."""
    text = paragraphs(parts)
    return f"## {title}\n\n{text}" if text else ""


def section_texts(page_sections: Iterable[DocumentSection]) -> Iterator[str]:
    """Yield the sections of a page, with the title of each item as a level-3 heading."""
    for section in page_sections:
        if section.heading:
            yield f"## {section.heading}"
        yield section_text(section)


def section_text(section: DocumentSection) -> str:
    """Return all of a section below its heading, with the title of each item as a heading."""
    items = [f"### {item.title}\n\n{item.text or ''}".rstrip() for item in section.headed_items]
    return paragraphs((section.body, *items))


class ListEntry(Protocol):
    """An entry of a list of documents."""

    @property
    def slug(self) -> str:
        """The slug of the document."""
        ...


Entry = TypeVar("Entry", bound=ListEntry)
Output = TypeVar("Output")


def render_entries(
    snapshot: Snapshot,
    kind: AnyContentType,
    entries: Iterable[Entry],
    render: Callable[[Entry], Output],
) -> Iterator[Output]:
    """Yield `render(entry)` for each entry; an entry that raises is logged and skipped."""

    def path_of(entry: Entry) -> str:
        document = snapshot.entry(kind, entry.slug)
        return document.path if document else f"{kind}/{entry.slug}"

    return snapshot.left_out.each(entries, render, path_of)


def html_cards(
    page: PageModel[Resource], kind: str, entries: Iterable[ListEntry], macro: Any, *args: object
) -> Markup:
    """Render each entry with a template macro, called with the entry and `args`."""
    cards = render_entries(
        page.view.snapshot, CONTENT_TYPES.named(kind), entries, lambda entry: macro(entry, *args)
    )
    return Markup().join(cards)


def html_sections(
    page: PageModel[Resource], sections: Iterable[DocumentSection], macro: Any
) -> Markup:
    """Render the sections of a page with a template macro; skip a section that raises."""
    snapshot = page.view.snapshot
    rendered = snapshot.left_out.each(sections, macro, lambda _: file_at(snapshot, page.address))
    return Markup().join(rendered)
