"""What all Markdown bodies share: their context, links and lists, and labelled facts.

Links are site paths here; the caller makes them absolute.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple, Protocol, TypeVar, cast

from markupsafe import Markup

from knowledge.addresses.addresses import address_of, file_at
from knowledge.diagnostics.messages import mark as _
from knowledge.fields.content_types import AnyContentType
from knowledge.fields.field_types import Shown
from knowledge.fields.page_type import PAGE_TYPES, PageType, PageTypes
from knowledge.locales.locale import Language, Locale, localized_text
from knowledge.markdown.inline import rewrite_targets
from knowledge.resources.base import Resource
from knowledge.resources.document_page import shown_values
from knowledge.resources.forms import FormInput, SiteForm
from knowledge.resources.own_values import OwnAmount, OwnBody, OwnText, OwnValue
from knowledge.resources.page_sections import DocumentSection, SectionItem
from knowledge.resources.products import Money
from knowledge.resources.site_chrome import CompanyContact
from knowledge.resources.site_page import PageModel
from knowledge.sections.section_type import PLANS
from knowledge.snapshot.layer_resolution import Resolved
from knowledge.snapshot.snapshot import NO_DOCUMENTS, Snapshot
from knowledge.views.content_view import absolute
from renderers.l10n.formats import date_time, long_date, number, price, price_words
from renderers.l10n.translation import translate, translations
from renderers.representation import MediaType, in_media_type, suffixed_path


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

    def link(self, title: str, page: PageType, slug: str) -> str:
        """Return a link to another page, of a built-in type."""
        return self.page_link(title, self.locale.path + address_of(self.snapshot, page, slug).path)

    def own_link(self, text: OwnText) -> str:
        """Return a text of a declared field, with where it leads but for lists that it filters."""
        words = " ".join(text.text.split())
        if text.path is None or "?" in text.path:
            return words
        is_page = text.path.startswith("/")
        return self.page_link(words, text.path) if is_page else f"[{link_text(words)}]({text.path})"

    def page_link(self, title: str, path: str) -> str:
        """Return a link to the page at a site path, as Markdown."""
        return link(title, path)

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
    return paragraphs((section.body, *section.item_texts))


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
        page.view.snapshot,
        page.view.snapshot.content_types.named(kind),
        entries,
        lambda entry: macro(entry, *args),
    )
    return Markup().join(cards)


def html_sections(
    page: PageModel[Resource], sections: Iterable[DocumentSection], macro: Any
) -> Markup:
    """Render the sections of a page with a template macro; skip a section that raises."""
    snapshot = page.view.snapshot
    rendered = snapshot.left_out.each(sections, macro, lambda _: file_at(snapshot, page.address))
    return Markup().join(rendered)


def facts(resource: Resource, locale: Locale) -> list[tuple[str, str]]:
    """Return label and text of each shown value of a page's document."""
    documents = (getattr(resource, name) for name in type(resource).model_fields)
    return [
        fact
        for document in (resource, *documents)
        if isinstance(document, Resource)
        for fact in _facts(document, locale)
    ]


def own_values_of(resource: Resource) -> tuple[OwnValue, ...]:
    """Return the values of the fields that the site declares for a page's document."""
    documents = (getattr(resource, name) for name in type(resource).model_fields)
    found = (each.own for each in (resource, *documents) if isinstance(each, OwnBody))
    return next(found, ())


class OwnFact(NamedTuple):
    """The label of a declared field, and its texts with where they lead."""

    label: str
    texts: tuple[OwnText, ...]


def own_facts(values: Iterable[OwnValue], locale: Locale) -> list[OwnFact]:
    """Return what pages show of declared fields, without pictures."""
    return [
        OwnFact(each.label, tuple(_own_text(shown, locale) for shown in each.shown))
        for each in values
        if each.field.is_shown and each.field.type != "image"
    ]


def own_lines(
    values: Iterable[OwnValue], context: MarkdownContext, *, searched: bool = False
) -> Iterator[tuple[str, str]]:
    """Yield label and text of what pages show of declared fields, or of what is searched."""
    for each in values:
        is_used = each.field.is_searched if searched else each.field.is_shown
        if is_used and each.field.type != "image":
            shown = (_own_text(shown, context.locale) for shown in each.shown)
            yield each.label, context.join(map(context.own_link, shown))


