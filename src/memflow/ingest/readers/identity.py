"""Ids that come out the same in every export, and sessions for chats that never end."""

from __future__ import annotations

import hashlib
from collections import Counter
from datetime import UTC, datetime, tzinfo


class Digests:
    """Ids for messages that have none: of what is known of them, and of how often exactly that
    came before within the same `page` (a day), so that a repeated "ok" is a turn of its own.

    An export that has grown gives the old messages the same ids.
    """

    def __init__(self) -> None:
        self._page: object = None
        self._seen: Counter[str] = Counter()

    def next(self, page: object, *parts: object) -> str:
        if page != self._page:
            self._page = page
            self._seen.clear()  # what is kept in mind does not grow with the file
        # repr keeps the parts apart, whatever they contain.
        digest = hashlib.sha256(repr((page, *parts)).encode("utf-8", "replace")).hexdigest()[:24]
        self._seen[digest] += 1
        count = self._seen[digest]
        return digest if count == 1 else f"{digest}-{count}"


def day_of(time: datetime | None, zone: tzinfo = UTC) -> str:
    """The part of a session's name that divides an endless chat into days.

    Days are those of UTC wherever the export tells the moment, so that they do not move with
    the zone somebody reads it in.
    """
    if time is None:
        return "undated"
    try:
        return time.astimezone(zone).date().isoformat()
    except (OverflowError, ValueError):
        return time.date().isoformat()
