"""What is promised outside: names, settings, the operation table, quick imports."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import MISSING, fields
from pathlib import Path

import pytest

import memflow
from memflow import Memory
from memflow.errors import SettingsError, UsageError
from memflow.evidence.prepare import PREPARATIONS
from memflow.operations import OPERATIONS, Preparation, RetrievalMode
from memflow.prompts import load as load_prompt
from memflow.prompts import names as prompt_names
from memflow.settings import RESERVED_ENVIRONMENT, Settings, load
from memflow.testing import FixedClock, HashEncoder
from memflow.types import Intent, SessionKind

# ------------------------------------------------------------------- names


def test_the_public_names() -> None:
    assert set(memflow.__all__) == {
        "AddResult",
        "Answer",
        "Context",
        "Fact",
        "Hit",
        "Intent",
        "MemFlowError",
        "Memory",
        "Message",
        "SessionKind",
        "Settings",
        "Space",
        "Turn",
    }
    for name in memflow.__all__:
        assert getattr(memflow, name).__name__ == name
        assert name in dir(memflow)
    with pytest.raises(AttributeError, match="Nonsense"):
        _ = memflow.Nonsense


def test_what_a_memory_and_a_space_can_do() -> None:
    def public(kind: type) -> set[str]:
        return {name for name in vars(kind) if not name.startswith("_")}

    assert public(Memory) >= {"open", "space", "spaces", "encoder", "model", "close"}
    assert public(memflow.Space) >= {
        "add",
        "add_file",
        "ask",
        "ask_async",
        "ask_many",
        "context",
        "explain",
        "forget",
        "get",
        "history",
        "list",
        "profile",
        "search",
        "stats",
    }


@pytest.mark.parametrize("heavy", ["numpy", "onnxruntime", "httpx", "xllamacpp"])
def test_importing_the_package_loads_nothing_heavy(heavy: str) -> None:
    code = f"import sys, memflow; memflow.__version__; sys.exit({heavy!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# ------------------------------------------------------------------- settings


def test_every_setting_has_a_source_and_a_default() -> None:
    for setting in fields(Settings):
        assert setting.metadata.get("source"), setting.name
        assert setting.default is not MISSING, setting.name


def test_keywords_go_before_environment_before_file_before_defaults(tmp_path: Path) -> None:
    file = tmp_path / "memflow.toml"
    file.write_text("ceiling = 1\nrrf_k = 2\nactive-turns = 3\n", encoding="utf-8")
    environ = {"MEMFLOW_CEILING": "10", "MEMFLOW_RRF_K": "20", "OTHER": "x"}
    loaded = load({"ceiling": 100, "space": None}, environ=environ, file=file)
    assert (loaded.ceiling, loaded.rrf_k, loaded.active_turns) == (100, 20, 3)
    assert loaded.space == Settings().space
    assert loaded.bm25_k1 == Settings().bm25_k1


def test_with_no_source_at_all_the_defaults_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert load(environ={}) == Settings()


@pytest.mark.parametrize(
    ("given", "near"),
    [("celing", "ceiling"), ("max-model-call", "max_model_calls"), ("bm25_k", "bm25_k1")],
)
def test_an_unknown_key_names_the_nearest(given: str, near: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=near):
        load({given: 1}, environ={})
    with pytest.raises(SettingsError, match=near):
        load(environ={"MEMFLOW_" + given.upper().replace("-", "_"): "1"})
    file = tmp_path / "m.toml"
    file.write_text(f"{given} = 1\n", encoding="utf-8")
    with pytest.raises(SettingsError, match=near):
        load(environ={}, file=file)


def test_a_key_unlike_any_points_to_the_table() -> None:
    with pytest.raises(SettingsError, match=r"docs/settings\.md"):
        load({"xyzzy": 1}, environ={})


@pytest.mark.parametrize(
    ("key", "value"),
    [("ceiling", "many"), ("ceiling", 1.5), ("check_short", "perhaps"), ("space", 3)],
)
def test_a_value_of_the_wrong_kind_is_refused(key: str, value: object) -> None:
    with pytest.raises(SettingsError, match=key):
        load({key: value}, environ={})


def test_values_from_the_environment_take_the_fields_type() -> None:
    loaded = load(
        environ={"MEMFLOW_CHECK_SHORT": "off", "MEMFLOW_BM25_B": "1", "MEMFLOW_CEILING": "7"}
    )
    assert (loaded.check_short, loaded.bm25_b, loaded.ceiling) == (False, 1.0, 7)


def test_names_reserved_for_other_things_are_no_settings() -> None:
    assert load(environ=dict.fromkeys(RESERVED_ENVIRONMENT, "x")) == load(environ={})


def test_files_that_are_absent_or_broken(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="no such"):
        load(environ={}, file=tmp_path / "absent.toml")
    broken = tmp_path / "broken.toml"
    broken.write_bytes(b"ceiling = \xff")
    with pytest.raises(SettingsError, match=r"broken\.toml"):
        load(environ={}, file=broken)


def test_opening_with_a_misspelt_setting_creates_nothing(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with pytest.raises(SettingsError, match="ceiling"):
        Memory.open(path, celing=5)
    assert not path.exists()


# ------------------------------------------------------------------- the operation table


def test_there_is_one_row_an_intent() -> None:
    assert set(OPERATIONS) == set(Intent)
    assert all(row.intent is intent for intent, row in OPERATIONS.items())


def test_every_preparation_is_registered_and_used() -> None:
    assert set(PREPARATIONS) == set(Preparation)
    assert {row.preparation for row in OPERATIONS.values()} == set(Preparation)
    assert {row.mode for row in OPERATIONS.values()} == set(RetrievalMode)


@pytest.mark.parametrize("intent", list(Intent))
def test_a_row_is_consistent(intent: Intent) -> None:
    row = OPERATIONS[intent]
    assert row.retry_as is not row.intent
    assert load_prompt(row.prompt).text
    assert load_prompt(row.check).examples
    assert row.top_k > 0
    assert row.document_top_k > 0
    assert row.pool >= 1
    assert 0 <= row.floor <= 1
    assert 0 < row.raw_budget <= Settings().ceiling
    assert row.answer_tokens > 0
    assert row.top_sentences is None or row.top_sentences > 0
    assert len(set(row.tools)) == len(row.tools)


def test_escalation_never_comes_back_to_an_operation_at_once() -> None:
    for row in OPERATIONS.values():
        assert OPERATIONS[row.retry_as].intent is row.retry_as
        assert row.retry_as in {Intent.TARGETED_EXTRACTION, Intent.CONFLICT_RESOLUTION}


def test_prompts_that_the_flow_composes_are_there() -> None:
    needed = {"grounding", "broad-summarization-count", *(f"frame-{k}" for k in SessionKind)}
    assert needed <= set(prompt_names())
    for name in prompt_names():
        prompt = load_prompt(name)
        assert prompt.text
        assert len(prompt.sha256) == 64
        roles = [message.role for message in prompt.examples]
        assert set(roles) <= {"user", "assistant"}
        assert all(message.content for message in prompt.examples)


# ------------------------------------------------------------------- wrong calls


def test_wrong_calls_say_so(tmp_path: Path) -> None:
    with Memory.open(
        tmp_path / "m.db", sentence_encoder=HashEncoder(), clock=FixedClock()
    ) as memory:
        space = memory.space("ana")
        with pytest.raises(UsageError, match="empty"):
            space.ask("  ")
        with pytest.raises(UsageError, match="k must"):
            space.search("x", k=0)
        with pytest.raises(UsageError, match="zone"):
            space.ask("x", now=FixedClock().now().replace(tzinfo=None))
        with pytest.raises(UsageError, match="exactly one"):
            space.forget()
        with pytest.raises(UsageError, match="exactly one"):
            space.forget(turn="a", everything=True)
        with pytest.raises(UsageError, match="no turn"):
            space.get("nothing")
        with pytest.raises(UsageError, match="no trace"):
            space.explain("nothing")
        with pytest.raises(UsageError, match="lacks"):
            space.ask("x", history=[{"role": "user"}])
        with pytest.raises(UsageError, match="name"):
            memory.space("   ")
        assert memory.space().name == Settings().space
