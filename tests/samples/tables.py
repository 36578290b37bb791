"""A restaurant with two branches in two countries, whose tables are booked by a form."""

BRANCHES = """---
singular: { en: Branch, ar: فرع }
plural: { en: Branches, ar: الفروع }
sort: title
fields:
  opening: { type: hours, label: { en: Hours, ar: المواعيد } }
  kitchen: { type: hours, label: { en: Kitchen, ar: المطبخ } }
  mailbox: { type: mail, show: nothing }
---
"""
OLAYA = """---
title: { en: Olaya, ar: العليا }
countries: [sa]
aliases: [/branches/tahlia]
mailbox: olaya@tables.example
opening:
  days: { sunday-thursday: "12:00-16:00, 18:00-1:00", saturday: 12:00-23:00 }
  exceptions:
    - { date: 2026-12-02, name: { en: Works, ar: صيانة } }
kitchen: { days: { daily: 12:00-22:00 } }
---
"""
BAY = """---
title: { en: Al Khobar Bay, ar: خليج الخبر }
countries: [sa]
opening: { days: { daily: 12:00-23:00 } }
---
"""
MARINA = """---
title: { en: Marina, ar: المارينا }
countries: [ae]
mailbox: marina@tables.example
opening: { days: { daily: 12:00-23:00 }, timeZone: Asia/Dubai }
---
"""
TABLE = """---
title: { en: Book a table, ar: احجز طاولة }
fields:
  name: { type: text, required: true }
  phone: { type: phone, required: true }
  email: { type: email }
  branch:
    type: choice
    label: { en: Branch, ar: الفرع }
    choices: { from: branches }
    required: true
  people: { type: number, label: { en: People, ar: عدد الأشخاص }, min: 1, max: 12, required: true }
  day:
    type: date
    label: { en: Day, ar: اليوم }
    min: today
    max: today+60
    hours: branch
    required: true
  time: { type: time, label: { en: Time, ar: الوقت }, hours: branch, required: true }
---
We keep a table for a quarter of an hour.
"""
TABLES = {
    "_kinds/branches.md": BRANCHES,
    "branches/olaya.md": OLAYA,
    "branches/bay.md": BAY,
    "branches/marina.md": MARINA,
    "forms/table.md": TABLE,
    "forms/table.ar.md": "---\ntitle: احجز طاولة\n---\nنحتفظ بالطاولة ربع ساعة.\n",
}
