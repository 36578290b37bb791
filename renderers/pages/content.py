"""Registry, CMS, software and city pages, with what each shows besides its text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from urllib.parse import urlencode

from knowledge.addresses.addresses import Address
from knowledge.diagnostics.messages import mark as _
from knowledge.fields.content_types import CITY, CONTACT_FORM, INDUSTRY, MODULE
from knowledge.locales.locale import localized_text
from knowledge.markdown.slugs import Anchor
from knowledge.resources.base import Resource
from knowledge.resources.country_texts import is_contact_page
from knowledge.resources.document_page import DocumentPage, title_of
from knowledge.resources.listing import has_own_text
from knowledge.resources.localized import (
    CITY_CONTENT_PAGE,
    CITY_PAGE,
    ListedGroup,
    LocalizedContent,
    listed_kind,
    pages_listed_by,
)
from knowledge.resources.page_sections import SectionItem
from knowledge.resources.pages import CONTENT_PAGE, PageDetail
from knowledge.resources.passages import Part
from knowledge.resources.places import city_list, country_names
from knowledge.resources.seo import resolve_route
from knowledge.resources.site import FormField, form_options, site_settings
from knowledge.resources.site_chrome import CityOffice, CompanyContact, OfficePerson, brand
from knowledge.resources.site_page import PageModel
from knowledge.resources.software import INDUSTRY_PAGE, MODULE_PAGE
from knowledge.sections.section_type import PLANS
from knowledge.views.content_view import ContentView
from renderers.html.json_ld import (
    ListedItem,
    entity,
    item_list,
    main_entity,
    organization_id,
    postal_address,
    without_empty,
)
from renderers.html.page_links import enquiry_link
from renderers.l10n.translation import contact_form_settings, in_site_texts, site_words, translate
from renderers.markdown.context import (
    MarkdownContext,
    bullets,
    call_label,
    labelled,
    link,
    link_text,
    markdown_lines,
    paragraphs,
)
from renderers.markdown.navigation import (
    NavLink,
    canonical,
    city_link,
    content_path,
    link_list,
    links_to,
    main_call,
)
from renderers.markdown.passages import PassageContext, document_parts, listing, texts
from renderers.page_rendering import (
    Call,
    Chapters,
    Node,
    PageRendering,
    Variables,
    declare_rendering,
)

_HEADING = _("Contact details")
_TITLES = {
    MODULE: _("All modules"),
    INDUSTRY: _("All industries"),
    CITY: _("All cities"),
}
"""The titles of lists that are not grouped, by what they list."""


def _contact(resource: Resource) -> CompanyContact | None:
    return resource.contact if isinstance(resource, LocalizedContent) else None


_LEADS = "/api/public/v1/leads"


@in_site_texts
def enquiry_text(view: ContentView) -> str | None:
    """Return how agents reach the company for a person; None without a form that they can send."""
    path, form = content_path(view, "contact"), form_options(view)
    if path is None or not form.enabled or view.is_static:
        return None
    language = view.locale.language
    urls = {"form": view.absolute(path), "leads": view.absolute(_LEADS)}
    named = view.singleton(CONTACT_FORM)
    topics = (named.fields.topics if named else None) or ()
    if "demo" not in {topic.lead_topic for topic in topics}:
        return translate(
            _(
                "For an enquiry: the form at %(form)s, or for a person who asked for it"
                " `POST %(leads)s` with JSON: `email` (required) and `message`."
            ),
            language,
            **urls,
        )
    return translate(
        _(
            "For a demo or an enquiry: the form at %(form)s, or for a person who asked for it"
            " `POST %(leads)s` with JSON: `email` (required), `topic`, such as `demo`, and"
            " `message`."
        ),
        language,
        **urls,
    )


def _variables(page: PageModel[Resource]) -> Variables:
    resource = page.answer.resource
    contact = _contact(resource)
    return {
        "contact": contact,
        "enquiry": _enquiry(page.view) if contact else None,
        "enquiry_heading": site_words(page.view).formHeading,
        "listing": _listing(page.view, page.address, resource),
    }


def _enquiry(view: ContentView) -> str | None:
    """Return how agents reach the company, with the form for each of its topics."""
    text, language = enquiry_text(view), view.locale.language
    if text is None:
        return None
    form = view.absolute(content_path(view, "contact") or "")
    links = (
        f"[{link_text(localized_text(topic.label, language) or topic.value)}]"
        f"({form}?{urlencode({'topic': topic.value})})"
        for topic in contact_form_settings(view).topics
    )
    return paragraphs([text, bullets(links)])


def _listing(view: ContentView, address: Address, resource: Resource) -> list[ListedGroup]:
    """Return what a page lists, each group with a title."""
    groups = resource.listing if isinstance(resource, LocalizedContent | PageDetail) else None
    if not groups:
        return []
    kind = listed_kind(view, address.slug)
    title = translate(_TITLES[kind], view.locale.language) if kind else ""
    return [group.model_copy(update={"title": group.title or title}) for group in groups]


def _nodes(page: PageModel[Resource]) -> Iterator[Node]:
    """Yield the main entity, and what the page lists."""
    yield from main_entity(page)
    listed = _listing(page.view, page.address, page.answer.resource)
    names = {item.path: item.title for group in listed for item in group.items}
    paths = pages_listed_by(page.view, page.address.slug)
    yield from item_list(page, (ListedItem(names.get(path), path) for path in paths))


def _lines(group: ListedGroup) -> str:
    return bullets(
        f"{link(item.title, item.path)}: {item.description}"
        if item.description
        else link(item.title, item.path)
        for item in group.items
    )


def _links(variables: Variables, context: MarkdownContext) -> Chapters:
    contact = variables["contact"]
    if contact:
        yield context.gettext(_HEADING), markdown_lines(contact, context.locale)
    if variables["enquiry"]:
        yield variables["enquiry_heading"], variables["enquiry"]
    for group in variables["listing"]:
        yield group.title, _lines(group)


def _parts(resource: Resource, context: PassageContext) -> Iterator[Part]:
    yield from document_parts(resource, context)
    if is_contact_page(context.address):
        yield from _form_parts(context)
    contact = _contact(resource)
    if contact:
        heading, lines = context.gettext(_HEADING), markdown_lines(contact, context.locale)
        yield from texts((heading,), Anchor("contact-reach"), lines)
    for group in _listing(context.view, context.address, resource):
        title = group.title or ""
        anchor = context.ids.anchor(title)
        for item in group.items:
            context.ids.claim(item.title)
        yield listing((title,), anchor, _lines(group))


def _form_parts(context: PassageContext) -> Iterator[Part]:
    """Yield what the contact form asks for, who answers and when, and its button for a demo."""
    form, words = contact_form_settings(context.view), site_words(context.view)
    if not form.enabled:
        yield from _below(words.callHeading, words.callText)
        return
    fields = [each for each in form.fields if each.name != "topic"]
    asked = [_field(each, words.fieldOptional, context) for each in fields]
    facts = [(context.gettext("The form asks for"), context.join(asked))]
    if len(fields) < len(form.fields):
        topics = context.join(context.localized(topic.label) for topic in form.topics)
        facts.append((words.fieldTopic, topics))
    company = site_settings(context.view).site_settings
    reply = context.localized(company.enquiry_reply) or context.gettext(
        "A colleague reads it and answers you by e-mail within one working day."
    )
    yield from _below(words.formHeading, words.formText, labelled(facts), reply, *_buttons(context))


def _below(heading: str, *parts: str) -> Iterator[Part]:
    return texts((heading,) if heading else (), Anchor("contact-heading"), *parts)


def _field(field: FormField, optional: str, context: PassageContext) -> str:
    label = context.localized(field.label)
    return label if field.required else f"{label} {optional}".rstrip()


def _buttons(context: PassageContext) -> Iterator[str]:
    """Yield the links that the form and the site's buttons have."""
    words, path = site_words(context.view), context.locale.path + context.address.path
    is_asked = any(each.value == "demo" for each in contact_form_settings(context.view).topics)
    if words.mainButton and is_asked:
        yield f"[{link_text(words.mainButton)}]({path}?topic=demo)"
    privacy = content_path(context.view, "privacy")
    if privacy and words.formPrivacy:
        yield f"[{link_text(words.formPrivacy)}]({privacy})"


