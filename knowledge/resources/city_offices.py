"""City offices: how customers in a city reach the company, and whom."""

from __future__ import annotations

from knowledge.fields.field_types import Omittable
from knowledge.fields.schemas import CityFields, Person
from knowledge.locales.locale import localized_text
from knowledge.resources.base import Resource
from knowledge.resources.contact import CompanyContact, phone_url, web_url, whatsapp_url
from knowledge.snapshot.layer_resolution import Resolved
from knowledge.views.content_view import ContentView


class OfficePerson(Resource):
    """Somebody at an office; `phoneUrl` dials the number."""

    name: str
    """Name of the person."""
    role: Omittable[str] = None
    """What the person does."""
    image: Omittable[str] = None
    """Path or URL of a portrait."""
    phone: Omittable[str] = None
    """Telephone number, as it is written for people."""
    phone_url: Omittable[str] = None
    """URL that dials the number."""
    email: Omittable[str] = None
    """E-mail address."""


class CityOffice(CompanyContact):
    """The contact data of a city, the place of its office, and the people."""

    latitude: Omittable[float] = None
    """Latitude of the office in degrees."""
    longitude: Omittable[float] = None
    """Longitude of the office in degrees."""
    opening_hours: Omittable[list[str]] = None
    """Opening hours in the notation of schema.org, such as `Mo-Th 09:00-18:00`."""
    people: list[OfficePerson]
    """The people at the office."""


def city_office(view: ContentView, city: Resolved[CityFields]) -> CityOffice | None:
    """Return how to reach the company in a city, in the reader's language; None if unknown."""
    fields, language = city.fields, view.locale.language
    source = city.documents[0].path
    office = CityOffice(
        phone=fields.phone or None,
        phone_url=phone_url(fields.phone),
        whatsapp=fields.whatsapp or None,
        whatsapp_url=whatsapp_url(fields.whatsapp),
        address=localized_text(fields.address, language) or None,
        hours=localized_text(fields.hours, language) or None,
        map_url=web_url(fields.map_url),
        latitude=fields.latitude,
        longitude=fields.longitude,
        opening_hours=fields.opening_hours or None,
        people=[_person(view, source, person) for person in fields.people or ()],
        profiles=[],
    )
    is_known = office.phone or office.whatsapp or office.address or office.people
    return office if is_known else None


def _person(view: ContentView, source: str, person: Person) -> OfficePerson:
    language = view.locale.language
    return OfficePerson(
        name=localized_text(person.name, language),
        role=localized_text(person.role, language) or None,
        image=view.path(person.image, source) if person.image else None,
        phone=person.phone or None,
        phone_url=phone_url(person.phone),
        email=person.email or None,
    )
