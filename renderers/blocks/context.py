"""What all Markdown bodies share: their context, links and lists, and labelled facts.

Links are site paths here; the caller makes them absolute.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Protocol, TypeVar, cast

from knowledge.addresses.addresses import address_of
from knowledge.blocks.block import Picture
from knowledge.blocks.facts import Fact, FactText
from knowledge.fields.content_types import AnyContentType
from knowledge.fields.page_type import PAGE_TYPES, PageType, PageTypes
from knowledge.locales.locale import Language, Locale, localized_text
from knowledge.markdown.inline import rewrite_targets
from knowledge.resources.base import Resource
from knowledge.resources.own_values import (
    OwnAmount,
    OwnBody,
    OwnRecord,
    OwnText,
    OwnTyped,
    OwnValue,
)
from knowledge.snapshot.snapshot import NO_DOCUMENTS, Snapshot
from knowledge.views.content_view import absolute
from renderers.l10n.field_words import WORDS, money, open_now
from renderers.l10n.formats import date_time, long_date, number
from renderers.l10n.translation import translations
from renderers.representation import MediaType, in_media_type


@dataclass(frozen=True, slots=True)
class MarkdownContext:
    """The reader's locale and the content snapshot, which bodies need besides their resource."""

    locale: Locale
    snapshot: Snapshot = NO_DOCUMENTS
    is_static: bool = False
    """Whether it is for an export, which takes no forms."""

    @property
    def language(self) -> Language:
        """The reader's language."""
        return self.locale.language

    def gettext(self, message: str) -> str:
        """Translate an interface text into the reader's language."""
        return translations(self.language).gettext(message)

    def path(self, page: PageType, slug: str = "") -> str:
        """Return the site path of another page, of a built-in type."""
        return self.locale.path + address_of(self.snapshot, page, slug).path

    def link(self, title: str, page: PageType, slug: str) -> str:
        """Return a link to another page, of a built-in type."""
        return link(title, self.path(page, slug))

    def own_link(self, text: OwnText) -> str:
        """Return a text of a declared field, with where it leads but for lists that it filters."""
        words = " ".join(text.text.split())
        is_filter = (text.path or "").startswith("/") and "?" in (text.path or "")
        if text.path is None or is_filter:
            return words
        return link(words, text.path)

    def localized(self, text: Mapping[str, str] | None) -> str:
        """Return a text in the reader's language, or in the other language as a fallback."""
        return localized_text(text, self.language)

    def join(self, parts: Iterable[str | None]) -> str:
        """Join the non-empty parts with the comma of the reader's language."""
        return self.gettext(", ").join(part for part in parts if part)


def link(title: str, path: str) -> str:
    """Return a link to a site path or URL.

    >>> link("Tax [draft]", "/ae/en/blog/tax")
    '[Tax (draft)](/ae/en/blog/tax)'
    """
    return f"[{link_text(title)}]({path})"


def with_markdown_links(text: str, base_url: str, pages: PageTypes = PAGE_TYPES) -> str:
    """Return a text with absolute links, of which those to pages lead to their Markdown.

    `pages` are the types of the site's pages.
    """

    def rewritten(target: str) -> str:
        return _to_markdown(absolute(base_url, target), base_url, pages)

    return rewrite_targets(text, rewritten)


@lru_cache(4_096)
def _to_markdown(url: str, base_url: str, pages: PageTypes) -> str:
    return in_media_type(url, base_url, MediaType.MARKDOWN, pages)


def image(picture: Picture) -> str:
    """Return a picture."""
    return f"![{link_text(picture.alt)}]({picture.url.replace(' ', '%20')})"


def link_text(title: str) -> str:
    """Replace the brackets in a title, so that it cannot end its link."""
    return title.replace("[", "(").replace("]", ")")


def paragraphs(parts: Iterable[str | None]) -> str:
    """Join the non-empty parts with blank lines."""
    return "\n\n".join(part for part in parts if part)


