"""Files into turns: exports of chats and mail, benchmark conversations, documents.

    read_file    the one entry: a file, an archive, a folder, as a stream of turns
    gathering    what is in them, one file after the other; table: who reads which format
    detection    which format, and why; shapes: the JSON ones, by their keys
    files        bytes into text, within limits; containers: folders and archives
    json_stream  JSON by its elements; watching: progress
    messages     one message into a turn; chats, logs: the files they come in
    chatgpt, claude, slack, whatsapp, telegram, discord, discord_package, mail
    documents, pdf, word, locomo, longmemeval
    rows         what a reader yields; identity: ids that stay the same; zones

docs/imports.md describes formats, limits and what is left out.
"""

from memflow.ingest.readers.detection import detect
from memflow.ingest.readers.formats import Detected, Format
from memflow.ingest.readers.messages import Frame, message_rows
from memflow.ingest.readers.reading import read_file
from memflow.ingest.readers.rows import Broken, Note, Row, Rows
from memflow.ingest.readers.watching import Watch

__all__ = [
    "Broken",
    "Detected",
    "Format",
    "Frame",
    "Note",
    "Row",
    "Rows",
    "Watch",
    "detect",
    "message_rows",
    "read_file",
]
