"""Chunks and vectors: what search reads, always derived, always replaceable."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict

import numpy as np

from memflow.backends.store import postings
from memflow.backends.store.rows import (
    TURN_COLUMNS,
    batches,
    digest,
    marks,
    turn_from,
)
from memflow.errors import EncoderMismatch
from memflow.protocols import EncoderInfo, IndexEntry, Vector
from memflow.types import Chunk, Turn

VECTOR_TYPE = np.dtype("<f4")

# --------------------------------------------------------------------------- the encoder


def recorded_encoder(db: sqlite3.Connection) -> EncoderInfo | None:
    """The encoder of the vectors in the file."""
    row = db.execute("SELECT value FROM meta WHERE name = 'encoder'").fetchone()
    return None if row is None else EncoderInfo(**json.loads(row[0]))


def check_encoder(db: sqlite3.Connection, encoder: EncoderInfo) -> None:
    """Raises EncoderMismatch unless the file's vectors, if any, are of this encoder."""
    recorded = recorded_encoder(db)
    if recorded is not None and recorded.fingerprint != encoder.fingerprint:
        raise EncoderMismatch(
            f"the store's vectors come from the encoder '{recorded.name}' "
            f"({recorded.fingerprint}), not from '{encoder.name}' ({encoder.fingerprint})",
            mend=f"re-add into a new store, or use the encoder {recorded.name}",
        )


# --------------------------------------------------------------------------- write


def replace(
    db: sqlite3.Connection,
    space: int,
    turn_ids: Sequence[str],
    entries: Sequence[IndexEntry],
    encoder: EncoderInfo | None,
) -> tuple[dict[str, int], bool]:
    """Write the chunks of these turns in place of any they had.

    Returns the keys of the turns that still exist, and whether old chunks went. Turns forgotten
    in the meantime stay forgotten.
    """
    if strays := {entry.turn_id for entry in entries} - set(turn_ids):
        raise ValueError(f"entries for turns that are not being indexed: {sorted(strays)[:3]}")
    if encoder is not None:
        check_encoder(db, encoder)
    turns: dict[str, int] = {}
    texts: dict[str, str] = {}
    for batch in batches(dict.fromkeys(turn_ids)):
        for key, own, text in db.execute(
            f"SELECT key, id, text FROM turn WHERE space = ? AND id IN ({marks(batch)})",
            (space, *batch),
        ):
            turns[own], texts[own] = key, text
    old, spare = _delete_chunks(db, space, turns.values())
    lists: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for entry in entries:
        if entry.turn_id not in turns:
            continue
        if not 0 <= entry.start < entry.end <= len(texts[entry.turn_id]):
            raise ValueError(f"span {entry.start}:{entry.end} is outside turn {entry.turn_id}")
        text = texts[entry.turn_id][entry.start : entry.end]
        embedding = _embedding(db, space, text, entry.vector, encoder)
        chunk = db.execute(
            "INSERT INTO chunk (space, turn, begins, ends, length, terms, embedding)"
            " VALUES (?,?,?,?,?,?,?)",
            (
                space,
                turns[entry.turn_id],
                entry.start,
                entry.end,
                sum(entry.terms.values()),
                json.dumps(list(entry.terms), ensure_ascii=False),
                embedding,
            ),
        ).lastrowid
        assert chunk is not None
        for term, frequency in entry.terms.items():
            lists[term].append((chunk, frequency))
    postings.add(db, space, lists)
    _delete_unused(db, spare)
    level = 1 if encoder is None else 2
    db.executemany(
        "UPDATE turn SET indexed = ? WHERE key = ?", [(level, key) for key in turns.values()]
    )
    return turns, bool(old["chunk"])


