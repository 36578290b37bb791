"""Mails about leads: each delivery is a mail to one recipient, in the language of the team."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from email.errors import HeaderParseError
from email.headerregistry import Address
from email.message import EmailMessage
from itertools import chain

from app.features.leads.answers import (
    CHOSEN_TYPES,
    FindForm,
    answer_texts,
    answers_in_words,
    is_files,
    no_form,
    with_ids,
)
from app.features.leads.model import Lead, StoredLead
from app.features.leads.notices import SENDER, notice_of, recipient_id
from app.features.leads.store import LeadStore
from app.features.leads.webhook import MOST_LISTED, Quarantined, read_subject
from app.platform.deliveries.delivery import AttemptResult, Delivery
from app.platform.deliveries.smtp import SmtpServer, mail_address, new_mail, send_mail
from knowledge.blocks.form import SiteForm
from knowledge.diagnostics.messages import mark as _
from knowledge.fields.form_fields import PLACEHOLDER
from knowledge.locales.cldr import country_name
from knowledge.locales.locale import Country, Language, Locale, localized_text
from knowledge.markdown.inline import plain_line
from renderers.l10n.formats import date_time_with_zone
from renderers.l10n.translation import topic_name, translate

_MOST_ATTACHED = 10_000_000
"""Bytes of the files of one mail; larger ones are only named."""
_LONGEST = 120
"""Characters of a lead in a header."""
_INVISIBLE = ("Cc", "Cf", "Zl", "Zp")
"""Categories of characters that break lines, or change the direction of what follows."""
_LINES = re.compile(r"\r\n|[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]")


class MailSender:
    """Reads what a notice is about, and sends the mail to its recipient."""

    def __init__(
        self, store: LeadStore, server: SmtpServer, recipients: Sequence[str], texts: MailTexts
    ) -> None:
        self._store = store
        self._server = server
        self._recipients: Mapping[str, str] = {recipient_id(each): each for each in recipients}
        self._texts = texts

    async def aclose(self) -> None:
        """Do nothing: each mail has a connection of its own."""

    async def send(self, delivery: Delivery, _at: datetime) -> AttemptResult:
        """Send once; raises StoreUnavailable, so that it is sent when its lease has expired."""
        subject = await read_subject(self._store, delivery)
        if isinstance(subject, StoredLead) and notice_of(delivery).receiver == SENDER.id:
            return await self._send_copy(delivery, subject)
        named = subject.notify if isinstance(subject, StoredLead) else ()
        recipients = {**self._recipients, **{recipient_id(each): each for each in named}}
        to = recipients.get(notice_of(delivery).receiver)
        if to is None:
            return AttemptResult(error="the recipient is not in LEADS_EMAIL_TO", final=True)
        if isinstance(subject, AttemptResult):
            return subject
        if isinstance(subject, Quarantined):
            mail = self._texts.of_quarantine(delivery, to, subject)
        else:
            mail = self._texts.of_lead(delivery, to, subject)
            await self._attach_files(mail, subject)
        return await send_mail(self._server, mail, to)

    async def _send_copy(self, delivery: Delivery, stored: StoredLead) -> AttemptResult:
        to = mail_address(stored.lead.email)
        mail = self._texts.copy_of(delivery, to, stored) if to else None
        if mail is None or to is None:
            return AttemptResult(error="the form sends no copy to this address", final=True)
        return await send_mail(self._server, mail, to)

    async def _attach_files(self, mail: EmailMessage, stored: StoredLead) -> None:
        """Attach the files of a lead, as far as a mail may be that large."""
        size = 0
        answers = (each for each in (stored.lead.answers or {}).values() if is_files(each))
        for file in chain.from_iterable(answers):
            size += file["size"]
            content = await self._store.file(stored.id, file["number"])
            if content is not None and size <= _MOST_ATTACHED:
                main, _slash, sub = file["type"].partition("/")
                mail.add_attachment(content, main, sub, filename=header_text(file["name"]))


_LABELS = {
    "name": _("Name"),
    "email": _("E-mail"),
    "phone": _("Phone"),
    "company": _("Company", "field"),
    "form": _("Form", "mail"),
    "topic": _("Topic", "field"),
    "product_service": _("Product or service", "mail"),
    "product_list": _("Products", "mail"),
    "country_code": _("Country", "mail"),
    "page": _("Page before the form", "mail"),
    "source_page": _("Page with the form", "mail"),
    "source": _("Source", "mail"),
    "utm_source": _("Source of the campaign", "mail"),
    "utm_campaign": _("Campaign", "mail"),
}
"""The fields in the order of the mail; the message follows them."""


@dataclass(frozen=True, slots=True)
class MailTexts:
    """Writes the mails from one sender, in one language, about one site."""

    sender: str
    language: Language | None
    """Without it a mail is in the language of the page from which the lead was sent."""
    site: str
    """The public URL of the site, to which the paths of pages are added."""
    forms: FindForm = no_form
    """The forms of the site, which have the words of their answers."""
    names_commands: bool = False
    """Whether the readers have a shell of the service."""

    def of_lead(self, delivery: Delivery, to: str, stored: StoredLead) -> EmailMessage:
        """Return the mail about a lead; answers go to its sender."""
        lead, language = stored.lead, self.language or stored.lead.locale.language
        mail = new_mail(delivery, self.sender or to, to)
        who = header_text(lead.name or lead.email or lead.phone or lead.form or "")
        mail["Subject"] = self._subject(stored, who, language)
        if address := reply_address(lead.name, lead.email):
            mail["Reply-To"] = address
        mail.set_content("\n".join(self._lead_lines(stored, language)))
        return mail

    def _subject(self, stored: StoredLead, who: str, language: Language) -> str:
        """Return what was sent by whom: the title of a form of the site says it best."""
        asked = self.forms(stored.lead) if stored.lead.form else None
        if asked and "subject" in asked.words:
            return _filled(asked, language, _words(asked, stored, language))
        title = header_text(localized_text(asked.title, language)) if asked else ""
        if title:
            return f"{title}: {who}"
        return translate(_("New enquiry from %(sender)s", "mail"), language, sender=who)

    def copy_of(self, delivery: Delivery, to: str, stored: StoredLead) -> EmailMessage | None:
        """Return what the sender of a lead gets, in his language; None if the form sends none.

        It has nothing that he wrote himself: anybody may enter the address of somebody else.
        """
        asked, language = self.forms(stored.lead), stored.lead.locale.language
        sender = self.sender or next(iter(stored.notify), "")
        if asked is None or not asked.sends_copy or not sender:
            return None
        words = _words(asked, stored, language)
        chosen = {
            each.name: words[each.name]
            for each in asked.fields
            if each.type in CHOSEN_TYPES and each.name in words
        }
        mail = new_mail(delivery, Address(header_text(asked.site), addr_spec=sender), to)
        told = _filled(asked, language, chosen)
        mail["Subject"] = translate(_("Your request: %(subject)s", "mail"), language, subject=told)
        if address := reply_address(asked.site, asked.reply_to):
            mail["Reply-To"] = address
        labels = {each.name: localized_text(each.plain_label, language) for each in asked.fields}
        wish = translate(asked.wanted.noun, language) if asked.wanted else ""
        thanks = (asked.words.get("thanks"), asked.words.get("thanks_text"))
        lines = [
            *(plain_line(localized_text(each, language)) for each in thanks if each),
            "",
            translate(
                _("%(site)s has this from you:", "mail"), language, site=asked.site or self.site
            ),
            "",
            wish or localized_text(asked.title, language),
            *(line_text(f"{labels[name]}: {text}") for name, text in chosen.items()),
            "",
            translate(_("If it was not you, you need not do anything.", "mail"), language),
        ]
        mail.set_content("\n".join(lines).strip())
        return mail

    def of_quarantine(self, delivery: Delivery, to: str, listed: Quarantined) -> EmailMessage:
        """Return the mail about leads in quarantine."""
        mail = new_mail(delivery, self.sender, to)
        language = self.language or Language.EN
        mail["Subject"] = translate(
            _("Enquiries in quarantine: %(count)s", "mail"), language, count=listed.count
        )
        lines = _quarantine_lines(listed, language, names_commands=self.names_commands)
        mail.set_content("\n".join(lines))
        return mail

    def _lead_lines(self, stored: StoredLead, language: Language) -> Iterator[str]:
        lead, asked = stored.lead, self.forms(stored.lead)
        shown, labels = _shown(lead, asked, language), dict(_LABELS)
        if asked and asked.wanted:  # which says more than the topic
            del labels["topic"]
            labels["form"] = asked.wanted.noun
        for name, label in labels.items():
            if value := shown.get(name) or getattr(lead, name):
                address = f"{self.site}{value}" if name in ("page", "source_page") else value
                yield f"{translate(label, language)}: {line_text(address)}"
        readers, yes = Locale(lead.locale.country, language), translate(_("Yes"), language)
        for label, text in answer_texts(lead.answers or {}, asked, language, yes, readers):
            first, *more = _LINES.split(text)
            yield f"{line_text(label)}: {line_text(first)}" if text else line_text(label)
            yield from (f"> {line_text(line)}" for line in more)
        if stored.lead.message:
            yield ""
            # Quoted, so that no line of a message looks like one of the fields above.
            yield from (f"> {line_text(line)}" for line in _LINES.split(stored.lead.message))
        yield ""
        instant = date_time_with_zone(stored.received_at, readers)
        yield translate(_("Received %(instant)s", "mail"), language, instant=instant)
        if not self.names_commands:
            return
        command = f"majlis leads show {stored.id}"
        yield translate(_("All fields: %(command)s", "mail"), language, command=command)
        for each in filter(is_files, with_ids(stored.id, lead.answers or {}).values()):
            for file in each:
                command = f"majlis leads file {file['id']}"
                yield f"{line_text(file['name'])}: {command}"


def _words(asked: SiteForm, stored: StoredLead, language: Language) -> Mapping[str, str]:
    locale = Locale(stored.lead.locale.country, language)
    sent = stored.lead.model_dump(by_alias=True)
    return answers_in_words(asked, sent, locale, translate(_("Yes"), language))


def _filled(asked: SiteForm, language: Language, words: Mapping[str, str]) -> str:
    """Return the subject of a form with answers; its title if one of them is missing."""
    template = localized_text(asked.words.get("subject"), language)
    if not template or not set(PLACEHOLDER.findall(template)) <= set(words):
        return header_text(localized_text(asked.title, language))
    return header_text(PLACEHOLDER.sub(lambda found: words[found[1]], template))


def _shown(lead: Lead, asked: SiteForm | None, language: Language) -> Mapping[str, str | None]:
    """Return the fields that a mail tells in words: the form, the country, and what was chosen.

    The sender chose one of the topics of the form, whose own names come before those of the API.
    """
    country = Country.parse(lead.country_code or "") or lead.locale.country
    fields = (each for each in (asked.fields if asked else ()) if each.lead == "topic")
    labels = {each.value: each.label for field in fields for each in field.options or ()}
    chosen = lead.subject or lead.topic or ""
    label = localized_text(labels.get(chosen), language) or topic_name(chosen, language)
    return {
        "form": localized_text(asked.title, language) if asked and lead.form else lead.form,
        "country_code": country_name(country, language) if country else lead.country_code,
        "topic": label or chosen,
    }


def _quarantine_lines(
    listed: Quarantined, language: Language, *, names_commands: bool
) -> Iterator[str]:
    times = {
        "since": f"{listed.since:%Y-%m-%d %H:%M}",
        "until": f"{listed.until:%Y-%m-%d %H:%M}",
    }
    yield translate(
        _("They look like spam. Received from %(since)s to %(until)s UTC:", "mail"),
        language,
        **times,
    )
    yield ""
    for stored in listed.first:
        who = header_text(f"{stored.lead.name or ''} {stored.lead.email}".strip())
        yield f"{stored.received_at:%Y-%m-%d %H:%M}  {who}"
    if listed.count > MOST_LISTED:
        yield "…"
    yield ""
    if names_commands:
        yield translate(
            _("Read them, and release the real ones: %(command)s", "mail"),
            language,
            command="majlis leads review",
        )
    else:
        yield translate(_("Whoever runs the site can release the real ones.", "mail"), language)


def line_text(text: str) -> str:
    r"""Return a text without what breaks lines or changes their direction.

    >>> line_text("Noor\r\nBcc: all@a.example\u202e")
    'Noor Bcc: all@a.example'
    """
    visible = (" " if unicodedata.category(each) in _INVISIBLE else each for each in text)
    return " ".join("".join(visible).split())


def header_text(text: str) -> str:
    """Return a text for a header: one line, not too long, without encoded words (RFC 2047).

    Who sets or reads the header decodes such a word, and with it line breaks.

    >>> header_text("=?utf-8?q?x=0ABcc:_all@a.example?=")
    '= ?utf-8?q?x=0ABcc:_all@a.example?='
    """
    line = line_text(text).replace("=?", "= ?")
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


def reply_address(name: str | None, email: str) -> Address | None:
    """Return the address for answers, or None if it is not one that every mail server takes.

    >>> str(reply_address("Noor", "noor@مثال.example")), reply_address(None, "نور@a.example")
    ('Noor <noor@xn--mgbh0fb.example>', None)
    """
    address = mail_address(email)
    try:
        return Address(header_text(name or ""), addr_spec=address) if address else None
    except (ValueError, IndexError, HeaderParseError):
        return None
