"""Registry, CMS, software and city pages, with what each shows besides its text."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import partial
from urllib.parse import urlencode

from pydantic import ConfigDict, TypeAdapter, ValidationError

from knowledge.addresses.addresses import Address, address_of
from knowledge.blocks.block import Block, Role
from knowledge.blocks.cards import Card, CardsBlock
from knowledge.blocks.facts import Fact
from knowledge.blocks.form import SiteForm
from knowledge.blocks.links import LinksBlock, NamedLink
from knowledge.blocks.section import SectionItem
from knowledge.blocks.text import TextBlock
from knowledge.diagnostics.messages import mark as _
from knowledge.fields.content_types import CITY, CONTACT_FORM, INDUSTRY, MODULE, AnyContentType
from knowledge.fields.opening_hours import DayHours
from knowledge.locales.locale import localized_text
from knowledge.markdown.inline import plain_text
from knowledge.markdown.slugs import Anchor
from knowledge.resources.base import Resource
from knowledge.resources.country_texts import is_contact_page
from knowledge.resources.described_values import opening_hours, place
from knowledge.resources.document_page import DocumentPage, title_of
from knowledge.resources.forms import purpose_forms
from knowledge.resources.listing import has_own_text
from knowledge.resources.localized import (
    CITY_CONTENT_PAGE,
    CITY_PAGE,
    ListedGroup,
    LocalizedContent,
    listed_kind,
    pages_listed_by,
)
from knowledge.resources.own_places import spans_json
from knowledge.resources.pages import CONTENT_PAGE, PageDetail
from knowledge.resources.places import CityItem, city_list, country_names
from knowledge.resources.seo import resolve_route
from knowledge.resources.site import FormField, form_options, site_settings
from knowledge.resources.site_chrome import CompanyContact, brand
from knowledge.resources.site_page import PageContent, PageModel
from knowledge.resources.software import INDUSTRY_PAGE, MODULE_PAGE
from knowledge.sections.section_type import PLANS
from knowledge.views.content_view import ContentView
from renderers.blocks.cards import document_card
from renderers.blocks.contact import contact_blocks
from renderers.blocks.context import MarkdownContext, bullets, labelled, link, link_text, paragraphs
from renderers.blocks.page_blocks import document_blocks, price_block
from renderers.blocks.section import call_label, locale_fields
from renderers.html import json_ld
from renderers.html.page_links import enquiry_link
from renderers.l10n.translation import contact_form_settings, in_site_texts, site_words, translate
from renderers.markdown.navigation import (
    NavLink,
    canonical,
    content_path,
    links_to,
    main_call,
)
from renderers.page_rendering import (
    Call,
    Node,
    PageRendering,
    Variables,
    declare_rendering,
)

_LEADS = "/api/public/v1/leads"


@in_site_texts
def enquiry_text(view: ContentView) -> str | None:
    """Return how agents reach the company for a person; None without a form that they can send."""
    if view.is_static:
        return None
    wishes = [_wish(view, each) for each in purpose_forms(view)]
    return " ".join(filter(None, (_contact_wish(view), *wishes))) or None


def _wish(view: ContentView, form: SiteForm) -> str:
    """Return what people want with a form, where it is, and what it needs."""
    language, noun = view.locale.language, form.wanted.noun if form.wanted else ""
    group = [each for each in form.fields if each.name in (form.require_one_of or ())]
    names = [f"`{each.sent_name}`" for each in form.required_fields]
    names += [" / ".join(f"`{each.sent_name}`" for each in group)] if group else []
    by_page = _("%(wish)s: the form “%(title)s” at %(url)s. It needs %(fields)s.", "purpose")
    by_api = _(
        "%(wish)s: the form “%(title)s” at %(url)s, or for a person who asked for it"
        " `POST %(leads)s` with JSON: `form` as `%(form)s`, and %(fields)s.",
        "purpose",
    )
    needs_page = any(each.required for each in form.files)
    text = by_page if needs_page else by_api
    names += [] if needs_page else locale_fields(view.locale)
    values = {
        "wish": translate(noun, language),
        "title": link_text(localized_text(form.title, language)),
        "url": view.absolute(form.path),
        "leads": view.absolute(_LEADS),
        "form": form.name,
        "fields": language.comma.join(names),
    }
    return translate(text, language, **{key: each for key, each in values.items() if key in text})


def _contact_wish(view: ContentView) -> str | None:
    path, form = content_path(view, "contact"), form_options(view)
    if path is None or not form.enabled:
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


def _contact(resource: Resource) -> CompanyContact | None:
    return resource.contact if isinstance(resource, LocalizedContent) else None


def _variables(page: PageModel[Resource]) -> Variables:
    contact = _contact(page.resource)
    return {
        "contact": contact,
        "enquiry": _enquiry(page.view) if contact else None,
        "enquiry_heading": site_words(page.view).formHeading,
    }


def _enquiry(view: ContentView) -> str | None:
    """Return how agents reach the company, with the form for each of its topics."""
    text, language = None if view.is_static else _contact_wish(view), view.locale.language
    if text is None:
        return None
    form = view.absolute(content_path(view, "contact") or "")
    links = (
        f"[{link_text(localized_text(topic.label, language) or topic.value)}]"
        f"({form}?{urlencode({'topic': topic.value})})"
        for topic in contact_form_settings(view).topics
    )
    return paragraphs([text, bullets(links)])


_TITLES = {
    MODULE: _("All modules"),
    INDUSTRY: _("All industries"),
    CITY: _("All cities"),
}
"""The titles of lists that are not grouped, by what they list."""


def _listing(page: PageContent[Resource]) -> list[ListedGroup]:
    """Return what a page lists, each group with a title."""
    resource = page.resource
    groups = resource.listing if isinstance(resource, LocalizedContent | PageDetail) else None
    if not groups:
        return []
    kind = listed_kind(page.view, page.address.slug)
    title = translate(_TITLES[kind], page.locale.language) if kind else ""
    return [group.model_copy(update={"title": group.title or title}) for group in groups]


def _nodes(page: PageModel[Resource]) -> Iterator[Node]:
    """Yield the main entity, and what the page lists."""
    yield from json_ld.main_entity(page)
    names = {item.path: item.title for group in _listing(page) for item in group.items}
    paths = pages_listed_by(page.view, page.address.slug)
    yield from json_ld.item_list(
        page, (json_ld.ListedItem(names.get(path), path) for path in paths)
    )


def _blocks(page: PageContent[Resource], context: MarkdownContext) -> Iterator[Block]:
    """Yield the document, on the contact page with its form, and what the page lists."""
    lead, *others = document_blocks(page, context, opened=True)
    yield lead
    if page.address == address_of(page.view.snapshot, CONTENT_PAGE, "erp"):
        yield price_block(page.view, context)
    yield from others
    if is_contact_page(page.address):
        yield _form_block(page.view, context)
        yield TextBlock(text=_enquiry(page.view) or "", role=Role.NAVIGATION, place="agents")
    contact = _contact(page.resource)
    if contact:
        details = context.gettext("Contact details")
        yield from contact_blocks(contact, details, "contact-reach", context.locale)
    for group in _listing(page):
        cards = [
            Card(title=item.title, href=item.path, summary=item.description) for item in group.items
        ]
        heading = group.title or None
        yield CardsBlock(heading=heading, items=cards, role=Role.LISTING, place="related")


def _form_block(view: ContentView, context: MarkdownContext) -> Block:
    """Return what the contact form asks for, who answers and when, and how an agent sends it."""
    form, words = contact_form_settings(view), site_words(view)
    if not form.enabled:
        parts = [words.callText]
    else:
        fields = [each for each in form.fields if each.name != "topic"]
        asked = [_field(each, words.fieldOptional, context) for each in fields]
        facts = [Fact(label=context.gettext("The form asks for"), text=context.join(asked))]
        if len(fields) < len(form.fields):
            topics = context.join(context.localized(topic.label) for topic in form.topics)
            facts.append(Fact(label=words.fieldTopic, text=topics))
        company = site_settings(view).site_settings
        reply = context.localized(company.enquiry_reply) or context.gettext(
            "A colleague reads it and answers you by e-mail within one working day."
        )
        parts = [words.formText, labelled(facts), plain_text(reply), *_buttons(view, context)]
    heading = words.formHeading if form.enabled else words.callHeading
    anchor = Anchor("contact-heading")
    text = paragraphs(parts)
    return TextBlock(heading=heading or None, anchor=anchor, text=text, place="contact")


def _field(field: FormField, optional: str, context: MarkdownContext) -> str:
    label = context.localized(field.label)
    return label if field.required else f"{label} {optional}".rstrip()


def _buttons(view: ContentView, context: MarkdownContext) -> Iterator[str]:
    """Yield the links that the form and the site's buttons have."""
    words, path = site_words(view), content_path(view, "contact")
    is_asked = any(each.value == "demo" for each in contact_form_settings(view).topics)
    if words.mainButton and is_asked:
        yield link(words.mainButton, f"{path}?topic=demo")
    privacy = content_path(view, "privacy")
    if privacy and words.formPrivacy:
        yield link(words.formPrivacy, privacy)