def _own_text(shown: object, locale: Locale) -> OwnText:
    if isinstance(shown, OwnText):
        return shown
    if isinstance(shown, datetime):
        is_day = not (shown.hour or shown.minute)
        return OwnText(long_date(shown, locale) if is_day else date_time(shown, locale))
    if isinstance(shown, OwnAmount):
        return OwnText(price(Money(amount=shown.amount, currency=shown.currency), locale))
    return OwnText(number(cast(float, shown), locale))


def shown_facts(resolved: Resolved) -> Iterator[tuple[str, str]]:
    """Return label and text of each shown value of a document, without its resource."""
    shown, values = resolved.fields.shown, shown_values(resolved)
    return _labelled([(shown[name], value) for name, value in values.items()], resolved.locale)


def _facts(document: Resource, locale: Locale) -> Iterator[tuple[str, str]]:
    marked = [
        (marker, getattr(document, name))
        for name, field in type(document).model_fields.items()
        for marker in field.metadata
        if isinstance(marker, Shown)
    ]
    return _labelled(marked, locale)


def _labelled(values: Iterable[tuple[Shown, object]], locale: Locale) -> Iterator[tuple[str, str]]:
    """Yield label and text of each value that is not empty."""
    for shown, value in values:
        if value not in (None, "", []):
            yield shown.label(locale.language), _text(value, locale)


def _text(value: object, locale: Locale) -> str:
    if isinstance(value, bool):
        gettext = translations(locale.language).gettext
        return gettext("Yes") if value else gettext("No")
    if isinstance(value, datetime):
        return long_date(value, locale)
    text = " · ".join(map(str, value)) if isinstance(value, list) else str(value)
    return " ".join(text.split())


def with_facts(
    sections: Iterable[DocumentSection], context: MarkdownContext
) -> Iterator[DocumentSection]:
    """Yield sections with the roles and prices of their items in the texts of these."""
    for section in sections:
        if section.form and not context.is_static:
            body = paragraphs((section.body, *_form_lines(section.form, context)))
            yield section.model_copy(update={"body": body})
            continue
        items = section.items or ()
        facts = [(_item_facts(section, each, context), _call_link(each, context)) for each in items]
        if not any(before or after for before, after in facts):
            yield section
            continue
        items = [
            item.model_copy(update={"text": paragraphs((*before, item.text, after))})
            for item, (before, after) in zip(items, facts, strict=True)
        ]
        yield section.model_copy(update={"items": items})


def _form_lines(form: SiteForm, context: MarkdownContext) -> Iterator[str]:
    """Yield what a form asks for, and how a person's agent sends it."""
    yield f"{context.gettext('The form asks for')}:"
    yield bullets(_input_line(each, context) for each in form.fields)
    if form.require_one_of:
        labels = context.join(map(context.localized, form.labels(form.require_one_of)))
        yield context.gettext("Please fill in one of these: %(fields)s.") % {"fields": labels}
    path = link(context.localized(form.title), form.path)
    if form.kind:
        yield context.gettext("A person sends it on its page: %(path)s") % {"path": path}
        return
    if any(each.required for each in form.files):
        yield context.gettext("It is sent on its page, as it has a file: %(path)s") % {"path": path}
        return
    text = context.gettext(
        "For a person who asked for it: `POST %(path)s` with JSON, `form` as `%(form)s`, and the"
        " fields by the names in brackets, those of `answers` within it."
    )
    yield text % {"path": "/api/public/v1/leads", "form": form.name}


def _input_line(field: FormInput, context: MarkdownContext) -> str:
    """Return what is known of a field: its label, its name, its type, and what it may have."""
    name = field.lead or f"answers.{field.name}"
    label = context.localized(field.plain_label)
    use = context.gettext("required") if field.required else ""
    options = [f"`{each.value}` {context.localized(each.label)}" for each in field.options or ()]
    limits = [
        f"{sign} {each}" for sign, each in (("≥", field.minimum), ("≤", field.maximum)) if each
    ]
    kind = " ".join(("`file`", *(field.accept or ()))) if field.accept else f"`{field.type}`"
    facts = context.join((kind, use, *limits, *options))
    help_text = context.localized(field.help)
    return " ".join(
        filter(None, (f"**{label}** (`{name}`): {facts}", help_text and f"– {help_text}"))
    )


