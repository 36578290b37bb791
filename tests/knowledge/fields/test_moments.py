"""Dates as people and other generators write them."""

from __future__ import annotations

import pytest
from cases import cases

from knowledge.fields.moments import AmbiguousMoment, parse_moment

READ = """
2026-05-01 | 2026-05-01T00:00:00
2026/5/1 | 2026-05-01T00:00:00
2026.05.01 | 2026-05-01T00:00:00
٢٠٢٦-٠٥-٠١ | 2026-05-01T00:00:00
1 مايو 2026 | 2026-05-01T00:00:00
الجمعة، 1 أيار 2026 | 2026-05-01T00:00:00
1 كانون الثاني 2026 | 2026-01-01T00:00:00
May 1st, 2026 | 2026-05-01T00:00:00
1-May-2026 | 2026-05-01T00:00:00
13/05/2026 | 2026-05-13T00:00:00
05/13/2026 | 2026-05-13T00:00:00
2001-12-14 21:59:43.10 -5 | 2001-12-14T21:59:43.100000-05:00
2015-03-17 14:00:00 -4 | 2015-03-17T14:00:00-04:00
2023-2-07T00:00:00.000Z | 2023-02-07T00:00:00+00:00
2026-05-01 10:00:00.123 +0000 UTC | 2026-05-01T10:00:00.123000+00:00
2026-05-01 10:00:00.123456789 +0400 +04 m=+0.01 | 2026-05-01T10:00:00.123456+04:00
2026-05-01 10:00 PM | 2026-05-01T22:00:00
2026-05-01 12:05 am | 2026-05-01T00:05:00
2026-05-01 ١٠:٣٠ م | 2026-05-01T22:30:00
2026-05-01 10:00:00 Asia/Riyadh | 2026-05-01T10:00:00+03:00
2026-05-01 22:00 +03:00 | 2026-05-01T22:00:00+03:00
2026-05-01T10:00:00 +0300 | 2026-05-01T10:00:00+03:00
2026-05-01T24:00:00Z | 2026-05-02T00:00:00+00:00
2026-05-01 10:00:00 GMT+3 | 2026-05-01T10:00:00+03:00
Tue May 12 2026 10:00:00 GMT+0300 (Arabian Standard Time) | 2026-05-12T10:00:00+03:00
Tue, 12 May 2026 10:00:00 GST | 2026-05-12T10:00:00+04:00
Tue, 12 May 2026 10:00:00 EST | 2026-05-12T10:00:00-05:00
Tue May 12 10:00:00 UTC 2026 | 2026-05-12T10:00:00+00:00
May 12, 2026 10:00 PM EST | 2026-05-12T22:00:00-05:00
12 May 2026 at 10:00 | 2026-05-12T10:00:00
"""


@cases(("written", "read"), [line.split(" | ") for line in READ.strip().splitlines()])
def test_a_date_is_read_as_a_whole(written: str, read: str) -> None:
    """With its half of the day, its zone, and whatever follows."""
    moment = parse_moment(written)
    assert moment is not None
    assert moment.isoformat() == read


UNREAD = """
soon
2026-05-01 10:00 XYZ
2026-05-01 about noon
2026-13-01
2026-05-01 25:00
2026-05-01 13:00 PM
May 2026
2026-05-01 10:00 Asia/Nowhere
1 May 26
"""


@cases("written", [*UNREAD.strip().splitlines(), "9" * 200])
def test_what_is_not_understood_is_no_date(written: str) -> None:
    """Nothing of it is ignored."""
    assert parse_moment(written) is None


@cases(
    ("written", "readings"),
    [
        ("01/05/2026", "“01/05/2026” may be 2026-05-01 or 2026-01-05"),
        ("1.5.2026 10:00", "“1.5.2026 10:00” may be 2026-05-01 or 2026-01-05"),
        (
            "5 May 2026 10:00 AST",
            "“5 May 2026 10:00 AST” may be 5 May 2026 10:00 +03:00 (Arabia)"  # noqa: ISC004
            " or 5 May 2026 10:00 -04:00 (Atlantic)",
        ),
    ],
)
def test_a_date_with_two_readings_is_refused_with_both(written: str, readings: str) -> None:
    """The author says which one it is."""
    with pytest.raises(AmbiguousMoment) as raised:
        parse_moment(written)
    assert str(raised.value) == readings


HIJRI = """
1447-07-10 | 2025-12-30T00:00:00
١٤٤٧/٠٧/١٠ | 2025-12-30T00:00:00
13/07/1447 | 2026-01-02T00:00:00
1447-02-29 | 2025-08-23T00:00:00
1446-09-01T09:30:00+03:00 | 2025-03-01T09:30:00+03:00
2026-05-01 | 2026-05-01T00:00:00
1200-05-01 | 1200-05-01T00:00:00
"""


@cases(("written", "read"), [line.split(" | ") for line in HIJRI.strip().splitlines()])
def test_a_hijri_date_is_one_of_umm_al_qura(written: str, read: str) -> None:
    """With digits of both kinds; other years stay Gregorian."""
    moment = parse_moment(written, is_hijri=True)
    assert moment is not None
    assert moment.isoformat() == read


@cases("written", ["1447-02-30", "1447-13-01", "1320-01-01"])
def test_a_day_that_umm_al_qura_lacks_is_no_date(written: str) -> None:
    """Its tables begin in 1343."""
    assert parse_moment(written, is_hijri=True) is None