def _siblings(page: PageContent[Resource]) -> list[NavLink]:
    (content_type,) = page.address.page.content_types
    return links_to(page.view, content_type, exclude=page.address.slug)


def _software_blocks(page: PageContent[Resource], context: MarkdownContext) -> Iterator[Block]:
    """Yield the document, and the others of its kind."""
    yield from document_blocks(page, context, opened=True)
    yield _ways(context.gettext("See also"), _siblings(page), "see-also")


def _ways(heading: str, links: Iterable[NavLink], name: str) -> LinksBlock:
    """Return links to other pages below a heading with this id."""
    items = [NamedLink(text=each.title, href=each.path) for each in links]
    return LinksBlock(id=name, heading=heading, items=items, role=Role.NAVIGATION, place="related")


def _city(page: PageContent[Resource]) -> CityItem:
    cities = city_list(page.view).cities
    return next(each for each in cities if each.slug == page.address.city)


def _city_name(page: PageContent[Resource]) -> str:
    (city,) = links_to(page.view, CITY, only=[page.address.city])
    return city.title


def _city_blocks(page: PageContent[LocalizedContent], context: MarkdownContext) -> Iterator[Block]:
    """Yield the focus of a city, its office and pages, and last the text, which ends in a call."""
    view, city, office = page.view, _city(page), page.resource.office
    name, gettext = _city_name(page), context.gettext
    lead, *others = document_blocks(page, context, opened=True)
    yield lead
    yield TextBlock(text=context.localized(city.focus), place="focus")
    if office:
        heading = gettext("How to reach us in %(city)s") % {"city": name}
        yield from contact_blocks(office, heading, "city-office", context.locale)
    yield CardsBlock(
        id="services",
        heading=gettext("Modules used in %(city)s") % {"city": name},
        items=_module_cards(page),
        role=Role.LISTING,
        place="modules",
    )
    local = _local_pages(view, city.slug)
    yield _ways(gettext("Especially for %(city)s") % {"city": name}, local, "local-pages")
    industries = _used(page, INDUSTRY)
    yield _ways(gettext("Industries in %(city)s") % {"city": name}, industries, "industries")
    yield from others


