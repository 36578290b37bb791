"""Translations of the interface: the words of a site, else those of the gettext catalogs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, wraps
from types import SimpleNamespace
from typing import Any, Concatenate, ParamSpec, TypeVar

from markupsafe import Markup, escape
from pydantic.alias_generators import to_camel

from knowledge.addresses.addresses import page_of
from knowledge.blocks.form import FormInput, FormOption, SiteForm
from knowledge.diagnostics.messages import mark as _
from knowledge.fields.content_types import REGISTRY
from knowledge.fields.content_types import WORDS as WORDS_DOCUMENT
from knowledge.fields.field_types import BilingualString
from knowledge.fields.form_fields import LEAD_LENGTHS, InputType
from knowledge.fields.interface_texts import catalog, interface_texts
from knowledge.fields.kind_texts import renamed_texts, words_of
from knowledge.fields.page_type import SiteText, filled
from knowledge.fields.site_fields import NAMED_WORDS, WORDS, NamedWords, Topic, Word, WordsFields
from knowledge.locales.locale import Language
from knowledge.resources import site
from knowledge.resources.forms import CONTACT_NAME, main_form
from knowledge.resources.site_chrome import brand
from knowledge.views.content_view import ContentView, cached_per_snapshot

API_DOMAIN = "api"
"""What the API says of itself, which only languages other than English have."""

Forms = Mapping[str, tuple[str, ...]]
"""The texts of a site by message id, in all forms of a plural."""

_MOST_FORMS = 6
"""How many forms a plural has in Arabic."""

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


class Translations:
    """The texts of one language: those of a site, else those of the catalog."""

    def __init__(self, language: Language, own: Forms) -> None:
        self._catalog, self._own = catalog(language), own
        self._markup: dict[str, Markup] = {}

    def gettext(self, message: str) -> str:
        """Return a text."""
        own = self._own.get(message)
        return own[0] if own else self._catalog.gettext(message)

    def ngettext(self, one: str, many: str, number: int) -> str:
        """Return the form of a plural for a number."""
        own = self._own.get(one)
        if not own:
            return self._catalog.ngettext(one, many, number)
        form: int = vars(self._catalog)["plural"](number)  # no method returns it
        return own[form]

    def markup(self, message: str) -> Markup:
        """Return a text for HTML; that of a site is escaped."""
        known = self._markup.get(message)
        if known is None:
            text = self.gettext(message)
            known = escape(text) if message in self._own else Markup(text)  # noqa: S704
            self._markup[message] = known
        return known


@cache
def _of_catalog(language: Language) -> Translations:
    return Translations(language, {})


_of_site: ContextVar[Mapping[Language, Translations] | None] = ContextVar("of_site", default=None)


def translations(language: Language) -> Translations:
    """Return the texts of a language: within `site_texts` those of the site.

    >>> translations(Language.EN).ngettext("%(count)s article", "%(count)s articles", 2)
    '%(count)s articles'
    """
    found = _of_site.get()
    return found[language] if found else _of_catalog(language)


@contextmanager
def site_texts(view: ContentView | None) -> Iterator[None]:
    """Translate with the texts that the site has in the country of a view."""
    token = _of_site.set(_site_translations(view) if view else None)
    try:
        yield
    finally:
        _of_site.reset(token)


def in_site_texts(
    function: Callable[Concatenate[Any, Arguments], Result],
) -> Callable[Concatenate[Any, Arguments], Result]:
    """Decorate what makes something of a view or page, to translate with the texts of its site."""

    @wraps(function)
    def made(of: Any, /, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        with site_texts(of if isinstance(of, ContentView) else of.view):
            return function(of, *args, **kwargs)

    return made


@cached_per_snapshot
def _site_translations(view: ContentView) -> Mapping[Language, Translations]:
    """Return the texts of a country, merged once for an edition."""
    views = {each: view.for_locale(view.locale.in_language(each)) for each in Language}
    own = {language: dict(_own_texts(each)) for language, each in views.items()}
    return {
        language: Translations(language, texts) if texts else _of_catalog(language)
        for language, texts in own.items()
    }


def _own_texts(view: ContentView) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the texts of the site by message id; `""` removes a button, and no other text.

    Those that name a kind which the site renames come first, as its own replace them.
    """
    fields, language = _fields(view), view.locale.language
    for message, renamed in renamed_texts(view.snapshot.kinds, language):
        yield message, (renamed,) * _MOST_FORMS
    for name, text in interface_texts().items():
        own = getattr(fields, name, None)
        if own and own.get(language):
            yield text.message, text.own_forms(own[language], language, brand(view))


def translate(message: str, language: Language, /, **values: object) -> str:
    """Return the translation of a marked text, with its placeholders filled.

    >>> translate("page %(number)s", Language.EN, number=2)
    'page 2'
    """
    if isinstance(message, SiteText):
        return message.say(language, values)
    text = translations(language).gettext(message)
    if "%(" not in message:  # that of a site may have any percent signs, and is no format
        return filled(text, values)
    return text % values if values else text


_TOPIC_LABELS: Mapping[str, str] = {
    "demo": _("An appointment"),
    "pricing": _("Prices"),
    "support": _("Support"),
    "other": _("Something else"),
}


