"""The recipe "A page type": events, as one module, one template and its texts."""

from __future__ import annotations

MODULE_PATH = "knowledge/resources/events.py"
MODULE = '''
"""Events: where to meet us."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated

from knowledge.addresses.addresses import Address
from knowledge.fields.content_types import CONTENT_TYPES, ContentType
from knowledge.views.content_view import ContentView
from knowledge.fields.field_types import LocalizedText, Shown, UtcDateTime
from knowledge.diagnostics.messages import mark as _
from knowledge.fields.page_type import PageGroup, PageType
from knowledge.resources.base import LocalizedResource, localized_resource
from knowledge.resources.document_page import (
    DocumentBody,
    DocumentPage,
    document_fields,
    missing_page,
)
from knowledge.resources.queries import declare_page
from knowledge.fields.front_matter import Common, front_matter


@front_matter
class EventFields(Common):
    """`events/`."""

    starts_at: UtcDateTime | None = None
    place: LocalizedText | None = None


EVENT = CONTENT_TYPES.declare(
    ContentType(
        folder="events",
        singular="event",
        fields=EventFields,
        required=(("title",), ("starts_at",)),
    )
)


class EventBody(DocumentBody):
    """One event."""

    starts_at: Annotated[datetime, Shown("Starts", "الموعد")]
    place: Annotated[str, Shown("Place", "المكان")]


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
        event = self.event
        return {"@type": "Event", "startDate": event.starts_at, "location": event.place}


def event_detail(view: ContentView, slug: str) -> LocalizedResource[EventDetail]:
    """Return one event; raise NotFound if it is not published."""
    resolved = view.resolve(EVENT, slug)
    if resolved is None:
        raise missing_page(view, Address(EVENT_PAGE, slug), "event")
    place = resolved.pick(resolved.fields.place) or ""
    own = {"starts_at": resolved.fields.starts_at, "place": place}
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
TEMPLATE_PATH = "renderers/templates/event.html"
TEMPLATE = """
{% extends "layout.html" %}
{% from "parts/headings.html" import heading with context %}
{% import "parts/sections.html" as parts with context %}
{% block main %}
<article class="wrap">
{{ heading(1, resource.event.heading) }}
<p><time datetime="{{ resource.event.starts_at.isoformat() }}">\
{{ resource.event.starts_at|long_date(locale) }}</time></p>
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