def _module_cards(page: PageContent[Resource]) -> list[Card]:
    """Return the modules that the companies of a city use."""
    view, used = page.view, _city(page).services or ()
    modules = (each for each in view.resolve_all(MODULE) if each.entry.slug in used)
    return view.each(modules, partial(document_card, view))


def _used(page: PageContent[Resource], kind: AnyContentType) -> list[NavLink]:
    """Return links to the modules or industries of the city."""
    city = _city(page)
    return links_to(
        page.view, kind, only=(city.services if kind == MODULE else city.industries) or ()
    )


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


def _city_nodes(page: PageModel[LocalizedContent]) -> Iterator[Node]:
    """Yield the office as a business, if it has an address."""
    office = page.resource.office
    if office is None or office.address is None:
        return
    view = page.view
    name, country = _city_name(page), view.locale.country
    where = {
        "address": office.address,
        "city": name,
        "mapUrl": office.map_url,
        "latitude": office.latitude,
        "longitude": office.longitude,
    }
    properties = {
        "@type": "LocalBusiness",
        "name": f"{brand(view)}{view.locale.language.comma}{name}",
        "url": canonical(page),
        **place(where, country),
        "telephone": office.phone,
        "openingHours": office.opening_hours,
        "openingHoursSpecification": list(_opening_hours(office.opening_hours or ())),
        "areaServed": {"@type": "City", "name": name},
        "parentOrganization": {"@id": json_ld.organization_id(page.view)},
        "employee": [
            json_ld.without_empty({"@type": "Person", "name": each.name, "jobTitle": each.role})
            for each in office.people
        ],
    }
    yield json_ld.entity(page, "office", properties)


