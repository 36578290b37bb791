"""The pen of the markdown form: for whom it writes, and the small shapes that all bodies share.

Links are site paths here; the caller makes them absolute.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from knowledge.addresses import Address
from knowledge.content_path import ContentType
from knowledge.locale import Language, Locale, localized_text
from knowledge.resources.base import PageSection
from knowledge.snapshot import NO_DOCUMENTS, Snapshot
from renderers.cards import Entry, each_card
from renderers.media_types import MediaType
from renderers.representation_urls import suffixed_path
from renderers.translation import translations


@dataclass(frozen=True, slots=True)
class MarkdownContext:
    """What a body needs beside its resource: for whom it is written, and of what content."""

    locale: Locale
    snapshot: Snapshot = NO_DOCUMENTS

    @property
    def language(self) -> Language:
        """The reader's language."""
        return self.locale.language

    def say(self, message: str) -> str:
        """An interface text in the reader's language."""
        return translations(self.language).gettext(message)

    def link(self, title: str, address: Address) -> str:
        """A link to the markdown of another page."""
        return link(title, self.locale.path + address.path)

    def pick(self, text: Mapping[str, str] | None) -> str:
        """The reader's language of a text, else the other one."""
        return localized_text(text, self.language)

    def bullets(
        self,
        kind: ContentType,
        entries: Iterable[Entry],
        line: Callable[[Entry, MarkdownContext], str],
    ) -> str:
        """A list of documents; one whose line cannot be written is left out."""
        return bullets(each_card(self.snapshot, kind, entries, lambda entry: line(entry, self)))

    def listed(self, parts: Iterable[str | None]) -> str:
        """What there is of the parts, with the language's own comma."""
        return self.say(", ").join(part for part in parts if part)


def link(title: str, path: str) -> str:
    """A link to the markdown of the page at a site path.

    >>> link("Tax [draft]", "/ae/en/blog/tax")
    '[Tax (draft)](/ae/en/blog/tax.md)'
    """
    return f"[{link_text(title)}]({suffixed_path(path, MediaType.MARKDOWN)})"


def link_text(title: str) -> str:
    """A title that cannot end its own link."""
    return title.replace("[", "(").replace("]", ")")


def paragraphs(parts: Iterable[str | None]) -> str:
    """The parts that say something, a blank line between them."""
    return "\n\n".join(part for part in parts if part)


def bullets(lines: Iterable[str]) -> str:
    """A tight list."""
    return "\n".join(f"- {line}" for line in lines)


def quoted(text: str) -> str:
    """A block quote."""
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())


def chapter(title: str, *parts: str | None) -> str:
    """A level-2 heading with what stands under it; nothing where that is empty."""
    text = paragraphs(parts)
    return f"## {title}\n\n{text}" if text else ""


def sections(found: Iterable[PageSection]) -> Iterator[str]:
    """A page's sections, the questions of a FAQ under headings of their own."""
    for section in found:
        if section.heading:
            yield f"## {section.heading}"
        yield section.body or ""
        for item in section.items or ():
            yield f"### {item.question}\n\n{item.answer}"
