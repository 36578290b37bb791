"""The front matter of `site/contact-form.md`: which fields and topics the contact form has."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal, get_args

from pydantic import BeforeValidator

from knowledge.fields.field_types import InvalidValue, LocalizedText
from knowledge.fields.json_schemas import written
from knowledge.fields.schemas import Common, Fields, front_matter

MAX_TOPIC = 40
_TOPIC = re.compile(r"^[a-z0-9]+(?:-[a-z0-9]+)*$")

LeadTopic = Literal["demo", "pricing", "support", "other"]
"""The topics of leads in the API contract, which has no others."""
DEFAULT_TOPICS: tuple[LeadTopic, ...] = get_args(LeadTopic)
"""The topics of the form if the site sets none."""

FieldUse = Literal["required", "optional", "hidden"]
"""Whether a field must be filled in, may be, or is left out of the form."""


def is_topic(value: str) -> bool:
    """Return whether a text can be the value of a topic.

    >>> is_topic("new-patient"), is_topic("New patient")
    (True, False)
    """
    return len(value) <= MAX_TOPIC and bool(_TOPIC.fullmatch(value))


def _topic_value(value: Any) -> Any:
    if not isinstance(value, str) or not is_topic(value):
        advice = f"Use small letters a to z, digits and hyphens, at most {MAX_TOPIC}."
        raise InvalidValue("invalid topic", advice)
    return value


TopicValue = Annotated[
    str,
    BeforeValidator(_topic_value),
    written({"type": "string", "pattern": _TOPIC.pattern, "maxLength": MAX_TOPIC}),
]
"""The value of a topic in the form."""


@front_matter
class Topic(Fields):
    """One topic of the contact form."""

    value: TopicValue
    """Small letters, digits and hyphens, such as `new-patient`."""

    label: LocalizedText | None = None
    """What readers see; `demo`, `pricing`, `support` and `other` have a label of their own."""

    topic: LeadTopic | None = None
    """The topic of leads whose `subject` is a `value` of your own; `other` by default."""

    @property
    def lead_topic(self) -> LeadTopic:
        """The topic of a lead with this topic of the form."""
        own = next((each for each in DEFAULT_TOPICS if each == self.value), None)
        return own or self.topic or "other"


@front_matter
class FormFields(Fields):
    """The fields of the contact form."""

    name: FieldUse | None = None
    """The name of the sender."""

    email: Literal["required"] | None = None
    """The e-mail address; every lead needs one."""

    phone: FieldUse | None = None
    """The telephone number."""

    company: FieldUse | None = None
    """The company of the sender."""

    topic: FieldUse | None = None
    """The topic."""

    message: FieldUse | None = None
    """The text of the message."""


@front_matter
class ContactFormFields(Common):
    """`site/contact-form.md`."""

    refuses_unknown_keys: ClassVar[bool] = True

    enabled: bool | None = None
    """`false` shows the telephone number instead of the form."""

    fields: FormFields | None = None
    """Each field: `required`, `optional` or `hidden`."""

    topics: list[Topic] | None = None
    """The topics to choose from."""


DEFAULT_USES: Mapping[str, FieldUse] = {
    "name": "optional",
    "email": "required",
    "phone": "optional",
    "company": "optional",
    "topic": "required",
    "message": "optional",
}
"""The use of each field if the site sets none, in the order of the form."""
