"""The front matter of `site/words.md` and `site/contact-form.md`.

The words are the texts of the interface, which a site may set itself.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, ClassVar, Literal, get_args

from pydantic import AfterValidator, BeforeValidator, Field

from knowledge.diagnostics.messages import Text
from knowledge.diagnostics.messages import mark as _
from knowledge.fields.field_types import BilingualString, InvalidValue, LocalizedText
from knowledge.fields.front_matter import Common, Fields, front_matter, marked
from knowledge.fields.interface_texts import interface_texts
from knowledge.fields.json_schemas import written
from knowledge.locales.locale import Language


@dataclass(frozen=True, slots=True)
class Word:
    """Marks a word with its default, a text of the gettext catalogs.

    A default that no catalog translates is the same in all languages, as may be a site's own text.
    """

    default: str
    is_translated: bool = True


@front_matter
class NamedWords(Common):
    """Buttons and lines, of which `""` removes one; `{name}` is the name of the site."""

    refuses_unknown_keys: ClassVar[bool] = True

    talk_to_us: Annotated[LocalizedText | None, Word(_("Talk to us"))] = None
    """The first button of the home page, by default `mainButton`."""

    see_the_software: Annotated[LocalizedText | None, Word(_("What we offer"))] = None
    """The second button of the home page."""

    main_button: Annotated[LocalizedText | None, Word(_("Contact us", "button"))] = None
    """The button of the header, and of the last block of the home page."""

    ask_for_an_offer: Annotated[LocalizedText | None, Word(_("Ask for an offer"))] = None
    """The button of a product."""

    all_articles: Annotated[LocalizedText | None, Word(_("All articles"))] = None
    """The link to the blog."""

    show_all_articles: Annotated[LocalizedText | None, Word(_("Show all articles"))] = None
    """The button of a page of the blog without articles."""

    search: Annotated[LocalizedText | None, Word(_("Search"))] = None
    """The button of the search, and the link to it."""

    form_heading: Annotated[LocalizedText | None, Word(_("Write to us"))] = None
    """The heading of the contact form."""

    form_text: Annotated[
        LocalizedText | None,
        Word(_("A colleague answers you by e-mail, in the language you write in.")),
    ] = None
    """The text beside the contact form."""

    form_privacy: Annotated[LocalizedText | None, Word(_("How we treat your data"))] = None
    """The link from the contact form to the page `privacy`."""

    field_name: Annotated[LocalizedText | None, Word(_("Name", "field"))] = None
    """The label of a field of the contact form."""

    field_email: Annotated[LocalizedText | None, Word(_("E-mail", "field"))] = None
    """The label of a field of the contact form."""

    field_phone: Annotated[LocalizedText | None, Word(_("Phone", "field"))] = None
    """The label of a field of the contact form."""

    field_company: Annotated[LocalizedText | None, Word(_("Company", "field"))] = None
    """The label of a field of the contact form."""

    field_topic: Annotated[LocalizedText | None, Word(_("Topic", "field"))] = None
    """The label of a field of the contact form."""

    field_message: Annotated[LocalizedText | None, Word(_("Message", "field"))] = None
    """The label of a field of the contact form."""

    field_optional: Annotated[LocalizedText | None, Word(_("(optional)"))] = None
    """The mark of a field that may stay empty."""

    send: Annotated[LocalizedText | None, Word(_("Send"))] = None
    """The button of the contact form."""

    sent_heading: Annotated[LocalizedText | None, Word(_("Thank you", "sent"))] = None
    """The heading after the form was sent."""

    sent_text: Annotated[LocalizedText | None, Word(_("Your message has arrived."))] = None
    """The text after the form was sent."""

    write_again: Annotated[LocalizedText | None, Word(_("Write another message"))] = None
    """The link back to the form after it was sent."""

    call_heading: Annotated[LocalizedText | None, Word(_("Call us"))] = None
    """The heading of the contact page without a form."""

    call_text: Annotated[
        LocalizedText | None, Word(_("We answer your questions by telephone."))
    ] = None
    """The text beside the telephone number on the contact page without a form."""

    whatsapp: Annotated[LocalizedText | None, Word(_("WhatsApp"))] = None
    """The button to WhatsApp on the contact page without a form."""

    our_cities: Annotated[LocalizedText | None, Word(_("Our cities"))] = None
    """The heading of the cities in the footer."""

    copyright: Annotated[LocalizedText | None, Word("© {name}", is_translated=False)] = None
    """The first of the small lines of the footer."""

    for_developers: Annotated[LocalizedText | None, Word(_("For developers"))] = None
    """The link of the footer to `/developers`."""

    for_agents: Annotated[LocalizedText | None, Word(_("For AI agents"))] = None
    """The link of the footer to `/llms.txt`."""

    atom_feed: Annotated[LocalizedText | None, Word(_("Atom feed"))] = None
    """The link of the footer to the feed of the blog."""

    sitemap: Annotated[LocalizedText | None, Word(_("Sitemap"))] = None
    """The link of the footer to `/sitemap.xml`."""

    legal_lines: list[LocalizedText] | None = None
    """Further small lines of the footer, such as the number in the trade register."""


NAMED_WORDS: Mapping[str, Word] = marked(NamedWords, Word)
"""The buttons and lines with a default, by field."""


def _all_words() -> Mapping[str, Word]:
    """Return the named words, and the texts that are none of them."""
    named = {word.default for word in NAMED_WORDS.values()}
    texts = interface_texts().items()
    others = {name: Word(text.message) for name, text in texts if text.message not in named}
    return {**others, **NAMED_WORDS}


WORDS = _all_words()
"""All words with a default, by field; the texts of the catalogs come first."""


def _checked(name: str, own: BilingualString | None) -> BilingualString | None:
    for language, text in (own or {}).items():
        interface_texts()[name].check(text, Language(language))
    return own


def _own_text(name: str) -> Any:
    """Return the type of the key of a text of the catalogs."""
    description = interface_texts()[name].written(Language.EN)
    check = AfterValidator(partial(_checked, name))
    return Annotated[LocalizedText | None, WORDS[name], check, Field(description=description)]


_UNUSED = (
    "content_administration_and_its_assistant_tools_for_staff",
    "partner_there_is_no_mcp_server_no_sandbox",
    "partner_there_is_no_sandbox_no_commandline_tool",
    "there_is_no_mcp_server_no_sandbox_no",
    "there_is_no_sandbox_no_commandline_tool_and",
    "use_this_service_when_you_need_what_site",
    "use_this_site_when_a_question_is_about",
)
"""Keys of texts of 1.0, which the file of a site may still have."""

_UnusedText = Annotated[
    LocalizedText | None, Field(description="Not used: see `agents` in `site/settings.md`.")
]


def _words_model() -> type[NamedWords]:
    """Return the model of `site/words.md`, which has the texts of the catalogs as further keys.

    Their types are expressions, which are evaluated when a site has such a file.
    """
    others = [name for name in WORDS if name not in NAMED_WORDS]
    namespace = {
        "__annotations__": {
            **{name: f"_own_text({name!r})" for name in others},
            **dict.fromkeys(_UNUSED, "_UnusedText"),
        },
        "__module__": __name__,
        "__doc__": "`site/words.md`: the texts of the interface.",
        **dict.fromkeys((*others, *_UNUSED)),
    }
    return front_matter(type("WordsFields", (NamedWords,), namespace))


WordsFields = _words_model()


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
        advice = Text("Use small letters a to z, digits and hyphens, at most {}.", MAX_TOPIC)
        raise InvalidValue(Text("invalid topic"), advice)
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