def _item_facts(
    section: DocumentSection, item: object, context: MarkdownContext
) -> tuple[str, ...]:
    if not isinstance(item, SectionItem) or item.anchor.id == "":
        return ()
    recommended = f"*{context.gettext('Recommended')}*" if item.recommended else ""
    prices = list(_prices(item, context)) if section.type == PLANS else ()
    included = included_words(item.includes, context.language) if item.includes else ""
    return tuple(filter(None, (item.role, recommended, *prices, included)))


def included_words(plan: str, language: Language) -> str:
    """Return what a plan says about the one whose features it has, too."""
    return translations(language).gettext("Everything in %(plan)s") % {"plan": plan}


def _call_link(item: object, context: MarkdownContext) -> str:
    if not isinstance(item, SectionItem) or not item.call:
        return ""
    return f"[{call_label(item, context.language)}]({item.href})"


def call_label(item: SectionItem, language: Language) -> str:
    """Return the words of the button of a plan."""
    label = _CALLS[item.call or "quotation"][0 if item.is_asked else 1]
    return translate(label, language)


_CALLS = {
    "trial": (_("Ask for a trial"), _("Start the trial")),
    "demo": (_("Ask for a demo"), _("Book a demo")),
    "quotation": (_("Ask for a quotation"), _("Ask for a quotation")),
}
"""The words of calls to the contact page, and to the address of what they call for."""


def _prices(item: SectionItem, context: MarkdownContext) -> Iterator[str]:
    """Yield the prices of a plan, with plain spaces instead of no-break spaces."""
    for each in item.prices or ():
        words = price_words(each, context.locale)
        amount = " ".join(f"**{words.amount}** {words.period} {words.note}".split())
        yield context.join((amount, " ".join(words.other.split())))
    if not item.prices:
        yield context.gettext("Price on request")


class ContactLine(NamedTuple):
    """One line: its label, its text, and where it leads; codes are written from left to right."""

    label: str
    text: str
    url: str | None = None
    is_code: bool = False


def contact_lines(contact: CompanyContact, locale: Locale) -> list[ContactLine]:
    """Return the lines that have a text, without the profiles."""
    email = contact.email and f"mailto:{contact.email}"
    lines = (
        (_("Phone"), contact.phone, contact.phone_url, True),
        (_("WhatsApp"), contact.whatsapp, contact.whatsapp_url, True),
        (_("E-mail"), contact.email, email, True),
        (_("Office"), contact.address, contact.map_url, False),
        (_("Opening hours"), contact.hours, None, False),
        (_("Commercial registration"), contact.commercial_registration, None, True),
        (_VAT_NUMBER.get(locale.country or "", _("VAT number")), contact.vat_number, None, True),
    )
    return [
        ContactLine(translate(label, locale.language), text, url, is_code)
        for label, text, url, is_code in lines
        if text
    ]


_VAT_NUMBER = {"AE": _("VAT number", "AE")}
"""What the VAT number is called where the law of a country has a term of its own."""


def call_lines(contact: CompanyContact, locale: Locale) -> list[ContactLine]:
    """Return the lines of telephone and WhatsApp that can be called."""
    schemes = ("tel:", "https://wa.me/")
    lines = contact_lines(contact, locale)
    return [line for line in lines if line.url and line.url.startswith(schemes)]


def markdown_lines(contact: CompanyContact, locale: Locale) -> str:
    """Return the contact data and the profiles as a markdown list."""
    profiles = (
        f"[{network_name(each.network, locale.language)}]({each.url})" for each in contact.profiles
    )
    lines = (f"**{line.label}**: {_linked(line)}" for line in contact_lines(contact, locale))
    return bullets((*lines, *profiles))


def network_name(network: str, language: Language) -> str:
    """Return the name of a social network, such as `Instagram`."""
    return translate(_NETWORKS[network], language)


def _linked(line: ContactLine) -> str:
    text = _literal(link_text(line.text))
    return f"[{text}]({line.url})" if line.url else text


_NETWORKS = {
    "LinkedIn": _("LinkedIn"),
    "X": _("X"),
    "Instagram": _("Instagram"),
    "YouTube": _("YouTube"),
    "Snapchat": _("Snapchat"),
    "Facebook": _("Facebook"),
}