def _software_variables(page: PageModel[Resource]) -> Variables:
    (content_type,) = page.address.page.content_types
    return {"siblings": links_to(page.view, content_type, exclude=page.address.slug)}


def _software_links(variables: Variables, context: MarkdownContext) -> Chapters:
    yield context.gettext("See also"), link_list(variables["siblings"])


def _city_variables(page: PageModel[Resource]) -> Variables:
    view, slug = page.view, page.address.city
    city = next(each for each in city_list(view).cities if each.slug == slug)
    return {
        "city": city,
        "city_name": city_link(view, city).title,
        "office": _office(page.answer.resource),
        "services": links_to(view, MODULE, only=city.services or ()),
        "industries": links_to(view, INDUSTRY, only=city.industries or ()),
        "local_pages": _local_pages(view, slug),
    }


def _local_pages(view: ContentView, city: str) -> list[NavLink]:
    """Return links to the pages that have a text of their own for the city."""
    addresses = (
        Address(page, entry.slug, city)
        for page in view.snapshot.page_types.all
        if page.in_city
        for kind in page.content_types
        for entry in view.snapshot.all(kind)
        if any(document.layer.city == city for document in entry.documents)
    )
    return [
        NavLink(title_of(resolved), view.locale.path + address.path)
        for address in addresses
        if (resolved := resolve_route(view, address)) and has_own_text(resolved, address)
    ]