def bullets(lines: Iterable[str]) -> str:
    """Return the lines as a tight bullet list."""
    return "\n".join(f"- {line}" for line in lines)


def labelled(facts: Iterable[Fact]) -> str:
    """Return labels and values as a list; an angle bracket in a value begins no HTML."""
    return bullets(f"**{each.label}**:{_value(each)}" for each in facts)


def _value(fact: Fact) -> str:
    lines = fact.texts if fact.are_lines else ()
    if len(lines) > 1:
        return "".join(f"\n  - {literal(each.text)}" for each in lines)
    return f" {literal(fact.text)}"


def linked_fact(label: str, *texts: FactText, comma: str = "", portrait: str | None = None) -> Fact:
    """Return a labelled value of some texts, each with where it leads."""
    text = comma.join(link(each.text, each.path) if each.path else each.text for each in texts)
    return Fact(label=label, text=text, texts=texts, portrait=portrait)


def literal(value: str) -> str:
    """Return a value whose angle brackets begin no HTML."""
    return value.replace("<", "\\<")


def quoted(text: str) -> str:
    """Return a text as a block quote."""
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())


def chapter(title: str, *parts: str | None) -> str:
    """Return the parts below a level-2 heading; `""` if all of them are empty."""
    text = paragraphs(parts)
    return f"## {title}\n\n{text}" if text else ""


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


def own_values_of(resource: Resource) -> tuple[OwnValue, ...]:
    """Return the values of the fields that the site declares for a page's document."""
    documents = (getattr(resource, name) for name in type(resource).model_fields)
    found = (each.own for each in (resource, *documents) if isinstance(each, OwnBody))
    return next(found, ())


def own_facts(
    values: Iterable[OwnValue], context: MarkdownContext, *, searched: bool = False
) -> Iterator[Fact]:
    """Yield what pages show of declared fields, or what is searched of them, without pictures."""
    for each in values:
        is_used = each.field.is_searched if searched else each.field.is_shown
        if is_used and each.field.type != "image":
            shown = [_own_text(shown, context.locale, searched=searched) for shown in each.shown]
            are_records = each.field.type == "records"
            texts = map(context.own_link, shown)
            yield Fact(
                label=each.label,
                text=context.gettext("; ").join(texts) if are_records else context.join(texts),
                texts=tuple(FactText(text=text.text, path=text.path) for text in shown),
                are_lines=are_records,
            )


def _own_text(shown: object, locale: Locale, *, searched: bool = False) -> OwnText:
    """Return a value in words; what is open now is not searched."""
    if isinstance(shown, OwnRecord):
        return OwnText(" · ".join(_record_texts(shown.values, locale, searched=searched)))
    if isinstance(shown, OwnTyped):
        state = open_now(shown.json, locale) if shown.type == "hours" and not searched else ""
        return OwnText(state or WORDS[shown.type](shown.json, locale))
    if isinstance(shown, OwnText):
        return shown
    if isinstance(shown, datetime):
        is_day = not (shown.hour or shown.minute)
        return OwnText(long_date(shown, locale) if is_day else date_time(shown, locale))
    if isinstance(shown, OwnAmount):
        return OwnText(money(shown.json, locale))
    return OwnText(number(cast(float, shown), locale))


_BARE = ("boolean", "date", "integer", "number", "time")
"""The types of values that say nothing in a record without their labels."""


def _record_texts(values: Iterable[OwnValue], locale: Locale, *, searched: bool) -> Iterator[str]:
    """Yield the values of a record in words, but for pictures."""
    for each in values:
        is_used = each.field.is_searched if searched else each.field.is_shown
        if is_used and each.field.type != "image":
            texts = (_own_text(shown, locale, searched=searched).text for shown in each.shown)
            text = locale.language.comma.join(texts)
            yield f"{each.label}: {text}" if each.field.type in _BARE else text