def _embedding(
    db: sqlite3.Connection,
    space: int,
    text: str,
    vector: Vector | None,
    encoder: EncoderInfo | None,
) -> int | None:
    """The key of this text's vector: one given before, the one given now, or None."""
    if encoder is None:
        if vector is not None:
            raise ValueError("a vector was given, but the store was opened without an encoder")
        return None
    known = "SELECT key FROM embedding WHERE space = ? AND digest = ?"
    row = db.execute(known, (space, digest(text))).fetchone()
    if row is not None:
        return int(row[0])
    if vector is None:
        return None
    if vector.shape != (encoder.dimension,):
        raise ValueError(f"a vector of shape {vector.shape}, not ({encoder.dimension},)")
    db.execute(
        "INSERT INTO meta VALUES ('encoder', ?) ON CONFLICT (name) DO NOTHING",
        (json.dumps(asdict(encoder)),),
    )
    return db.execute(
        "INSERT INTO embedding (space, digest, vector) VALUES (?,?,?)",
        (space, digest(text), np.ascontiguousarray(vector, dtype=VECTOR_TYPE).tobytes()),
    ).lastrowid


def delete(db: sqlite3.Connection, space: int, turns: Iterable[int]) -> dict[str, int]:
    """Remove all that search knows of these turns; counts by table."""
    counts, spare = _delete_chunks(db, space, turns)
    counts["embedding"] = _delete_unused(db, spare)
    return counts


def _delete_chunks(
    db: sqlite3.Connection, space: int, turns: Iterable[int]
) -> tuple[dict[str, int], set[int]]:
    """Counts, and the embeddings that may have lost their last chunk."""
    counts = {"chunk": 0}
    spare: set[int] = set()
    lists: defaultdict[str, list[int]] = defaultdict(list)
    for batch in batches(turns):
        of_turns = f"turn IN ({marks(batch)})"
        for chunk, embedding, terms in db.execute(
            f"SELECT key, embedding, terms FROM chunk WHERE {of_turns}", batch
        ):
            for term in json.loads(terms):
                lists[term].append(chunk)
            if embedding is not None:
                spare.add(embedding)
        counts["chunk"] += db.execute(f"DELETE FROM chunk WHERE {of_turns}", batch).rowcount
    counts["posting"] = postings.remove(db, space, lists)
    return counts, spare


def _delete_unused(db: sqlite3.Connection, embeddings: Iterable[int]) -> int:
    count = 0
    for batch in batches(embeddings):
        count += db.execute(
            f"DELETE FROM embedding WHERE key IN ({marks(batch)}) AND NOT EXISTS"
            " (SELECT 1 FROM chunk WHERE chunk.embedding = embedding.key)",
            batch,
        ).rowcount
    if count and db.execute("SELECT 1 FROM embedding LIMIT 1").fetchone() is None:
        # Without vectors there is nothing another encoder could mix with.
        db.execute("DELETE FROM meta WHERE name = 'encoder'")
    return count


# --------------------------------------------------------------------------- read


def chunks(db: sqlite3.Connection, space: int, keys: Sequence[int]) -> list[Chunk]:
    """In the order of `keys`; unknown ones are left out."""
    spans: dict[int, tuple[int, int, int]] = {}
    for batch in batches(dict.fromkeys(int(key) for key in keys)):
        for key, *span in db.execute(
            "SELECT key, turn, begins, ends FROM chunk"
            f" WHERE space = ? AND key IN ({marks(batch)})",
            (space, *batch),
        ):
            spans[key] = (span[0], span[1], span[2])
    # Each turn once: many chunks may share a long document.
    turns: dict[int, Turn] = {}
    for batch in batches(dict.fromkeys(turn for turn, _, _ in spans.values())):
        for key, *columns in db.execute(
            f"SELECT t.key, {TURN_COLUMNS} FROM turn t JOIN session s ON s.key = t.session"
            f" WHERE t.key IN ({marks(batch)})",
            batch,
        ):
            turns[key] = turn_from(columns)
    return [
        Chunk(key, turns[turn], begins, ends)
        for key in map(int, keys)
        if key in spans
        for turn, begins, ends in (spans[key],)
    ]


def embeddings(db: sqlite3.Connection, space: int, digests: Sequence[str]) -> dict[str, Vector]:
    found: dict[str, Vector] = {}
    for batch in batches(bytes.fromhex(value) for value in dict.fromkeys(digests)):
        for value, vector in db.execute(
            f"SELECT digest, vector FROM embedding WHERE space = ? AND digest IN ({marks(batch)})",
            (space, *batch),
        ):
            found[value.hex()] = np.frombuffer(vector, dtype=VECTOR_TYPE)
    return found
