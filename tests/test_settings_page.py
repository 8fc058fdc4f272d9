"""docs/settings.md holds the table of the settings; UPDATE_DOCS=1 writes it anew."""

from __future__ import annotations

import os
from dataclasses import fields
from pathlib import Path

from memflow.settings import Settings

PAGE = Path(__file__).parent.parent / "docs" / "settings.md"
BEGIN, END = "<!-- settings: begin -->", "<!-- settings: end -->"


def table() -> str:
    rows = ["| setting | default | where the value comes from |", "| --- | --- | --- |"]
    for setting in fields(Settings):
        shown = f'"{setting.default}"' if isinstance(setting.default, str) else setting.default
        if isinstance(shown, bool):
            shown = str(shown).lower()
        rows.append(f"| `{setting.name}` | `{shown}` | {setting.metadata['source']} |")
    return "\n".join(rows)


def test_the_table_of_settings_is_up_to_date() -> None:
    page = PAGE.read_text(encoding="utf-8")
    head, begin, rest = page.partition(BEGIN)
    shown, end, tail = rest.partition(END)
    assert begin
    assert end
    if os.environ.get("UPDATE_DOCS") == "1":
        PAGE.write_text(f"{head}{BEGIN}\n{table()}\n{END}{tail}", encoding="utf-8")
        return
    assert shown.strip() == table(), "UPDATE_DOCS=1 pytest tests/test_settings_page.py mends it"
