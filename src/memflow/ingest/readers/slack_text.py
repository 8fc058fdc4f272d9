"""Slack's markup into words: who is mentioned, where a link leads; the rest stays as it is.

The forms are Slack's own (api.slack.com, "Formatting text"): `<@U1>`, `<@U1|name>`, `<#C1|name>`,
`<!here>`, `<!subteam^S1|@name>`, `<https://…|label>`, and `&amp; &lt; &gt;`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_MARK = re.compile(r"<([@#!]?)([^<>|\s]+)(?:\|([^<>\n]*))?>")
_ENTITY = re.compile(r"&(amp|lt|gt);")
_SIGNS = {"amp": "&", "lt": "<", "gt": ">"}


def readable(text: str, people: Mapping[str, str], channels: Mapping[str, str]) -> str:
    """`people` and `channels` are names by id; an id without a name stays."""

    def mark(found: re.Match[str]) -> str:
        sign, target, said = found.groups()
        match sign:
            case "@":
                return f"@{people.get(target) or said or target}"
            case "#":
                return f"#{said or channels.get(target) or target}"
            case "!":
                return said or f"@{target.split('^')[0]}"
            case _:
                bare = target.removeprefix("mailto:")
                return bare if not said or said in (target, bare) else f"{said} ({bare})"

    return _ENTITY.sub(lambda found: _SIGNS[found[1]], _MARK.sub(mark, text))
