"""Vectors of benchmark texts, computed once: runs over the same data repeat them all."""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
import platformdirs

from memflow.protocols import Encoder, EncoderInfo, Vector


def default_cache() -> Path:
    """`embeddings.db` in the per-user cache folder."""
    root = os.environ.get("MEMFLOW_CACHE") or platformdirs.user_cache_dir("memflow", False)
    return Path(root) / "embeddings.db"


class CachedEncoder:
    """An encoder that looks up a text's vector by its sha256 before computing it."""

    def __init__(self, encoder: Encoder, path: Path) -> None:
        self._encoder = encoder
        path.parent.mkdir(parents=True, exist_ok=True)
        self._db = sqlite3.connect(path, timeout=30)
        with self._db:
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute(
                "CREATE TABLE IF NOT EXISTS vector "
                "(encoder TEXT, digest BLOB, data BLOB, PRIMARY KEY (encoder, digest)) "
                "WITHOUT ROWID"
            )

    @property
    def info(self) -> EncoderInfo:
        return self._encoder.info

    def encode(self, texts: Sequence[str]) -> Vector:
        return self._cached(texts, "document")

    def encode_query(self, text: str) -> Vector:
        vector: Vector = self._cached([text], "query")[0]
        return vector

    def close(self) -> None:
        self._db.close()

    def _cached(self, texts: Sequence[str], use: str) -> Vector:
        name = f"{self.info.fingerprint}|{use}"
        digests = [hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest() for text in texts]
        known: dict[bytes, Vector] = {}
        with closing(self._db.cursor()) as cursor:
            for digest in set(digests):
                row = cursor.execute(
                    "SELECT data FROM vector WHERE encoder = ? AND digest = ?", (name, digest)
                ).fetchone()
                if row:
                    known[digest] = np.frombuffer(row[0], dtype=np.float32)
        missing = {
            digest: text for digest, text in zip(digests, texts, strict=True) if digest not in known
        }
        if missing:
            wanted = list(missing.values())
            made = (
                self._encoder.encode(wanted)
                if use == "document"
                else np.stack([self._encoder.encode_query(text) for text in wanted])
            )
            known.update(zip(missing, made, strict=True))
            rows = [
                (name, digest, row.astype(np.float32).tobytes())
                for digest, row in zip(missing, made, strict=True)
            ]
            with self._db:
                self._db.executemany("INSERT OR IGNORE INTO vector VALUES (?, ?, ?)", rows)
        if not digests:
            return np.zeros((0, self.info.dimension), dtype=np.float32)
        return np.stack([known[digest] for digest in digests])
