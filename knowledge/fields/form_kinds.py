"""What becomes of the answers to a form, and what people want with it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, NamedTuple

from pydantic_core.core_schema import CoreSchema, literal_schema

from knowledge.diagnostics.messages import mark as _


@dataclass(frozen=True, slots=True, kw_only=True)
class FormKind:
    """What becomes of the answers to a form, if they are no enquiry.

    Such a form has one field of the type `single`, and perhaps some of the types `others`; the
    attributes `without` are for enquiries. `submit`, `thanks` and `thanks_text` are its words if
    the site sets none.
    """

    single: str
    others: tuple[str, ...]
    without: tuple[str, ...]
    submit: str
    thanks: str
    thanks_text: str


FORM_KINDS: Mapping[str, FormKind] = {
    "newsletter": FormKind(
        single="email",
        others=("consent",),
        without=("require_one_of", "topic", "notify", "notify_by", "subject", "copy", "purpose"),
        submit=_("Subscribe"),
        thanks=_("Look into your mail"),
        thanks_text=_("We have sent a message to this address. Please open the link in it."),
    )
}


class FormPurpose(NamedTuple):
    """What people want with a form: in words, and as an action of schema.org."""

    noun: str
    action: str


PURPOSES: Mapping[str, FormPurpose] = {
    "reservation": FormPurpose(_("Reservation", "purpose"), "ReserveAction"),
    "order": FormPurpose(_("Order", "purpose"), "OrderAction"),
    "quotation": FormPurpose(_("Quotation", "purpose"), "QuoteAction"),
    "application": FormPurpose(_("Application", "purpose"), "ApplyAction"),
    "registration": FormPurpose(_("Registration", "purpose"), "RegisterAction"),
    "donation": FormPurpose(_("Donation", "purpose"), "DonateAction"),
    "review": FormPurpose(_("Review", "purpose"), "ReviewAction"),
    "question": FormPurpose(_("Question", "purpose"), "AskAction"),
    "complaint": FormPurpose(_("Complaint", "purpose"), "CommunicateAction"),
}


@dataclass(frozen=True, slots=True)
class _NameOf:
    """Validates as the literal of all names does."""

    names: tuple[str, ...]

    def __get_pydantic_core_schema__(self, _source: object, _: object) -> CoreSchema:
        return literal_schema([*self.names])


FormKindName = Annotated[str, _NameOf(tuple(FORM_KINDS))]
"""The name of a kind of forms."""

FormPurposeName = Annotated[str, _NameOf(tuple(PURPOSES))]
"""The name of what people want with a form."""
