"""The sender of mails about leads: each delivery is a mail to one recipient."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from app.features.leads.mail_texts import MailTexts, read_quarantined, recipient_id
from app.features.leads.notices import LeadNotice, notice_of
from app.features.leads.store import LeadStore
from app.features.leads.webhook_sender import GONE, NONE_LEFT
from app.platform.deliveries.delivery import AttemptResult, Delivery
from app.platform.deliveries.smtp import send_mail
from app.platform.deliveries.smtp_server import SmtpServer


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
        notice = notice_of(delivery)
        to = self._recipients.get(notice.receiver)
        if to is None:
            return AttemptResult(error="the recipient is not in LEADS_EMAIL_TO", final=True)
        if isinstance(notice, LeadNotice):
            stored = await self._store.get(notice.lead)
            if stored is None:
                return GONE
            mail = self._texts.of_lead(delivery, to, stored)
        else:
            listed = await read_quarantined(self._store, notice.since, notice.until)
            if not listed.count:
                return NONE_LEFT
            mail = self._texts.of_quarantine(delivery, to, listed)
        return await send_mail(self._server, mail, to)