def _office(resource: Resource) -> CityOffice | None:
    return resource.office if isinstance(resource, LocalizedContent) else None


def _office_heading(city: str, context: MarkdownContext) -> str:
    return context.gettext("How to reach us in %(city)s") % {"city": city}


def _office_text(office: CityOffice, context: MarkdownContext) -> str:
    """Return the lines of an office, then its people, as markdown."""
    people = bullets(_person(each, context) for each in office.people)
    return paragraphs([markdown_lines(office, context.locale), people])


def _person(person: OfficePerson, context: MarkdownContext) -> str:
    phone = f"[{person.phone}]({person.phone_url})" if person.phone_url else person.phone
    email = f"[{person.email}](mailto:{person.email})" if person.email else None
    return context.join([f"**{person.name}**", person.role, phone, email])


def _city_nodes(page: PageModel[Resource]) -> Iterator[Node]:
    """Yield the office as a business, if it has an address."""
    office = _office(page.answer.resource)
    if office is None or office.address is None:
        return
    view, slug = page.view, page.address.city
    city = next(each for each in city_list(view).cities if each.slug == slug)
    name, country = city_link(view, city).title, view.locale.country
    place = {"@type": "GeoCoordinates", "latitude": office.latitude, "longitude": office.longitude}
    has_place = office.latitude is not None and office.longitude is not None
    properties = {
        "@type": "LocalBusiness",
        "name": f"{brand(view)}{view.locale.language.comma}{name}",
        "url": canonical(page),
        "address": postal_address(office.address, name, country),
        "telephone": office.phone,
        "openingHours": office.opening_hours,
        "openingHoursSpecification": list(_opening_hours(office.opening_hours or ())),
        "geo": place if has_place else None,
        "hasMap": office.map_url,
        "areaServed": {"@type": "City", "name": name},
        "parentOrganization": {"@id": organization_id(page)},
        "employee": [
            without_empty({"@type": "Person", "name": each.name, "jobTitle": each.role})
            for each in office.people
        ],
    }
    yield entity(page, "office", properties)


_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_ABBREVIATED = {day[:2]: number for number, day in enumerate(_DAYS)}
_DAY = f"(?:{'|'.join(_ABBREVIATED)})"
_HOUR = r"(?:[01]\d|2[0-4]):[0-5]\d"
_OPENING_HOURS = re.compile(
    f"(?P<days>{_DAY}(?:[-,]{_DAY})*) (?P<hours>{_HOUR}-{_HOUR}(?:,{_HOUR}-{_HOUR})*)"
)
"""Opening hours as schema.org writes them in a text: `Su-Th 08:00-12:00,16:00-20:00`."""


