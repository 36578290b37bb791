"""Those who are told of the leads of a site, for tests: store, outbox and dispatchers in one."""

from __future__ import annotations

from datetime import timedelta
from itertools import count
from typing import Any, Self

from contract.visitor import FakeClock
from gulf import SLUGS
from storefront.clocks import FakeDatabaseClock

from app.features.leads.answers import FindForm, no_form
from app.features.leads.model import Submission
from app.features.leads.service import open_notifications
from app.features.leads.settings import LeadSettings
from app.features.leads.store import lead_store
from app.features.leads.submission import validate_lead
from app.platform.database.database import Database
from app.platform.deliveries.delivery import Delivery
from app.platform.deliveries.outbox import Outbox

PERSON = {
    "email": "noor@example.com",
    "name": "Noor Al Suwaidi",
    "company": "Noor Trading LLC",
    "topic": "demo",
    "message": "May we see the POS?",
    "sourcePage": "/ae/en/contact",
}
_NUMBERS = count()


class Site:
    """A process of a site that tells of leads; `settings` say to whom."""

    def __init__(
        self,
        database: Database,
        clock: FakeClock | None = None,
        forms: FindForm = no_form,
        **settings: Any,
    ) -> None:
        self.clock = clock or FakeClock()
        self.database = database
        values = {"base_url": "https://www.wahat.example", **settings}
        self.settings = LeadSettings(_env_file=None, **values)
        self.outbox = Outbox(database, FakeDatabaseClock(self.clock))
        self.store = lead_store(self.settings, database, self.outbox)
        self.service = open_notifications(
            self.settings, database, self.outbox, self.store, self.clock, forms
        )

    async def __aenter__(self) -> Self:
        await self.service.__aenter__()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.service.__aexit__()

    async def receive(self, quarantined: bool = False, **fields: str) -> str:
        """Store a lead with these fields, and return its ID."""
        lead = validate_lead({**PERSON, **fields}, SLUGS)
        name = f"lead-{next(_NUMBERS)}"
        return await self.store.add(Submission(name, lead, self.clock(), quarantined))

    async def deliver(self, later: timedelta = timedelta()) -> int:
        """Send what is due after a time, and return the number of attempts."""
        self.clock.move(later)
        return sum([await each.deliver_due() for each in self.service.dispatchers])

    async def deliveries(self) -> list[Delivery]:
        """Return everything in the outbox, newest first."""
        return await self.outbox.newest(100)
