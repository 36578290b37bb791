"""How readers reach the company: contact data of their country, registrations and profiles."""

from __future__ import annotations

from knowledge.fields.field_types import Omittable
from knowledge.fields.phone_numbers import e164
from knowledge.fields.schemas import CompanySettings
from knowledge.locales.locale import localized_text
from knowledge.resources.base import Resource
from knowledge.resources.site import site_settings
from knowledge.views.content_view import ContentView, cached_per_snapshot


class Profile(Resource):
    """A social profile of the company."""

    network: str
    """Name of the network."""
    url: str
    """URL of the profile."""


class CompanyContact(Resource):
    """The contact data of the company in the reader's country and language.

    `phoneUrl` dials the number, `whatsappUrl` opens a chat.
    """

    email: Omittable[str] = None
    """E-mail address."""
    phone: Omittable[str] = None
    """Telephone number, as it is written for people."""
    phone_url: Omittable[str] = None
    """URL that dials the number."""
    whatsapp: Omittable[str] = None
    """WhatsApp number, as it is written for people."""
    whatsapp_url: Omittable[str] = None
    """URL that opens a chat on WhatsApp."""
    address: Omittable[str] = None
    """Address of the office."""
    hours: Omittable[str] = None
    """Opening hours, for people."""
    map_url: Omittable[str] = None
    """URL of a map with the office."""
    commercial_registration: Omittable[str] = None
    """Number of the commercial registration."""
    vat_number: Omittable[str] = None
    """VAT registration number."""
    profiles: list[Profile]
    """Profiles on social networks."""


@cached_per_snapshot
def company_contact(view: ContentView) -> CompanyContact:
    """Return the contact data for the view's locale."""
    company, language = site_settings(view).site_settings, view.locale.language
    return CompanyContact(
        email=company.primary_email or None,
        phone=company.phone_display or None,
        phone_url=phone_url(company.phone_display),
        whatsapp=company.whatsapp or None,
        whatsapp_url=whatsapp_url(company.whatsapp),
        address=localized_text(company.office_address, language) or None,
        hours=localized_text(company.hours, language) or None,
        map_url=web_url(company.map_url),
        commercial_registration=company.commercial_registration or None,
        vat_number=company.vat_number or None,
        profiles=_profiles(company),
    )


def phone_url(number: str | None) -> str | None:
    """Return the URL that dials a number, or None if it cannot be called.

    >>> phone_url("+971 4 555 0142")
    'tel:+97145550142'
    """
    called = e164(number or "")
    return called and f"tel:{called}"


def whatsapp_url(number: str | None) -> str | None:
    """Return the URL that opens a chat with a number, or None if it cannot be called.

    >>> whatsapp_url("+971 50 555 0142")
    'https://wa.me/971505550142'
    """
    called = e164(number or "")
    return called and f"https://wa.me/{called.removeprefix('+')}"


def _profiles(company: CompanySettings) -> list[Profile]:
    urls = {
        "LinkedIn": company.linkedin_url,
        "X": company.x_url,
        "Instagram": company.instagram_url,
        "YouTube": company.youtube_url,
        "Snapchat": company.snapchat_url,
        "Facebook": company.facebook_url,
    }
    linked = ((network, web_url(url)) for network, url in urls.items())
    return [Profile(network=network, url=url) for network, url in linked if url]


def web_url(url: str | None) -> str | None:
    """Return an absolute http or https URL, None for anything else."""
    return url if (url or "").startswith(("https://", "http://")) else None
