"""The first line of a WhatsApp message: its date and time, who sent it, and what it is about.

Written from exports as they are shared publicly and from what public parsers accept
(Pustur/whatsapp-chat-parser, lucasrodes/whatstk): iOS writes `[12/03/23, 9:15:02 AM] Ana: hi` with
U+200E before everything the app itself says, Android `12/03/2023, 09:15 - Ana: hi`. The date has
the form of the phone's language, and U+202F or a no-break space may stand before AM and PM.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

APP = "\u200e"  # before what the app says on iOS
_MARKS = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
_LINE = re.compile(
    r"[\u200e\u200f\u202a-\u202e\ufeff]*(?P<open>\[)?"
    r"(?P<date>(?P<a>[0-9]{1,4})(?P<sep>[-/.]) ?(?P<b>[0-9]{1,2})(?P=sep) ?(?P<c>[0-9]{2,4}))"
    r"(?P<comma>[,.]?)\s+(?P<clock>(?P<hour>[0-9]{1,2})[:.](?P<minute>[0-9]{2})"
    r"(?:[:.](?P<second>[0-9]{2}))?(?:\s*(?P<half>[ap])\.?\s?m\b\.?)?)"
    r"(?(open)\]|\s+[-–])\s(?P<rest>.*)\Z",
    re.IGNORECASE | re.DOTALL,
)
_SENDER = re.compile(r"(?P<sender>[^\n]{1,120}?):(?:\s|\Z)(?P<body>.*)\Z", re.DOTALL)
_QUOTES = re.compile('["“”„«»]')
_HEAD_LINES = 200


class Order(StrEnum):
    """Which number of a date is which."""

    DAY_FIRST = "day/month/year"
    MONTH_FIRST = "month/day/year"
    YEAR_FIRST = "year/month/day"


@dataclass(frozen=True, slots=True)
class Opening:
    """A line that begins a message. `stamp` is its date and time as written, without marks."""

    numbers: tuple[int, int, int]
    sep: str
    padded: bool
    clock: tuple[int, int, int]
    half: str | None
    bracketed: bool
    stamp: str
    rest: str

    def moment(self, order: Order) -> datetime:
        """Without a zone. Raises ValueError for a date or time that does not exist."""
        a, b, c = self.numbers
        match order:
            case Order.DAY_FIRST:
                day, month, year = a, b, c
            case Order.MONTH_FIRST:
                month, day, year = a, b, c
            case Order.YEAR_FIRST:
                year, month, day = a, b, c
        hour, minute, second = self.clock
        if self.half:
            if not 1 <= hour <= 12:
                raise ValueError("no such hour")
            hour = hour % 12 + (12 if self.half == "p" else 0)
        return datetime(year + (2000 if year < 100 else 0), month, day, hour, minute, second)


def opening_of(line: str) -> Opening | None:
    """None for a line that goes on with the message before it."""
    found = _LINE.match(line)
    if found is None:
        return None
    a, b, c = found["a"], found["b"], found["c"]
    if len(a) == 3 or len(c) == 3 or (len(a) > 2 and len(c) > 2):
        return None
    second = int(found["second"] or 0)
    return Opening(
        numbers=(int(a), int(b), int(c)),
        sep=found["sep"],
        padded=a.startswith("0") or b.startswith("0"),
        clock=(int(found["hour"]), int(found["minute"]), second),
        half=found["half"].lower() if found["half"] else None,
        bracketed=bool(found["open"]),
        stamp=" ".join(plain(f"{found['date']} {found['clock']}").split()),
        rest=found["rest"],
    )


def sender_and_body(rest: str) -> tuple[str, str] | None:
    """None for what nobody said. The quotation marks tell a group's new name that has a colon in
    it from a sender: `Ana changed the name to "Porto: June"`."""
    found = _SENDER.match(rest)
    if found is None:
        return None
    sender = " ".join(plain(found["sender"]).split()).removeprefix("~").strip()
    if not sender or len(_QUOTES.findall(sender)) % 2:
        return None
    return sender, found["body"]


def plain(text: str) -> str:
    """Without the marks that only steer the direction of writing."""
    return _MARKS.sub("", text)


def recognised(text: str, name: str = "") -> str | None:
    """Why a text is taken for a WhatsApp chat, or None. Logs have lines like these, too: without a
    comma or U+200E to tell them apart, seconds are taken for a log's."""
    lines = [line for line in text.split("\n", _HEAD_LINES)[:_HEAD_LINES] if line.strip()]
    first = opening_of(lines[0].rstrip("\r")) if lines else None
    if first is None:
        return None
    named = "whatsapp" in name.casefold() or "_chat" in name.casefold()
    telling = _LINE.match(lines[0].rstrip("\r"))
    comma = telling is not None and bool(telling["comma"])
    short = telling is not None and telling["second"] is None and not first.bracketed
    if not (named or comma or short or APP in text):
        return None
    said = any(
        (at := opening_of(line.rstrip("\r"))) is not None and sender_and_body(at.rest)
        for line in lines
    )
    return f"its lines begin like WhatsApp's: '{first.stamp}'" if said else None


@dataclass(frozen=True, slots=True)
class Decision:
    """`doubt` is set when the dates alone do not decide it."""

    order: Order
    doubt: bool = False


def decide(openings: Iterable[Opening]) -> Decision | None:
    """The order of day and month for a whole file, None for a file without any message.

    A number above twelve decides; else the order in which the file never, or less often, goes
    back in time; else the custom: Americans write month/day without zeros and with AM and PM.
    """
    votes = {Order.DAY_FIRST: 0, Order.MONTH_FIRST: 0, Order.YEAR_FIRST: 0}
    steps_back = dict.fromkeys(votes, 0)
    before: dict[Order, datetime] = {}
    first: Opening | None = None
    for opening in openings:
        first = first or opening
        a, b, _ = opening.numbers
        if a > 31:
            votes[Order.YEAR_FIRST] += 1
        elif a > 12 >= b:
            votes[Order.DAY_FIRST] += 1
        elif b > 12 >= a:
            votes[Order.MONTH_FIRST] += 1
        for order in (Order.DAY_FIRST, Order.MONTH_FIRST):
            try:
                moment = opening.moment(order)
            except ValueError:
                continue
            steps_back[order] += order in before and moment.date() < before[order].date()
            before[order] = moment
    if first is None:
        return None
    best = max(votes, key=lambda order: votes[order])
    if votes[best]:
        return Decision(best)
    day, month = steps_back[Order.DAY_FIRST], steps_back[Order.MONTH_FIRST]
    if day != month:
        return Decision(Order.DAY_FIRST if day < month else Order.MONTH_FIRST)
    american = first.sep == "/" and first.half is not None and not first.padded
    return Decision(Order.MONTH_FIRST if american else Order.DAY_FIRST, doubt=first.sep != ".")
