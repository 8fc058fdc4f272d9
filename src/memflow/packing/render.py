"""How packed evidence is written down: fenced, dated, attributed.

    <memory>
    About the user:
    - home: Porto (said 1 March 2026)
    Computed:
    - From 3 May 2026 to 24 May 2026: 21 days (3 weeks).
    [Fri 5 May 2026]
    Ana: I finally moved in …
    </memory>

Text inside the fence is data. A line break inside a turn is indented, so that no turn can pass
for another speaker's line or for a header; the fence's own tags cannot occur inside it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from memflow.dates import format_date
from memflow.types import Item, SessionKind, Slot, Turn

OPEN, CLOSE = "<memory>", "</memory>"
EMPTY = "(nothing found)"
_FENCE = re.compile(r"<(?=/?\s*memory)", re.IGNORECASE)
_TITLES = {Slot.PINNED: "About the user:", Slot.PREPARED: "Computed:"}


def header(turn: Turn) -> str:
    """The line above a group of raw items: the session's date, or the document's name."""
    date = format_date(turn.time.date(), weekday=True) if turn.time else "undated"
    if turn.kind is SessionKind.DOCUMENT:
        return f"[From {_inline(turn.speaker)}{', ' + date if turn.time else ''}]"
    return f"[{date}]"


def line(item: Item) -> str:
    """One item as the model reads it."""
    body = _FENCE.sub("‹", item.text.strip()).replace("\r\n", "\n").replace("\n", "\n  ")
    note = f" ({item.note})" if item.note else ""
    if item.slot is not Slot.RAW:
        return f"- {body}{note}"
    turn = item.turns[0]
    if turn.kind is SessionKind.DOCUMENT:
        return f"{body}{note}"
    return f"{_inline(turn.speaker)}{note}: {body}"


def render(items: Sequence[Item]) -> str:
    """The whole context; items come in presentation order, slot by slot."""
    lines: list[str] = [OPEN]
    for slot, title in _TITLES.items():
        chosen = [item for item in items if item.slot is slot]
        if chosen:
            lines += [title, *map(line, chosen)]
    previous: str | None = None
    for item in (item for item in items if item.slot is Slot.RAW):
        if previous != item.turns[0].session:
            lines.append(header(item.turns[0]))
            previous = item.turns[0].session
        lines.append(line(item))
    if len(lines) == 1:
        lines.append(EMPTY)
    lines.append(CLOSE)
    return "\n".join(lines)


def _inline(name: str) -> str:
    return _FENCE.sub("‹", " ".join(name.split())).replace(":", " ") or "unknown"
