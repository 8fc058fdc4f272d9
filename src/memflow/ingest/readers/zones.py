"""The zone of times that name none. The machine's is never assumed: an import has to come out the
same wherever it is run."""

from __future__ import annotations

import difflib
import re
from datetime import UTC, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from memflow.errors import UsageError

_OFFSET = re.compile(r"(?:UTC|GMT)?(?P<sign>[+-])(?P<hours>[0-9]{1,2})(?::?(?P<minutes>[0-9]{2}))?")


def zone_of(name: str) -> tzinfo:
    """ "UTC", an offset such as "+01:00", or a name such as "Europe/Lisbon".

    Raises UsageError, which suggests the nearest name.
    """
    name = name.strip()
    if name.upper() in {"UTC", "GMT", "Z"}:
        return UTC
    if found := _OFFSET.fullmatch(name):
        size = timedelta(hours=int(found["hours"]), minutes=int(found["minutes"] or 0))
        if size < timedelta(hours=15):
            return timezone(-size if found["sign"] == "-" else size)
    else:
        try:
            return ZoneInfo(name)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            pass
    near = difflib.get_close_matches(name, sorted(available_timezones()), n=1, cutoff=0.5)
    hint = f"did you mean '{near[0]}'? " if near else ""
    raise UsageError(
        f"unknown time zone '{name}'", mend=f"{hint}write it like Europe/Lisbon, +01:00 or UTC"
    )
