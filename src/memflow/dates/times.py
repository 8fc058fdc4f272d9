"""Reads the time of a message as the exports of chats, mail and benchmarks write it."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, tzinfo
from email.utils import parsedate_to_datetime

from memflow.dates.folding import fold
from memflow.dates.numeric import day_and_month
from memflow.dates.tables import LANGUAGES

# Epoch numbers from here on are milliseconds, microseconds, nanoseconds: seconds of this size
# lie beyond the year 5000, milliseconds before March 1973.
_EPOCH_SCALES = ((1e17, 1e9), (1e14, 1e6), (1e11, 1e3))
_EPOCH = re.compile(r"[+-]?[0-9]{9,13}(?:\.[0-9]+)?|[0-9]{16}|[0-9]{19}")
_MAIL = re.compile(
    r"(?:[a-z]{3},\s*)?[0-9]{1,2}\s+[a-z]{3}\s+[0-9]{4}\s+[0-9]{2}:[0-9]{2}(?::[0-9]{2})?"
    r"\s+(?:[+-][0-9]{4}|[a-z]{1,4})(?:\s*\([^)]*\))?",
    re.IGNORECASE,
)
_ZONE = re.compile(r"(?<=[0-9])\s*(?:utc|gmt)?\s*(?P<offset>[+-][0-9]{2}:?[0-9]{2})$")
_ZULU = re.compile(r"(?<=[0-9m])\s*(?:z|utc|gmt)$")
_CLOCK = re.compile(
    r"(?<![\w:.])(?P<hour>[0-9]{1,2})(?::(?P<minute>[0-9]{2})(?::(?P<second>[0-9]{2})"
    r"(?:[.,](?P<fraction>[0-9]{1,9}))?)?)?\s*(?P<half>[ap]\.?\s?m\b\.?)?(?![\w:])"
)
_MONTHS = {
    word: number
    for language in reversed(LANGUAGES)
    for word, number in (*language.short_months.items(), *language.months.items())
}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DATE_FORMS = tuple(
    re.compile(form)
    for form in (
        r"(?<![\w/.-])(?P<year>[0-9]{4})(?P<sep>[-/.])(?P<a>[0-9]{1,2})(?P=sep)(?P<b>[0-9]{1,2})"
        r"(?![\w/-])",
        r"(?<![\w/.-])(?P<a>[0-9]{1,2})(?P<sep>[-/.])(?P<b>[0-9]{1,2})(?P=sep)"
        r"(?P<year>[0-9]{4}|[0-9]{2})(?![\w/-])",
        rf"(?<!\w)(?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)?[\s-]+(?:(?:de|of)\s+)?(?P<month>{_MONTH})"
        r"\.?,?(?:[\s-]+|\s+(?:de|del|of)\s+)(?P<year>[0-9]{4})(?!\w)",
        rf"(?<!\w)(?P<month>{_MONTH})\.?\s+(?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)?,?\s+"
        r"(?P<year>[0-9]{4})(?!\w)",
    )
)
_WEEKDAYS = "|".join(
    word.replace("_", "[- ]") for language in LANGUAGES for word in language.weekdays
)
_FILLER = re.compile(rf"(?<!\w)(?:{_WEEKDAYS}|on|at|as|a_las|el|dia)(?!\w)|[\s,()\[\]@·–-]+")


def parse_time(text: str | float, *, default_zone: tzinfo = UTC) -> datetime:
    """The moment a message was sent, always with a zone: its own if it names one.

    Takes ISO 8601 and its looser relatives, epoch seconds to nanoseconds (numbers or digits),
    RFC 2822, "1:56 pm on 8 May, 2023", "2023/05/30 (Tue) 23:40", "2025-12-15 (Monday)", and
    written dates in English, Portuguese and Spanish; a date alone is its midnight. Weekdays are
    not checked. `default_zone` holds where no zone is named, and shows epoch times.
    ValueError names the text and an accepted form; so it does for 5/8/2023, which may be either.
    """
    if isinstance(text, str):
        moment = _from_text(text.strip(), default_zone)
    else:
        moment = None if isinstance(text, bool) else _from_epoch(text, default_zone)
    if moment is None:
        raise ValueError(
            f"cannot read a time from {str(text)[:80]!r}; "
            "write it like '2023-05-08T13:56:00+00:00' or '1:56 pm on 8 May, 2023'"
        )
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=default_zone)


def _from_text(text: str, zone: tzinfo) -> datetime | None:
    if _EPOCH.fullmatch(text):
        return _from_epoch(float(text), zone)
    try:
        if not text.isdigit() or len(text) == 8:
            return datetime.fromisoformat(text)
    except ValueError:
        pass
    try:
        return parsedate_to_datetime(text) if _MAIL.fullmatch(text) else _from_parts(text)
    except ValueError:
        return None


def _from_epoch(number: float, zone: tzinfo) -> datetime | None:
    scale = next((scale for least, scale in _EPOCH_SCALES if abs(number) >= least), 1.0)
    try:
        return datetime.fromtimestamp(number / scale, zone)
    except (ValueError, OverflowError, OSError):
        return None


def _from_parts(text: str) -> datetime | None:
    """A date and perhaps a time in any order, and nothing else of meaning."""
    rest, zone = _split_zone(fold(text).text)
    found = next((match for form in _DATE_FORMS if (match := form.search(rest))), None)
    if found is None:
        return None
    day = _date_of(found)
    rest = f"{rest[: found.start()]} , {rest[found.end() :].removeprefix('t')}"
    clock = _CLOCK.search(rest)
    moment = time()
    if clock:
        moment = _time_of(clock)
        rest = rest[: clock.start()] + rest[clock.end() :]
    return None if _FILLER.sub("", rest) else datetime.combine(day, moment, zone)


def _split_zone(text: str) -> tuple[str, tzinfo | None]:
    if zulu := _ZULU.search(text):
        return text[: zulu.start()], UTC
    if ":" in text and (named := _ZONE.search(text)):
        # The offset alone is read by the ISO parser, on a day of no account.
        return text[: named.start()], datetime.fromisoformat(f"2000-01-01T00:00{named[1]}").tzinfo
    return text, None


def _date_of(match: re.Match[str]) -> date:
    parts = match.groupdict()
    year = int(parts["year"]) + (2000 if len(parts["year"]) == 2 else 0)
    if "month" in parts:
        return date(year, _MONTHS[parts["month"]], int(parts["day"]))
    a, b = int(parts["a"]), int(parts["b"])
    if match.start("year") < match.start("a"):
        return date(year, a, b)
    if a != b and max(a, b) <= 12 and parts["sep"] != ".":
        raise ValueError("day and month may be either way round")
    day_month = day_and_month(a, b, month_first=False)
    if day_month is None:
        raise ValueError("no such day and month")
    return date(year, day_month[1], day_month[0])


def _time_of(match: re.Match[str]) -> time:
    hour = int(match["hour"])
    if match["half"]:
        if not 1 <= hour <= 12:
            raise ValueError("no such hour")
        hour = hour % 12 + (12 if match["half"].startswith("p") else 0)
    elif match["minute"] is None:
        raise ValueError("a number alone is no time")
    micro = int((match["fraction"] or "0").ljust(6, "0")[:6])
    return time(hour, int(match["minute"] or 0), int(match["second"] or 0), micro)
