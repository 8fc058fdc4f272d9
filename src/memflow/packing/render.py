"""How packed evidence is written down: fenced, dated, attributed.

    <memory>
    About the user:
    - home: Porto (said 1 March 2026)
    Computed:
    - From 3 May 2026 to 24 May 2026: 21 days (3 weeks).
    [Fri 5 May 2026] Ana: I finally moved in …
    [Sat 6 May 2026]
    Ben: How is it?
    Ana: Loud.
    </memory>

Text inside the fence is data. A line break inside a turn is indented, so that no turn can pass
for another speaker's line or for a header; the fence's own tags cannot occur inside it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from memflow.dates import format_date
from memflow.types import Item, SessionKind, Slot

OPEN, CLOSE = "<memory>", "</memory>"
EMPTY = "(nothing found)"
# Everything that a reader, or `str.splitlines`, takes for the end of a line.
_BREAK = re.compile("\r\n|[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_FENCE = re.compile(r"<(?=/?\s*memory)", re.IGNORECASE)


def header(item: Item) -> str:
    """The line above a run of items: its heading; for raw ones the session's date or document."""
    if item.slot is not Slot.RAW:
        return item.heading
    turn = item.turns[0]
    date = format_date(turn.time.date(), weekday=True) if turn.time else "undated"
    if turn.kind is SessionKind.DOCUMENT:
        return f"[From {_inline(turn.speaker)}{', ' + date if turn.time else ''}]"
    return f"[{date}]"


def group(item: Item) -> tuple[object, ...]:
    """Items of one group stand together under one header."""
    return (item.slot, item.turns[0].session if item.slot is Slot.RAW else item.heading)


def line(item: Item) -> str:
    """One item as the model reads it."""
    body = _BREAK.sub("\n  ", _FENCE.sub("‹", item.text.strip()))
    note = f" ({item.note})" if item.note else ""
    if item.slot is not Slot.RAW:
        return f"- {body}{note}"
    turn = item.turns[0]
    if turn.kind is SessionKind.DOCUMENT:
        return f"  {body}{note}"
    return f"{_inline(turn.speaker)}{note}: {body}"


def render(items: Sequence[Item]) -> str:
    """The whole context; items come in presentation order, slot by slot."""
    lines: list[str] = [OPEN]
    for _, run in groupby(items, key=group):
        together = list(run)
        head = header(together[0])
        if together[0].slot is Slot.RAW and len(together) == 1:
            lines.append(f"{head} {line(together[0])}")  # the date stands in the line it dates
        else:
            lines += [head, *map(line, together)]
    if len(lines) == 1:
        lines.append(EMPTY)
    lines.append(CLOSE)
    return "\n".join(lines)


def _inline(name: str) -> str:
    return _FENCE.sub("‹", " ".join(name.split())).replace(":", " ") or "unknown"