def _opening_hours(written: Iterable[str]) -> Iterator[Node]:
    """Yield the opening hours that can be read, such as `Su-Th 08:00-12:00,16:00-20:00`.

    >>> [(node["dayOfWeek"], node["closes"]) for node in _opening_hours(["Sa-Su,We 08:00-18:00"])]
    [(['Saturday', 'Sunday', 'Wednesday'], '18:00')]
    >>> list(_opening_hours(["by appointment"]))
    []
    """
    for each in written:
        days, _, hours = each.strip().partition(" ")
        with suppress(ValidationError):
            spans = _HOURS.validate_python({days: hours}).items()
            listed = [{"day": day, "spans": spans_json(found)} for day, found in spans]
            yield from opening_hours({"days": listed, "seasons": (), "exceptions": ()})


_HOURS = TypeAdapter(DayHours, config=ConfigDict(defer_build=True))


def _general_title(page: PageContent[PageDetail]) -> str:
    view, country = page.view, page.view.locale.country
    name = country_names(view, country)[0] if country else ""
    text = translate(_("%(title)s in %(country)s"), view.locale.language)
    return text % {"title": page.resource.page.title, "country": name}


def _city_content_blocks(
    page: PageContent[PageDetail], context: MarkdownContext
) -> Iterator[Block]:
    """Yield the document, and the link to the page for the whole country."""
    yield from document_blocks(page, context, opened=True)
    path = content_path(page.view, page.address.slug)
    if path:
        label = context.gettext("The page for the whole country")
        item = NamedLink(text=_general_title(page), href=path, label=label)
        yield LinksBlock(items=[item], role=Role.NAVIGATION)


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
    PageRendering(
        variables=_variables,
        former={"listing": _listing},
        blocks=_blocks,
        nodes=_nodes,
        call=_call,
    ),
    CONTENT_PAGE,
)
declare_rendering(
    PageRendering(
        template="content.html",
        former={"siblings": _siblings},
        blocks=_software_blocks,
    ),
    MODULE_PAGE,
    INDUSTRY_PAGE,
)
declare_rendering(
    PageRendering(
        former={
            "city": _city,
            "city_name": _city_name,
            "office": lambda page: page.resource.office,
            "industries": lambda page: _used(page, INDUSTRY),
            "local_pages": lambda page: _local_pages(page.view, page.address.city),
            "services": lambda page: _used(page, MODULE),
        },
        blocks=_city_blocks,
        nodes=_city_nodes,
    ),
    CITY_PAGE,
)
declare_rendering(
    PageRendering(
        template="content.html",
        former={
            "general_path": lambda page: content_path(page.view, page.address.slug),
            "general_title": _general_title,
        },
        blocks=_city_content_blocks,
    ),
    CITY_CONTENT_PAGE,
)
