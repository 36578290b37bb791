"""The contact form: its fields and topics, as `site/contact-form.md` sets them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import Field

from knowledge.fields.content_types import CONTACT_FORM
from knowledge.fields.field_types import BilingualString
from knowledge.fields.site_fields import (
    DEFAULT_TOPICS,
    DEFAULT_USES,
    ContactFormFields,
    FormFields,
    LeadTopic,
    Topic,
)
from knowledge.resources.base import Resource
from knowledge.snapshot.snapshot import Snapshot
from knowledge.views.content_view import ContentView, cached_per_snapshot


class FormField(Resource):
    """One field of the contact form."""

    name: str = Field(description="Name of the field in a lead.")
    label: BilingualString
    """Label of the field."""
    required: bool
    """Whether the field must be filled in."""


class FormTopic(Resource):
    """One topic of the contact form."""

    value: str = Field(description="Value of `subject` in a lead, if `topic` is another one.")
    label: BilingualString
    """Name of the topic."""
    topic: LeadTopic
    """Value of `topic` in a lead."""


class ContactFormSettings(Resource):
    """The contact form: its fields in order, and its topics; without `enabled` pages show none."""

    enabled: bool
    """Whether pages show the form."""
    fields: list[FormField]
    """The fields of the form in their order."""
    topics: list[FormTopic]
    """The topics that a visitor may choose."""


@dataclass(frozen=True, slots=True)
class FormOptions:
    """What the form asks for: the fields that it has and whether each is required, and topics."""

    enabled: bool
    required: Mapping[str, bool]
    topics: tuple[Topic, ...]
    enforced: tuple[str, ...]
    """The fields that the site itself requires."""


@cached_per_snapshot
def form_options(view: ContentView) -> FormOptions:
    """Return what the form of the view's locale asks for."""
    resolved = view.singleton(CONTACT_FORM)
    form = resolved.fields if resolved else ContactFormFields()
    topics = form.topics if form.topics is not None else [Topic(value=v) for v in DEFAULT_TOPICS]
    chosen = form.fields or FormFields()
    uses = {name: getattr(chosen, name) or use for name, use in DEFAULT_USES.items()}
    return FormOptions(
        enabled=form.enabled is not False,
        required={
            name: use == "required"
            for name, use in uses.items()
            if use != "hidden" and (topics or name != "topic")
        },
        topics=tuple({topic.value: topic for topic in topics}.values()),
        enforced=tuple(name for name in uses if getattr(chosen, name) == "required"),
    )


def lead_topics(snapshot: Snapshot) -> Mapping[str, LeadTopic]:
    """Return the topic of a lead for each topic that a form may have, the site's own ones last."""
    entry = snapshot.singleton(CONTACT_FORM)
    own = (
        topic
        for document in (entry.documents if entry else ())
        for topic in document.fields.topics or ()
    )
    return {each: each for each in DEFAULT_TOPICS} | {each.value: each.lead_topic for each in own}


def own_topics(snapshot: Snapshot) -> tuple[str, ...]:
    """Return the site's own topics of the form, which are the subjects of leads."""
    return tuple(value for value, topic in lead_topics(snapshot).items() if value != topic)
