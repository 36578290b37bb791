"""Facts: labelled values beside a document or an item, and the contact data of the company."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import NamedTuple

from knowledge.diagnostics.messages import mark as _
from knowledge.fields.field_types import Shown
from knowledge.locales.locale import Language, Locale
from knowledge.resources.base import Resource
from knowledge.resources.document_page import shown_values
from knowledge.resources.page_sections import DocumentSection, SectionItem
from knowledge.resources.site_chrome import CompanyContact
from knowledge.snapshot.layer_resolution import Resolved
from renderers.l10n.formats import long_date, price_words
from renderers.l10n.translation import translate, translations
from renderers.markdown.context import MarkdownContext, bullets, link_text, paragraphs


def facts(resource: Resource, locale: Locale) -> list[tuple[str, str]]:
    """Return label and text of each shown value of a page's document."""
    documents = (getattr(resource, name) for name in type(resource).model_fields)
    return [
        fact
        for document in (resource, *documents)
        if isinstance(document, Resource)
        for fact in _facts(document, locale)
    ]


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
        facts = [_item_facts(section, item, context) for item in section.items or ()]
        if not any(facts):
            yield section
            continue
        pairs = zip(section.items or (), facts, strict=True)
        items = [
            item.model_copy(update={"text": paragraphs((*own, item.text))}) for item, own in pairs
        ]
        yield section.model_copy(update={"items": items})


def _item_facts(
    section: DocumentSection, item: object, context: MarkdownContext
) -> tuple[str, ...]:
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


class ContactLine(NamedTuple):
    """One line: its label, its text, and where it leads; codes are written from left to right."""

    label: str
    text: str
    url: str | None = None
    is_code: bool = False


def contact_lines(contact: CompanyContact, language: Language) -> list[ContactLine]:
    """Return the lines that have a text, without the profiles."""
    email = contact.email and f"mailto:{contact.email}"
    lines = (
        (_("Phone"), contact.phone, contact.phone_url, True),
        (_("WhatsApp"), contact.whatsapp, contact.whatsapp_url, True),
        (_("E-mail"), contact.email, email, True),
        (_("Office"), contact.address, contact.map_url, False),
        (_("Opening hours"), contact.hours, None, False),
        (_("Commercial registration"), contact.commercial_registration, None, True),
        (_("VAT number"), contact.vat_number, None, True),
    )
    return [
        ContactLine(translate(label, language), text, url, is_code)
        for label, text, url, is_code in lines
        if text
    ]


def call_lines(contact: CompanyContact, language: Language) -> list[ContactLine]:
    """Return the lines of telephone and WhatsApp that can be called."""
    schemes = ("tel:", "https://wa.me/")
    lines = contact_lines(contact, language)
    return [line for line in lines if line.url and line.url.startswith(schemes)]


def markdown_lines(contact: CompanyContact, language: Language) -> str:
    """Return the contact data and the profiles as a markdown list."""
    profiles = (
        f"[{network_name(each.network, language)}]({each.url})" for each in contact.profiles
    )
    lines = (f"**{line.label}**: {_linked(line)}" for line in contact_lines(contact, language))
    return bullets((*lines, *profiles))


def network_name(network: str, language: Language) -> str:
    """Return the name of a social network, such as `Instagram`."""
    return translate(_NETWORKS[network], language)


def _linked(line: ContactLine) -> str:
    text = link_text(line.text).replace("<", "\\<")
    return f"[{text}]({line.url})" if line.url else text


_NETWORKS = {
    "LinkedIn": _("LinkedIn"),
    "X": _("X"),
    "Instagram": _("Instagram"),
    "YouTube": _("YouTube"),
    "Snapchat": _("Snapchat"),
    "Facebook": _("Facebook"),
}
