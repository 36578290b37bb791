"""The recipe "A page type": events, as fields, one module, one template and its texts."""

from __future__ import annotations

MODULE_PATH = "knowledge/resources/events.py"
MODULE = '''
"""Events: where to meet us."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from knowledge.addresses.addresses import Address
from knowledge.fields.content_types import CONTENT_TYPES, ContentType
from knowledge.views.content_view import ContentView
from knowledge.diagnostics.messages import mark as _
from knowledge.fields.page_type import PageGroup, PageType
from knowledge.resources.base import LocalizedResource, localized_resource
from knowledge.resources.document_page import (
    DocumentBody,
    DocumentPage,
    document_fields,
    missing_page,
)
from knowledge.resources.own_values import OwnBody, own_body
from knowledge.resources.queries import declare_page
from knowledge.fields.front_matter import Common, front_matter


@front_matter
class EventFields(Common):
    """`events/`; further fields are declared."""


EVENT: ContentType[Any] = CONTENT_TYPES.declare(
    ContentType(folder="events", singular="event", fields=EventFields, required=(("title",),))
)


class EventBody(OwnBody, DocumentBody):
    """One event."""


class EventDetail(DocumentPage):
    """The response wrapper of one event."""

    event: EventBody

    @property
    def document(self) -> EventBody:
        """The event itself."""
        return self.event

    @property
    def main_entity(self) -> Mapping[str, object]:
        """The event."""
        own = self.event.all_fields
        return {"@type": "Event", "startDate": own["startsAt"], "location": own["place"]}


def event_detail(view: ContentView, slug: str) -> LocalizedResource[EventDetail]:
    """Return one event; raise NotFound if it is not published."""
    resolved = view.resolve(EVENT, slug)
    if resolved is None:
        raise missing_page(view, Address(EVENT_PAGE, slug), "event")
    own = own_body(view, resolved)
    event = EventBody.model_validate({**document_fields(view, resolved), **own})
    return localized_resource(EventDetail(event=event), resolved)


EVENT_PAGE = declare_page(
    PageType(
        name="event",
        path="/events/{slug}",
        content_types=(EVENT,),
        group=PageGroup(55, _("Events")),
        reason=_("someone wants to meet us: %(title)s"),
    ),
    lambda view, address, _: event_detail(view, address.slug),
)
'''
FIELDS_PATH = "knowledge/fields/declarations/events.yaml"
FIELDS = """fields:
  startsAt: { type: date, label: { en: Starts, ar: الموعد }, required: true }
  place: { type: localizedText, label: { en: Place, ar: المكان } }
"""
TEMPLATE_PATH = "renderers/templates/event.html"
TEMPLATE = """
{% extends "layout.html" %}
{% from "parts/headings.html" import heading with context %}
{% import "parts/sections.html" as parts with context %}
{% block main %}
<article class="wrap">
{{ heading(1, resource.event.heading) }}
<p><time datetime="{{ resource.event.all_fields.startsAt.isoformat() }}">\
{{ resource.event.all_fields.startsAt|long_date(locale) }}</time></p>
{{ parts.sections(resource.event.sections) }}
</article>
{% endblock %}
"""
TEXTS = {
    "Events": "الفعاليات",
    "someone wants to meet us: %(title)s": "يرغب أحد في لقائنا: %(title)s",
}
DOCUMENTS = {
    "knowledge/content/events/open-day.md": """---
title: Open day
startsAt: 2026-12-03T09:00:00Z
place: { en: Riyadh, ar: الرياض }
shortDescription: See the tills at work.
seo:
  description: A day with our tills in Riyadh.
---

Bring your stock list. See also the [modules](/modules/point-of-sale).
""",
    "knowledge/content/events/open-day.ar.md": """---
title: يوم مفتوح
---

أحضر قائمة أصنافك.
""",
}
