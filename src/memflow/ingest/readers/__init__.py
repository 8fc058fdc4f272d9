"""Files into turns: chat exports, benchmark conversations, text.

    read_file    the one entry: opens, detects, streams
    detection    which format, and why
    files        bytes into text, within limits
    json_stream  a JSON list element by element
    messages     one message into a turn; chats: the files they come in
    locomo, longmemeval, documents
    rows         what a reader yields

docs/ingest.md describes formats, limits and what is left out.
"""

from memflow.ingest.readers.detection import Detected, Format, detect
from memflow.ingest.readers.messages import Frame, message_rows
from memflow.ingest.readers.reading import read_file
from memflow.ingest.readers.rows import Broken, Note, Row, Rows

__all__ = [
    "Broken",
    "Detected",
    "Format",
    "Frame",
    "Note",
    "Row",
    "Rows",
    "detect",
    "message_rows",
    "read_file",
]
