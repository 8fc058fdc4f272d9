"""The tables, in plain SQL: two placeholders hold all that differs on PostgreSQL.

`{key}` is an integer key that is never given twice, not even after a deletion: caches and traces
may hold it. `{clustered}` keeps a table in the order of its primary key.
"""

from __future__ import annotations

VERSION = 1

SQLITE = {"key": "INTEGER PRIMARY KEY AUTOINCREMENT", "clustered": "WITHOUT ROWID"}

# One statement each. Times stand twice: as written, with their offset, and in epoch seconds.
STATEMENTS: tuple[str, ...] = (
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    # `version` counts changes of the index; `rebuilt` is the last one that was no mere addition.
    """
    CREATE TABLE space (
        key {key},
        name TEXT NOT NULL UNIQUE,
        version BIGINT NOT NULL DEFAULT 0,
        rebuilt BIGINT NOT NULL DEFAULT 0
    )
    """,
    """
    CREATE TABLE session (
        key {key},
        space BIGINT NOT NULL REFERENCES space (key),
        name TEXT NOT NULL,
        first_time DOUBLE PRECISION,
        last_time DOUBLE PRECISION,
        untimed BIGINT NOT NULL DEFAULT 0,
        next_position BIGINT NOT NULL DEFAULT 0,
        UNIQUE (space, name)
    )
    """,
    # `indexed`: 0 pending, 1 for search by words, 2 with vectors as well.
    """
    CREATE TABLE turn (
        key {key},
        space BIGINT NOT NULL REFERENCES space (key),
        session BIGINT NOT NULL REFERENCES session (key),
        id TEXT NOT NULL,
        position BIGINT NOT NULL,
        role TEXT NOT NULL,
        speaker TEXT NOT NULL,
        kind TEXT NOT NULL,
        source TEXT,
        text TEXT NOT NULL,
        digest BLOB NOT NULL,
        time TEXT,
        epoch DOUBLE PRECISION,
        added TEXT NOT NULL,
        indexed BIGINT NOT NULL DEFAULT 0,
        UNIQUE (space, id)
    )
    """,
    "CREATE INDEX turn_session ON turn (session, position)",
    "CREATE INDEX turn_pending ON turn (space, indexed, key)",
    """
    CREATE TABLE embedding (
        key {key},
        space BIGINT NOT NULL REFERENCES space (key),
        digest BLOB NOT NULL,
        vector BLOB NOT NULL,
        UNIQUE (space, digest)
    )
    """,
    """
    CREATE TABLE chunk (
        key {key},
        space BIGINT NOT NULL REFERENCES space (key),
        turn BIGINT NOT NULL REFERENCES turn (key),
        begins BIGINT NOT NULL,
        ends BIGINT NOT NULL,
        length BIGINT NOT NULL,
        terms TEXT NOT NULL,
        embedding BIGINT REFERENCES embedding (key)
    )
    """,
    "CREATE INDEX chunk_space ON chunk (space, key)",
    "CREATE INDEX chunk_turn ON chunk (turn)",
    "CREATE INDEX chunk_embedding ON chunk (embedding)",
    # See postings.py. `chunk.terms`, a JSON list, says which lists a chunk is in.
    """
    CREATE TABLE posting (
        space BIGINT NOT NULL REFERENCES space (key),
        term TEXT NOT NULL,
        block BIGINT NOT NULL,
        body BLOB NOT NULL,
        PRIMARY KEY (space, term, block)
    ) {clustered}
    """,
    # `repeats`: an older fact in force already says the same; such rows are kept, not shown.
    """
    CREATE TABLE fact (
        key {key},
        space BIGINT NOT NULL REFERENCES space (key),
        turn BIGINT NOT NULL REFERENCES turn (key),
        subject TEXT NOT NULL,
        name TEXT NOT NULL,
        value TEXT NOT NULL,
        kind TEXT NOT NULL,
        quote TEXT NOT NULL,
        time TEXT,
        epoch DOUBLE PRECISION,
        superseded_by BIGINT,
        repeats BIGINT
    )
    """,
    "CREATE INDEX fact_chain ON fact (space, subject, name)",
    "CREATE INDEX fact_turn ON fact (turn)",
    """
    CREATE TABLE trace (
        space BIGINT NOT NULL REFERENCES space (key),
        id TEXT NOT NULL,
        created TEXT NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY (space, id)
    )
    """,
)


def statements(dialect: dict[str, str]) -> list[str]:
    """The schema in one dialect, in an order that satisfies the references."""
    return [statement.format_map(dialect) for statement in STATEMENTS]