def _opening_hours(written: Iterable[str]) -> Iterator[Node]:
    """Yield the opening hours that can be read, each with its days.

    >>> [(node["dayOfWeek"], node["closes"]) for node in _opening_hours(["Sa-Su,We 08:00-18:00"])]
    [(['Wednesday', 'Saturday', 'Sunday'], '18:00')]
    >>> list(_opening_hours(["by appointment"]))
    []
    """
    for each in written:
        match = _OPENING_HOURS.fullmatch(" ".join(each.split()))
        if match is None:
            continue
        for hours in match["hours"].split(","):
            opens, closes = hours.split("-")
            yield {
                "@type": "OpeningHoursSpecification",
                "dayOfWeek": [_DAYS[day] for day in sorted(_days(match["days"]))],
                "opens": opens,
                "closes": closes,
            }


def _days(written: str) -> set[int]:
    """Return the days of the week that are written; a range may go beyond its end."""
    days = set()
    for part in written.split(","):
        first, last = (_ABBREVIATED[each] for each in (part.split("-")[0], part.split("-")[-1]))
        days |= {(first + offset) % 7 for offset in range((last - first) % 7 + 1)}
    return days


def _city_content_variables(page: PageModel[PageDetail]) -> Variables:
    view, resource = page.view, page.answer.resource
    country = view.locale.country
    name = country_names(view, country)[0] if country else ""
    text = translate(_("%(title)s in %(country)s"), view.locale.language)
    return {
        "general_path": content_path(view, page.address.slug),
        "general_title": text % {"title": resource.page.title, "country": name},
    }


def _city_links(variables: Variables, context: MarkdownContext) -> Chapters:
    city = variables["city_name"]
    if variables["office"]:
        yield (
            _office_heading(city, context),
            _office_text(variables["office"], context),
        )
    yield (
        context.gettext("Especially for %(city)s") % {"city": city},
        link_list(variables["local_pages"]),
    )
    yield (
        context.gettext("Modules used in %(city)s") % {"city": city},
        link_list(variables["services"]),
    )
    yield (
        context.gettext("Industries in %(city)s") % {"city": city},
        link_list(variables["industries"]),
    )


def _city_parts(resource: Resource, context: PassageContext) -> Iterator[Part]:
    """Yield the parts of the document, with the city's focus, and its office."""
    view, slug = context.view, context.address.city
    cities = [city for city in city_list(view).cities if city.slug == slug]
    yield from document_parts(
        resource, context, *(context.localized(each.focus) for each in cities)
    )
    office = _office(resource)
    for city in cities:
        if office is None:
            break
        heading = _office_heading(city_link(view, city).title, context)
        yield from texts((heading,), Anchor("city-office"), _office_text(office, context))


def _call(page: PageModel[Resource]) -> Call | None:
    """Return the call of the first plan or for support, else the main button of the site."""
    view, resource = page.view, page.answer.resource
    language, contact = view.locale.language, content_path(view, "contact")
    sections = resource.document.sections if isinstance(resource, DocumentPage) else ()
    for plan in (item for each in sections if each.type == PLANS for item in each.headed_items):
        if isinstance(plan, SectionItem) and plan.call and plan.href:
            href = enquiry_link(plan.href, page, contact, plan=plan.title or "")
            return Call(call_label(plan, language), href)
    if contact and page.address.slug == "support":
        href = enquiry_link(contact, page, contact, topic="support")
        return Call(translate(_("Contact support"), language), href)
    return main_call(view)


declare_rendering(
    PageRendering(variables=_variables, links=_links, nodes=_nodes, parts=_parts, call=_call),
    CONTENT_PAGE,
)
declare_rendering(
    PageRendering(template="content.html", variables=_software_variables, links=_software_links),
    MODULE_PAGE,
    INDUSTRY_PAGE,
)
declare_rendering(
    PageRendering(
        variables=_city_variables, links=_city_links, parts=_city_parts, nodes=_city_nodes
    ),
    CITY_PAGE,
)
declare_rendering(
    PageRendering(
        template="content.html",
        variables=_city_content_variables,
    ),
    CITY_CONTENT_PAGE,
)
