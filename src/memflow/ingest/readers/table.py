"""Which function reads which format."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from memflow.errors import InputError
from memflow.ingest.readers.chatgpt import read_chatgpt
from memflow.ingest.readers.chats import read_messages_json, read_messages_jsonl
from memflow.ingest.readers.claude import read_claude
from memflow.ingest.readers.detection import refuse_unreadable
from memflow.ingest.readers.discord import read_discord
from memflow.ingest.readers.discord_package import read_discord_package, read_package_alone
from memflow.ingest.readers.documents import read_markdown, read_text
from memflow.ingest.readers.exports import Export
from memflow.ingest.readers.files import Source
from memflow.ingest.readers.formats import Detected, Format
from memflow.ingest.readers.locomo import read_locomo
from memflow.ingest.readers.longmemeval import read_longmemeval
from memflow.ingest.readers.mail import read_eml, read_mbox
from memflow.ingest.readers.pdf import read_pdf
from memflow.ingest.readers.rows import Origin, Rows
from memflow.ingest.readers.slack import read_slack, read_slack_day
from memflow.ingest.readers.telegram import read_telegram
from memflow.ingest.readers.watching import Watch
from memflow.ingest.readers.whatsapp import read_whatsapp
from memflow.ingest.readers.word import read_docx

READERS: Mapping[Format, Callable[[Source, Origin], Rows]] = {
    Format.MESSAGES_JSON: read_messages_json,
    Format.MESSAGES_JSONL: read_messages_jsonl,
    Format.LOCOMO: read_locomo,
    Format.LONGMEMEVAL: read_longmemeval,
    Format.CHATGPT: read_chatgpt,
    Format.CLAUDE: read_claude,
    Format.SLACK: read_slack_day,
    Format.WHATSAPP: read_whatsapp,
    Format.TELEGRAM: read_telegram,
    Format.DISCORD: read_discord,
    Format.DISCORD_PACKAGE: read_package_alone,
    Format.MBOX: read_mbox,
    Format.EML: read_eml,
    Format.MARKDOWN: read_markdown,
    Format.TEXT: read_text,
    Format.PDF: read_pdf,
    Format.DOCX: read_docx,
}
# Exports of many files that are read together.
EXPORTS: Mapping[Format, Callable[[Export, Origin], Rows]] = {
    Format.SLACK: read_slack,
    Format.DISCORD_PACKAGE: read_discord_package,
}
NOTHING = "no messages in it"

_NO_TEXT = frozenset({Format.MBOX, Format.EML, Format.PDF, Format.DOCX})  # not as a whole


def rows_of(source: Source, origin: Origin, found: Detected, watch: Watch) -> Rows:
    """The rows of one file. Raises InputError when there is none."""
    if found.format not in _NO_TEXT:
        refuse_unreadable(source.name, source.head)
    elif not source.head.strip():
        raise InputError(source.name, "the file is empty")
    watch.began(source.name, found)
    empty = True
    for row in READERS[found.format](source, origin):
        empty = False
        yield row
    if empty:
        raise InputError(source.name, NOTHING)
