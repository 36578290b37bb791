"""Forms for tests: a booking with date and consent, an application, a tender with a large file."""

BOOKING = """---
title: { en: Book a visit, ar: احجز موعدًا }
fields:
  name: { type: text, label: { en: Patient, ar: المريض }, required: true }
  phone: { type: phone }
  email: { type: email }
  service:
    type: choice
    label: { en: Service, ar: الخدمة }
    choices:
      heart-check: { en: Heart check, ar: فحص القلب }
      vaccination: { en: Vaccination, ar: التطعيم }
    required: true
  times:
    type: choice
    many: true
    label: { en: Times, ar: الأوقات }
    choices:
      morning: { en: Morning, ar: الصباح }
      evening: { en: Evening, ar: المساء }
  day:
    type: date
    label: { en: Preferred day, ar: اليوم المفضل }
    help: { en: Sunday to Thursday, ar: من الأحد إلى الخميس }
    min: today
    required: true
  persons: { type: number, label: { en: Persons, ar: عدد الأشخاص }, min: 1, max: 5 }
  firstVisit: { type: checkbox, label: { en: This is my first visit, ar: هذه زيارتي الأولى } }
  note: { type: longText, label: { en: Anything else, ar: ملاحظات } }
  consent:
    type: consent
    label: { en: "I agree to the [privacy notice].", ar: "أوافق على [سياسة الخصوصية]." }
    link: /about
    required: true
requireOneOf: [phone, email]
submit: { en: Ask for an appointment, ar: اطلب موعدًا }
thanks: { en: We have your request, ar: وصلنا طلبك }
thanksText: { en: We call you to confirm the time., ar: سنتصل بك لتأكيد الموعد. }
notify: [reception@clinic.example]
---
We confirm each appointment by telephone.
"""
CAREERS = """---
title: { en: Work with us, ar: اعمل معنا }
fields:
  name: { type: text, required: true }
  email: { type: email, required: true }
  cv:
    type: file
    label: { en: Your CV, ar: سيرتك الذاتية }
    accept: [pdf, docx, odt, txt]
    maxSize: 0.2
    maxFiles: 2
    required: true
---
We read every application.
"""
TENDER = """---
title: { en: Send a tender, ar: قدّم عرضك }
fields:
  name: { type: text, maxLength: 40, required: true }
  email: { type: email, required: true }
  phone: { type: phone }
  mobile: { type: phone, label: { en: Mobile, ar: الجوال } }
  plans:
    type: file
    label: { en: Plans, ar: المخططات }
    accept: [pdf, docx, txt]
    maxSize: 10
    maxFiles: 2
---
We open all tenders on one day.
"""
FORMS = {
    "pages/about.md": "---\ntitle: About\n---\n:::{form} At once\n:form: booking\n:::\n",
    "pages/about.ar.md": "---\ntitle: من نحن\n---\nمن نحن.\n",
    "registry/contact.md": "---\ntitle: Contact\n---\nText.\n",
    "forms/booking.md": BOOKING,
    "forms/booking.ar.md": "---\ntitle: احجز موعدًا\n---\nنؤكد كل موعد هاتفيًا.\n",
    "forms/careers.md": CAREERS,
    "forms/tender.md": TENDER,
    "forms/tender.ar.md": "---\ntitle: قدّم عرضك\n---\nنفتح كل العروض في يوم واحد.\n",
    "forms/careers.ar.md": "---\ntitle: اعمل معنا\n---\nنقرأ كل طلب يصلنا.\n",
}