@cached_per_snapshot
@in_site_texts
def site_words(view: ContentView) -> SimpleNamespace:
    """Return each word by its key, as in `words.talkToUs`; one that the site removes is `""`."""
    language, fields = view.locale.language, _fields(view)
    own = {name: getattr(fields, name) for name in (*NAMED_WORDS, "ask_for_a_demo")}
    own["talk_to_us"] = own["talk_to_us"] or own["main_button"]
    own["main_button"] = own["main_button"] or own["ask_for_a_demo"]  # its former name
    if own["main_button"] is None and (form := main_form(view)):
        own["main_button"] = form.words.get("submit", form.title)
    texts = {to_camel(name): _text(own[name], word, language) for name, word in NAMED_WORDS.items()}
    return SimpleNamespace(
        **{key: text.replace("{name}", brand(view)) for key, text in texts.items()}
    )


def written_words(view: ContentView) -> dict[str, BilingualString]:
    """Return each word by its key as `site/words.md` has it, in all languages of the site.

    A word of a kind that the site does not have is left out, unless the site sets it.
    """
    languages, absent = view.snapshot.locales.languages, words_of(view.snapshot.kinds.absent)
    fields = {each: _fields(view.for_locale(view.locale.in_language(each))) for each in languages}
    return {
        to_camel(name): {
            str(language): _written(name, getattr(fields[language], name), language)
            for language in languages
        }
        for name in WORDS
        if name not in absent or any(getattr(each, name) for each in fields.values())
    }


def _written(name: str, own: Mapping[str, str] | None, language: Language) -> str:
    """Return a text as `site/words.md` has it."""
    text = interface_texts().get(name)
    if own or text is None:
        return _text(own, WORDS[name], language)
    return text.written(language)


@cached_per_snapshot
@in_site_texts
def contact_form_settings(view: ContentView) -> site.ContactFormSettings:
    """Return the form of the view's country, with labels in all languages of the site."""
    options, words = site.form_options(view), bilingual_words(view)
    return site.ContactFormSettings(
        enabled=options.enabled,
        fields=[
            site.FormField(name=name, label=words[to_camel(f"field_{name}")], required=required)
            for name, required in options.required.items()
        ],
        topics=[
            site.FormTopic(
                value=topic.value, label=_topic_label(view, topic), topic=topic.lead_topic
            )
            for topic in options.topics
        ],
    )


_CONTACT_TYPES: Mapping[str, InputType] = {
    "email": "email",
    "phone": "phone",
    "topic": "choice",
    "message": "longText",
}


@cached_per_snapshot
def contact_form(view: ContentView) -> SiteForm:
    """Return the contact form of the view's country as one of the forms of the site."""
    settings = contact_form_settings(view)
    options = [FormOption(value=each.value, label=each.label) for each in settings.topics]
    inputs = [
        FormInput(
            name=each.name,
            label=each.label,
            type=_CONTACT_TYPES.get(each.name, "text"),
            required=each.required,
            lead=each.name,
            options=options if each.name == "topic" else None,
            is_preset=each.name == "topic",
            max_length=LEAD_LENGTHS.get(each.name),
        )
        for each in settings.fields
    ]
    path = view.locale.path + page_of(REGISTRY, CONTACT_NAME, view.snapshot).path
    title = bilingual_words(view)["formHeading"]
    return SiteForm(name=CONTACT_NAME, title=title, path=path, fields=inputs)


@cached_per_snapshot
def bilingual_words(view: ContentView) -> dict[str, BilingualString]:
    """Return each word by its key, in all languages of the site."""
    by_language = {
        str(language): vars(site_words(view.for_locale(view.locale.in_language(language))))
        for language in view.snapshot.locales.languages
    }
    by_name = {
        to_camel(name): {each: words[to_camel(name)] for each, words in by_language.items()}
        for name in NAMED_WORDS
    }
    return {**by_name, "askForADemo": by_name["mainButton"]}


@cached_per_snapshot
def complete_site_settings(view: ContentView) -> site.SiteSettings:
    """Return the site settings with all words and the contact form."""
    added = {"words": bilingual_words(view), "contact_form": contact_form_settings(view)}
    return site.site_settings(view).model_copy(update=added)


def _fields(view: ContentView) -> NamedWords:
    resolved = view.singleton(WORDS_DOCUMENT)
    return resolved.fields if resolved else WordsFields()


def _text(own: Mapping[str, str] | None, word: Word, language: Language) -> str:
    """Return a word; one that is removed in one language has no default in the other."""
    texts = own or {}
    if language in texts:
        return texts[language]
    if "" in texts.values():
        return ""
    if not word.is_translated:
        return next(iter(texts.values()), word.default)
    return translate(word.default, language)


def topic_name(topic: str, language: Language) -> str:
    """Return the words for a topic of the API, `""` for one of a site."""
    default = _TOPIC_LABELS.get(topic)
    return translate(default, language) if default else ""


def _topic_label(view: ContentView, topic: Topic) -> BilingualString:
    labels = topic.label or {}
    return {
        language: labels.get(language)
        or topic_name(topic.value, language)
        or next(iter(labels.values()), topic.value)
        for language in view.snapshot.locales.languages
    }
