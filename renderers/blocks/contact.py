"""How to reach the company, as lines of text."""

from typing import NamedTuple

from knowledge.diagnostics.messages import mark as _
from knowledge.locales.locale import Language, Locale
from knowledge.resources.site_chrome import CompanyContact
from renderers.blocks.context import bullets, link_text, literal
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
    text = literal(link_text(line.text))
    return f"[{text}]({line.url})" if line.url else text


_NETWORKS = {
    "LinkedIn": _("LinkedIn"),
    "X": _("X"),
    "Instagram": _("Instagram"),
    "YouTube": _("YouTube"),
    "Snapchat": _("Snapchat"),
    "Facebook": _("Facebook"),
}
