"""How to reach the company, as labelled values."""

from collections.abc import Iterator
from typing import NamedTuple

from knowledge.blocks.block import Block
from knowledge.blocks.facts import Fact, FactsBlock, FactText
from knowledge.blocks.links import LinksBlock, NamedLink
from knowledge.diagnostics.messages import mark as _
from knowledge.locales.locale import Language, Locale
from knowledge.markdown.slugs import Anchor
from knowledge.resources.site_chrome import CityOffice, CompanyContact, OfficePerson
from renderers.blocks.context import linked_fact
from renderers.l10n.translation import translate


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


def contact_blocks(
    contact: CompanyContact, heading: str, name: str, locale: Locale
) -> Iterator[Block]:
    """Yield the contact data, with the people of an office, and the profiles."""
    lines = [
        linked_fact(line.label, FactText(text=line.text, path=line.url, is_code=line.is_code))
        for line in contact_lines(contact, locale)
    ]
    people = contact.people if isinstance(contact, CityOffice) else ()
    items = (*lines, *(_person(each, locale.language) for each in people))
    yield FactsBlock(heading=heading, anchor=Anchor(name), items=items, place="reach")
    profiles = [
        NamedLink(text=network_name(each.network, locale.language), href=each.url)
        for each in contact.profiles
    ]
    yield LinksBlock(items=profiles, place="reach")


def _person(person: OfficePerson, language: Language) -> Fact:
    texts = (
        FactText(text=person.role or ""),
        FactText(text=person.phone or "", path=person.phone_url, is_code=True),
        FactText(text=person.email or "", path=f"mailto:{person.email}", is_code=True),
    )
    shown = [each for each in texts if each.text]
    return linked_fact(person.name, *shown, comma=language.comma, portrait=person.image)


def network_name(network: str, language: Language) -> str:
    """Return the name of a social network, such as `Instagram`."""
    return translate(_NETWORKS[network], language)


_NETWORKS = {
    "LinkedIn": _("LinkedIn"),
    "X": _("X"),
    "Instagram": _("Instagram"),
    "YouTube": _("YouTube"),
    "Snapchat": _("Snapchat"),
    "Facebook": _("Facebook"),
}
